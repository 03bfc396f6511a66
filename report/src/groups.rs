//! Findings by cause, for people: many instances of one defect are one block with a count.
//!
//! Two findings at the same places that differ in how the threads lie to each other are one **spot**. Spots of a kernel have one
//! cause when they are of the same kind and severity and lie on the same array in the same barrier interval (a missing barrier), or, for
//! divergence, on the same condition. Races between blocks and races within a block have different causes: no barrier mends
//! the former. A spot takes the cause of its first finding. Nothing is dropped: every finding is in exactly one group.

use crate::finding::{Boundary, Finding, FindingKind, Kernel, Place, Role, Scope, Severity};

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

impl Group<'_> {
    /// How many findings are in the group.
    #[must_use]
    pub fn len(&self) -> usize {
        1 + self.same_places.len() + self.others.iter().map(Vec::len).sum::<usize>()
    }

    /// A group has at least its lead.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// What the findings of a group have in common.
#[derive(PartialEq)]
struct Cause<'a> {
    kind: FindingKind,
    severity: Severity,
    /// Why it does not count.
    suppressed: Option<&'a str>,
    /// What would mend it, up to the lines and names in it.
    mend: Option<&'a str>,
    array: Option<&'a str>,
    between_blocks: bool,
    from: Vec<&'a Boundary>,
    condition: Option<&'a Place>,
}

/// The findings of a kernel by cause, in the order of the first finding of each.
#[must_use]
pub fn groups(kernel: &Kernel) -> Vec<Group<'_>> {
    let mut spots: Vec<Vec<&Finding>> = Vec::new();
    for finding in &kernel.findings {
        match spots.iter_mut().find(|spot| same_spot(spot[0], finding)) {
            Some(spot) => spot.push(finding),
            None => spots.push(vec![finding]),
        }
    }
    let mut causes: Vec<(Cause<'_>, Vec<Vec<&Finding>>)> = Vec::new();
    for mut spot in spots {
        // The most serious first; a stable sort keeps the rest in order.
        spot.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        let cause = cause(spot[0]);
        match causes.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, group)) => group.push(spot),
            None => causes.push((cause, vec![spot])),
        }
    }
    causes
        .into_iter()
        .filter_map(|(_, spots)| {
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

fn same_spot(a: &Finding, b: &Finding) -> bool {
    // Which access is called the first is the solver's choice.
    let places = |finding: &Finding| {
        let mut places: Vec<(Place, bool)> = finding
            .locations
            .iter()
            .map(|location| {
                let access = matches!(location.role, Role::First | Role::Second);
                (location.place.clone(), access)
            })
            .collect();
        places.sort();
        places
    };
    a.kind == b.kind && a.array == b.array && reason(a) == reason(b) && places(a) == places(b)
}

/// Why a finding is suppressed, if it is.
fn reason(finding: &Finding) -> Option<&str> {
    let suppression = finding.suppressed.as_ref()?;
    Some(suppression.reason.as_str())
}

fn cause(finding: &Finding) -> Cause<'_> {
    // Each assertion is a cause of its own.
    let role = match finding.kind {
        FindingKind::AssertionFailed => Role::Assertion,
        _ => Role::Condition,
    };
    let condition = finding
        .locations
        .iter()
        .find(|location| location.role == role);
    let intervals = finding.interval.iter();
    Cause {
        kind: finding.kind,
        severity: finding.severity(),
        suppressed: reason(finding),
        mend: finding.hint.as_deref().map(|hint| {
            let end = hint.find(|c: char| c.is_ascii_digit() || c == '`');
            hint.get(..end.unwrap_or(hint.len())).unwrap_or(hint)
        }),
        array: finding.array.as_deref(),
        between_blocks: finding.scope == Some(Scope::InterBlock),
        from: intervals.flat_map(|interval| &interval.from).collect(),
        condition: condition.map(|location| &location.place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Certainty, Location};
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
        blocks.scope = Some(Scope::InterBlock);
        let mut other_array = at(8, race.clone());
        other_array.array = Some("other".to_owned());
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
        weak.scope = Some(Scope::IntraWarp);
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
