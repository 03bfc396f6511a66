//! The program on a terminal: colour, width, progress, and Ctrl-C, with a real pseudo-terminal.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use warplog_tests::command::Bench;

const KERNEL: &str = "\
//--blockDim=64 --gridDim=1
__global__ void shift_bad(int *out, const int *in) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    out[t] = tile[(t + 1) % 64];
}
";

fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("k.cu", KERNEL);
    bench
}

/// A terminal so many columns wide: where we read, and where the program writes.
fn terminal(columns: u16) -> (File, OwnedFd) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("is ours");
    unlockpt(&master).expect("is open");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let slave = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty());
    let size = Winsize {
        ws_row: 40,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&master, size).expect("a size");
    (File::from(master), slave.expect("opens"))
}

/// Starts a command with standard output and errors on a terminal.
fn start(mut command: Command, columns: u16) -> (Child, thread::JoinHandle<String>) {
    let (mut master, slave) = terminal(columns);
    let again = slave.try_clone().expect("a descriptor");
    command
        .stdout(Stdio::from(slave))
        .stderr(Stdio::from(again))
        .env_remove("CLICOLOR_FORCE");
    let child = command.spawn().expect("runs");
    // The command holds the program's side of the terminal: with it gone, reading ends when the program does.
    drop(command);
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut piece = [0; 4096];
        loop {
            match master.read(&mut piece) {
                Ok(count) if count > 0 => bytes.extend_from_slice(&piece[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // An error is what Linux says when nobody has the other side any more.
                Ok(_) | Err(_) => break,
            }
        }
        String::from_utf8_lossy(&bytes).replace("\r\n", "\n")
    });
    (child, reader)
}

/// What `check k.cu` shows on a terminal.
fn check(bench: &Bench, settings: &[(&str, &str)], columns: u16) -> String {
    let (status, text) = run(bench, &["check", "k.cu"], settings, columns);
    assert_eq!(status, Some(1), "{text}");
    text
}

/// What a command shows on a terminal, and its exit status.
fn run(
    bench: &Bench,
    words: &[&str],
    settings: &[(&str, &str)],
    columns: u16,
) -> (Option<i32>, String) {
    let mut command = bench.command();
    command.args(words).env("TERM", "xterm");
    command.envs(settings.iter().copied());
    let (mut child, reader) = start(command, columns);
    let status = child.wait().expect("ends").code();
    (status, reader.join().expect("reads"))
}

/// The text without colours.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    out + rest
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let bench = bench();
    let coloured = check(&bench, &[], 140);
    assert!(
        coloured.contains("\u{1b}[1m\u{1b}[91merror[data-race]\u{1b}[0m"),
        "{coloured}"
    );
    assert!(coloured.contains("\u{1b}["), "{coloured}");
    let piped = bench.run("check k.cu").out;
    assert_eq!(plain(&coloured), piped);
    for setting in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        assert_eq!(check(&bench, &[setting], 140), piped, "{setting:?}");
    }
    // Empty is as good as not set: https://no-color.org.
    assert_eq!(check(&bench, &[("NO_COLOR", "")], 140), coloured);
}

#[test]
fn lines_keep_to_the_width_of_the_terminal() {
    let bench = bench();
    for columns in [40, 60, 72, 100, 200] {
        let text = check(&bench, &[("NO_COLOR", "1")], columns);
        // What is marked in source lines may reach further; behind it stands what fits.
        let excerpt = |line: &&str| line.contains(" |") || line.contains(" --> ");
        for line in text.lines() {
            let fits = line.chars().count() <= usize::from(columns);
            assert!(
                fits || excerpt(&line) && !line.contains("(1)"),
                "{columns}: {line}"
            );
        }
        let words = |text: &str| {
            text.lines()
                .filter(|line| !excerpt(line))
                .flat_map(str::split_whitespace)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words(&text),
            words(&bench.run("check k.cu").out),
            "{columns}"
        );
    }
}

