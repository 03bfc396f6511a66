//! The rules, one entry each: number, names where rows are marked with one, sentence, source.
//!
//! The numbers stand beside the rules themselves (`// R7: …`); a discharge rule is a file with an entry of its own
//! ([`discharge`](crate::discharge)). Tests hold this list and the sources together. What the module of a rule says of its method and accuracy is
//! read from the module, so that there is one text of it.

use std::sync::LazyLock;

use crate::discharge;

/// What is told of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePage {
    /// `R7` for a Datalog rule, `D7` for a rule that discharges pairs.
    pub id: &'static str,
    /// The names in the columns `rule`; empty if it marks no row.
    pub names: &'static [&'static str],
    /// The file of this crate that it stands in, without its ending.
    pub file: String,
    /// What it says.
    pub sentence: &'static str,
    /// Where its idea comes from, in words that stand behind "From:": a paper or a manual with what of it is meant, or `our own`.
    pub origin: &'static str,
    /// The text of the file.
    text: &'static str,
}

impl RulePage {
    /// What the module says of its method and accuracy: the comment at its head, in Markdown.
    #[must_use]
    pub fn module(&self) -> String {
        let lines = self
            .text
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line));
        unlinked(&lines.collect::<Vec<_>>().join("\n"))
    }
}

/// Where the idea of a rule that derives relations comes from.
fn origin(id: &str) -> &'static str {
    match id {
        "R1" | "R2" | "R26" => BARRIER_INTERVALS,
        "R10" | "R11" | "R16" => DIVERGENCE_ANALYSIS,
        "R17" | "R18" => DEPENDENCE,
        "R19" | "R20" => PARAMETRIC_FLOWS,
        "R21" => BARRIER_DIVERGENCE,
        "R37" | "R43" => MASKS,
        "R14" | "R15" => "our own, as part of a divergence analysis (see R10)",
        "R12" | "R13" => "the hierarchy of threads of the CUDA C++ Programming Guide",
        "R22" => "our own, after R21",
        "R56" | "R58" => PUG_PARA,
        "R29" => "the CUDA C++ Programming Guide, on local memory",
        _ => "our own",
    }
}

const PUG_PARA: &str = "G. Li, G. Gopalakrishnan, \"Parameterized verification of GPU kernel programs\", IPDPSW 2012: threads that write one element";
const BARRIER_INTERVALS: &str = "G. Li, G. Gopalakrishnan, \"Scalable SMT-based verification of GPU kernel functions\", FSE 2010: barrier \
     intervals, and two threads that stand for all";
const DIVERGENCE_ANALYSIS: &str = "B. Coutinho, D. Sampaio, F. M. Q. Pereira, W. Meira, \"Divergence analysis and optimizations\", PACT 2011: data and control \
     that depend on the thread";
const DEPENDENCE: &str = "J. Ferrante, K. J. Ottenstein, J. D. Warren, \"The program dependence graph and its use in optimization\", \
     TOPLAS 1987: dependence by data and by control";
const PARAMETRIC_FLOWS: &str = "P. Li, G. Li, G. Gopalakrishnan, \"Parametric flows: automated behavior equivalencing for symbolic \
     analysis of races in CUDA programs\", SC 2012: tid-independent and tid-dependent conditions, and flows";
const BARRIER_DIVERGENCE: &str = "A. Betts, N. Chong, A. F. Donaldson, S. Qadeer, P. Thomson, \"GPUVerify: a verifier for GPU kernels\", \
     OOPSLA 2012: what divergence of a barrier is";
const MASKS: &str = "the CUDA C++ Programming Guide, on warp vote and shuffle functions: each lane that calls is named, and all bring \
     one mask";

/// The text without the links of rustdoc, which lead nowhere outside it: [`x`](y::x) is `x`.
fn unlinked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((name, after)) = after.split_once("`]") else {
            break;
        };
        out.push_str(before);
        out.push('`');
        out.push_str(name);
        out.push('`');
        let target = after
            .strip_prefix('(')
            .and_then(|link| link.split_once(')'));
        rest = target.map_or(after, |(_, after)| after);
    }
    out.push_str(rest);
    out
}

macro_rules! rules {
    ($($id:literal [$($name:literal),*] $file:literal: $sentence:literal;)*) => {
        /// The rules that derive relations, in order.
        fn derivations() -> Vec<RulePage> {
            vec![$(RulePage {
                id: $id,
                names: &[$($name),*],
                file: $file.to_owned(),
                sentence: $sentence,
                origin: origin($id),
                text: include_str!(concat!($file, ".rs")),
            }),*]
        }
    };
}

