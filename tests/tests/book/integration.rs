//! What the book gives to other tools: a workflow, a hook. They are as in `examples/`, they parse, and their commands do what they say.

use std::fs;

use serde_json::Value as Json;
use warplog_tests::command::Bench;
use warplog_tests::project;
use yaml_rust2::{Yaml, YamlLoader};

use crate::pages::Page;
use crate::samples::{complaint, helps};

const KERNELS: &str = "\
//--blockDim=64 --gridDim=1
__global__ void any(int *p) {
    p[0] = threadIdx.x;
}
";

fn yaml(text: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(text).expect("is YAML");
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

fn file(name: &str) -> String {
    fs::read_to_string(project().join(name)).expect(name)
}

fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("src/k.cu", KERNELS);
    bench
}

/// The words of a YAML list.
fn words(list: &Yaml) -> Vec<String> {
    let list = list.as_vec().expect("a list");
    list.iter()
        .map(|word| word.as_str().expect("a word").to_owned())
        .collect()
}

#[test]
fn the_book_shows_the_files_of_the_examples() {
    let page = Page::read("docs/other-tools.md");
    let mut seen = 0;
    for block in page.blocks() {
        if let Some(name) = block.file() {
            assert_eq!(block.text, file(&format!("examples/{name}")), "{name}");
            seen += 1;
        }
    }
    assert_eq!(seen, 3);
}

#[test]
fn the_workflow_uploads_what_it_writes() {
    let workflow = yaml(&file("examples/github-workflow.yml"));
    // Without it, the upload is refused.
    assert_eq!(
        workflow["permissions"]["security-events"].as_str(),
        Some("write")
    );
    let steps = workflow["jobs"]["races"]["steps"].as_vec().expect("steps");
    let runs: Vec<&str> = steps
        .iter()
        .filter_map(|step| step["run"].as_str())
        .collect();
    let helps = helps();
    let check = runs
        .iter()
        .find(|run| run.contains("/warplog check"))
        .expect("a step that checks");
    assert_eq!(complaint(&helps, check), None);
    let upload = steps
        .iter()
        .find(|step| {
            step["uses"]
                .as_str()
                .is_some_and(|uses| uses.contains("upload-sarif"))
        })
        .expect("a step that uploads");
    // Findings make the step before fail, and are what is to be uploaded.
    assert_eq!(upload["if"].as_str(), Some("success() || failure()"));
    let uploaded = upload["with"]["sarif_file"].as_str().expect("a file");

    let bench = bench();
    let arguments: Vec<&str> = check.split_whitespace().skip(1).collect();
    let run = bench.words(&arguments);
    assert_eq!(run.status, 1, "{}", run.err);
    let sarif: Json = serde_json::from_str(&bench.read(uploaded)).expect("is JSON");
    assert_eq!(
        sarif["runs"][0]["results"].as_array().map(Vec::len),
        Some(1)
    );
    // What it builds is a target of the makefile.
    let build = runs
        .iter()
        .find(|run| run.starts_with("make "))
        .expect("a build");
    let target = build.split_whitespace().last().expect("a target");
    assert!(file("Makefile").contains(&format!("\n{target}: ")));
}

#[test]
fn the_hook_checks_the_repository() {
    let hooks = yaml(&file(".pre-commit-hooks.yaml"));
    let hooks = hooks.as_vec().expect("hooks");
    let [hook] = hooks.as_slice() else {
        panic!("one hook")
    };
    let config = yaml(&file("examples/pre-commit-config.yaml"));
    let used = &config["repos"][0]["hooks"][0];
    assert_eq!(used["id"], hook["id"]);

    let mut command: Vec<String> = hook["entry"]
        .as_str()
        .expect("a command")
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    assert_eq!(command.remove(0), "warplog");
    command.extend(words(&used["args"]));
    let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
    let bench = bench();
    bench.file("old/k.cu", KERNELS);
    bench.file("warplog.toml", "exclude = \"old\"\n");
    let run = bench.words(&arguments);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.out.starts_with("src/k.cu:3:5: error[data-race]: "));
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    // What is left out would be checked if it were named.
    assert_eq!(hook["pass_filenames"].as_bool(), Some(false));
    let files = hook["files"].as_str().expect("a pattern");
    for ending in ["cu", "cuh", "hip"] {
        assert!(files.contains(ending), "{files}");
    }
}