#[test]
fn long_source_lines_are_cut_to_the_terminal() {
    let bench = bench();
    let far = "int far_away_from_everything_else_in_this_line = 0; ";
    bench.file(
        "k.cu",
        &format!(
            "\
//--blockDim=64 --gridDim=1
__global__ void shift_bad(int *out, const int *in) {{
    __shared__ int tile[64];
    int t = threadIdx.x;
    {{ {far} {{ {far} tile[t] = in[t]; }} }}
    // one line between
    out[t] = tile[(t + 1) % 64]; /* and what nobody has to see of this line, as it is far behind all that is marked */
}}
"
        ),
    );
    for columns in [60, 80, 120] {
        let text = check(&bench, &[("NO_COLOR", "1")], columns);
        for line in text.lines() {
            assert!(
                line.chars().count() <= usize::from(columns),
                "{columns}: {line}"
            );
        }
        assert!(!text.contains(":::"), "{text}");
        // The place is that of the file, whatever is cut.
        let column = 5 + "{  { ".len() + 2 * far.len() + 1;
        assert!(text.contains(&format!("--> k.cu:5:{column}\n")), "{text}");
        assert!(text.contains("tile[t] = in[t]"), "{text}");
        assert!(text.contains("// one line between"), "{text}");
    }
}

#[test]
fn pages_and_tables_keep_to_the_width() {
    let bench = bench();
    let sql = "SELECT * FROM pair_place, finding";
    for columns in [60, 80] {
        for words in [
            &["explain", "shift_bad", "k.cu"][..],
            &["explain", "k.cu:5"],
            &["rules"],
            &["rules", "D13"],
            &["rules", "R1"],
            &["rules", "data-race"],
            &["query", "--list"],
            &["query", "--describe", "access"],
            &["query", "--describe", "pair_place"],
            &[
                "query",
                "--scan",
                "k.cu",
                "SELECT file, headline, kernel, reasons FROM finding",
            ],
        ] {
            let (status, text) = run(&bench, words, &[("NO_COLOR", "1")], columns);
            assert_eq!(status, Some(0), "{text}");
            for line in text.lines() {
                let fits = line.chars().count() <= usize::from(columns);
                // Words stay whole, and so does code.
                let code = words[0] == "rules" && line.starts_with("    ");
                assert!(
                    fits || code || line.trim().split(' ').count() < 3,
                    "{columns}: {line}"
                );
            }
        }
    }
    let wide = bench.words(&["query", "--scan", "k.cu", sql]).out;
    assert!(!wide.contains('…'), "{wide}");
}

#[test]
fn labels_without_room_are_brief_and_their_macro_is_a_note() {
    let bench = bench();
    bench.file(
        "k.cu",
        "\
//--blockDim=64 --gridDim=1
#define PUT(a, i, v) a[i] = v
__global__ void put_bad(int *out) {
    PUT(out, 0, threadIdx.x);
}
",
    );
    let wide = check(&bench, &[("NO_COLOR", "1")], 160);
    assert!(
        wide.contains("(2) write by thread (1,0,0), in the expansion of macro `PUT`\n"),
        "{wide}"
    );
    let text = check(&bench, &[("NO_COLOR", "1")], 60);
    assert!(text.contains("^ (1) write; (2) write\n"), "{text}");
    assert!(
        text.contains("= note: line 4: in the expansion of macro `PUT`\n"),
        "{text}"
    );
    for line in text.lines() {
        assert!(line.chars().count() <= 60, "{line}");
    }
}

#[test]
fn tabs_and_wide_characters_keep_marks_below_what_they_mark() {
    let bench = bench();
    bench.file(
        "k.cu",
        "\
//--blockDim=64 --gridDim=1
__global__ void shift_bad(int *out, const int *in) {
\t__shared__ int tile[64];
\tint t = threadIdx.x;
\ttile[t] = in[t];
/* 日本語 */\tout[t] = tile[(t + 1) % 64];
}
",
    );
    let text = check(&bench, &[("NO_COLOR", "1")], 100);
    let drawn: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("5 |"))
        .take(4)
        .collect();
    // The three wide characters are six columns of a terminal.
    assert_eq!(
        drawn,
        [
            "5 |     tile[t] = in[t];",
            "  |     ^^^^^^^ (1) write by thread (0,0,0)",
            "6 | /* 日本語 */    out[t] = tile[(t + 1) % 64];",
            "  |                          ------------------ (2) read by thread (63,0,0)",
        ],
        "{text}"
    );
}

