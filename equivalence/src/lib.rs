//! Whether two kernels, or two sequences of launches, leave equal contents behind: for every size, grid and input that both admit.
//!
//! **Algorithm.** [`refute`] runs both with numbers and looks for an element that differs. If none is found, [`prove`] runs an
//! arbitrary block of both over values that are open ([`machine`]) and compares what they write ([`compare`]): values are normal
//! forms ([`node`]), loops of open length are folds ([`folds`]), what is read from shared memory is what was written there. Where a
//! launch leaves the size of the block open, an arbitrary thread stands for all: both sides go from barrier to barrier together
//! ([`aligned`]), or what is read from shared memory is that which the thread wrote that its address names ([`threads`]). Else blocks
//! of the usual sizes are compared one by one, and the answer says so.
//!
//! **Source.** G. Li, G. Gopalakrishnan, "Parameterized verification of GPU kernel programs" (PUG_para), IPDPSW 2012, for what is
//! asked; that writers are found by running the block rather than by quantifiers is different here.
//!
//! **Accuracy.** It is taken for granted that neither side has a race; whoever asks has to check that. *Different* is two executions.
//! *Equal* rests on the assumptions that are told with it, and on facts that are complete: an unsupported construct makes it unknown.

pub mod aligned;
pub mod answer;
pub mod compare;
pub mod float;
pub mod folds;
pub mod index;
pub mod launches;
pub mod machine;
pub mod memory;
pub mod node;
pub mod post;
pub mod prove;
pub mod refute;
pub mod sides;
pub mod threads;
pub mod told;

use answer::{Answer, Verdict};
use index::Index;
use sides::Side;

/// How to compare.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Sums and products of floats are those of the reals.
    pub reassociates: bool,
    /// Which parameters of the two are the same, beyond what names tell.
    pub map: Vec<(String, String)>,
}

/// Runs with numbers before a proof is tried, and all of them.
const FIRST_RUNS: u64 = 6;
const ALL_RUNS: u64 = 40;

