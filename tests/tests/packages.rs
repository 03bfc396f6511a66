//! What is given away: the archive of `make dist`, the action, the image, the extension.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use warplog_tests::command::Bench;
use warplog_tests::project;
use yaml_rust2::{Yaml, YamlLoader};

const PROGRAM: &str = env!("CARGO_BIN_EXE_warplog-under-test");

const RACY: &str =
    "//--blockDim=64 --gridDim=1\n__global__ void k(int *v) {\n  v[0] = threadIdx.x;\n}\n";

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    output
}

fn out(command: &mut Command) -> String {
    String::from_utf8_lossy(&run(command).stdout)
        .trim()
        .to_owned()
}

fn there(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: there is no {program}");
    }
    there
}

#[test]
fn the_archive_needs_nothing_but_itself() {
    if !(there("strip") && there("python3")) {
        return;
    }
    let bench = Bench::new(PROGRAM);
    let archive = out(Command::new(project().join("scripts/dist"))
        .arg(bench.path().join("dist"))
        .env("WARPLOG_BINARY", PROGRAM));
    let empty = bench.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    run(Command::new("tar")
        .args(["-xzf", &archive, "--strip-components=1", "-C"])
        .arg(&empty));
    // The only copy of the library that is left is the one of the archive.
    let program = empty.join("bin/warplog");
    let show = |what: &str| {
        out(Command::new(project().join("scripts/run-path"))
            .arg(&program)
            .arg(what))
    };
    if show("needed").contains("libz3") {
        assert_eq!(show("show"), "$ORIGIN/../lib");
        let loaded = out(Command::new(&program)
            .arg("--version")
            .env("LD_TRACE_LOADED_OBJECTS", "1"));
        let z3 = loaded
            .lines()
            .find(|line| line.contains("libz3"))
            .expect("is loaded");
        let own = fs::canonicalize(&empty).expect("is there");
        assert!(z3.contains(&own.display().to_string()), "{z3}");
    }
    fs::write(empty.join("k.cu"), RACY).expect("writes");
    let checked = Command::new(&program)
        .args(["check", "k.cu"])
        .current_dir(&empty)
        .env_clear()
        .output()
        .expect("runs");
    assert_eq!(
        checked.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&checked.stderr)
    );
    let share = empty.join("share");
    for name in [
        "man/man1/warplog.1",
        "man/man1/warplog-check.1",
        "man/man1/warplog-lsp.1",
        "bash-completion/completions/warplog",
        "zsh/site-functions/_warplog",
        "fish/vendor_completions.d/warplog.fish",
        "doc/warplog/LICENSE-MIT",
        "doc/warplog/LICENSE-APACHE",
    ] {
        let size = fs::metadata(share.join(name)).map_or(0, |known| known.len());
        assert!(size > 100, "{name}");
    }
    let licences = fs::read_to_string(share.join("doc/warplog/THIRD-PARTY.txt")).expect("is there");
    for name in ["Z3 (libz3), MIT", "\nserde 1.", "\ntree-sitter ", "\nrmcp "] {
        assert!(licences.contains(name), "{name}");
    }
}

#[test]
fn a_run_path_is_replaced_by_a_shorter_one_alone() {
    if !there("python3") {
        return;
    }
    let bench = Bench::new(PROGRAM);
    let script = project().join("scripts/run-path");
    let text = bench.file("text", "no program");
    for (path, words, says) in [
        (text.as_path(), vec!["show"], "not a 64-bit"),
        (
            Path::new(PROGRAM),
            vec!["set", &"x".repeat(5000)],
            "is longer than",
        ),
    ] {
        let output = Command::new(&script)
            .arg(path)
            .args(&words)
            .output()
            .expect("runs");
        assert!(!output.status.success());
        assert!(
            String::from_utf8_lossy(&output.stderr).contains(says),
            "{words:?}"
        );
    }
}

fn yaml(name: &str) -> Yaml {
    let text = fs::read_to_string(project().join(name)).expect(name);
    let mut all =
        YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(all.len(), 1, "{name}");
    all.remove(0)
}

#[test]
fn the_action_is_one() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"].as_str(), Some("composite"));
    let steps = action["runs"]["steps"].as_vec().expect("steps");
    let ids: BTreeSet<&str> = steps
        .iter()
        .filter_map(|step| step["id"].as_str())
        .collect();
    for step in steps {
        let name = step["name"].as_str().expect("a name");
        match (step["uses"].as_str(), step["run"].as_str()) {
            (Some(uses), None) => assert!(uses.contains('@'), "{name}: {uses}"),
            (None, Some(run)) => {
                assert_eq!(step["shell"].as_str(), Some("bash"), "{name}");
                // A text from outside within a script would be part of it.
                assert!(!run.contains("${{"), "{name}");
            }
            _ => panic!("{name}: either `uses` or `run`"),
        }
    }
    let inputs: BTreeSet<String> = action["inputs"]
        .as_hash()
        .expect("inputs")
        .iter()
        .map(|(name, of)| {
            assert!(of["description"].as_str().is_some() && of["default"].as_str().is_some());
            name.as_str().expect("a name").to_owned()
        })
        .collect();
    let text = fs::read_to_string(project().join("action.yml")).expect("is there");
    let mut used = BTreeSet::new();
    for (word, known) in [
        ("inputs.", &inputs),
        ("steps.", &ids.iter().map(|id| (*id).to_owned()).collect()),
    ] {
        for (at, _) in text.match_indices(word) {
            let name: String = text[at + word.len()..]
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
                .collect();
            assert!(known.contains(&name), "{word}{name}");
            used.insert(name);
        }
    }
    assert!(
        inputs.iter().all(|input| used.contains(input)),
        "{inputs:?} {used:?}"
    );
    assert!(action["outputs"]["sarif-file"]["value"].as_str().is_some());
}

