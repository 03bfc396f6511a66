//! Mends of costs that are made: rows of a shared array that are longer by padding, and barriers that are taken out.
//!
//! What would help an access is counted beforehand ([`warplog_costs::mend`]), with addresses that are moved. Where the help is a change of
//! one place of the kernel, it is made in the text as well, and the kernel alone is analysed again: extracted, decided and counted, without
//! asking once more which barriers are redundant. All paddings of a kernel are tried together first, then each of them, then
//! each barrier, as two barriers may each be redundant while the other one stands.
//!
//! **Contract.** A cost has such a mend only if the kernel is race-free with the change in every instance, the cost is gone, no other is new,
//! and all together cost less. Padding moves the elements of an array: it is made only where the kernel names the array with all its
//! subscripts and nothing else, as a value or to assign to it, where executions with numbers leave the same with the change as without
//! it (an element that is reached past the end of its row leaves something else), and where the block's shared memory stays within 48 KiB.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

use warplog_equivalence::Options;
use warplog_equivalence::sides::Side;
use warplog_report::cost::{Cost, Costs};
use warplog_report::measure::Measure;
use warplog_report::mend::Mend;
use warplog_report::{Kernel, Report, Verdict};

use super::candidates::out_of;
use super::changes::{Change, Changes, bytes};
use super::statements::Statements;
use super::{Subject, body_of, readings};
use crate::analysis::Extent;
use crate::choices::Mends;
use crate::naming::base_name;
use crate::options::AnalysisOptions;
use crate::unit::Unit;

/// Changed texts that are analysed for a kernel.
const TRIES: usize = 6;

/// Gives the costs of a unit their mends, where changes are looked for at all.
///
/// `headers` are the files that it entered. Where the text of a kernel is another one in other configurations, nothing of it is changed.
pub(crate) fn add(
    report: &mut Report,
    unit: &Unit<'_>,
    options: &AnalysisOptions,
    headers: &[PathBuf],
) {
    let is_wanted = |kernel: &Kernel| {
        kernel.file == unit.shown
            && kernel.verdict() == Verdict::RaceFree
            && found(kernel).any(|cost| helps(cost).is_some())
    };
    if options.mends != Mends::Many
        || options.costs.is_none()
        || !report.kernels.iter().any(is_wanted)
    {
        return;
    }
    let Some(mut subject) = Subject::new(report, unit, options, &[]) else {
        return;
    };
    subject.options.costs = options.costs;
    let headers_have_one = headers_have_one_reading(headers);
    let mut left: BTreeSet<u32> = BTreeSet::new();
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    let mut mended: Vec<(u32, Vec<Help>, Mend)> = Vec::new();
    for kernel in report.kernels.iter().filter(|kernel| is_wanted(kernel)) {
        if seen.contains(&kernel.line) {
            continue;
        }
        if !headers_have_one || !has_one_reading(&subject, kernel) {
            left.insert(kernel.line);
        } else if seen.insert(kernel.line)
            && let Some((helps, mend)) = of_kernel(&subject, kernel, &report.kernels)
        {
            mended.push((kernel.line, helps, mend));
        }
    }
    for (line, mends, mend) in mended {
        let own = report.kernels.iter_mut();
        for kernel in own.filter(|kernel| kernel.file == unit.shown && kernel.line == line) {
            let costs = kernel.costs.iter_mut().flat_map(|costs| &mut costs.found);
            for cost in costs.filter(|cost| helps(cost).is_some_and(|own| mends.contains(&own))) {
                cost.mend = Some(mend.clone());
            }
        }
    }
    let own = report.kernels.iter_mut();
    for kernel in own.filter(|kernel| kernel.file == unit.shown && left.contains(&kernel.line)) {
        let costs = kernel.costs.iter_mut().flat_map(|costs| &mut costs.found);
        for cost in costs.filter(|cost| helps(cost).is_some()) {
            let hint = cost.hint.take().unwrap_or_default();
            cost.hint = Some(format!("{hint} ({SEVERAL_READINGS})"));
        }
    }
}

