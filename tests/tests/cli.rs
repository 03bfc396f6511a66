//! The program as a process: output, errors and exit status for each use, help texts as committed.
//!
//! Snapshots are renewed with `UPDATE_EXPECT=1`. `@` in a command line stands for the test's own folder and is put back
//! into the output.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use expect_test::{Expect, expect, expect_file};
use tempfile::TempDir;

/// The program, away from whatever terminal and settings the suite runs under.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    command
        .stdin(Stdio::null())
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR")
        .env("WARPLOG_CACHE_DIR", "")
        .env("CLICOLOR_FORCE", "1");
    command
}

/// Runs a command line and puts status, output and errors into one text.
fn run(folder: &TempDir, line: &str) -> String {
    let root = folder.path().display().to_string();
    let arguments = line.split_whitespace().map(|word| word.replace('@', &root));
    let output = program().args(arguments).output().expect("runs");
    let text = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).expect("UTF-8");
        let text = text.replace(&format!("{root}/"), "").replace(&root, "@");
        assert!(!text.contains('\u{1b}'), "colour without a terminal");
        // The program goes by another name here.
        text.replace("warplog-under-test", "warplog")
    };
    let mut all = format!("status {}\n", output.status.code().expect("a status"));
    for (name, text) in [
        ("stdout", text(output.stdout)),
        ("stderr", text(output.stderr)),
    ] {
        if !text.is_empty() {
            all.push_str(&format!("--- {name}\n{text}"));
        }
    }
    all
}

fn check(line: &str, expected: Expect) {
    expected.assert_eq(&run(&folder(), line));
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn help_texts_as_committed() {
    for (line, file) in [
        ("--help", "help.txt"),
        ("check --help", "help-check.txt"),
        ("check -h", "help-check-short.txt"),
        ("facts --help", "help-facts.txt"),
        ("solve --help", "help-solve.txt"),
        ("query --help", "help-query.txt"),
        ("explain --help", "help-explain.txt"),
        ("rules --help", "help-rules.txt"),
        ("completions --help", "help-completions.txt"),
        ("man --help", "help-man.txt"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("expected")
            .join(file);
        expect_file![path].assert_eq(&run(&folder(), line));
    }
}

#[test]
fn version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        run(&folder(), "-V"),
        format!("status 0\n--- stdout\nwarplog {version}\n")
    );
    let z3 = warplog_solver_bridge::z3_version();
    assert_eq!(
        run(&folder(), "--version"),
        format!("status 0\n--- stdout\nwarplog {version}\nZ3 {z3}\n")
    );
}

#[test]
fn no_command() {
    let text = run(&folder(), "");
    assert!(text.starts_with("status 2\n--- stderr\n"), "{text}");
    assert!(text.contains("Usage: warplog <COMMAND>"), "{text}");
}

