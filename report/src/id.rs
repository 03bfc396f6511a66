//! Order and identity: a report in one order with ids that depend on content alone.
//!
//! An id is a hash of the kernel, the kind, the accesses and the places of a finding, never a counter over the run, so that
//! it stays the same when other files or kernels come or go and for any number of jobs. It is FNV-1a (64 bit; Fowler, Noll and Vo),
//! which is stable over platforms and versions. Equal content, or a collision, is told apart by a suffix in report order.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Finding, Kernel, Report, Sources};

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
    report
        .notes
        .sort_by(|a, b| (&a.place, &a.text).cmp(&(&b.place, &b.text)));
    report.notes.dedup();
    assign_ids(report);
    assign_fingerprints(report);
}

/// Gives every finding its fingerprint, unique in the report: unlike the id it stays the same when lines are added or
/// removed elsewhere in the file. It is over the file, the kernel, the kind of finding, and the text of the source lines
/// without their indentation; equal ones are counted in the order of the report.
pub fn assign_fingerprints(report: &mut Report) {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let sources = &report.sources;
    for kernel in &mut report.kernels {
        let hashes: Vec<String> = kernel
            .findings
            .iter()
            .map(|finding| line_hash(kernel, finding, sources))
            .collect();
        for (finding, hash) in kernel.findings.iter_mut().zip(hashes) {
            let count = counts.entry(hash.clone()).or_default();
            *count += 1;
            finding.fingerprint = format!("{hash}:{count}");
        }
    }
}

/// Sixteen hexadecimal digits over what a finding is about, places by the text that stands there.
fn line_hash(kernel: &Kernel, finding: &Finding, sources: &Sources) -> String {
    let mut hash = Fnv::new();
    about(&mut hash, kernel, finding);
    for location in &finding.locations {
        let place = &location.place;
        hash.text(location.role.as_str());
        hash.text(&place.file);
        let line = sources
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
    format!("{:016x}", hash.0)
}

/// What ids and fingerprints have in common.
fn about(hash: &mut Fnv, kernel: &Kernel, finding: &Finding) {
    hash.text(&kernel.file);
    hash.text(&kernel.name);
    hash.text(finding.kind.as_str());
    hash.text(finding.access_code().unwrap_or(""));
    hash.text(finding.scope.map_or("", |scope| scope.as_str()));
    hash.text(finding.array.as_deref().unwrap_or(""));
}

/// Gives every finding its id, unique in the report.
pub fn assign_ids(report: &mut Report) {
    let mut taken = BTreeSet::new();
    for kernel in &mut report.kernels {
        let ids: Vec<String> = kernel
            .findings
            .iter()
            .map(|finding| content_hash(kernel, finding))
            .collect();
        for (finding, hash) in kernel.findings.iter_mut().zip(ids) {
            let mut id = hash.clone();
            let mut copy = 2;
            while !taken.insert(id.clone()) {
                id = format!("{hash}-{copy}");
                copy += 1;
            }
            finding.id = id;
        }
    }
}

/// What findings of a kernel are ordered by: place, then kind, then the rest of what tells them apart.
fn sort_key(finding: &Finding) -> impl Ord + '_ {
    let places: Vec<_> = finding
        .locations
        .iter()
        .map(|location| (&location.place, location.role))
        .collect();
    (
        places,
        finding.kind,
        finding.accesses,
        finding.scope,
        &finding.array,
        std::cmp::Reverse(finding.certainty),
        &finding.launches,
    )
}

/// Twelve hexadecimal digits over what a finding is about. The witness, the certainty and the wording are left out: they
/// may improve without the finding becoming another one.
fn content_hash(kernel: &Kernel, finding: &Finding) -> String {
    let mut hash = Fnv::new();
    about(&mut hash, kernel, finding);
    for location in &finding.locations {
        let place = &location.place;
        hash.text(location.role.as_str());
        hash.text(&place.file);
        for number in [place.line, place.column, place.end_line, place.end_column] {
            hash.bytes(&number.to_le_bytes());
        }
    }
    format!("{:012x}", hash.0 & 0xffff_ffff_ffff)
}

/// FNV-1a, 64 bit.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 ^= u64::from(byte);
            self.0 = self.0.wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The text and a separator that no UTF-8 contains.
    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.bytes(&[0xff]);
    }
}

#[cfg(test)]
mod tests {
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
            ..Report::default()
        };
        finish(&mut alone);
        assert_eq!(ids(&alone)[0], all[0]);
    }

    #[test]
    fn fingerprints_survive_moved_lines_and_new_indentation() {
        let mut report = sample::report();
        finish(&mut report);
        let prints = |report: &Report| -> Vec<String> {
            report
                .kernels
                .iter()
                .flat_map(|kernel| &kernel.findings)
                .map(|finding| finding.fingerprint.clone())
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
        assert_ne!(
            moved.kernels[0].findings[0].id,
            report.kernels[0].findings[0].id
        );

        let mut edited = report.clone();
        for text in edited.sources.values_mut() {
            *text = text.replace("tile[tid] = n;", "tile[tid] = m;");
        }
        finish(&mut edited);
        assert_ne!(prints(&edited), before);
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