/// Why a change that would help is not made.
const SEVERAL_READINGS: &str = "not by `--fix`: in other configurations the text is another one";

/// Whether the text of a kernel is the same in all configurations, as far as its own file makes it.
fn has_one_reading(subject: &Subject<'_>, kernel: &Kernel) -> bool {
    let asks = warplog_extractor::code_for("");
    let is_of_architecture = kernel.launches.iter().any(|launch| {
        let mut assumptions = launch.assumptions.iter();
        assumptions.any(|text| text.starts_with(asks.trim_end()))
    });
    let Some(text) = subject.texts.get(&kernel.file) else {
        return false;
    };
    let statements = [(kernel.file.clone(), Statements::of(text))].into();
    let body = body_of(&statements, kernel);
    !is_of_architecture && body.is_some_and(|(_, body)| readings::is_one(text, Some(&body)))
}

/// Whether the headers of the program itself are the same text in all configurations.
fn headers_have_one_reading(headers: &[PathBuf]) -> bool {
    let is_own = |path: &&PathBuf| !path.starts_with("/usr") && !path.starts_with("/opt");
    headers.iter().filter(is_own).all(|path| {
        let text = std::fs::read_to_string(path);
        text.map_or(true, |text| readings::is_one(&text, None))
    })
}

/// What changes of the text help a cost.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Help {
    /// Rows of this array longer by so many elements.
    Longer(String, u64),
    /// The barrier at this line and column taken out.
    Without(u32, u32),
}

fn found(kernel: &Kernel) -> impl Iterator<Item = &Cost> {
    let costs = kernel.costs.iter().flat_map(|costs: &Costs| &costs.found);
    costs.filter(|cost| cost.suppressed.is_none())
}

fn helps(cost: &Cost) -> Option<Help> {
    match &cost.measure {
        Measure::Turns { access, .. } => {
            let array = access.array.clone();
            cost.longer_by.map(|by| Help::Longer(array, by))
        }
        Measure::Barrier { .. } => Some(Help::Without(cost.place.line, cost.place.column)),
        _ => None,
    }
}

/// What helps a kernel, as a change that was made and analysed.
fn of_kernel(subject: &Subject<'_>, kernel: &Kernel, all: &[Kernel]) -> Option<(Vec<Help>, Mend)> {
    let text = subject.texts.get(&kernel.file)?;
    let statements = [(kernel.file.clone(), Statements::of(text))].into();
    let (_, body) = body_of(&statements, kernel)?;
    let statements = &statements[&kernel.file];
    let wanted: BTreeSet<Help> = found(kernel).filter_map(helps).collect();
    let change = |help: &Help| match help {
        Help::Longer(array, by) => padded(statements, kernel, &body, array, *by),
        // By a flag other blocks may learn what was stored before the barrier.
        Help::Without(..) if readings::has_volatile_objects(text) => None,
        Help::Without(line, column) => {
            let mut own = found(kernel).map(|cost| &cost.place);
            let place = own.find(|place| (place.line, place.column) == (*line, *column))?;
            let call = bytes(text, place).filter(|_| place.file == kernel.file)?;
            let statement = statements.statement(&call)?;
            // What hangs on a condition leaves an empty statement behind.
            let alone = statement.whole == statement.own && body.contains(&call.start);
            alone.then(|| out_of(text, &kernel.file, &statement.own))
        }
    };
    let possible: Vec<(Help, Change)> = wanted
        .into_iter()
        .filter_map(|help| Some((help.clone(), change(&help)?)))
        .collect();
    let (paddings, barriers): (Vec<_>, Vec<_>) = possible
        .into_iter()
        .partition(|(help, _)| matches!(help, Help::Longer(..)));
    let single = paddings.iter().chain(&barriers);
    let mut tries: Vec<Vec<(Help, Change)>> = Vec::new();
    if paddings.len() > 1 {
        tries.push(paddings.clone());
    }
    tries.extend(single.map(|one| vec![one.clone()]));
    for tried in tries.into_iter().take(TRIES) {
        let (helps, changes): (Vec<Help>, Vec<Change>) = tried.into_iter().unzip();
        let Some(changes) = Changes::default().and(&changes) else {
            continue;
        };
        let is_same = |help: &Help| matches!(help, Help::Without(..));
        let same = helps.iter().all(is_same) || leaves_the_same(subject, &changes, kernel);
        if same && is_better(subject, &changes, kernel, all, &helps) {
            return Some((helps, changes.mend(&subject.texts, true)?));
        }
    }
    None
}

