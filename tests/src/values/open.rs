//! Programs whose values nobody knows: they name what nothing declares.
//!
//! Each expression may be 1 and may be 2, so that neither `if (E == 1) p[0] = threadIdx.x;` nor the same with 2 is race-free, and no
//! race of theirs is confirmed.

use super::unit::{INCLUDES, Text};
use super::{Snippet, Where, analyse};
use crate::random::suite::on_all_cores;
use warplog_report::{Certainty, Verdict};

/// What was said of the snippets that says more than is known, one line each.
#[must_use]
pub fn said_too_much(snippets: &[Snippet]) -> Vec<String> {
    let count = u64::try_from(snippets.len()).unwrap_or(0);
    let said = on_all_cores(0..count, &|number| {
        let number = usize::try_from(number).unwrap_or(0);
        of_one(&snippets[number])
    });
    said.into_iter().flatten().collect()
}

fn of_one(snippet: &Snippet) -> Vec<String> {
    let Snippet {
        prelude,
        body,
        value,
        ..
    } = snippet;
    let value = value.as_deref().unwrap_or_default();
    let kernel = |number: u32| {
        format!(
            "__global__ void k{number}(int *out)\n{{\n{body}if (({value}) == {number}) out[0] = threadIdx.x;\n}}\n"
        )
    };
    let text = Text {
        at: Where::Kernel,
        text: format!(
            "//--blockDim=64 --gridDim=1\n{INCLUDES}{prelude}{}{}",
            kernel(1),
            kernel(2)
        ),
        kernels: Vec::new(),
    };
    let place = snippet.place();
    let verdicts = match analyse(&text) {
        Ok(verdicts) if verdicts.len() == 2 => verdicts,
        Ok(verdicts) => return vec![format!("{place}: {} kernels", verdicts.len())],
        Err(error) => return vec![format!("{place}: {error}")],
    };
    let too_much = |(verdict, certainty): &(Verdict, Option<Certainty>)| {
        *verdict == Verdict::RaceFree || *certainty == Some(Certainty::Confirmed)
    };
    let said = verdicts.iter().filter(|(_, said)| too_much(said));
    said.map(|(kernel, (verdict, _))| format!("{place}: {kernel} is {verdict:?}\n{snippet}"))
        .collect()
}
