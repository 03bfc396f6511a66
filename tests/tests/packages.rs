//! What is given away: the archive of `make dist`, the action, the image, the extension.

use std::collections::{BTreeMap, BTreeSet};
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

/// The build script of what links Z3, run as cargo does with a library of our own: a program with the run path that it gives is moved
/// elsewhere, as `cargo install` does, and runs without the folder that it was built with.
#[test]
fn an_installed_program_needs_no_checkout() {
    if !(there("cc") && there("rustc")) {
        return;
    }
    let bench = Bench::new(PROGRAM);
    let at = |name: &str| bench.path().join(name);
    bench.file("library.c", "int answer(void) { return 42; }\n");
    bench.file(
        "main.c",
        "int answer(void);\nint main(void) { return answer() == 42 ? 0 : 1; }\n",
    );
    let folder = |name: &str| fs::create_dir_all(at(name)).expect("a folder");
    folder("checkout/.z3");
    run(Command::new("cc")
        .args(["-shared", "-fPIC", "-Wl,-soname,libz3.so.9", "-o"])
        .args([at("checkout/.z3/libz3.so.9"), at("library.c")]));
    std::os::unix::fs::symlink("libz3.so.9", at("checkout/.z3/libz3.so")).expect("a link");
    run(Command::new("rustc")
        .args(["--edition", "2024", "-o"])
        .args([at("script"), project().join("build-support/z3_rpath.rs")]));
    // What cargo hands to the linker, with and without what set-up keeps.
    let arguments = |more: &[(&str, &str)]| -> Vec<String> {
        let said = out(Command::new(at("script"))
            .env("Z3_LIBRARY_PATH_OVERRIDE", at("checkout/.z3"))
            .env("XDG_DATA_HOME", at("data"))
            .env_remove("WARPLOG_RUN_PATH")
            .env_remove("CARGO_FEATURE_VENDORED")
            .envs(more.iter().copied()));
        let arguments = said
            .lines()
            .filter_map(|line| line.strip_prefix("cargo::rustc-link-arg="));
        arguments.map(str::to_owned).collect()
    };
    assert_eq!(arguments(&[]).len(), 4);
    assert_eq!(arguments(&[("WARPLOG_RUN_PATH", "origin")]).len(), 2);
    folder("data/warplog/lib");
    fs::copy(
        at("checkout/.z3/libz3.so.9"),
        at("data/warplog/lib/libz3.so.9"),
    )
    .expect("a copy");
    assert_eq!(arguments(&[]).len(), 6);
    folder("root/bin");
    run(Command::new("cc")
        .arg("-o")
        .args([at("root/bin/program"), at("main.c")])
        .arg("-L")
        .arg(at("checkout/.z3"))
        .arg("-lz3")
        .args(arguments(&[])));
    let runs = || {
        let status = Command::new(at("root/bin/program"))
            .env_remove("LD_LIBRARY_PATH")
            .stderr(std::process::Stdio::null())
            .status();
        status.expect("runs").success()
    };
    assert!(runs());
    fs::remove_dir_all(at("checkout")).expect("is removed");
    assert!(runs(), "without the checkout");
    // Beside the program, as `make install` and the archive have it.
    folder("root/lib");
    fs::rename(at("data/warplog/lib/libz3.so.9"), at("root/lib/libz3.so.9")).expect("is moved");
    assert!(runs(), "with the library beside it");
    fs::remove_dir_all(at("root/lib")).expect("is removed");
    assert!(!runs(), "without any library");
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

/// The value of an expression of the action: names, `format('…', name)`, and the first of several that is not empty.
fn value(expression: &str, known: &BTreeMap<String, String>) -> String {
    let term = |term: &str| {
        let term = term.trim();
        match term.strip_prefix("format('") {
            Some(rest) => {
                let (text, arguments) = rest.split_once("',").expect(term);
                let argument = arguments.trim_end_matches(')').trim();
                text.replace("{0}", &known[argument])
            }
            None => known.get(term).expect(term).clone(),
        }
    };
    let mut terms = expression.split("||").map(term);
    terms.find(|value| !value.is_empty()).unwrap_or_default()
}

/// A text with its expressions replaced.
fn filled(text: &str, known: &BTreeMap<String, String>) -> String {
    let mut parts = text.split("${{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (expression, rest) = part.split_once("}}").expect(text);
        filled += &value(expression, known);
        filled += rest;
    }
    filled
}

