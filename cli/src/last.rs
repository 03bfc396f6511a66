//! What the last scan from a folder found, and with which command line: so that `warplog explain ID` needs no paths.
//!
//! A JSON file with the kept results, one a folder in which the program ran, replaced as a whole. It is a convenience: where it cannot
//! be read or written, paths are asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::{Deserialize, Serialize};
use warplog_report::{Kernel, Report};

use crate::explain::view::file_tag;
use crate::identity::Identities;
use crate::naming::names;
use crate::output;

/// The version of the file.
const SCHEMA: &str = "warplog-last/2";

/// The record of a scan.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Last {
    schema: String,
    /// The command line, the program's name first.
    pub(crate) arguments: Vec<String>,
    /// Its kernels.
    kernels: Vec<Shown>,
    /// The kernel of a finding, by its id, as a position.
    findings: BTreeMap<String, usize>,
}

/// Name and file of a kernel, the inputs that show it, and the files that its findings lie in.
type Shown = (String, String, BTreeSet<String>, BTreeSet<String>);

/// The files that the findings of a kernel lie in.
fn places(kernel: &Kernel) -> BTreeSet<String> {
    let findings = kernel.findings.iter();
    let locations = findings.flat_map(|finding| &finding.locations);
    locations
        .map(|location| location.place.file.clone())
        .collect()
}

impl Last {
    /// The record of a report.
    pub(crate) fn of(report: &Report, arguments: Vec<String>) -> Self {
        let mut kernels = Vec::new();
        let mut findings = BTreeMap::new();
        for (nth, kernel) in report.kernels.iter().enumerate() {
            kernels.push((
                kernel.name.clone(),
                kernel.file.clone(),
                inputs(report, kernel),
                places(kernel),
            ));
            let ids = kernel.findings.iter().map(|finding| finding.id.clone());
            findings.extend(ids.map(|id| (id, nth)));
            let costs = kernel.costs.iter().flat_map(|costs| &costs.found);
            findings.extend(costs.map(|cost| (cost.id.clone(), nth)));
        }
        Last {
            schema: SCHEMA.to_owned(),
            arguments,
            kernels,
            findings,
        }
    }

    /// The record of the last scan from this folder.
    pub(crate) fn read(cache: &Path) -> Option<Self> {
        let bytes = fs::read(place(cache)?).ok()?;
        let last: Last = serde_json::from_slice(&bytes).ok()?;
        (last.schema == SCHEMA).then_some(last)
    }

    /// Keeps the record. Not to be kept is no error.
    pub(crate) fn keep(&self, cache: &Path) {
        let Some(place) = place(cache) else {
            return;
        };
        let Ok(bytes) = serde_json::to_vec(self) else {
            return;
        };
        if let Some(folder) = place.parent() {
            let _ = fs::create_dir_all(folder);
        }
        let _ = output::write(&place, &bytes);
    }

    /// The inputs that show kernels of a file.
    pub(crate) fn of_file(&self, file: &str) -> Vec<String> {
        let mut identities = Identities::new();
        let file = identities.of(file);
        let mut is_it = |name: &String| identities.of(name) == file;
        let shows = |(_, own, inputs, places): &&Shown| {
            is_it(own) || inputs.iter().chain(places).any(&mut is_it)
        };
        self.gather(self.kernels.iter().filter(shows))
    }

    /// The inputs that show what an id means: a finding, a pair, a kernel.
    pub(crate) fn of_id(&self, id: &str) -> Vec<String> {
        let findings = self.findings.iter();
        let kernels: Vec<usize> = findings
            .filter(|(own, _)| own.as_str() == id || (id.len() >= 6 && own.starts_with(id)))
            .map(|(_, nth)| *nth)
            .collect();
        if !kernels.is_empty() {
            return self.gather(kernels.iter().filter_map(|&nth| self.kernels.get(nth)));
        }
        let of_name = self.gather(self.kernels.iter().filter(|(name, ..)| names(id, name)));
        if !of_name.is_empty() {
            return of_name;
        }
        // The digits behind the letter tell the file.
        let mut identities = Identities::new();
        let tagged = |(_, file, ..): &&Shown| {
            let rest = id.strip_prefix(['p', 'd']);
            rest.is_some_and(|rest| {
                rest.len() >= 5 && rest.starts_with(&file_tag(&identities.of(file)))
            })
        };
        self.gather(self.kernels.iter().filter(tagged))
    }

    fn gather<'a>(&self, kernels: impl Iterator<Item = &'a Shown>) -> Vec<String> {
        let all: BTreeSet<&String> = kernels.flat_map(|(_, _, inputs, _)| inputs).collect();
        all.into_iter().cloned().collect()
    }
}

/// The inputs that show a kernel: its own file, or those that include it.
fn inputs(report: &Report, kernel: &Kernel) -> BTreeSet<String> {
    let key = (kernel.file.clone(), kernel.name.clone());
    match report.inventory.shown_by.get(&key) {
        Some(inputs) => inputs.clone(),
        None => BTreeSet::from([kernel.file.clone()]),
    }
}

/// Where the record of this folder is kept.
fn place(cache: &Path) -> Option<PathBuf> {
    let folder = env::current_dir().ok()?;
    let folder = folder.to_str()?;
    let name = crate::explain::view::digits(folder, 8);
    Some(cache.join("last").join(format!("{name}.json")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_lead_to_inputs() {
        let inputs = |name: &str| BTreeSet::from([name.to_owned()]);
        let last = Last {
            schema: SCHEMA.to_owned(),
            arguments: Vec::new(),
            kernels: vec![
                (
                    "first<4>".to_owned(),
                    "h.cuh".to_owned(),
                    inputs("a.cu"),
                    inputs("helper.cuh"),
                ),
                (
                    "second".to_owned(),
                    "b.cu".to_owned(),
                    inputs("b.cu"),
                    BTreeSet::new(),
                ),
            ],
            findings: BTreeMap::from([("0123456789ab".to_owned(), 0)]),
        };
        assert_eq!(last.of_id("0123456789ab"), ["a.cu"]);
        assert_eq!(last.of_id("012345"), ["a.cu"]);
        assert!(last.of_id("0123").is_empty());
        assert_eq!(last.of_id("first"), ["a.cu"]);
        assert_eq!(last.of_id("second"), ["b.cu"]);
        assert_eq!(
            last.of_id(&format!(
                "p{}12345678",
                file_tag(&Identities::new().of("b.cu"))
            )),
            ["b.cu"]
        );
        assert_eq!(last.of_file("h.cuh"), ["a.cu"]);
        assert_eq!(last.of_file("helper.cuh"), ["a.cu"]);
        assert!(last.of_file("c.cu").is_empty());
    }
}
