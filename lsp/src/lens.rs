//! The verdict over each kernel.

use std::path::Path;

use lsp_types::{CodeLens, Command};
use serde_json::json;
use warplog_report::printable::{counted, safe};
use warplog_report::{Certainty, Kernel, Report, Verdict};

use crate::diagnostics::reason;
use crate::places::{Text, file};

/// Characters of a reason that are shown.
const LONGEST: usize = 100;

/// The lenses of a text.
pub(crate) fn of_report(report: &Report, path: &Path, text: &str) -> Vec<CodeLens> {
    let text = Text::new(text);
    let own = report.kernels.iter().filter(|one| file(&one.file) == path);
    own.map(|kernel| CodeLens {
        range: text.whole_line(kernel.line),
        command: Some(Command {
            title: title(kernel),
            // Clients that know it show the finding; others show words that do nothing.
            command: "warplog.explain".to_owned(),
            arguments: Some(vec![json!(kernel.file), json!(kernel.name)]),
        }),
        data: None,
    })
    .collect()
}

fn title(kernel: &Kernel) -> String {
    let launches = counted(kernel.launches.len(), "launch", "launches");
    let what = match kernel.verdict() {
        Verdict::RaceFree => match kernel.assumptions().len() {
            0 => format!("race-free in {launches}"),
            all => format!(
                "race-free in {launches}, {}",
                counted(all, "assumption", "assumptions")
            ),
        },
        Verdict::Unknown | Verdict::Error => {
            let reason = reason(kernel);
            let short: String = reason.chars().take(LONGEST).collect();
            let more = if short.len() < reason.len() {
                "…"
            } else {
                ""
            };
            format!("{}: {short}{more}", kernel.verdict().as_str())
        }
        verdict => {
            let of = |certainty| {
                let findings = kernel.findings.iter();
                let count = findings.filter(|one| one.certainty == certainty).count();
                (count > 0).then(|| format!("{count} {}", certainty.as_str()))
            };
            let all = [
                Certainty::Confirmed,
                Certainty::Conditional,
                Certainty::Potential,
            ];
            let words: Vec<String> = all.into_iter().filter_map(of).collect();
            format!("{}: {}", verdict.as_str(), words.join(", "))
        }
    };
    match kernel.name.contains('<') {
        true => format!("warplog: {}: {what}", safe(&kernel.name)),
        false => format!("warplog: {what}"),
    }
}
