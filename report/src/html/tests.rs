//! What the page is made of; how it looks and behaves is tested in a browser (`scripts/test-page`).

use super::*;
use crate::anatomy::{Anatomy, Piece};
use crate::sample;

/// The report inside of a page.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("the data");
    let (text, _) = rest.split_once("</script>").expect("an end");
    assert!(!text.contains('<'));
    serde_json::from_str(text).expect("is JSON")
}

#[test]
fn a_page_has_all_that_the_report_has() {
    let report = sample::report();
    let page = render(&report, None).expect("renders");
    let data = data(&page);
    let kernels = data["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), report.kernels.len());
    for (kernel, shown) in report.kernels.iter().zip(kernels) {
        assert_eq!(shown["verdict"], kernel.verdict().as_str());
        let findings = shown["findings"].as_array().expect("findings");
        assert_eq!(findings.len(), kernel.findings.len());
        for finding in &kernel.findings {
            let shown = findings
                .iter()
                .find(|shown| shown["id"] == finding.id.as_str());
            let shown = shown.expect("is on the page");
            assert_eq!(
                shown["locations"].as_array().map(Vec::len),
                Some(finding.locations.len())
            );
        }
    }
    assert_eq!(
        data["errors"].as_array().map(Vec::len),
        Some(report.errors.len())
    );
    assert_eq!(
        data["unsupported"].as_array().map(Vec::len),
        Some(report.unsupported.len())
    );
    assert!(!page.contains("{{"));
}

#[test]
fn a_page_loads_nothing() {
    let page = render(&sample::report(), None).expect("renders");
    for word in [
        "http://",
        "https://",
        "<link",
        "@import",
        "url(",
        "src=\"",
        "<img",
        "fetch(",
        "innerHTML",
    ] {
        let found = page.matches(word).count();
        // The name of the vector graphics is an address that nobody asks for.
        let allowed = if word == "http://" {
            page.matches("http://www.w3.org/2000/svg").count()
        } else {
            0
        };
        assert_eq!(found, allowed, "{word}");
    }
    assert_eq!(page.matches("<script").count(), 2);
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_policy_names_the_script() {
    let page = render(&sample::report(), None).expect("renders");
    let (_, rest) = page.split_once("<script>").expect("a script");
    let (script, _) = rest.split_once("</script>").expect("an end");
    let hash = base64(&Sha256::digest(script.as_bytes()));
    assert!(page.contains(&format!("script-src 'sha256-{hash}'")));
}

#[test]
fn base64_is_that_of_everyone() {
    for (text, coded) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("\u{ff}\u{ff}", "w7/Dvw=="),
    ] {
        assert_eq!(base64(text.as_bytes()), coded);
    }
}

#[test]
fn hostile_text_stays_text() {
    let hostile = "</script><script>alert(1)</script><!--\u{202e}\u{1b}[31m&amp;{{data}}";
    let mut report = sample::report();
    report.notes.push(crate::place::Note {
        place: None,
        text: hostile.to_owned(),
    });
    let kernel = &mut report.kernels[0];
    kernel.name = hostile.to_owned();
    kernel.file = hostile.to_owned();
    kernel.findings[0].reasons.push(hostile.to_owned());
    kernel.anatomies = vec![Anatomy {
        pieces: vec![Piece {
            file: hostile.to_owned(),
            first: 3,
            lines: vec![Some(hostile.to_owned()), None, Some("\tx".to_owned())],
        }],
        ..Anatomy::default()
    }];
    let page = render(&report, None).expect("renders");
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("<!--").count(), 0);
    assert!(!page.contains('\u{202e}') && !page.contains('\u{1b}'));
    let data = data(&page);
    let shown = "</script><script>alert(1)</script><!--\u{fffd}\u{241b}[31m&amp;{{data}}";
    let sources = data["sources"].as_array().expect("files");
    let file = sources
        .iter()
        .find(|file| file[0] == shown)
        .expect("the file");
    assert_eq!(file[1], serde_json::json!([[3, [shown]], [5, ["\tx"]]]));
    assert_eq!(data["kernels"][0]["name"], shown);
}

#[test]
fn without_an_anatomy_the_lines_of_the_findings_are_shown() {
    let data = data(&render(&sample::report(), None).expect("renders"));
    let pieces = data["kernels"][0]["structures"][0]["pieces"]
        .as_array()
        .expect("pieces");
    assert_eq!(pieces, &[serde_json::json!([0, 5, 11])]);
}

#[test]
fn kernels_have_ranks_and_findings_stand_by_cause() {
    let mut report = sample::report();
    report.incomplete = Some(crate::finding::Incomplete { done: 1, files: 3 });
    let made = Made {
        command: "warplog check <k>.cu".to_owned(),
        date: "2026-01-02 03:04 UTC".to_owned(),
    };
    let data = data(&render(&report, Some(&made)).expect("renders"));
    assert_eq!(data["incomplete"], serde_json::json!([1, 3]));
    assert_eq!(data["made"][0], "warplog check <k>.cu");
    let kernels = data["kernels"].as_array().expect("kernels");
    let first = kernels.iter().find(|kernel| kernel["rank"] == 0);
    assert_eq!(first.expect("one is first")["name"], "shift");
    let race = &first.expect("one is first")["findings"][0];
    assert_eq!(
        race["witness"]["touched"],
        serde_json::json!([[128, 4], [128, 4]])
    );
    assert_eq!(race["between"][0][0], "the start of the kernel");
    for kernel in kernels {
        for (nth, finding) in kernel["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .enumerate()
        {
            let lead = finding["lead"].as_u64().expect("a number");
            assert!(lead <= nth as u64, "{finding}");
        }
    }
}