#[test]
fn a_scan_shows_progress_and_an_interruption() {
    let bench = bench();
    for nth in 0..150 {
        let text = KERNEL.replace("shift_bad", &format!("shift_{nth}"));
        bench.file(&format!("src/k{nth}.cu"), &text);
    }
    let scan = |term: &str| {
        let mut command = bench.command();
        command
            .args(["check", "src", "-j", "1", "--output", "concise=found.txt"])
            .env("TERM", term);
        start(command, 120)
    };
    let (mut child, reader) = scan("xterm");
    let mut waited = Duration::ZERO;
    // The bar is drawn before the first file is through.
    while waited < Duration::from_millis(400) {
        sleep(Duration::from_millis(20));
        waited += Duration::from_millis(20);
    }
    let interrupted = child.try_wait().expect("a state").is_none();
    if interrupted {
        let kill = Command::new("kill")
            .args(["-s", "INT", &child.id().to_string()])
            .status();
        assert!(kill.expect("runs").success());
    }
    let status = child.wait().expect("ends").code();
    let text = reader.join().expect("reads");
    assert!(text.contains("/150 files, "), "{text}");
    assert!(
        text.contains(" kernels, ") && text.contains("s left"),
        "{text}"
    );
    assert_eq!(status, Some(if interrupted { 130 } else { 1 }), "{text}");
    assert_eq!(interrupted, text.contains("; incomplete: "), "{text}");

    let (mut child, reader) = scan("dumb");
    assert_eq!(child.wait().expect("ends").code(), Some(1));
    assert!(!reader.join().expect("reads").contains("/150 files, "));
}

/// What is typed behind the program's name, a tab in it, and the words that the program gets.
const COMPLETED: [(&str, &str); 11] = [
    ("check my\\ k\t", "check|my kernel.cu|"),
    ("check \"my k\t", "check|my kernel.cu|"),
    ("check su\t", "check|sub folder/|"),
    ("check --config my\\ c\t", "check|--config|my config.toml|"),
    ("check --config=my\\ c\t", "check|--config=my config.toml|"),
    ("check -I su\t", "check|-I|sub folder/|"),
    ("check -o json=my\\ k\t", "check|-o|json=my kernel.cu|"),
    (
        "check --output=json=su\t",
        "check|--output=json=sub folder/|",
    ),
    ("check --output=js\t", "check|--output=json=|"),
    ("check --format=js\t", "check|--format=json|"),
    ("check --effort my\t", "check|--effort|my|"),
];

/// Files whose names are to be completed.
fn named_files(bench: &Bench) {
    bench.file("my config.toml", "");
    bench.file("my kernel.cu", KERNEL);
    bench.file("sub folder/a.cu", KERNEL);
}