rules! {
    "R1" [] "intervals": "What follows a head is in its interval.";
    "R2" [] "intervals": "So is what follows a point of the interval that is no barrier of the scope.";
    "R3" [] "skips": "In the point's iteration the barrier stands before the point, and that iteration began after the head.";
    "R4" [] "skips": "In the head's iteration the barrier stands after the head, and that iteration ended before the point.";
    "R5" [] "stability": "A storage is written in an interval by an access that may be in it.";
    "R6" [] "stability": "It is written in the kernel by any access, or by what is not modelled.";
    "R7" [] "stability": "A storage that is read in an interval is stable there unless written there.";
    "R8" [] "stability": "A read is stable within a block when no access in an interval that may hold it writes its bytes.";
    "R9" [] "stability": "It is stable within the grid when its storage is of the grid, no shared memory, and its bytes are never written.";
    "R10" [] "uniformity": "What differs within a scope varies in it.";
    "R11" [] "uniformity": "So does all that is computed from it.";
    "R12" [] "uniformity": "What varies within a warp varies within its block, and what does so within the grid.";
    "R13" [] "uniformity": "The thread index differs within a warp, the block index within the grid.";
    "R14" [] "uniformity": "A loaded value differs where its memory may be written meanwhile.";
    "R15" [] "uniformity": "An unknown differs when opaque, else with what it depends on.";
    "R16" [] "uniformity": "A trip count varies with the loop's condition and with every other way out.";
    "R17" [] "dependence": "A source depends on itself.";
    "R18" [] "dependence": "What is computed from something that depends on a source depends on it.";
    "R19" [] "conditions": "A conjunct whose term is uniform in the block is tid-independent.";
    "R20" [] "conditions": "Any other is tid-dependent.";
    "R21" [] "divergence": "Threads may disagree about a barrier at each conjunct of its guard.";
    "R22" [] "divergence": "They may disagree by leaving a loop around it, or the kernel, in an earlier iteration.";
    "R23" ["tid-independent-condition"] "divergence": "They do not where the condition is uniform in the barrier's group.";
    "R24" [] "exits": "A return follows what stands before it.";
    "R25" [] "exits": "It follows what stands before that, if that is no barrier of the scope.";
    "R26" [] "candidates": "A write and another access to the memory in one interval are a pair.";
    "R27" [] "candidates": "An interval is later than another if it begins where that one or a later one ends.";
    "R28" [] "candidates": "An access of a thread that then leaves the kernel, and any of a later interval, are a pair.";
    "R29" ["local-memory"] "thread_private": "Local memory is another object in each thread.";
    "R30" [] "counters": "What two atomics that add one constant find on an element differs if nothing but such atomics changes the memory.";
    "R31" [] "counters": "So it does, in shared memory, where nothing else changes it in the intervals in which they are, and both are in one.";
    "R32" [] "counters": "A counter of the block that is set right before the barrier that begins the interval counts from there.";
    "R33" [] "forward": "A thread reads back what it wrote itself, where the conditions of the write hold, if nothing on the way from there changes the memory.";
    "R34" [] "forward": "All threads of a block read the value that some thread of it wrote, if all of them have the same one; where it was written under conditions of the block, if those hold.";
    "R35" [] "forward": "What one thread of a block drew from a counter of the grid and stored for all stands for its block.";
    "R36" [] "uniformity": "Which of several whole warps a thread is in is one for the warp.";
    "R37" [] "divergence": "A lane comes to an operation whose mask does not name it.";
    "R38" ["counted-group"] "counted": "Counted, the threads of each group of the barrier agree on the condition.";
    "R39" ["of-the-group-number"] "counted": "What is computed from the number of the group is one for the group.";
    "R40" ["named-threads"] "counted": "Who is in the group satisfies its condition.";
    "R41" ["counted-members"] "counted": "Counted, all threads that come to the barrier are in a group that it is for.";
    "R42" [] "counted": "Only sets of groups are asked for that two threads of the block can both be in.";
    "R43" [] "divergence": "Two lanes come to an operation with different masks, one of which names both.";
    "R44" ["counted-masks"] "counted": "Counted, a lane brings the mask that each lane brings by which it is named.";
    "R45" [] "forward": "All lanes of a warp read the value that some lane of it wrote, if all of them have the same one.";
    "R46" [] "counters": "A read behind a barrier that ends the interval of such a counter finds more than any execution of the atomic.";
    "R47" [] "settled": "Two reads of one element of shared memory between which nothing changes it find the same, whatever it is; of those that an annotation speaks of, where their places are equal.";
    "R48" [] "counters": "What two atomics find that add numbers of their own is apart by these, if nothing but atomics changes the memory that never add less than 0.";
    "R49" [] "counters/winners": "Two executions of exchanges do not both take a value from one element that nothing brings back.";
    "R50" [] "rounds": "A write in a round of a loop that all threads run is not in one interval with a read behind the loop.";
    "R51" [] "results": "What an access finds rests on its result, and so does what is computed from it.";
    "R52" [] "results": "Memory of the block or the thread is told of a result where a value or a condition of a write rests on it.";
    "R53" [] "results": "What is read from such memory rests on the result.";
    "R54" [] "candidates": "What a bulk copy does until the phase ends that counts its bytes, or what a thread writes without a fence before a bulk copy, and any access of a later interval, are a pair.";
    "R55" [] "candidates": "So are these and what the thread itself does later.";
    "R56" [] "compared": "Two assignments to one element that store the same value are matched.";
    "R57" [] "compared": "An assignment is unmatched if no cases of matched ones are complete.";
    "R58" [] "compared": "An array agrees if none of its assignments is unmatched.";
    "R59" [] "compared": "An element differs in which two executions leave different values.";
}