#[test]
fn wrong_command() {
    check(
        "chekc a.cu",
        expect![[r#"
        status 2
        --- stderr
        error: unrecognized subcommand 'chekc'

          tip: a similar subcommand exists: 'check'

        Usage: warplog <COMMAND>

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn no_path() {
    check(
        "check",
        expect![[r#"
        status 2
        --- stderr
        error: the following required arguments were not provided:
          <PATH>...

        Usage: warplog check <PATH>...

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn wrong_sizes() {
    check(
        "check a.cu --block-dim 64,0",
        expect![[r#"
        status 2
        --- stderr
        error: invalid value '64,0' for '--block-dim <X[,Y[,Z]]>': `0` is not a positive 32-bit number

        For more information, try '--help'.
    "#]],
    );
    check(
        "check a.cu --grid-dim 1,2,3,4",
        expect![[r#"
        status 2
        --- stderr
        error: invalid value '1,2,3,4' for '--grid-dim <X[,Y[,Z]]>': 4 sizes, but there are three axes

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn both_scopes_excluded() {
    check(
        "check a.cu --only-intra-block --only-inter-block",
        expect![[r#"
            status 2
            --- stderr
            error: the argument '--only-intra-block' cannot be used with '--only-inter-block'

            Usage: warplog check --only-intra-block <PATH>...

            For more information, try '--help'.
        "#]],
    );
}

#[test]
fn wrong_values() {
    check(
        "check a.cu --format yaml",
        expect![[r#"
            status 2
            --- stderr
            error: invalid value 'yaml' for '--format <FORMAT>'
              [possible values: text, concise, json, sarif, junit, gitlab, html, csv, sqlite]

            For more information, try '--help'.
        "#]],
    );
    check(
        "check a.cu --fail-on sometimes",
        expect![[r#"
            status 2
            --- stderr
            error: invalid value 'sometimes' for '--fail-on <WHAT>'
              [possible values: confirmed, conditional, potential, unknown]

            For more information, try '--help'.
        "#]],
    );
    check(
        "check a.cu --jobs 0",
        expect![[r#"
        status 2
        --- stderr
        error: invalid value '0' for '--jobs <N>': not a number from 1 to 4096

        For more information, try '--help'.
    "#]],
    );
    check(
        "check a.cu --timeout soon",
        expect![[r#"
        status 2
        --- stderr
        error: invalid value 'soon' for '--timeout <MS>': not a positive number of milliseconds

        For more information, try '--help'.
    "#]],
    );
    check(
        "check a.cu -D 4=N",
        expect![[r#"
        status 2
        --- stderr
        error: invalid value '4=N' for '-D <NAME[=VALUE]>': `4` is no name of a macro

        For more information, try '--help'.
    "#]],
    );
    check(
        "check a.cu -UN=4",
        expect![[r#"
        status 2
        --- stderr
        error: invalid value 'N=4' for '-U <NAME>': `N=4` is no name of a macro

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn wrong_use_comes_before_unreadable_input() {
    let text = run(&folder(), "check @/gone.cu --jobs none");
    assert!(text.starts_with("status 2\n"), "{text}");
}

#[test]
fn no_output_folder() {
    check(
        "facts a.cu",
        expect![[r#"
            status 2
            --- stderr
            error: the following required arguments were not provided:
              <--out <DIR>|--sqlite <FILE>>

            Usage: warplog facts <--out <DIR>|--sqlite <FILE>> <PATH>...

            For more information, try '--help'.
        "#]],
    );
}

#[test]
fn missing_file() {
    check(
        "check @/gone.cu",
        expect![[r#"
        status 3
        --- stdout
        error: gone.cu: cannot read: no such file or directory

        0 kernels in 0 files; 0 findings; 1 error
    "#]],
    );
    check(
        "check @/gone.cu --format json",
        expect![[r#"
        status 3
        --- stdout
        {
          "schema": "warplog/2",
          "kernels": [],
          "unsupported": [],
          "errors": [
            {
              "file": "gone.cu",
              "line": null,
              "message": "cannot read: no such file or directory"
            }
          ]
        }
        --- stderr
        error: gone.cu: cannot read: no such file or directory
    "#]],
    );
}

#[test]
fn missing_files_are_all_named_in_one_order() {
    let folder = folder();
    let one = run(&folder, "check @/b.cu @/a.cu --jobs 1");
    assert_eq!(run(&folder, "check @/a.cu @/b.cu @/a.cu --jobs 7"), one);
    expect![[r#"
        status 3
        --- stdout
        error: a.cu: cannot read: no such file or directory
        error: b.cu: cannot read: no such file or directory

        0 kernels in 0 files; 0 findings; 2 errors
    "#]]
    .assert_eq(&one);
}

#[test]
fn unreadable_file() {
    let folder = folder();
    symlink("k.cu", folder.path().join("k.cu")).expect("a link");
    expect![[r#"
        status 3
        --- stdout
        error: k.cu: cannot read: too many levels of symbolic links

        0 kernels in 0 files; 0 findings; 1 error
    "#]]
    .assert_eq(&run(&folder, "check @"));
    // Opens and then fails to read.
    if cfg!(target_os = "linux") {
        let text = run(&folder, "check /proc/self/mem");
        assert!(text.starts_with("status 3\n"), "{text}");
        assert!(
            text.contains("error: /proc/self/mem: cannot read the file: "),
            "{text}"
        );
    }
}

#[test]
fn endless_file() {
    check(
        "check /dev/zero",
        expect![[r#"
            status 3
            --- stdout
            error: /dev/zero: not a regular file; `-` reads standard input

            0 kernels in 0 files; 0 findings; 1 error
        "#]],
    );
}

#[test]
fn a_pipe_that_is_named_is_refused() {
    let bench = warplog_tests::command::Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for name in ["fifo.cu", "baseline.json"] {
        let made = std::process::Command::new("mkfifo")
            .arg(bench.path().join(name))
            .status();
        assert!(made.expect("mkfifo runs").success());
    }
    bench.file(
        "k.cu",
        "__global__ void k(int *p) { p[threadIdx.x] = 0; }\n",
    );
    let run = bench.run("check fifo.cu");
    assert_eq!(run.status, 3);
    assert!(
        run.out
            .contains("error: fifo.cu: not a regular file; `-` reads standard input\n"),
        "{}",
        run.out
    );
    let run = bench.run("check k.cu --block-dim 8 --baseline baseline.json");
    assert_eq!(run.status, 3);
    assert!(
        run.out
            .contains("error: baseline.json: not a regular file\n"),
        "{}",
        run.out
    );
}

#[test]
fn empty_folder() {
    check(
        "check @",
        expect![[r#"
            status 3
            --- stdout
            note: no .cu, .cuh or .hip files in `@`
            error: no kernel was checked

            0 kernels in 0 files; 0 findings; 1 error
        "#]],
    );
    check(
        "check @ --format json",
        expect![[r#"
            status 3
            --- stdout
            {
              "schema": "warplog/2",
              "kernels": [],
              "unsupported": [],
              "errors": [
                {
                  "file": null,
                  "line": null,
                  "message": "no kernel was checked"
                }
              ]
            }
            --- stderr
            note: no .cu, .cuh or .hip files in `@`
            error: no kernel was checked
        "#]],
    );
}

#[test]
fn loops_of_links_end() {
    let folder = folder();
    let deep = folder.path().join("a/b");
    fs::create_dir_all(&deep).expect("folders");
    symlink("../..", deep.join("up")).expect("a link");
    symlink(".", deep.join("here")).expect("a link");
    symlink("left", deep.join("right")).expect("a link");
    symlink("right", deep.join("left")).expect("a link");
    expect![[r#"
        status 3
        --- stdout
        note: link `a/b/left` not followed: too many levels of symbolic links
        note: link `a/b/right` not followed: too many levels of symbolic links
        error: no kernel was checked

        0 kernels in 0 files; 0 findings; 1 error
    "#]]
    .assert_eq(&run(&folder, "check @"));
}

#[test]
fn names_do_not_control_the_terminal() {
    let folder = folder();
    for name in [&b"\x1b[31mred\n.cu"[..], b"\xff\xfe.cu"] {
        let path = folder.path().join(OsStr::from_bytes(name));
        let output = program().arg("check").arg(&path).output().expect("runs");
        assert_eq!(output.status.code(), Some(3));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("no such file or directory"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        assert_eq!(text.lines().count(), 3, "{text}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = folder();
    let mut child = program()
        .arg("check")
        .arg(folder.path().join("gone.cu"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    drop(child.stdout.take());
    let mut errors = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut errors)
        .expect("UTF-8");
    assert_eq!(child.wait().expect("ends").code(), Some(3));
    assert_eq!(errors, "");
}

#[test]
fn help_that_cannot_be_written_is_status_3() {
    for line in ["--help", "check --help", "--version", "rules"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let output = program()
            .args(line.split(' '))
            .stdout(full.expect("a device"))
            .stderr(Stdio::piped())
            .output()
            .expect("runs");
        assert_eq!(output.status.code(), Some(3), "{line}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("error: cannot write: "), "{error}");
    }
}

#[test]
fn what_comes_later_counts() {
    let folder = folder();
    let path = folder.path().join("k.cu");
    fs::write(
        &path,
        "__global__ void k(int *p) { p[threadIdx.x % 32] = threadIdx.x; }\n",
    )
    .expect("a file");
    let status = |line: &str| run(&folder, line).lines().next().map(str::to_owned);
    let racy = "check @/k.cu --grid-dim 1 --block-dim 32 --block-dim 64";
    let free = "check @/k.cu --grid-dim 1 --block-dim 64 --block-dim 32";
    assert_eq!(status(racy).as_deref(), Some("status 1"));
    assert_eq!(status(free).as_deref(), Some("status 0"));
    let open = format!("{racy} --fail-on potential --fail-on confirmed -j 1 -j 2");
    assert_eq!(status(&open).as_deref(), Some("status 1"));
}
