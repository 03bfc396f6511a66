//! SARIF against the published schema, for reports of every verdict and with anything in their texts.

use super::*;
use crate::sample;
use serde_json::Value as Json;

fn schema() -> jsonschema::Validator {
    let text = include_str!("../../tests-schemas/sarif-schema-2.1.0.json");
    let schema: Json = serde_json::from_str(text).expect("the schema is JSON");
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("the schema compiles")
}

fn rendered(report: &Report) -> Json {
    let folders = Folders {
        root: "/home/me/my project".into(),
        here: "/home/me/my project/src".into(),
    };
    serde_json::from_str(&render(report, 1, &folders).expect("renders")).expect("is JSON")
}

fn complaints(document: &Json) -> Vec<String> {
    schema()
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path))
        .collect()
}

fn finished() -> Report {
    let mut report = sample::report();
    crate::id::finish(&mut report);
    report
}

#[test]
fn reports_follow_the_published_schema() {
    for report in [finished(), Report::default()] {
        let document = rendered(&report);
        assert_eq!(complaints(&document), Vec::<String>::new());
    }
    // The validator is awake.
    let mut document = rendered(&finished());
    document["runs"][0]["results"][0]["level"] = "fatal".into();
    document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] =
        0.into();
    assert_eq!(complaints(&document).len(), 2);
}

#[test]
fn the_two_threads_have_a_flow_each() {
    let document = rendered(&finished());
    let results = document["runs"][0]["results"].as_array().expect("results");
    let race = results
        .iter()
        .find(|result| result["ruleId"] == "data-race" && result["properties"]["array"] == "tile")
        .expect("the race");
    let flows = race["codeFlows"][0]["threadFlows"]
        .as_array()
        .expect("flows");
    assert_eq!(flows.len(), 2);
    assert_eq!(flows[0]["id"], "thread (32,0,0) of block (0,0,0)");
    assert_eq!(flows[1]["immutableState"]["threadIdx"]["text"], "(31,0,0)");
    let line = |flow: &Json| {
        flow["locations"][0]["location"]["physicalLocation"]["region"]["startLine"].clone()
    };
    assert_eq!((line(&flows[0]), line(&flows[1])), (5.into(), 7.into()));
    assert_eq!(race["relatedLocations"].as_array().map(Vec::len), Some(3));
    let text = race["message"]["text"].as_str().expect("a text");
    assert!(
        text.starts_with("confirmed data race in `shift`: write and read of `tile`"),
        "{text}"
    );
    assert!(
        text.contains("(2) read by thread (31,0,0): [line 7](2)"),
        "{text}"
    );
    assert!(text.contains("they meet at `tile\\[32\\]`"), "{text}");
}

#[test]
fn a_divergence_decides_before_it_waits() {
    let document = rendered(&finished());
    let results = document["runs"][0]["results"].as_array().expect("results");
    let divergence = results
        .iter()
        .find(|result| result["ruleId"] == "barrier-divergence")
        .expect("the divergence");
    let texts: Vec<Vec<&str>> = divergence["codeFlows"][0]["threadFlows"]
        .as_array()
        .expect("flows")
        .iter()
        .map(|flow| {
            let steps = flow["locations"].as_array().expect("steps");
            steps
                .iter()
                .filter_map(|step| step["location"]["message"]["text"].as_str())
                .collect()
        })
        .collect();
    assert_eq!(
        texts,
        [
            vec!["goes on to the barrier from here", "reaches the barrier"],
            vec!["does not go on to the barrier from here"]
        ]
    );
}

#[test]
fn suppressed_findings_say_why() {
    let document = rendered(&finished());
    let results = document["runs"][0]["results"].as_array().expect("results");
    let suppressed: Vec<_> = results
        .iter()
        .filter_map(|result| result.get("suppressions"))
        .collect();
    assert_eq!(suppressed.len(), 1);
    assert_eq!(suppressed[0][0]["kind"], "inSource");
    assert_eq!(suppressed[0][0]["justification"], "known to be harmless");
}

