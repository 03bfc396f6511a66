//! The baseline: findings that are known, by their fingerprints, so that only new ones fail.
//!
//! A JSON file, one finding a line, sorted, so that changes to it read well in a review. Kernel, kind and place are there for
//! the reader and tell what could have been found again; the fingerprint tells whether a finding is known. Fingerprints are
//! numbered when they would be equal, so that one more of the same is new. Files are named from the root of the project
//! ([`identity`](crate::identity)), so that the file serves from any folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use warplog_report::{Note, Report, SuppressedBy, Suppression};

use crate::choices::Scopes;
use crate::collect::{read, reason, shown};
use crate::explain::is_header;
use crate::identity::Identities;
use crate::options::AnalysisOptions;
use crate::output;

/// The version of the file.
const SCHEMA: &str = "warplog-baseline/1";

/// A finding that is known.
struct Known {
    file: Option<String>,
    kernel: Option<String>,
}

/// Marks the findings that a baseline knows, and notes how many of its findings are gone.
///
/// # Errors
/// The file cannot be read, or is none.
pub(crate) fn compare(
    path: &Path,
    report: &mut Report,
    options: &AnalysisOptions,
) -> Result<(), String> {
    let known = load(path)?;
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    for finding in report
        .kernels
        .iter_mut()
        .flat_map(|kernel| &mut kernel.findings)
    {
        if let Some((print, _)) = known.get_key_value(&finding.fingerprint) {
            seen.insert(print);
            finding.suppressed.get_or_insert_with(|| Suppression {
                by: SuppressedBy::Baseline,
                reason: format!("in the baseline {}", shown(path)),
            });
        }
    }
    // What was not looked at may still be there.
    if report.incomplete.is_some() || options.scopes != Scopes::All {
        return Ok(());
    }
    let mut identities = Identities::new();
    let inputs = &report.inventory.inputs;
    let scanned: BTreeSet<String> = inputs.iter().map(|input| identities.of(input)).collect();
    let projects: BTreeSet<PathBuf> = inputs
        .iter()
        .map(|input| identities.project(input))
        .collect();
    // Which instances of a header's templates there are depends on the files that include it.
    let looked_into: BTreeSet<(String, String)> = report
        .kernels
        .iter()
        .map(|kernel| (identities.of(&kernel.file), kernel.name.clone()))
        .collect();
    let is_gone = |known: &Known| {
        let file = known.file.as_ref().is_some_and(|file| {
            let removed = || !projects.iter().any(|root| root.join(file).exists());
            let own = |kernel: &String| looked_into.contains(&(file.clone(), kernel.clone()));
            let looked_at = scanned.contains(file)
                && (!is_header(Path::new(file)) || known.kernel.as_ref().is_some_and(own));
            !projects.is_empty() && (looked_at || removed())
        });
        let kernel = known.kernel.as_ref();
        file && kernel.is_some_and(|kernel| options.wants(kernel))
    };
    let gone = known
        .iter()
        .filter(|(print, known)| !seen.contains(print) && is_gone(known))
        .count();
    if gone > 0 {
        let findings = if gone == 1 { "finding" } else { "findings" };
        report.notes.push(Note {
            place: None,
            text: format!(
                "{gone} {findings} of the baseline {} no longer found: write it anew",
                shown(path)
            ),
        });
    }
    Ok(())
}

fn load(path: &Path) -> Result<BTreeMap<String, Known>, String> {
    let bytes = read(path)?;
    let value: Value =
        serde_json::from_slice(&bytes).map_err(|error| format!("not a baseline: {error}"))?;
    if value["schema"] != SCHEMA {
        return Err(format!("not a baseline: `schema` is not {SCHEMA}"));
    }
    let findings = value["findings"]
        .as_array()
        .ok_or("not a baseline: `findings` is no list")?;
    findings
        .iter()
        .map(|finding| {
            let text = |key: &str| finding[key].as_str().map(str::to_owned);
            let print = text("fingerprint")
                .ok_or_else(|| "not a baseline: a finding has no fingerprint".to_owned())?;
            let known = Known {
                file: text("file"),
                kernel: text("kernel"),
            };
            Ok((print, known))
        })
        .collect()
}

/// Writes the findings that are not suppressed otherwise, and marks them as known.
///
/// # Errors
/// The file cannot be written.
pub(crate) fn write(path: &Path, report: &mut Report) -> Result<(), String> {
    if report.incomplete.is_some() {
        return Err("the run was interrupted: the baseline stays as it was".to_owned());
    }
    let mut lines = BTreeSet::new();
    let mut identities = Identities::new();
    for kernel in &report.kernels {
        let file = identities.of(&kernel.file);
        let open = kernel.findings.iter();
        for finding in open.filter(|finding| finding.suppressed.is_none()) {
            let line = finding
                .locations
                .first()
                .map(|location| location.place.line);
            let entry = json!({
                "fingerprint": finding.fingerprint,
                "kernel": kernel.name,
                "kind": finding.kind().as_str(),
                "file": file,
                "line": line,
            });
            let key = (file.clone(), line, finding.fingerprint.clone());
            lines.insert((key, entry.to_string()));
        }
    }
    let entries: Vec<String> = lines
        .into_iter()
        .map(|(_, entry)| format!("    {entry}"))
        .collect();
    let list = if entries.is_empty() {
        "[]".to_owned()
    } else {
        format!("[\n{}\n  ]", entries.join(",\n"))
    };
    let text = format!("{{\n  \"schema\": \"{SCHEMA}\",\n  \"findings\": {list}\n}}\n");
    output::write(path, text.as_bytes())
        .map_err(|error| format!("cannot write the baseline: {}", reason(&error)))?;
    // They are known only now.
    let findings = report
        .kernels
        .iter_mut()
        .flat_map(|kernel| &mut kernel.findings);
    for finding in findings.filter(|finding| finding.suppressed.is_none()) {
        finding.suppressed = Some(Suppression {
            by: SuppressedBy::Baseline,
            reason: format!("in the baseline {}", shown(path)),
        });
    }
    Ok(())
}
