//! Findings of a kernel by cause: many instances of one defect are one group with one mend.
//!
//! Two findings at the same places that differ in how the threads lie to each other are one **spot**. Spots of a kernel have one
//! cause when they are of the same kind, lie on the same array in the same barrier interval and want the same sort of mend (a
//! missing barrier; one at the end of a loop mends all arrays), or, for divergence, on the same condition. Races between blocks and races within a block have different causes:
//! no barrier mends the former. How sure a finding is does not tell causes apart: the surest leads. A spot takes the cause of its first
//! finding. Nothing is dropped: every finding is in exactly one group. Over the kernels of a report, [`crate::causes`] goes on from here.

use std::collections::BTreeMap;

use crate::finding::{Finding, Kernel};
use crate::findings::FindingKind;
use crate::judgement::Harm;
use crate::meeting::{Boundary, Role, Scope};
use crate::place::Place;

/// Findings of one cause, the one to show first.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The finding to show in full.
    pub lead: &'a Finding,
    /// The others at the same places.
    pub same_places: Vec<&'a Finding>,
    /// Those at other places, one list a spot.
    pub others: Vec<Vec<&'a Finding>>,
}

impl<'a> Group<'a> {
    /// How many findings are in the group.
    #[must_use]
    pub fn len(&self) -> usize {
        1 + self.same_places.len() + self.others.iter().map(Vec::len).sum::<usize>()
    }

    /// All findings of the group, its lead first.
    pub fn findings(&self) -> impl Iterator<Item = &'a Finding> + '_ {
        let same = self.same_places.iter().copied();
        let others = self.others.iter().flatten().copied();
        std::iter::once(self.lead).chain(same).chain(others)
    }

    /// A group has at least its lead.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// What the findings of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CauseKey<'a> {
    kind: FindingKind,
    harm: Harm,
    /// Why it does not count.
    suppressed: Option<&'a str>,
    mend: Option<Mend<'a>>,
    array: Option<&'a str>,
    between_blocks: bool,
    /// Where the barrier interval begins, none for the start of the kernel.
    from: Vec<Option<&'a Place>>,
    condition: Option<&'a Place>,
}

/// The sort of mend that a finding wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mend<'a> {
    /// A barrier between two places.
    Barrier,
    /// A barrier at the end of a loop: one for all arrays.
    EndOfLoop,
    /// Anything else, by its words up to the lines and names in them.
    Words(&'a str),
}

/// What tells spots apart: kind, array, why it is suppressed, and the places with whether they are accesses.
pub(crate) type SpotKey<'a> = (
    FindingKind,
    Option<&'a str>,
    Option<&'a str>,
    Vec<(&'a Place, bool)>,
);

/// The spot of a finding. Which access is called the first is the solver's choice.
pub(crate) fn spot(finding: &Finding) -> SpotKey<'_> {
    let mut places: Vec<(&Place, bool)> = finding
        .locations
        .iter()
        .map(|location| {
            let access = matches!(location.role, Role::First | Role::Second);
            (&location.place, access)
        })
        .collect();
    places.sort();
    (finding.kind(), finding.array(), reason(finding), places)
}

/// The most serious first. What is equal stays in the order of the report.
pub(crate) fn rank(finding: &Finding) -> impl Ord + use<> {
    std::cmp::Reverse((finding.severity(), finding.certainty))
}

/// The findings of a kernel by cause, in the order of the first finding of each.
#[must_use]
pub fn groups(kernel: &Kernel) -> Vec<Group<'_>> {
    let mut spots: Vec<Vec<&Finding>> = Vec::new();
    let mut known: BTreeMap<SpotKey<'_>, usize> = BTreeMap::new();
    for finding in &kernel.findings {
        let at = *known.entry(spot(finding)).or_insert(spots.len());
        match spots.get_mut(at) {
            Some(spot) => spot.push(finding),
            None => spots.push(vec![finding]),
        }
    }
    let mut causes: Vec<Vec<Vec<&Finding>>> = Vec::new();
    let mut known: BTreeMap<CauseKey<'_>, usize> = BTreeMap::new();
    for mut spot in spots {
        spot.sort_by_key(|finding| rank(finding));
        let at = *known.entry(cause(spot[0])).or_insert(causes.len());
        match causes.get_mut(at) {
            Some(group) => group.push(spot),
            None => causes.push(vec![spot]),
        }
    }
    causes
        .into_iter()
        .filter_map(|mut spots| {
            spots.sort_by_key(|spot| rank(spot[0]));
            let mut spots = spots.into_iter();
            let mut first = spots.next()?.into_iter();
            Some(Group {
                lead: first.next()?,
                same_places: first.collect(),
                others: spots.collect(),
            })
        })
        .collect()
}

