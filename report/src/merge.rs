//! One kernel, seen by several units, as one entry.
//!
//! A kernel that stands in a header is analysed in every unit that includes the header, and once more when the header is
//! checked by itself. To the user it is one kernel: same file, same line, same name with its template arguments. Its
//! launches are joined, equal ones once; findings at the same places are one finding, shown by the launches of all.
//!
//! **Arbitrary launches.** A unit that shows no launch of a kernel has it checked under an arbitrary one. That launch
//! (source `symbolic`, without a place) means "nothing is known", and gives way as soon as another unit shows how the kernel
//! is launched, be it as the same kernel or as an instantiation of the same template. An arbitrary launch that a use in the
//! code asks for has a place, and stays.
//!
//! The result does not depend on the order of the units, but for the order of launches, which is that of the units.

use std::collections::{BTreeMap, BTreeSet};

use super::mend::Mend;
use crate::anatomy::Anatomy;
use crate::finding::{Finding, Inventory, Kernel, LaunchSource};
use crate::findings::FindingKind;
use crate::meeting::{Role, Scope};
use crate::place::Place;

impl Inventory {
    /// Adds what another unit is made of.
    pub fn absorb(&mut self, other: Inventory) {
        self.inputs.extend(other.inputs);
        self.headers.extend(other.headers);
        for (header, files) in other.missing {
            self.missing.entry(header).or_default().extend(files);
        }
        for (header, names) in other.guessed {
            self.guessed.entry(header).or_default().extend(names);
        }
        for (name, files) in other.undefined {
            self.undefined.entry(name).or_default().extend(files);
        }
        for (kernel, inputs) in other.shown_by {
            self.shown_by.entry(kernel).or_default().extend(inputs);
        }
        self.inactive.extend(other.inactive);
    }
}

/// Merges kernels that are the same. Findings keep no ids.
#[must_use]
pub fn merge_kernels(kernels: Vec<Kernel>) -> Vec<Kernel> {
    let mut groups: BTreeMap<(String, u32, String), Vec<Kernel>> = BTreeMap::new();
    for kernel in kernels {
        let key = (kernel.file.clone(), kernel.line, kernel.name.clone());
        groups.entry(key).or_default().push(kernel);
    }
    // The place alone stands for the template without arguments, of which any instantiation will do.
    let known: BTreeSet<(String, u32, String)> = groups
        .values()
        .flatten()
        .filter(|kernel| !is_unlaunched(kernel))
        .flat_map(|kernel| {
            let plain = kernel.name.split('<').next().unwrap_or_default();
            [kernel.name.as_str(), plain]
                .map(|name| (kernel.file.clone(), kernel.line, name.to_owned()))
        })
        .collect();
    let mut merged = Vec::with_capacity(groups.len());
    for (key, mut group) in groups {
        if known.contains(&key) {
            group.retain(|kernel| !is_unlaunched(kernel));
        }
        let mut group = group.into_iter();
        let Some(mut first) = group.next() else {
            continue;
        };
        for other in group {
            absorb(&mut first, other);
        }
        merged.push(first);
    }
    merged
}

/// Whether the kernel was only checked because nothing is known of its launches.
fn is_unlaunched(kernel: &Kernel) -> bool {
    kernel
        .launches
        .iter()
        .all(|launch| launch.source == LaunchSource::Symbolic && launch.place.is_none())
}

/// What makes two findings the same defect.
type Identity<'a> = (
    FindingKind,
    Option<Scope>,
    Option<&'a str>,
    Vec<(&'a Place, Role)>,
);

fn identity(finding: &Finding) -> Identity<'_> {
    let places = finding
        .locations
        .iter()
        .map(|location| (&location.place, location.role))
        .collect();
    (finding.kind(), finding.scope(), finding.array(), places)
}