/// The steps of the action that are commands, with what `action.yml` puts into their environment, as a runner would execute them in a
/// pull request; `make` is one that packs the program of the tests.
#[test]
fn the_steps_of_the_action_build_and_check() {
    if !(there("python3") && there("git") && there("bash")) {
        return;
    }
    let bench = Bench::new(PROGRAM);
    let at = |name: &str| bench.path().join(name).display().to_string();
    for folder in [
        "repo",
        "temp",
        "bin",
        "source/scripts",
        "pack/warplog-x/bin",
    ] {
        fs::create_dir_all(at(folder)).expect("a folder");
    }
    for script in ["action", "annotate"] {
        fs::copy(
            project().join("scripts").join(script),
            at(&format!("source/scripts/{script}")),
        )
        .expect(script);
    }
    let executable = |name: &str, text: &str| {
        let path = bench.file(name, text);
        run(Command::new("chmod").arg("+x").arg(path));
    };
    executable(
        "pack/warplog-x/bin/warplog",
        &format!("#!/bin/sh\nexec {PROGRAM} \"$@\"\n"),
    );
    executable(
        "bin/make",
        &format!(
            "#!/bin/sh\n[ \"$1 $3\" = '-C dist' ] && mkdir -p \"$2/target/dist\" &&\n\
             tar -czf \"$2/target/dist/warplog-x.tar.gz\" -C {} warplog-x\n",
            at("pack")
        ),
    );
    let folder = bench.path().join("repo");
    git(&folder, &["init", "-q", "-b", "main", "."]);
    bench.file("repo/old.cu", &RACY.replace("void k", "void old"));
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "m"]);
    let base = git(&folder, &["rev-parse", "HEAD"]);
    bench.file("repo/k.cu", RACY);
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "the change"]);

    let action = yaml("action.yml");
    let mut known: BTreeMap<String, String> = action["inputs"]
        .as_hash()
        .expect("inputs")
        .iter()
        .map(|(name, of)| {
            let value = of["default"].as_str().expect("a default");
            let name = name.as_str().expect("a name");
            (format!("inputs.{name}"), value.to_owned())
        })
        .collect();
    for (name, value) in [
        ("runner.temp", at("temp")),
        ("github.action_path", at("source")),
        ("github.event.pull_request.base.sha", base),
    ] {
        known.insert(name.to_owned(), value);
    }
    let path = format!("{}:{}", at("bin"), std::env::var("PATH").expect("PATH"));
    let mut statuses = Vec::new();
    for step in action["runs"]["steps"].as_vec().expect("steps") {
        let Some(script) = step["run"].as_str() else {
            continue;
        };
        let mut command = Command::new("bash");
        command
            .args(["-e", "-o", "pipefail", "-c", script])
            .current_dir(&folder)
            .env("PATH", &path)
            .env("GITHUB_OUTPUT", at("told"));
        for (name, text) in step["env"].as_hash().expect("an environment") {
            let text = text.as_str().expect("a text");
            command.env(name.as_str().expect("a name"), filled(text, &known));
        }
        let output = command.output().expect("runs");
        statuses.push((
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ));
    }
    let [built, checked] = statuses.as_slice() else {
        panic!("{statuses:?}");
    };
    assert_eq!(built.0, Some(0), "{built:?}");
    // The change brings a race; the one that was there is none of its.
    assert_eq!(checked.0, Some(1), "{checked:?}");
    let annotations: Vec<&str> = checked
        .1
        .lines()
        .filter(|line| line.starts_with("::error"))
        .collect();
    assert_eq!(annotations.len(), 1, "{checked:?}");
    assert!(annotations[0].contains("file=k.cu,line=3"), "{checked:?}");
    let told = bench.read("told");
    let sarif = told
        .lines()
        .find_map(|line| line.strip_prefix("sarif="))
        .expect("the report");
    let report: Value =
        serde_json::from_str(&fs::read_to_string(sarif).expect("is there")).expect("JSON");
    assert_eq!(report["version"], "2.1.0");
    // What was found is kept where the step that keeps it looks.
    assert!(bench.path().join("temp/warplog-cache").is_dir());
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