fn git(folder: &Path, words: &[&str]) -> String {
    out(Command::new("git")
        .args([
            "-c",
            "user.name=n",
            "-c",
            "user.email=e@example.org",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null"))
}

#[test]
fn the_step_of_the_action_annotates_changed_lines() {
    if !(there("python3") && there("git")) {
        return;
    }
    let bench = Bench::new(PROGRAM);
    let folder = bench.path().join("repo");
    fs::create_dir(&folder).expect("a folder");
    git(&folder, &["init", "-q", "-b", "main", "."]);
    let old = RACY.replace("void k", "void old");
    bench.file("repo/k.cu", &old);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "m"]);
    let base = git(&folder, &["rev-parse", "HEAD"]);
    let step = |paths: &str, only: &str| {
        let told = bench.path().join("output");
        let _ = fs::remove_file(&told);
        let output = Command::new("bash")
            .arg(project().join("scripts/action"))
            .current_dir(&folder)
            .env("PROGRAM", PROGRAM)
            .env("SOURCE", project())
            .env("PATHS", paths)
            .env("ARGUMENTS", "--format concise")
            .env("ONLY_CHANGES", only)
            .env("BASE", &base)
            .env("REPORTS", bench.path().join("reports"))
            .env("GITHUB_OUTPUT", &told)
            .env("WARPLOG_CACHE_DIR", "")
            .output()
            .expect("runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let annotations: Vec<String> = text
            .lines()
            .filter(|line| line.starts_with("::"))
            .map(str::to_owned)
            .collect();
        let told = fs::read_to_string(&told).unwrap_or_default();
        (
            output.status.code(),
            annotations,
            told,
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    // Nothing changed: the race that is there stops nobody.
    let (status, annotations, told, error) = step(".", "true");
    assert_eq!((status, annotations.len()), (Some(0), 0), "{error}");
    assert!(told.starts_with("sarif="), "{told}");
    bench.file(
        "repo/k.cu",
        &format!(
            "{old}{}",
            RACY.lines().skip(1).collect::<Vec<_>>().join("\n")
        ),
    );
    let (status, annotations, _, error) = step(".", "true");
    assert_eq!(status, Some(1), "{error}");
    let [annotation] = annotations.as_slice() else {
        panic!("{annotations:?}");
    };
    assert!(
        annotation.starts_with(
            "::error file=k.cu,line=6,title=warplog data_race::confirmed data race in `k`"
        ),
        "{annotation}"
    );
    // All count: the old one has no annotation, as its line did not change.
    let (status, annotations, ..) = step(".", "false");
    assert_eq!((status, annotations.len()), (Some(1), 1));
    let (status, _, _, error) = step("gone.cu", "true");
    assert_eq!(status, Some(3), "{error}");
}

#[test]
fn the_image_and_the_extension_fit_this_version() {
    let manifest = fs::read_to_string(project().join("Cargo.toml")).expect("is there");
    let of = |key: &str| {
        let line = manifest
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{key} = \"")));
        line.expect(key).trim_end_matches('"').to_owned()
    };
    let image = fs::read_to_string(project().join("Dockerfile")).expect("is there");
    assert!(
        image.contains(&format!("FROM rust:{}-", of("rust-version"))),
        "{image}"
    );
    let folder = project().join("editors/vscode");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    let package: Value = serde_json::from_str(&read("package.json")).expect("JSON");
    assert_eq!(package["version"], of("version"));
    let lock: Value = serde_json::from_str(&read("package-lock.json")).expect("JSON");
    assert_eq!(lock["version"], package["version"]);
    let code = read("src/extension.js");
    for command in package["contributes"]["commands"]
        .as_array()
        .expect("commands")
    {
        let name = command["command"].as_str().expect("a name");
        assert!(
            code.contains(&format!("registerCommand('{name}'")),
            "{name}"
        );
    }
    for setting in package["contributes"]["configuration"]["properties"]
        .as_object()
        .expect("settings")
        .keys()
    {
        let name = setting.strip_prefix("warplog.").expect("a name of ours");
        assert!(code.contains(&format!("settings.get('{name}')")), "{name}");
    }
}