/// Adds what another unit found out about the kernel.
fn absorb(kernel: &mut Kernel, mut other: Kernel) {
    crate::merge::agree(kernel, &mut other);
    kernel.extent.gaps.extend(other.extent.gaps);
    kernel.extent.launched |= other.extent.launched;
    kernel.extent.micros += other.extent.micros;
    let before = kernel.launches.len();
    let mut index_of = Vec::with_capacity(other.launches.len());
    for launch in other.launches {
        let known = kernel.launches.iter().position(|known| *known == launch);
        index_of.push(known.unwrap_or_else(|| {
            kernel.launches.push(launch);
            kernel.launches.len() - 1
        }));
    }
    for anatomy in other.anatomies {
        let launches = anatomy.launches.iter();
        let launches = launches.filter_map(|&launch| index_of.get(launch).copied());
        Anatomy {
            launches: launches.collect(),
            ..anatomy
        }
        .add_to(&mut kernel.anatomies);
    }
    let mut news = kernel.launches.len() > before;
    for mut finding in other.findings {
        for launch in &mut finding.launches {
            *launch = index_of.get(*launch).copied().unwrap_or(*launch);
        }
        let same = kernel
            .findings
            .iter_mut()
            .find(|known| identity(known) == identity(&finding));
        let Some(known) = same else {
            news = true;
            kernel.findings.push(finding);
            continue;
        };
        let mut launches = known.launches.clone();
        launches.append(&mut finding.launches.clone());
        launches.sort_unstable();
        launches.dedup();
        let instances = known.instances.max(finding.instances);
        if finding.certainty > known.certainty {
            *known = finding;
        }
        known.launches = launches;
        known.instances = instances;
    }
    if let Some(costs) = other.costs {
        let index = |launch: usize| index_of.get(launch).copied().unwrap_or(launch);
        let known = kernel.costs.get_or_insert_default();
        known.absorb(costs, &index);
    }
    for note in other.notes {
        if !kernel.notes.contains(&note) {
            kernel.notes.push(note);
        }
    }
    // What says nothing new was the same work done twice, and is not counted again.
    if news || other.stats.undecided > kernel.stats.undecided {
        kernel.stats.accesses += other.stats.accesses;
        kernel.stats.pairs += other.stats.pairs;
        kernel.stats.discharged_by_rule += other.stats.discharged_by_rule;
        kernel.stats.queries += other.stats.queries;
        kernel.stats.undecided += other.stats.undecided;
    }
}

