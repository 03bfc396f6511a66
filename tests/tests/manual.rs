//! What the program tells of itself (`rules`, `completions`, `man`), and standard input as a file.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use expect_test::expect;
use warplog_report::findings::KINDS;
use warplog_rules::pages::RULES;
use warplog_tests::command::{Bench, Run};

fn bench() -> Bench {
    Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"))
}

#[test]
fn every_rule_is_listed_and_has_a_page() {
    let bench = bench();
    let list = bench.run("rules");
    assert_eq!((list.status, list.err.as_str()), (0, ""));
    for line in list.out.lines() {
        assert!(line.chars().count() <= 140, "{line}");
    }
    for kind in KINDS {
        assert!(list.out.contains(&format!("\n  {} ", kind.rule_id())));
        let page = bench.run(&format!("rules {}", kind.rule_id()));
        assert_eq!(page.status, 0);
        let heading = format!("# {}\n", kind.rule_id());
        assert!(page.out.starts_with(&heading), "{}", page.out);
        assert!(page.out.contains("\n    __global__ void "), "{}", page.out);
        // Neither fences nor links of the book, which lead nowhere here.
        assert!(
            !page.out.contains("```") && !page.out.contains("]("),
            "{}",
            page.out
        );
    }
    for rule in RULES.iter() {
        assert!(
            list.out.contains(&format!("\n  {} ", rule.id)),
            "{}",
            rule.id
        );
        let page = bench.run(&format!("rules {}", rule.id));
        assert_eq!(page.status, 0, "{}", rule.id);
        assert!(
            page.out.starts_with(&format!("# {}", rule.id)),
            "{}",
            page.out
        );
        assert!(page.out.contains(rule.sentence), "{}", page.out);
        for name in rule.names {
            assert_eq!(page, bench.run(&format!("rules {name}")), "{name}");
        }
    }
}