/// All rules, in order: those that derive relations, then those that discharge pairs.
pub static RULES: LazyLock<Vec<RulePage>> = LazyLock::new(|| {
    let discharge = discharge::RULES.iter().map(|rule| RulePage {
        id: rule.id,
        names: rule.names,
        file: file_of(rule.module),
        sentence: rule.sentence,
        origin: rule.origin,
        text: rule.text,
    });
    let mut all = derivations();
    all.extend(discharge);
    all.sort_by_key(|rule| {
        let number: u32 = rule.id[1..].parse().unwrap_or(0);
        (rule.id.starts_with('D'), number)
    });
    all
});

/// The file of a module of this crate, without its ending.
fn file_of(module: &str) -> String {
    let below = module.split("::").skip(1);
    below.collect::<Vec<_>>().join("/")
}

/// The page of a rule, by its number or by a name.
#[must_use]
pub fn page(id: &str) -> Option<&'static RulePage> {
    RULES
        .iter()
        .find(|rule| rule.id.eq_ignore_ascii_case(id) || rule.names.contains(&id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The text of every source file of the rules, by name without ending.
    fn sources() -> Vec<(String, String)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut all = Vec::new();
        for folder in ["", "counters", "discharge"] {
            for entry in fs::read_dir(root.join(folder)).expect("a folder").flatten() {
                let path = entry.path();
                let is_source = path.extension().is_some_and(|ending| ending == "rs");
                if is_source && !path.ends_with("pages.rs") {
                    let name = path.strip_prefix(&root).expect("below").with_extension("");
                    let name = name.display().to_string();
                    all.push((name, fs::read_to_string(&path).expect("reads")));
                }
            }
        }
        all
    }

    /// The numbers at the head of comments, `// R7: …` and `//! D7 …`.
    fn numbered() -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (_, text) in sources() {
            for line in text.lines() {
                let line = line.trim_start();
                let rest = ["// R", "//! D"]
                    .iter()
                    .find_map(|start| Some((start.chars().last()?, line.strip_prefix(start)?)));
                if let Some((letter, rest)) = rest {
                    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                    if !digits.is_empty() {
                        found.insert(format!("{letter}{digits}"));
                    }
                }
            }
        }
        found
    }

    #[test]
    fn every_rule_of_the_sources_has_an_entry() {
        let listed: BTreeSet<String> = RULES.iter().map(|rule| rule.id.to_owned()).collect();
        assert_eq!(numbered(), listed, "sources, and RULES in pages.rs");
        assert_eq!(listed.len(), RULES.len(), "each once");
    }

    #[test]
    fn files_name_their_rules() {
        let sources = sources();
        for rule in RULES.iter() {
            let (_, text) = sources
                .iter()
                .find(|(name, _)| *name == rule.file)
                .unwrap_or_else(|| panic!("no file {}", rule.file));
            let starts = [":", " "].map(|end| format!("{}{end}", rule.id));
            let named = starts.iter().any(|start| text.contains(start.as_str()))
                || text.contains(&format!("({})", rule.id));
            assert!(named, "{} in {}", rule.id, rule.file);
            let module = rule.module();
            assert!(module.len() > 80 && !module.contains("[`"), "{}", rule.id);
        }
    }

    #[test]
    fn names_stand_in_the_sources() {
        let all: String = sources().into_iter().map(|(_, text)| text).collect();
        for rule in RULES.iter() {
            for name in rule.names {
                assert!(all.contains(&format!("\"{name}\"")), "{name}");
                assert_eq!(page(name), Some(rule));
            }
        }
        assert_eq!(page("r26").map(|rule| rule.id), Some("R26"));
        assert_eq!(page("D99"), None);
    }

    #[test]
    fn origins_name_rules_that_there_are() {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pages.rs"));
        let text = text.expect("reads");
        let start = text.find("match id").expect("is there");
        let arms = &text[start..start + text[start..].find("_ =>").expect("the last")];
        let ids = arms.split('"').filter(|word| {
            word.strip_prefix(['R', 'D'])
                .is_some_and(|digits| digits.parse::<u32>().is_ok())
        });
        assert!(ids.clone().count() > 10);
        for id in ids {
            assert!(RULES.iter().any(|rule| rule.id == id), "{id}");
        }
        // What is of others has a name and a year, a manual, or another rule.
        for rule in RULES.iter() {
            let origin = rule.origin;
            let told = ["our own", "Guide", "PTX", "19", "20"];
            assert!(told.iter().any(|word| origin.contains(word)), "{}", rule.id);
            assert!(!origin.ends_with('.'), "{}", rule.id);
        }
    }
}