/// Leaves the mends of a kernel that several units show only where each of them proved the same: one unit knows nothing of the
/// launches of another.
pub(crate) fn agree(kernel: &mut Kernel, other: &mut Kernel) {
    let of = |kernel: &Kernel| -> Vec<Mend> {
        let findings: &Vec<Finding> = &kernel.findings;
        let mut mends: Vec<Mend> = findings.iter().filter_map(|one| one.mend.clone()).collect();
        mends.dedup();
        mends
    };
    if of(kernel) != of(other) {
        let findings = kernel.findings.iter_mut().chain(&mut other.findings);
        for finding in findings {
            finding.mend = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Launch, Outcome};
    use crate::judgement::Verdict;
    use crate::mend::{Hunk, HunkLine};
    use crate::sample;

    fn at(line: u32, launch: Launch) -> Launch {
        Launch {
            source: LaunchSource::Code,
            place: Some(Place {
                file: "main.cu".to_owned(),
                line,
                column: 1,
                end_line: line,
                end_column: 9,
            }),
            ..launch
        }
    }

    fn with(launches: Vec<Launch>, kernel: Kernel) -> Kernel {
        Kernel { launches, ..kernel }
    }

    #[test]
    fn equal_launches_and_findings_are_one() {
        let kernel = with(vec![at(3, sample::launch())], sample::racy_kernel());
        let merged = merge_kernels(vec![kernel.clone(), kernel.clone(), kernel.clone()]);
        assert_eq!(merged, [kernel]);
    }

    #[test]
    fn launches_are_joined_and_findings_follow_them() {
        let one = with(vec![at(3, sample::launch())], sample::race_free_kernel());
        let mut two = with(
            vec![at(9, sample::launch()), at(3, sample::launch())],
            sample::race_free_kernel(),
        );
        two.findings = vec![sample::race()];
        let anatomy = |launches: &[usize], cut: bool| Anatomy {
            launches: launches.to_vec(),
            cut,
            ..Anatomy::default()
        };
        let one = Kernel {
            anatomies: vec![anatomy(&[0], false)],
            ..one
        };
        two.anatomies = vec![anatomy(&[0], false), anatomy(&[1], true)];
        let merged = merge_kernels(vec![one, two]);
        let [kernel] = merged.as_slice() else {
            panic!("{merged:?}");
        };
        let lines: Vec<_> = kernel
            .launches
            .iter()
            .map(|launch| launch.place.as_ref().map(|place| place.line))
            .collect();
        assert_eq!(lines, [Some(3), Some(9)]);
        assert_eq!(kernel.findings[0].launches, [1]);
        // That of both launches is one; the other unit's second launch is this kernel's first.
        assert_eq!(
            kernel.anatomies,
            [anatomy(&[0, 1], false), anatomy(&[0], true)]
        );
        assert_eq!(kernel.launch_verdict(0), Verdict::RaceFree);
        assert_eq!(kernel.launch_verdict(1), Verdict::Racy);
        assert_eq!(kernel.stats.pairs, 12);
    }

    #[test]
    fn the_stronger_finding_is_kept() {
        let kernel = sample::race_free_kernel();
        let mut weak = sample::race();
        weak.certainty = crate::judgement::Certainty::Potential;
        let one = Kernel {
            findings: vec![weak],
            ..kernel.clone()
        };
        let two = Kernel {
            findings: vec![sample::race()],
            ..kernel
        };
        for order in [vec![one.clone(), two.clone()], vec![two, one]] {
            let merged = merge_kernels(order);
            assert_eq!(merged[0].findings.len(), 1);
            assert_eq!(
                merged[0].findings[0].certainty,
                crate::judgement::Certainty::Confirmed
            );
        }
    }

    #[test]
    fn an_arbitrary_launch_gives_way_to_known_ones_but_not_when_a_use_asks_for_it() {
        let arbitrary = with(vec![sample::symbolic_launch()], sample::race_free_kernel());
        let known = with(vec![at(3, sample::launch())], sample::race_free_kernel());
        for order in [
            vec![arbitrary.clone(), known.clone()],
            vec![known.clone(), arbitrary.clone()],
        ] {
            assert_eq!(merge_kernels(order), std::slice::from_ref(&known));
        }
        let asked = Launch {
            place: at(3, sample::launch()).place,
            ..sample::symbolic_launch()
        };
        let merged = merge_kernels(vec![known.clone(), with(vec![asked], arbitrary.clone())]);
        assert_eq!(merged[0].launches.len(), 2);

        // A template that another unit instantiates at the same place.
        let instance = Kernel {
            name: "shift_ok<4>".to_owned(),
            ..known
        };
        let merged = merge_kernels(vec![arbitrary.clone(), instance.clone()]);
        assert_eq!(merged, std::slice::from_ref(&instance));
        // Another instantiation, asked for explicitly, is not the one that is launched.
        let other = Kernel {
            name: "shift_ok<8>".to_owned(),
            ..arbitrary
        };
        let merged = merge_kernels(vec![instance.clone(), other.clone()]);
        assert_eq!(merged, [instance, other]);
    }

    #[test]
    fn a_racy_verdict_is_never_lost_to_a_clean_one() {
        let clean = with(vec![at(3, sample::launch())], sample::race_free_kernel());
        let undecided = Launch {
            outcome: Outcome::Undecided(Vec::new()),
            ..at(3, sample::launch())
        };
        let merged = merge_kernels(vec![clean.clone(), with(vec![undecided], clean)]);
        assert_eq!(merged[0].verdict(), Verdict::Unknown);
    }

    fn mend(line: u32) -> Mend {
        Mend {
            edits: Vec::new(),
            in_kernel: true,
            hunks: vec![Hunk {
                file: "a.cu".to_owned(),
                line,
                lines: vec![
                    HunkLine::Same("x".to_owned()),
                    HunkLine::Added("y".to_owned()),
                    HunkLine::Removed("z".to_owned()),
                    HunkLine::Added("w".to_owned()),
                ],
            }],
        }
    }

    #[test]
    fn units_that_disagree_leave_no_mend() {
        let kernel = |mend: Option<Mend>| Kernel {
            findings: vec![Finding {
                mend,
                ..sample::race()
            }],
            ..sample::race_free_kernel()
        };
        for (a, b, kept) in [
            (Some(mend(4)), Some(mend(4)), true),
            (Some(mend(4)), Some(mend(5)), false),
            (Some(mend(4)), None, false),
        ] {
            let (mut a, mut b) = (kernel(a), kernel(b));
            agree(&mut a, &mut b);
            assert_eq!(a.findings[0].mend.is_some(), kept);
            assert_eq!(b.findings[0].mend.is_some(), kept);
        }
    }
}
