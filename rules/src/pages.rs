//! The rules, one entry each: number, names where rows are marked with one, sentence, source.
//!
//! The numbers stand beside the rules themselves (`// R7: …`), those of the discharge rules in the documentation of
//! `disjoint`; a test holds this list and the sources together. What the module of a rule says of its method and accuracy is
//! read from the module, so that there is one text of it.

/// What is told of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulePage {
    /// `R7` for a Datalog rule, `D7` for a rule that discharges pairs.
    pub id: &'static str,
    /// The names in the columns `rule`; empty if it marks no row.
    pub names: &'static [&'static str],
    /// The file of this crate that it stands in, without its ending.
    pub file: &'static str,
    /// What it says.
    pub sentence: &'static str,
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

    /// Where its idea comes from, in words that stand behind "From:": a paper or a manual with what of it is meant, or `our own`.
    #[must_use]
    pub fn origin(&self) -> &'static str {
        match self.id {
            "R1" | "R2" | "R26" => BARRIER_INTERVALS,
            "R10" | "R11" | "R16" => DIVERGENCE_ANALYSIS,
            "R17" | "R18" => DEPENDENCE,
            "R19" | "R20" => PARAMETRIC_FLOWS,
            "R21" => BARRIER_DIVERGENCE,
            "R37" | "R43" => MASKS,
            "R14" | "R15" => "our own, as part of a divergence analysis (see R10)",
            "R12" | "R13" => "the hierarchy of threads of the CUDA C++ Programming Guide",
            "R22" => "our own, after R21",
            "R29" => "the CUDA C++ Programming Guide, on local memory",
            "D2" => {
                "the PTX ISA, memory consistency model: which atomic operations are morally strong"
            }
            "D5" => {
                "the GCD test of dependence analysis (U. Banerjee, \"Dependence Analysis for Supercomputing\", 1988), asked of \
                 two threads instead of two iterations and with the width of an access; that extension is ours"
            }
            "D6" => {
                "the bounds test of dependence analysis (U. Banerjee, \"Dependence Analysis for Supercomputing\", 1988), with \
                 symbolic bounds from guards, which are ours"
            }
            "D13" => {
                "the lock-step warps of devices before Volta, as P. Li, G. Li, G. Gopalakrishnan (SC 2012) take them in what they call \
                 a porting race"
            }
            "D15" => {
                "our own; the argument is that of the PTX ISA, memory consistency model (release and acquire patterns, causality \
                 order)"
            }
            "D17" => {
                "our own; the protocol is that of the CUDA C++ Programming Guide (*Memory Fence Functions*), the argument that of the PTX \
                 ISA, memory consistency model (release patterns)"
            }
            "D14" => "our own, after D5",
            "D19" => "our own; the positions are those of bitonic merges and of radix-2 transforms",
            _ => "our own",
        }
    }
}

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
        /// All rules, in order.
        pub const RULES: &[RulePage] = &[$(RulePage {
            id: $id,
            names: &[$($name),*],
            file: $file,
            sentence: $sentence,
            text: include_str!(concat!($file, ".rs")),
        }),*];
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
    "R8" [] "stability": "A read is stable within a block when its storage is in all intervals that may hold it.";
    "R9" [] "stability": "It is stable within the grid when its storage is of the grid, no shared memory, and never written.";
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
    "R29" ["local-memory"] "disjoint/mod": "Local memory is another object in each thread.";
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
    "R47" [] "settled": "Two reads of one element of shared memory between which nothing changes it find the same, whatever it is.";
    "R48" [] "counters": "What two atomics find that add numbers of their own is apart by these, if nothing but atomics changes the memory that never add less than 0.";
    "R49" [] "counters/winners": "Two executions of exchanges do not both take a value from one element that nothing brings back.";
    "R50" [] "rounds": "A write in a round of a loop that all threads run is not in one interval with a read behind the loop.";
    "D1" ["single-thread", "single-warp", "single-block"] "disjoint/mod": "The launch has no two threads of the scope.";
    "D2" ["atomic-with-atomic"] "disjoint/mod": "Two atomic operations of equal size, both aligned to it, each atomic for the other thread, are ordered.";
    "D3" ["contradictory-guards"] "disjoint/mod": "A shared condition is true for one access and false for the other, or two equalities cannot hold both.";
    "D4" ["same-value"] "disjoint/mod": "Both write the same shared value to the same bytes.";
    "D5" ["separated-residues"] "disjoint/mod": "All strides are multiples of a number, and the offsets' distance modulo it is at least the access size on both sides.";
    "D6" ["disjoint-ranges"] "disjoint/mod": "The largest offset of one, by ranges and guards, lies below the other's smallest.";
    "D7" ["same-injective-index"] "disjoint/mod": "Overlapping bytes force equality of all digits, and these make up the identity of the thread (of the block, between blocks).";
    "D8" ["one-thread-only"] "disjoint/mod": "The guards let one thread through only.";
    "D9" ["same-trip-count"] "disjoint/trip": "One thread is in an iteration of a loop that the other left before it, though they share its condition.";
    "D10" ["exchanged-partners"] "disjoint/two": "Overlap would make each the other's partner, but both have a guard that orders partners the same way.";
    "D11" ["not-on-one-path"] "disjoint/lockstep": "Control is uniform, and no path of the interval has both accesses.";
    "D12" ["one-warp-only", "different-warps"] "disjoint/two": "The guards keep both threads in one warp of a one-dimensional block, or in two.";
    "D13" ["lock-step"] "disjoint/mod": "In one warp of a launch with lock-step warps, neither of one instruction nor of diverged arms.";
    "D14" ["factored-residues"] "disjoint/factor": "A shared factor of at least 1 taken out of the distance, all strides are multiples of a number, and the rest modulo it is at least the access size on both sides.";
    "D15" ["same-lock"] "locks": "Both accesses are made under one spin lock, held by the thread itself or for its block, with fences.";
    "D16" ["different-classes"] "disjoint/classes": "Overlap would make the places of the two threads neighbours, and guards of both fix the same remainder of what differs then.";
    "D17" ["last-ticket"] "tickets": "Only the block that drew the last of as many tickets as there are blocks makes one access, and the other block makes the other before it draws, or not at all.";
    "D18" ["all-threads-tried"] "disjoint/tried": "The places of all threads of a small block, one by one in all iterations of small loops, never overlap, modulo what else is in the offsets.";
    "D19" ["inserted-digit"] "disjoint/inserted": "Both offsets make room in one number, a power of two at a time, for the digit that tells them apart.";
    "D20" ["separated-magnitudes"] "disjoint/magnitudes": "What is left between two offsets made of quotients and remainders is larger than what the digits below it come to, by the absolute values of sizes whose sign is not known.";
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
        for folder in ["", "counters", "disjoint"] {
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

    /// The numbers at the head of comments, `// R7: …` and `//! - D7 …`.
    fn numbered() -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (_, text) in sources() {
            for line in text.lines() {
                let line = line.trim_start();
                let rest = ["// R", "//! - D"]
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
        let order = |rule: &RulePage| (rule.id.starts_with('D'), rule.id[1..].parse::<u32>().ok());
        assert!(RULES.is_sorted_by_key(order));
    }

    #[test]
    fn files_name_their_rules() {
        let sources = sources();
        for rule in RULES {
            let (_, text) = sources
                .iter()
                .find(|(name, _)| name == rule.file)
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
        for rule in RULES {
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
        let start = text.find("match self.id").expect("is there");
        let arms = &text[start..start + text[start..].find("_ =>").expect("the last")];
        let ids = arms.split('"').filter(|word| {
            word.strip_prefix(['R', 'D'])
                .is_some_and(|digits| digits.parse::<u32>().is_ok())
        });
        assert!(ids.clone().count() > 15);
        for id in ids {
            assert!(RULES.iter().any(|rule| rule.id == id), "{id}");
        }
        // What is of others has a name and a year, a manual, or another rule.
        for rule in RULES {
            let origin = rule.origin();
            let told = ["our own", "Guide", "PTX", "19", "20"];
            assert!(told.iter().any(|word| origin.contains(word)), "{}", rule.id);
            assert!(!origin.ends_with('.'), "{}", rule.id);
        }
    }
}