/// Whether executions of each launch of the kernel leave the same with the changes as without: some do, and none leaves something else.
fn leaves_the_same(subject: &Subject<'_>, changes: &Changes, kernel: &Kernel) -> bool {
    let names = vec![base_name(&kernel.name).to_owned()];
    let before = subject.facts_with(&Changes::default(), names.clone());
    let after = subject.facts_with(changes, names);
    let (Some((before, _)), Some((after, _))) = (before, after) else {
        return false;
    };
    let launches = before.launch.iter().zip(&after.launch);
    before.launch.len() == after.launch.len()
        && !before.launch.is_empty()
        && launches.into_iter().all(|(one, other)| {
            let sides = [(&before, one.launch), (&after, other.launch)];
            let sides = sides.map(|launch| Side {
                launches: vec![launch],
            });
            let agreed = warplog_equivalence::agreed(&sides, &Options::default());
            matches!(agreed, Ok(Some(1..)))
        })
}

/// Whether all instances of the kernel are race-free with the changes, what they help is gone, and nothing else is worse.
fn is_better(
    subject: &Subject<'_>,
    changes: &Changes,
    kernel: &Kernel,
    all: &[Kernel],
    gone: &[Help],
) -> bool {
    let name = base_name(&kernel.name);
    let Some(report) = subject.with(changes, vec![name.to_owned()], Extent::Findings) else {
        return false;
    };
    let of_name = |own: &&Kernel| own.file == kernel.file && base_name(&own.name) == name;
    let before: Vec<&Kernel> = all.iter().filter(of_name).collect();
    let after: Vec<&Kernel> = report.kernels.iter().filter(of_name).collect();
    let key = |cost: &Cost| (cost.rule.clone(), cost.measure.array().map(str::to_owned));
    let counted = |kernel: &Kernel| -> Vec<Cost> {
        let own = found(kernel).filter(|cost| !matches!(cost.measure, Measure::Barrier { .. }));
        own.cloned().collect()
    };
    before.len() == after.len()
        && before.iter().all(|known| {
            let Some(now) = after.iter().find(|now| now.name == known.name) else {
                return false;
            };
            let (old, new) = (counted(known), counted(now));
            let total = |costs: &[Cost]| {
                costs
                    .iter()
                    .fold(0_u64, |all, one| all.saturating_add(one.excess))
            };
            let is_gone = gone.iter().all(|help| match help {
                Help::Longer(array, _) => !new.iter().any(|cost| {
                    matches!(cost.measure, Measure::Turns { .. })
                        && cost.measure.array() == Some(array)
                }),
                Help::Without(..) => true,
            });
            now.verdict() == Verdict::RaceFree
                && now.launches.len() == known.launches.len()
                && is_gone
                && new
                    .iter()
                    .all(|cost| old.iter().any(|own| key(own) == key(cost)))
                && total(&new) <= total(&old)
        })
}

/// The declaration of a shared array with rows that are longer by some elements.
fn padded(
    text: &Statements<'_>,
    kernel: &Kernel,
    body: &Range<usize>,
    array: &str,
    by: u64,
) -> Option<Change> {
    let last = text.last_extent(body, array)?;
    let was = text.text().get(last.clone())?;
    let is_sum = was
        .chars()
        .all(|sign| sign.is_alphanumeric() || " _+*".contains(sign));
    let more = match is_sum {
        true => format!("{was} + {by}"),
        false => format!("({was}) + {by}"),
    };
    Some(Change::replace(&kernel.file, last, more))
}