/// Compares two sides.
///
/// # Errors
/// Their parameters cannot be matched.
pub fn equal(sides: &[Side<'_>; 2], options: &Options) -> Result<Answer, String> {
    let indices = indices(sides);
    let mut answer = compared(&indices, options)?;
    tell_axes(&mut answer, &indices);
    Ok(answer)
}

/// What is shown where an axis has one thread or block only, as one side does not know of it, is not shown of the launches that the other
/// side admits: it is the condition.
fn tell_axes(answer: &mut Answer, indices: &[Vec<Index<'_>>; 2]) {
    let Verdict::Equal(extent) = &answer.verdict else {
        return;
    };
    let closed: Vec<&str> = closed_axes(indices, extent);
    if closed.is_empty() {
        return;
    }
    let reason = format!(
        "{} is of one side only, and more than 1 is not compared",
        closed.join(", ")
    );
    answer.verdict = Verdict::Unknown(vec![reason]);
    answer.assumptions.clear();
    let conditions = closed.iter().map(|axis| format!("{axis} == 1"));
    answer.equal_if.extend(conditions);
}

/// The axes that one side leaves open and the other one does not know, as far as the extent says nothing of them.
fn closed_axes(indices: &[Vec<Index<'_>>; 2], extent: &answer::Extent) -> Vec<&'static str> {
    use launches::Given;
    let names = [
        "blockDim.x",
        "blockDim.y",
        "blockDim.z",
        "gridDim.x",
        "gridDim.y",
        "gridDim.z",
    ];
    let told = |at: usize| match extent {
        answer::Extent::Sizes(sizes) => sizes[at / 3 * 3..][..3].iter().all(Option::is_some),
        answer::Extent::Shapes(_) => true,
        answer::Extent::Blocks(_) => at < 3,
    };
    let all: Vec<[Given; 6]> = indices.iter().flatten().map(launches::given).collect();
    let is_closed = |at: &usize| {
        let has = |wanted: Given| all.iter().any(|given| given[*at] == wanted);
        !told(*at) && has(Given::Open) && has(Given::Number(1))
    };
    (0..6).filter(is_closed).map(|at| names[at]).collect()
}

fn compared(indices: &[Vec<Index<'_>>; 2], options: &Options) -> Result<Answer, String> {
    let matching = sides::matching(indices, &options.map)?;
    let mut notes = Vec::new();
    for array in &matching.arrays {
        match [array.names[0].as_str(), array.names[1].as_str()] {
            ["", name] => notes.push(format!(
                "{name} is of the right side only: it is not compared"
            )),
            [name, ""] => notes.push(format!(
                "{name} is of the left side only: it is not compared"
            )),
            [left, right] if left != right => notes.push(format!("{left} is taken to be {right}")),
            _ => {}
        }
    }
    for scalar in matching.scalars.iter().filter(|scalar| scalar.shared) {
        if scalar.names[0] != scalar.names[1] {
            notes.push(format!(
                "{} is taken to be {}",
                scalar.names[0], scalar.names[1]
            ));
        }
    }
    let mut answer = Answer {
        verdict: Verdict::Unknown(Vec::new()),
        assumptions: Vec::new(),
        equal_if: Vec::new(),
        notes,
        runs: 0,
        told: told::Told::default(),
        arrays: matching
            .arrays
            .iter()
            .map(|array| match array.names[0].is_empty() {
                true => array.names[1].clone(),
                false => array.names[0].clone(),
            })
            .collect(),
    };
    let question = Question {
        indices,
        matching: &matching,
        reassociates: options.reassociates,
    };
    if question.compares_nothing() {
        let reason = "no array that either side writes is one of the other: --map says which are";
        answer.verdict = Verdict::Unknown(vec![reason.to_owned()]);
        return Ok(answer);
    }
    let first = question.refute(0..FIRST_RUNS);
    answer.runs = first.agreed;
    if let Some(found) = first.difference {
        answer.verdict = Verdict::Different(Box::new(found));
        if let Ok(proof) = question.prove_apart(&mut answer.told) {
            answer.equal_if = question.conditions(proof);
        }
        let shown = match answer.equal_if.is_empty() {
            true => question.prove_by_blocks(&mut answer.told).ok(),
            false => None,
        };
        if let Some((answer::Extent::Blocks(blocks), _)) = shown {
            answer.equal_if.push(answer::of_blocks(&blocks));
        }
        return Ok(answer);
    }
    let reason = match question.prove(&mut answer.told) {
        Ok((extent, assumptions)) => {
            answer.verdict = Verdict::Equal(extent);
            answer.assumptions = assumptions;
            return Ok(answer);
        }
        Err(reason) => reason,
    };
    // Why it is not shown of one thread for all, where all threads of a block are not followed.
    let mut of_thread = None;
    let mut reason = match question.prove_apart(&mut answer.told) {
        Ok(proof) if proof.conditions.is_empty() => {
            answer.verdict = Verdict::Equal(proof.extent);
            answer.assumptions = proof.assumptions;
            return Ok(answer);
        }
        Ok(proof) => {
            answer.equal_if = question.conditions(proof);
            match answer.equal_if.is_empty() {
                true => reason,
                false => format!("shown only if {}", answer.equal_if.join(" and ")),
            }
        }
        Err(apart) if reason == prove::DIFFERENT_SHAPES => apart,
        Err(apart) => {
            of_thread = Some(apart);
            reason
        }
    };
    match question.prove_by_blocks(&mut answer.told) {
        Ok((extent, assumptions)) => {
            answer.verdict = Verdict::Equal(extent);
            answer.assumptions = assumptions;
            return Ok(answer);
        }
        Err(Some(of_block)) if answer.equal_if.is_empty() => reason = of_block,
        Err(_) => {}
    }
    let more = question.refute(FIRST_RUNS..ALL_RUNS);
    answer.runs += more.agreed;
    answer.verdict = match more.difference {
        Some(found) => Verdict::Different(Box::new(found)),
        None => {
            let mut reasons = vec![reason];
            reasons.extend(of_thread.filter(|other| *other != reasons[0]));
            reasons.extend(more.reasons.into_keys());
            reasons.dedup();
            Verdict::Unknown(reasons)
        }
    };
    Ok(answer)
}

/// How many executions with numbers leave the same on both sides; none if one does not.
///
/// # Errors
/// Their parameters cannot be matched.
pub fn agreed(sides: &[Side<'_>; 2], options: &Options) -> Result<Option<u32>, String> {
    let indices = indices(sides);
    let matching = sides::matching(&indices, &options.map)?;
    let tried = refute::refute(&indices, &matching, options.reassociates, 0..FIRST_RUNS);
    Ok(tried.difference.is_none().then_some(tried.agreed))
}

fn indices<'f>(sides: &[Side<'f>; 2]) -> [Vec<Index<'f>>; 2] {
    [&sides[0], &sides[1]].map(|side| {
        let launches = side.launches.iter();
        launches
            .map(|(facts, launch)| Index::new(facts, *launch))
            .collect()
    })
}

/// What is compared.
struct Question<'a, 'f> {
    indices: &'a [Vec<Index<'f>>; 2],
    matching: &'a sides::Matching,
    reassociates: bool,
}

impl Question<'_, '_> {
    fn refute(&self, runs: std::ops::Range<u64>) -> refute::Tried {
        refute::refute(self.indices, self.matching, self.reassociates, runs)
    }

    /// Whether the sides write arrays, and none of them is compared.
    fn compares_nothing(&self) -> bool {
        let written = aligned::written(self.indices, self.matching);
        let mut arrays = written
            .iter()
            .map(|&number| &self.matching.arrays[number as usize]);
        !written.is_empty() && !arrays.any(|array| array.names.iter().all(|name| !name.is_empty()))
    }

    fn followed(&self) -> Result<(), String> {
        let mut all = self.indices.iter().flatten();
        if let Some(reason) = all.clone().find_map(Index::has_other_orders) {
            return Err(reason.to_owned());
        }
        match all.find_map(Index::not_modelled) {
            Some(row) => Err(format!("{}: {}", row.what, row.why)),
            None => Ok(()),
        }
    }

    fn prove(&self, told: &mut told::Told) -> Result<(answer::Extent, Vec<String>), String> {
        self.followed()?;
        prove::together(self.indices, self.matching, self.reassociates, told)
    }

    fn prove_by_blocks(
        &self,
        told: &mut told::Told,
    ) -> Result<(answer::Extent, Vec<String>), Option<String>> {
        self.followed()?;
        prove::by_blocks(self.indices, self.matching, self.reassociates, told)
    }

    fn prove_apart(&self, told: &mut told::Told) -> Result<prove::Proof, String> {
        self.followed()?;
        prove::apart(self.indices, self.matching, self.reassociates, told)
    }

    /// The conditions of a proof, if executions with both sides equal show that they can hold.
    fn conditions(&self, mut proof: prove::Proof) -> Vec<String> {
        let texts = proof.told(self.matching);
        let agreed = refute::agreed(
            self.indices,
            self.matching,
            self.reassociates,
            0..ALL_RUNS,
            &mut |choice| proof.holds(choice),
        );
        match agreed {
            true => texts,
            false => Vec::new(),
        }
    }
}