/// The instructions of the image, each in one line, with those of the last stage apart.
fn stages() -> (Vec<String>, Vec<String>) {
    let text = fs::read_to_string(project().join("Dockerfile")).expect("is there");
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let joined = lines.fold(String::new(), |text, line| match line.strip_suffix('\\') {
        Some(line) => text + line,
        None => text + line + "\n",
    });
    let all: Vec<String> = joined.lines().map(str::to_owned).collect();
    let last = all.iter().rposition(|line| line.starts_with("FROM "));
    let (first, last) = all.split_at(last.expect("a stage"));
    (first.to_vec(), last.to_vec())
}

/// The rests of the instructions of this name.
fn instructions<'a>(of: &'a [String], name: &str) -> Vec<&'a str> {
    let of = of.iter();
    of.filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
        .collect()
}

/// What the image does, as far as it goes without one: the archive is made and unpacked by its own instruction, with `/dist` elsewhere and a
/// program that is built already; what is copied to the last stage then runs there as its entry point says, with its environment alone.
#[test]
fn the_image_checks_what_is_mounted() {
    if !(there("strip") && there("python3") && there("bash")) {
        return;
    }
    let (build, last) = stages();
    let bench = Bench::new(PROGRAM);
    let at = |name: &str| bench.path().join(name).display().to_string();
    let runs = instructions(&build, "RUN");
    let dist = runs.last().expect("a command");
    assert!(dist.starts_with("make dist && "), "{dist}");
    for folder in ["bin", "usr", "src", "tmp", "context/target"] {
        fs::create_dir_all(at(folder)).expect("a folder");
    }
    let make = format!(
        "#!/bin/sh\n[ \"$*\" = dist ] && WARPLOG_BINARY={PROGRAM} exec {}/scripts/dist {}/target/dist\n",
        project().display(),
        at("context")
    );
    run(Command::new("chmod")
        .arg("+x")
        .arg(bench.file("bin/make", &make)));
    run(Command::new("bash")
        .args([
            "-e",
            "-c",
            &dist.replace("/dist ", &format!("{} ", at("dist"))),
        ])
        .current_dir(at("context"))
        .env(
            "PATH",
            format!("{}:{}", at("bin"), std::env::var("PATH").expect("PATH")),
        ));
    let copies = instructions(&last, "COPY");
    assert_eq!(copies, ["--from=build /dist /usr/local"]);
    fs::rename(at("dist"), at("usr/local")).expect("moves");

    let words = |name: &str| -> Vec<String> {
        let given = instructions(&last, name);
        serde_json::from_str(given.last().expect(name)).expect("a list")
    };
    let entry = words("ENTRYPOINT");
    let own = bench.path().join("usr/local/bin").join(&entry[0]);
    bench.file("src/k.cu", RACY);
    let mut command = Command::new(own);
    command.args(&entry[1..]).args(words("CMD"));
    command.current_dir(at("src")).env_clear();
    for setting in instructions(&last, "ENV") {
        let (name, value) = setting.split_once('=').expect(setting);
        command.env(name, value.replace("/tmp", &at("tmp")));
    }
    let checked = command.output().expect("runs");
    let text = String::from_utf8_lossy(&checked.stdout);
    assert_eq!(checked.status.code(), Some(1), "{text}");
    assert!(text.contains("confirmed data race in `k`"), "{text}");
    assert!(bench.path().join("tmp/warplog").is_dir());
    // Whoever mounts something there need not be who runs it.
    assert_eq!(instructions(&last, "USER"), ["65534"]);
}

/// Nothing that is part of the project is kept from the image.
#[test]
fn the_image_is_built_from_the_whole_project() {
    if !there("git") || !project().join(".git").exists() {
        return;
    }
    let ignored = fs::read_to_string(project().join(".dockerignore")).expect("is there");
    let known = git(&project(), &["ls-files"]);
    for pattern in ignored.lines() {
        let pattern = pattern.trim_end_matches('*');
        let kept = known.lines().find(|file| {
            let rest = file.strip_prefix(pattern);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        assert_eq!(kept, None, "{pattern}");
    }
}
