//! Every link of the book leads to a page or heading that is there, and every page is in the table of contents.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use warplog_tests::project;

use crate::pages::{self, Page};

/// The targets of the links of a line: `[words](target)`.
fn targets(line: &str) -> Vec<&str> {
    let mut rest = line;
    let mut found = Vec::new();
    while let Some((_, after)) = rest.split_once("](") {
        let Some((target, behind)) = after.split_once(')') else {
            break;
        };
        found.push(target);
        rest = behind;
    }
    found
}

/// The anchor that mdBook and code hosts give a heading.
fn anchor(heading: &str) -> String {
    heading
        .chars()
        .filter_map(|character| match character {
            ' ' => Some('-'),
            '-' | '_' => Some(character),
            other if other.is_alphanumeric() => Some(other.to_ascii_lowercase()),
            _ => None,
        })
        .collect()
}

fn anchors(page: &Page) -> BTreeSet<String> {
    page.prose()
        .into_iter()
        .filter(|(_, line)| line.starts_with('#'))
        .map(|(_, line)| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for page in pages::all() {
        for (line, text) in page.prose() {
            for target in targets(text) {
                if target.starts_with("http") {
                    continue;
                }
                seen += 1;
                let (file, heading) = target.split_once('#').unwrap_or((target, ""));
                let folder = page.path();
                let folder = folder.parent().expect("a folder");
                let path = if file.is_empty() {
                    page.path()
                } else {
                    plain(&folder.join(file))
                };
                let mut complain = |why: &str| {
                    wrong.push(format!("{}:{line}: {target}: {why}", page.name));
                };
                if !path.exists() {
                    complain("no such file");
                    continue;
                }
                // A page of the book is read without the rest of the project, too.
                if page.name.starts_with("docs/") && !path.starts_with(project().join("docs")) {
                    complain("leads out of the book");
                }
                if !heading.is_empty() {
                    let name = path.strip_prefix(project()).expect("in the project");
                    let page = Page::read(name.to_str().expect("a name"));
                    if !anchors(&page).contains(heading) {
                        complain("no such heading");
                    }
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(seen > 100, "{seen} links");
}

/// The text without what stands in backticks.
fn outside_code(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        out.push_str(&rest[..at]);
        let ticks: String = rest[at..].chars().take_while(|&c| c == '`').collect();
        let behind = &rest[at + ticks.len()..];
        rest = match behind.find(&ticks) {
            Some(end) => &behind[end + ticks.len()..],
            None => behind,
        };
    }
    out.push_str(rest);
    out
}

/// What a browser would take for a tag in a line of prose: `<T>` outside of backticks.
fn tags(text: &str) -> Vec<String> {
    let text = outside_code(text);
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let inner = &text[at + 1..];
        let Some(end) = inner.find('>') else { continue };
        let name = inner[..end].trim_start_matches('/');
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains("://");
        if is_tag {
            found.push(inner[..end].to_owned());
        }
    }
    found
}

#[test]
fn nothing_is_taken_for_a_tag() {
    assert_eq!(tags("`a<b>` and ``c`<d>`` <e> </f> a < b > c"), ["e", "/f"]);
    let mut wrong = Vec::new();
    for page in pages::all() {
        // Backticks may stand at the end of one line and the beginning of the next, but no paragraph goes on behind a blank one.
        let mut paragraph = String::new();
        for (line, text) in page.prose().into_iter().chain([(0, "")]) {
            if !text.trim().is_empty() {
                paragraph.push_str(text);
                paragraph.push('\n');
                continue;
            }
            for tag in tags(&std::mem::take(&mut paragraph)) {
                wrong.push(format!("{}: before line {line}: <{tag}>", page.name));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_page_is_in_the_table_of_contents_once() {
    let summary = Page::read("docs/SUMMARY.md");
    let listed: Vec<&str> = summary.text.lines().flat_map(targets).collect();
    let set: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(set.len(), listed.len(), "a page is listed twice");
    let pages = pages::all();
    let there: BTreeSet<&str> = pages
        .iter()
        .filter_map(|page| page.name.strip_prefix("docs/"))
        .filter(|name| *name != "SUMMARY.md")
        .collect();
    assert_eq!(set, there);
}

#[test]
fn anchors_are_those_of_code_hosts() {
    assert_eq!(anchor("Results that are kept"), "results-that-are-kept");
    assert_eq!(anchor("`warplog.toml`"), "warplogtoml");
    assert_eq!(anchor("A_b: c"), "a_b-c");
}