/// Why a finding is suppressed, if it is.
fn reason(finding: &Finding) -> Option<&str> {
    let suppression = finding.suppressed.as_ref()?;
    Some(suppression.reason.as_str())
}

/// The cause of a finding within its kernel.
pub(crate) fn cause(finding: &Finding) -> CauseKey<'_> {
    // Each assertion is a cause of its own.
    let role = finding.kind().kind().cause;
    let condition = finding
        .locations
        .iter()
        .find(|location| location.role == role);
    let intervals = finding.interval().into_iter();
    let from = intervals.flat_map(|interval| &interval.from);
    let mend = finding.hint.as_deref().map(mend);
    CauseKey {
        kind: finding.kind(),
        harm: finding.harm,
        suppressed: reason(finding),
        mend,
        array: finding.array().filter(|_| mend != Some(Mend::EndOfLoop)),
        between_blocks: finding.scope() == Some(Scope::InterBlock),
        from: from
            .map(|boundary| match boundary {
                Boundary::Barrier { place, .. } => Some(place),
                Boundary::Start | Boundary::End => None,
            })
            .collect(),
        condition: condition.map(|location| &location.place),
    }
}

fn mend(hint: &str) -> Mend<'_> {
    if hint.contains("at the end of the loop body") {
        return Mend::EndOfLoop;
    }
    if hint.contains("would order them") {
        return Mend::Barrier;
    }
    let end = hint.find(|c: char| c.is_ascii_digit() || c == '`');
    Mend::Words(hint.get(..end.unwrap_or(hint.len())).unwrap_or(hint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Location;
    use crate::judgement::Certainty;
    use crate::sample;

    fn at(line: u32, finding: Finding) -> Finding {
        let mut finding = finding;
        for location in &mut finding.locations {
            location.place.line = line;
        }
        finding
    }

    fn kernel(findings: Vec<Finding>) -> Kernel {
        Kernel {
            findings,
            ..sample::report().kernels[0].clone()
        }
    }

    #[test]
    fn one_cause_is_one_group() {
        let race = sample::race();
        let mut blocks = at(5, race.clone());
        sample::lies(&mut blocks, Scope::InterBlock);
        let mut other_array = at(8, race.clone());
        sample::race_of(&mut other_array).array = "other".to_owned();
        let kernel = kernel(vec![
            at(5, race.clone()),
            blocks.clone(),
            at(6, race.clone()),
            at(7, race.clone()),
            other_array,
            at(9, blocks),
        ]);
        let groups = groups(&kernel);
        let shape: Vec<(u32, usize, usize)> = groups
            .iter()
            .map(|group| {
                let line = group.lead.locations[0].place.line;
                (line, group.same_places.len(), group.others.len())
            })
            .collect();
        assert_eq!(shape, [(5, 1, 2), (8, 0, 0), (9, 0, 0)]);
        let total: usize = groups.iter().map(Group::len).sum();
        assert_eq!(total, kernel.findings.len());
    }

    #[test]
    fn the_most_serious_of_a_spot_leads() {
        let mut weak = sample::race();
        weak.certainty = Certainty::Potential;
        sample::lies(&mut weak, Scope::IntraWarp);
        let kernel = kernel(vec![weak, sample::race()]);
        let groups = groups(&kernel);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].lead.certainty, Certainty::Confirmed);
    }

    #[test]
    fn the_order_of_the_accesses_does_not_matter() {
        let race = sample::race();
        let mut turned = race.clone();
        let [first, second]: [Location; 2] = turned.locations.try_into().expect("two");
        turned.locations = vec![
            Location {
                role: Role::First,
                ..second
            },
            Location {
                role: Role::Second,
                ..first
            },
        ];
        let kernel = kernel(vec![race, turned]);
        assert_eq!(groups(&kernel).len(), 1);
    }
}