#[test]
fn paths_become_references() {
    assert_eq!(uri("src/a b#1.cu"), "src/a%20b%231.cu");
    assert_eq!(uri("/tmp/ä.cu"), "file:///tmp/%C3%A4.cu");
}

#[test]
fn files_are_named_from_the_root_of_the_project() {
    let named = |file: &str, here: &str, root: &str| {
        let folders = Folders {
            root: root.into(),
            here: here.into(),
        };
        let found = reference(file, &folders);
        (found.uri, found.uri_base_id.is_some())
    };
    let within = |uri: &str| (uri.to_owned(), true);
    let outside = |uri: &str| (uri.to_owned(), false);
    assert_eq!(named("a.cu", "/p", "/p"), within("a.cu"));
    assert_eq!(named("a.cu", "/p/src", "/p"), within("src/a.cu"));
    assert_eq!(named("./k/../a.cu", "/p/src", "/p"), within("src/a.cu"));
    assert_eq!(
        named("../lib/a b.cuh", "/p/src", "/p"),
        within("lib/a%20b.cuh")
    );
    assert_eq!(named("/p/src/a.cu", "/", "/p"), within("src/a.cu"));
    assert_eq!(
        named("../../q/a.cu", "/p/src", "/p"),
        outside("file:///q/a.cu")
    );
    assert_eq!(named("/q/a.cu", "/p/src", "/p"), outside("file:///q/a.cu"));
    assert_eq!(named("q/a.cu", "/", "/"), within("q/a.cu"));

    let document = rendered(&finished());
    let run = &document["runs"][0];
    assert_eq!(
        run["originalUriBaseIds"]["%SRCROOT%"]["uri"],
        "file:///home/me/my%20project/"
    );
    let file = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(file["uri"], "src/kernels/shift.cu");
    assert_eq!(file["uriBaseId"], "%SRCROOT%");
    let text = document.to_string();
    let count = |word: &str| text.matches(word).count();
    assert_eq!(count("\"artifactLocation\""), count("\"uriBaseId\""));
}

proptest::proptest! {
    #[test]
    fn any_text_and_place_follows_the_schema(
        text in "(\\PC|[\t\n\"{}\\[\\]\\\\\u{0}-\u{1f}]){0,40}",
        numbers in proptest::array::uniform4(0u32..5),
    ) {
        let mut report = sample::report();
        for kernel in &mut report.kernels {
            kernel.name.clone_from(&text);
            kernel.file.clone_from(&text);
            for location in kernel.findings.iter_mut().flat_map(|finding| &mut finding.locations) {
                let [line, column, end_line, end_column] = numbers;
                location.place = Place { file: text.clone(), line, column, end_line, end_column };
            }
        }
        crate::id::finish(&mut report);
        proptest::prop_assert_eq!(complaints(&rendered(&report)), Vec::<String>::new());
    }
}

#[test]
fn no_more_results_than_code_hosts_show() {
    let mut report = sample::report();
    report.kernels.retain(|kernel| kernel.name == "shift");
    let race = sample::race();
    // Two causes: one of three spots, one of one.
    let moved = |line: u32, array: &str| {
        let mut finding = race.clone();
        sample::race_of(&mut finding).array = array.to_owned();
        for location in &mut finding.locations {
            location.place.line = line;
        }
        finding
    };
    report.kernels[0].findings = vec![moved(3, "a"), moved(4, "a"), moved(5, "a"), moved(6, "b")];
    crate::id::finish(&mut report);
    let causes = causes(&report);
    assert_eq!(causes.len(), 2);
    let lines = |most: usize| -> (Vec<u32>, usize) {
        let (chosen, left_out) = chosen(&causes, most);
        let lines = chosen
            .iter()
            .map(|(_, _, finding)| finding.locations[0].place.line);
        (lines.collect(), left_out)
    };
    assert_eq!(lines(9), (vec![3, 4, 5, 6], 0));
    assert_eq!(
        lines(3),
        (vec![3, 4, 6], 1),
        "every cause has a result first"
    );
    assert_eq!(lines(1), (vec![3], 3));
    assert!(
        too_many(3)
            .message
            .text
            .starts_with("3 findings are left out")
    );
}