#[test]
fn the_page_of_a_rule() {
    expect![[r#"
        status 0
        --- stdout
        # R19

        A conjunct whose term is uniform in the block is tid-independent.

        It stands in `rules/src/conditions.rs`, which says:

        Tid-independent and tid-dependent conditions (TIC/TDC), and the parametric flows they define.

        A flow is the class of threads of a block that take the same tid-dependent branches on their
        way to an access: after Li, Li and Gopalakrishnan, "Parametric flows" (SC 2012). Two accesses
        with the same tid-dependent conjuncts are in one flow; flow 0 has none.

        From: P. Li, G. Li, G. Gopalakrishnan, "Parametric flows: automated behavior equivalencing for symbolic analysis of races in CUDA programs", SC 2012: tid-independent and tid-dependent conditions, and flows.
    "#]]
    .assert_eq(&bench().run("rules R19").shown());
}

#[test]
fn rules_that_are_none() {
    expect![[r#"
        status 2
        --- stderr
        error: there is no rule `same-injektive-index`; did you mean `same-injective-index`?
    "#]]
    .assert_eq(&bench().run("rules same-injektive-index").shown());
    expect![[r#"
        status 2
        --- stderr
        error: there is no rule `R999`; `warplog rules` lists them
    "#]]
    .assert_eq(&bench().run("rules R999").shown());
}

#[test]
fn queries_on_the_pages_of_rules_are_answered() {
    let bench = bench();
    bench.file(
        "k.cu",
        "__global__ void copy_ok(int *out, const int *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }\n",
    );
    let page = bench.run("rules same-injective-index").out;
    let sql = page.split('"').nth(1).expect("a query on the page");
    let run = bench.words(&["query", "--scan", "k.cu", sql]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(!run.out.contains("\n0 rows"), "{}", run.out);
}

/// Each rule that discharges pairs has an example for each of its names, in which it discharges one, and which is race-free.
#[test]
fn discharge_rules_fire_in_their_examples() {
    let page = fs::read_to_string(warplog_tests::project().join("docs/discharge.md"));
    let page = page.expect("the page");
    let bench = bench();
    for rule in RULES.iter().filter(|rule| rule.id.starts_with('D')) {
        assert!(page.contains(&format!("\n## {} `", rule.id)), "{}", rule.id);
        for name in rule.names {
            let (_, kernel) = page
                .split_once(&format!("\n```cuda rule={name}\n"))
                .unwrap_or_else(|| panic!("{name} has an example"));
            let (kernel, _) = kernel.split_once("```\n").expect("a closed block");
            bench.file("k.cu", kernel);
            let sql = format!("SELECT count(*) > 0 FROM discarded_race WHERE rule = '{name}'");
            let run = bench.words(&["query", "--scan", "k.cu", "--format", "csv", &sql]);
            assert!(run.out.ends_with("\n1\n"), "{name}: {}{}", run.out, run.err);
            let run = bench.run("check k.cu --fail-on unknown");
            assert_eq!(run.status, 0, "{name}: {}", run.out);
            let told = bench.run(&format!("rules {name}"));
            let first = kernel.lines().next().expect("a line");
            assert!(
                told.out.contains(&format!("\n    {first}\n")),
                "{}",
                told.out
            );
        }
    }
}

#[test]
fn completions_are_those_of_the_shell() {
    let bench = bench();
    for (shell, start) in [
        ("bash", "_warplog()"),
        ("zsh", "#compdef warplog"),
        ("fish", "# The formats, and behind"),
        ("elvish", "\nuse builtin;"),
        ("powershell", "\nusing namespace"),
    ] {
        let run = bench.run(&format!("completions {shell}"));
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{shell}");
        assert!(run.out.starts_with(start), "{shell}: {}", &run.out[..80]);
        assert!(run.out.contains("write-baseline"), "{shell}");
    }
    let wrong = bench.run("completions csh");
    assert_eq!(wrong.status, 2);
    assert!(
        wrong
            .err
            .contains("[possible values: bash, elvish, fish, powershell, zsh]")
    );
}

/// What bash offers for the last word of a command line.
#[test]
fn bash_completes_commands_and_formats() {
    let bench = bench();
    bench.file("warplog.bash", &bench.run("completions bash").out);
    let offers = |words: &str| {
        let script = format!(
            "source warplog.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _warplog warplog \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let output = Command::new("bash")
            .args(["--norc", "-c", &script])
            .current_dir(bench.path())
            .output()
            .expect("bash runs");
        String::from_utf8(output.stdout)
            .expect("UTF-8")
            .trim()
            .to_owned()
    };
    assert_eq!(offers("warplog ch"), "check");
    assert_eq!(offers("warplog check --write"), "--write-baseline");
    assert_eq!(offers("warplog check --format js"), "json");
    assert_eq!(offers("warplog check --output js"), "json=");
    // Files are what bash offers where nothing else is.
    for words in [
        "warplog check \"\"",
        "warplog check sr",
        "warplog check a.cu sr",
        "warplog check --output json = sr",
        "warplog explain d49 sr",
        "warplog query fa",
    ] {
        assert_eq!(offers(words), "", "{words}");
    }
    assert_eq!(offers("warplog rules data-r"), "data-race");
}

#[test]
fn files_follow_the_format_of_an_output() {
    let bench = bench();
    let zsh = bench.run("completions zsh").out;
    assert_eq!(zsh.matches(":FORMAT=FILE:_warplog_output'").count(), 6);
    assert!(!zsh.contains(":FORMAT=FILE:(("));
    assert!(zsh.contains("        'sqlite:A database of verdicts and findings'\n    )\n"));
    let fish = bench.run("completions fish").out;
    assert_eq!(fish.matches("-a \"(__fish_warplog_output)\"\n").count(), 3);
    assert!(fish.contains(" sqlite= 'A database of verdicts and findings'\nend\n"));
    // What shells there are find no fault in it.
    for (shell, text) in [("zsh", &zsh), ("fish", &fish)] {
        bench.file("script", text);
        let run = Command::new(shell)
            .args(["-n", "script"])
            .current_dir(bench.path())
            .output();
        if let Ok(output) = run {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{shell}: {said}");
        }
    }
}

#[test]
fn manual_pages_name_commands_and_flags() {
    let bench = bench();
    let page = bench.run("man");
    assert_eq!((page.status, page.err.as_str()), (0, ""));
    for word in [
        ".TH warplog 1",
        ".SH SYNOPSIS",
        "warplog\\-check(1)",
        "EXIT STATUS",
    ] {
        assert!(page.out.contains(word), "{word}\n{}", page.out);
    }
    let page = bench.run("man check");
    assert_eq!(page.status, 0);
    for word in [
        ".TH warplog-check 1",
        "\\-\\-fail\\-on",
        "\\-\\-stdin\\-name",
        "EXIT STATUS",
        ".SH ENVIRONMENT",
        "NO_COLOR",
        "WARPLOG_CACHE_DIR",
        ".SH FILES",
        "warplog.toml",
        ".SH EXAMPLES",
    ] {
        assert!(page.out.contains(word), "{word}\n{}", page.out);
    }
    expect![[r#"
        status 2
        --- stderr
        error: there is no command `chekc`; `warplog --help` lists them
    "#]]
    .assert_eq(&bench.run("man chekc").shown());
}

/// Runs the program with this text on standard input.
fn piped(bench: &Bench, line: &str, text: &[u8]) -> Run {
    let mut child = bench
        .command()
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(text)
        .expect("is read");
    let output = child.wait_with_output().expect("ends");
    Run {
        status: output.status.code().expect("a status"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

const KERNEL: &str = "\
//--blockDim=64 --gridDim=1
#include \"index.cuh\"
__global__ void set_bad(int *a) { a[INDEX] = threadIdx.x; }
";

#[test]
fn standard_input_is_a_file() {
    let bench = bench();
    let bad = KERNEL.replace("#include \"index.cuh\"", "#define INDEX 0");
    expect![[r#"
        status 1
        --- stdout
        <stdin>:3:35: error[data-race]: confirmed data race in `set_bad`: two writes of `a` by threads of the same warp [ec2d51830ae0]
    "#]]
    .assert_eq(&piped(&bench, "check - --format concise", bad.as_bytes()).shown());
    let good = bad.replace("INDEX 0", "INDEX threadIdx.x");
    let run = piped(&bench, "check -", good.as_bytes());
    assert_eq!(run.status, 0, "{}", run.shown());
    assert!(
        run.out.starts_with("race_free  <stdin>:3 set_bad"),
        "{}",
        run.out
    );
    // Beside other files, and for every command that reads source.
    bench.file("k.cu", &good);
    let run = piped(&bench, "check - k.cu", bad.as_bytes());
    assert!(
        run.out
            .contains("2 kernels in 2 files: 1 racy, 1 race_free"),
        "{}",
        run.out
    );
    let run = piped(&bench, "facts - --out f", bad.as_bytes());
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(bench.run("solve f").status, 1);
    let nothing = piped(&bench, "check -", b"");
    expect![[r#"
        status 3
        --- stdout
        note: no kernels in `<stdin>`
        error: no kernel was checked

        0 kernels in 1 file; 0 findings; 1 error
    "#]]
    .assert_eq(&nothing.shown());
}

#[test]
fn the_name_of_standard_input_leads_to_headers_and_configuration() {
    let bench = bench();
    bench.file("src/index.cuh", "#define INDEX 0\n");
    bench.file("src/warplog.toml", "[severity]\ndata-race = \"note\"\n");
    // What is saved there does not matter.
    bench.file("src/k.cu", "");
    let run = piped(
        &bench,
        "check - --stdin-name src/k.cu --format concise",
        KERNEL.as_bytes(),
    );
    expect![[r#"
        status 0
        --- stdout
        src/k.cu:3:35: note[data-race]: confirmed data race in `set_bad`: two writes of `a` by threads of the same warp [c943dee70099]
    "#]]
    .assert_eq(&run.shown());
}

#[test]
fn a_file_named_like_standard_input_is_reached_by_its_folder() {
    let bench = bench();
    fs::write(
        bench.path().join("-"),
        "__global__ void in_file(int *a) { a[threadIdx.x] = 1; }\n",
    )
    .expect("writes");
    let run = piped(&bench, "check ./-", b"");
    assert!(run.out.contains("in_file"), "{}", run.out);
}

#[test]
fn what_was_piped_is_kept_by_its_content() {
    let bench = bench();
    let cached = |text: &str| {
        let mut command = bench.command();
        let mut child = command
            .args(["check", "-", "--format", "concise"])
            .env("WARPLOG_CACHE_DIR", bench.path().join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("runs");
        child
            .stdin
            .take()
            .expect("a pipe")
            .write_all(text.as_bytes())
            .expect("is read");
        child.wait_with_output().expect("ends").status.code()
    };
    let bad = KERNEL.replace("#include \"index.cuh\"", "#define INDEX 0");
    let good = bad.replace("INDEX 0", "INDEX threadIdx.x");
    for (text, status) in [(&bad, 1), (&good, 0), (&bad, 1), (&good, 0)] {
        assert_eq!(cached(text), Some(status));
    }
}