/// Types the lines into a shell on a terminal: the words that the program gets, and what was shown. Nothing, where there is no such
/// shell.
fn typed_into(
    bench: &Bench,
    shell: &str,
    arguments: &[&str],
    setup: &str,
    lines: &[&str],
) -> Option<(Vec<String>, String)> {
    let mut typed = format!("warplog() {{ printf '%s|' \"$@\" >> got; echo >> got; }}\n{setup}\n");
    for line in lines {
        typed.push_str(&format!("warplog {line}\n"));
    }
    typed.push_str("exit\n");

    let (mut master, slave) = terminal(200);
    let ends = [(); 3].map(|()| slave.try_clone().expect("a descriptor"));
    drop(slave);
    let [input, output, errors] = ends.map(Stdio::from);
    let mut command = Command::new(shell);
    command
        .args(arguments)
        .current_dir(bench.path())
        .envs([
            ("TERM", "dumb"),
            ("HISTFILE", "/dev/null"),
            ("INPUTRC", "/dev/null"),
        ])
        .stdin(input)
        .stdout(output)
        .stderr(errors);
    let mut child = command.spawn().ok()?;
    drop(command);
    master.write_all(typed.as_bytes()).expect("types");
    let reader = thread::spawn(move || {
        let mut text = String::new();
        // Ends with an error when nobody has the other side any more.
        let _ = master.read_to_string(&mut text);
        text
    });
    child.wait().expect("ends");
    let shown = reader.join().expect("reads");
    let got = std::fs::read_to_string(bench.path().join("got")).unwrap_or_default();
    Some((got.lines().map(str::to_owned).collect(), shown))
}

#[test]
fn bash_completes_names_with_spaces() {
    let bench = bench();
    named_files(&bench);
    bench.file("warplog.bash", &bench.run("completions bash").out);
    let arguments = ["--norc", "--noprofile", "-i"];
    let (lines, expected): (Vec<&str>, Vec<&str>) = COMPLETED.into_iter().unzip();
    let (got, shown) =
        typed_into(&bench, "bash", &arguments, "source warplog.bash", &lines).expect("bash runs");
    assert_eq!(got, expected, "{shown}");
}

/// Where there is a zsh.
#[test]
fn zsh_completes_as_bash_does_and_words_besides() {
    let bench = bench();
    named_files(&bench);
    bench.file("_warplog", &bench.run("completions zsh").out);
    let (mut lines, mut expected): (Vec<&str>, Vec<&str>) = COMPLETED.into_iter().unzip();
    // The first word of a query is a file, not a command of the system.
    for (line, words) in [
        ("rules data-\t", "rules|data-race|"),
        (
            "query --describe access_pl\t",
            "query|--describe|access_place|",
        ),
        ("query my\\ k\t", "query|my kernel.cu|"),
        ("completions fi\t", "completions|fish|"),
    ] {
        lines.push(line);
        expected.push(words);
    }
    let setup =
        "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; setopt no_auto_remove_slash";
    if let Some((got, shown)) = typed_into(&bench, "zsh", &["-f", "-i"], setup, &lines) {
        assert_eq!(got, expected, "{shown}");
    }
}

/// Where there is a fish: it tells by itself what it would offer.
#[test]
fn fish_offers_files_values_and_words() {
    let bench = bench();
    named_files(&bench);
    bench.file("warplog.fish", &bench.run("completions fish").out);
    for (line, offered) in [
        ("check my\\ k", "my kernel.cu"),
        ("check su", "sub folder/"),
        ("check --config my\\ c", "my config.toml"),
        ("check -I su", "sub folder/"),
        ("check -o json=my\\ k", "json=my kernel.cu"),
        ("check --output=json=su", "--output=json=sub folder/"),
        ("check --output js", "json="),
        ("check --format=js", "--format=json"),
        // What it takes is no file.
        ("check --effort my", ""),
        ("rules data-r", "data-race"),
        ("query --describe access_pl", "access_place"),
        ("query my\\ k", "my kernel.cu"),
        ("completions fi", "fish"),
        ("completions my", ""),
        ("man ch", "check"),
    ] {
        let script = format!("source warplog.fish; complete -C 'warplog {line}'");
        let run = Command::new("fish")
            .args(["--no-config", "-c", &script])
            .current_dir(bench.path())
            .env("HOME", bench.path())
            .output();
        let Ok(output) = run else { return };
        let text = String::from_utf8_lossy(&output.stdout);
        // Behind a tab stands what it is.
        let mut all = text.lines().map(|line| line.split('\t').next());
        let first = all.next().flatten().unwrap_or_default();
        assert_eq!(first, offered, "{line}: {text}");
        assert!(all.next().is_none(), "{line}: {text}");
    }
}
