//! Order and identity: a report in one order with ids that depend on content alone.
//!
//! An id is a hash of the file, the kernel, the kind, the accesses and the text of the lines of a finding, never a counter over the
//! run and never a line number: it stays the same when other files or kernels come or go, when lines are added or removed
//! elsewhere in the file, and for any number of jobs. A file goes in under the name that [`Report::identities`] gives it, so that
//! its path may be spelled in any way. The hash is FNV-1a (64 bit; Fowler, Noll and Vo), which is stable over platforms and
//! versions. What has the same hash is told apart by a number in report order.

use std::collections::BTreeMap;

use super::fnv::Fnv;
use crate::finding::{Finding, Kernel, Location, Report, Sources};
use crate::printable::naturally;

/// Sorts a report by path and position and gives every finding its id.
pub fn finish(report: &mut Report) {
    report
        .kernels
        .sort_by(|a, b| (&a.file, a.line, &a.name).cmp(&(&b.file, b.line, &b.name)));
    for kernel in &mut report.kernels {
        kernel
            .findings
            .sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    }
    report.unsupported.sort();
    report.unsupported.dedup();
    report.errors.sort();
    report.errors.dedup();
    report.allows.sort();
    report.allows.dedup();
    report
        .timings
        .sort_by(|a, b| (&a.file, &a.phases).cmp(&(&b.file, &b.phases)));
    report.notes.sort_by(|a, b| {
        a.place
            .cmp(&b.place)
            .then_with(|| naturally(&a.text, &b.text))
    });
    report.notes.dedup();
    identify(report);
    crate::costs::identify(report);
}

/// Digits of a hash that an id shows.
const SHOWN: usize = 12;

/// Gives every finding its fingerprint and its id, each unique in the report. The fingerprint is sixteen digits and a number that
/// counts equal ones in the order of the report; the id is the first twelve digits, with a number from the second on.
pub fn identify(report: &mut Report) {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    let names = Names {
        sources: &report.sources,
        identities: &report.identities,
    };
    for kernel in &mut report.kernels {
        let hashes: Vec<String> = kernel
            .findings
            .iter()
            .map(|finding| names.hash(kernel, finding))
            .collect();
        for (finding, hash) in kernel.findings.iter_mut().zip(hashes) {
            let id: String = hash.chars().take(SHOWN).collect();
            let copy = taken.entry(id.clone()).or_default();
            *copy += 1;
            finding.id = match *copy {
                1 => id,
                copy => format!("{id}-{copy}"),
            };
            let count = counts.entry(hash.clone()).or_default();
            *count += 1;
            finding.fingerprint = format!("{hash}:{count}");
        }
    }
}

/// What a finding is about beside what it says itself.
struct Names<'a> {
    sources: &'a Sources,
    identities: &'a BTreeMap<String, String>,
}

impl Names<'_> {
    fn file<'s>(&'s self, shown: &'s str) -> &'s str {
        self.identities.get(shown).map_or(shown, String::as_str)
    }

    /// Sixteen hexadecimal digits over what a finding is about, places by the text that stands there. The witness, the certainty
    /// and the wording are left out: they may improve without the finding becoming another one.
    fn hash(&self, kernel: &Kernel, finding: &Finding) -> String {
        let mut hash = Fnv::new();
        hash.text(self.file(&kernel.file));
        hash.text(&kernel.name);
        hash.text(finding.kind().as_str());
        hash.text(finding.access_code().unwrap_or(""));
        hash.text(finding.scope().map_or("", |scope| scope.as_str()));
        hash.text(finding.array().unwrap_or(""));
        for location in &finding.locations {
            self.place(&mut hash, location);
        }
        format!("{:016x}", hash.0)
    }

    fn place(&self, hash: &mut Fnv, location: &Location) {
        let place = &location.place;
        hash.text(location.role.as_str());
        hash.text(self.file(&place.file));
        let line = self
            .sources
            .get(&(place.file.clone(), place.line))
            .map_or("", String::as_str);
        let before = usize::try_from(place.column.saturating_sub(1)).unwrap_or(usize::MAX);
        for word in line.split_whitespace() {
            hash.text(word);
        }
        // Which of several accesses on the line: where it begins among what is no white space.
        let at = line
            .chars()
            .take(before)
            .filter(|character| !character.is_whitespace())
            .count();
        hash.bytes(&u64::try_from(at).unwrap_or(u64::MAX).to_le_bytes());
    }
}

/// What findings of a kernel are ordered by: those that do harm first and the surest of them, then place, kind, and the rest of
/// what tells them apart.
fn sort_key(finding: &Finding) -> impl Ord + '_ {
    let places: Vec<_> = finding
        .locations
        .iter()
        .map(|location| (&location.place, location.role))
        .collect();
    (
        finding.harm,
        std::cmp::Reverse(finding.certainty),
        places,
        finding.kind(),
        finding.accesses(),
        finding.scope(),
        finding.array(),
        &finding.launches,
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::sample;

    #[test]
    fn fnv_matches_the_published_vectors() {
        let hash = |text: &str| {
            let mut hash = Fnv::new();
            hash.bytes(text.as_bytes());
            hash.0
        };
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn ids_depend_on_content_only_and_are_unique() {
        let mut report = sample::report();
        finish(&mut report);
        let ids = |report: &Report| -> Vec<String> {
            report
                .kernels
                .iter()
                .flat_map(|kernel| kernel.findings.iter().map(|finding| finding.id.clone()))
                .collect()
        };
        let all = ids(&report);
        assert!(all.len() > 2);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());

        let mut shuffled = report.clone();
        shuffled.kernels.reverse();
        for kernel in &mut shuffled.kernels {
            kernel.findings.reverse();
        }
        finish(&mut shuffled);
        assert_eq!(shuffled, report);

        let racy = report
            .kernels
            .iter()
            .find(|kernel| !kernel.findings.is_empty())
            .cloned();
        let mut alone = Report {
            kernels: racy.into_iter().collect(),
            sources: report.sources.clone(),
            ..Report::default()
        };
        finish(&mut alone);
        assert_eq!(ids(&alone)[0], all[0]);
    }

    #[test]
    fn ids_survive_moved_lines_and_new_indentation() {
        let mut report = sample::report();
        finish(&mut report);
        let prints = |report: &Report| -> Vec<String> {
            report
                .kernels
                .iter()
                .flat_map(|kernel| &kernel.findings)
                .map(|finding| format!("{} {}", finding.id, finding.fingerprint))
                .collect()
        };
        let before = prints(&report);
        assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), before.len());

        let mut moved = report.clone();
        moved.sources = report
            .sources
            .iter()
            .map(|((file, line), text)| ((file.clone(), line + 7), format!("\t{text}")))
            .collect();
        for finding in moved
            .kernels
            .iter_mut()
            .flat_map(|kernel| &mut kernel.findings)
        {
            for location in &mut finding.locations {
                location.place.line += 7;
                location.place.end_line += 7;
                location.place.column += 1;
                location.place.end_column += 1;
            }
        }
        finish(&mut moved);
        assert_eq!(prints(&moved), before);
        let first = &report.kernels[0].findings[0];
        assert!(first.fingerprint.starts_with(&first.id), "{first:?}");

        let mut edited = report.clone();
        for text in edited.sources.values_mut() {
            *text = text.replace("tile[tid] = n;", "tile[tid] = m;");
        }
        finish(&mut edited);
        assert_ne!(prints(&edited), before);
    }

    #[test]
    fn a_file_is_known_by_its_identity() {
        let ids = |report: &mut Report| -> Vec<String> {
            finish(report);
            let kernels = report.kernels.iter();
            let findings = kernels.flat_map(|kernel| &kernel.findings);
            findings.map(|finding| finding.id.clone()).collect()
        };
        let mut report = sample::report();
        let before = ids(&mut report);
        let files: BTreeSet<String> = report.sources.keys().map(|key| key.0.clone()).collect();
        let spelled = |file: &str| format!("/somewhere/{file}");
        let mut moved = report.clone();
        moved.sources = report
            .sources
            .iter()
            .map(|((file, line), text)| ((spelled(file), *line), text.clone()))
            .collect();
        for kernel in &mut moved.kernels {
            kernel.file = spelled(&kernel.file);
            for location in kernel.findings.iter_mut().flat_map(|f| &mut f.locations) {
                location.place.file = spelled(&location.place.file);
            }
        }
        assert_ne!(ids(&mut moved), before);
        moved.identities = files
            .iter()
            .map(|file| (spelled(file), file.clone()))
            .collect();
        assert_eq!(ids(&mut moved), before);
    }

    #[test]
    fn equal_findings_get_different_ids() {
        let mut report = sample::report();
        let kernel = report
            .kernels
            .iter_mut()
            .find(|kernel| !kernel.findings.is_empty())
            .expect("a racy sample");
        let twin = kernel.findings[0].clone();
        kernel.findings = vec![twin.clone(), twin];
        let name = kernel.name.clone();
        finish(&mut report);
        let kernel = report.kernels.iter().find(|kernel| kernel.name == name);
        let findings = &kernel.expect("still there").findings;
        assert_eq!(findings[1].id, format!("{}-2", findings[0].id));
    }
}
