//! Hostile input: nothing panics, hangs, or leads outside of a file.

use std::path::Path;

use proptest::prelude::*;

use super::{Config, MemoryFiles, NoteKind, Preprocessed, kinds, preprocess_with, run};

/// Every location of the text is inside its file, at character boundaries; so is every note.
fn check_places(read: &Preprocessed) {
    let length = read.text.len();
    let step = 1 + length / 500;
    let inside = |file: u32, start: u32, end: u32| {
        let text = &read.files[file as usize].text;
        assert!(
            start <= end && text.get(start as usize..end as usize).is_some(),
            "{start}..{end} of {}",
            text.len()
        );
    };
    for start in (0..length + 3).step_by(step) {
        for end in [start, start + 1, start + 7, length, length + 9, start / 2] {
            let place = read.map.locate(start, end);
            inside(place.file, place.start, place.end);
            for place in place.definition.into_iter().chain(place.spelling) {
                inside(place.file, place.start, place.end);
            }
            let mut inclusion = place.inclusion;
            while let Some((parent, place)) = read.map.included_from(inclusion) {
                inside(place.file, place.start, place.end);
                inclusion = parent;
            }
        }
        read.map.macro_of_literal(start);
    }
    for note in &read.notes {
        inside(note.file, note.offset, note.offset);
        assert!(note.line >= 1 && note.line <= read.files[note.file as usize].line_count());
    }
}

#[test]
fn ten_thousand_parentheses() {
    let open = "(".repeat(10_000);
    let close = ")".repeat(10_000);
    let read = run(&format!("int x = {open}1{close};"));
    assert_eq!(kinds(&read), []);
    check_places(&read);
    assert_eq!(
        kinds(&run(&format!("#if {open}1{close}\n#endif\nend"))),
        [NoteKind::ConditionError]
    );
    assert_eq!(
        kinds(&run(&format!("#if {}1\n#endif", "!".repeat(10_000)))),
        [NoteKind::ConditionError]
    );
    assert_eq!(
        kinds(&run(&format!("#if {}1\n#endif", "1?".repeat(10_000)))),
        [NoteKind::ConditionError]
    );
    assert_eq!(
        kinds(&run(&format!("#if {}1\n#endif", "1+".repeat(10_000)))),
        []
    );
    check_places(&run(&format!("{}\n{}", open, "[{".repeat(10_000))));
    check_places(&run(&close));
    check_places(&run(&"(a)+".repeat(10_000)));
    check_places(&run(&"(a".repeat(10_000)));
}

/// Preprocesses with a budget that debug builds spend quickly.
fn run_short(text: &str) -> Preprocessed {
    let mut config = Config::default();
    config.limits.work = 4_000_000;
    super::run_with(text.as_bytes(), &[], &config)
}

#[test]
fn nesting_needs_little_stack() {
    let calls = format!(
        "#define F(x) (x)\n{}1{}",
        "F(".repeat(3_000),
        ")".repeat(3_000)
    );
    let condition = format!("#if {}1{}\n#endif", "(".repeat(3_000), ")".repeat(3_000));
    let thread = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(move || {
            check_places(&run_short(&calls));
            check_places(&run_short(&condition));
        });
    assert!(thread.expect("a thread").join().is_ok());
}

#[test]
fn deeply_nested_calls() {
    let calls = format!("{}1{};", "F(".repeat(5_000), ")".repeat(5_000));
    let some = format!("{}1{};", "F(".repeat(600), ")".repeat(600));
    let read = run_short(&format!("#define F(x) (x)\nint y = {some}\nend"));
    assert_eq!(kinds(&read)[0], NoteKind::MacroError);
    check_places(&read);
    // Each level doubles its argument.
    let read = run_short(&format!("#define F(x) x x\nint y = {calls}\nend"));
    assert!(kinds(&read).contains(&NoteKind::Truncated));
    check_places(&read);
    check_places(&run_short(&format!(
        "#define F(x) x\n{}",
        "F(".repeat(20_000)
    )));
    check_places(&run_short(&format!(
        "#define F(x) x\n{}1{}",
        "F(1,".repeat(3_000),
        ")".repeat(3_000)
    )));
    // An ordinary depth is expanded in full.
    let read = run(&format!(
        "#define F(x) x\n{}1{};",
        "F(".repeat(150),
        ")".repeat(150)
    ));
    assert_eq!((read.text.as_str(), kinds(&read)), ("1;\n", vec![]));
}

#[test]
fn macros_that_explode() {
    let mut text = String::from(
        "#define A0 x x\n#define S0(x) #x\n#define P0 a\n#define C(a, b) a ## b\n#define D(a) C(a, a)\n",
    );
    for level in 1..64 {
        let below = level - 1;
        text += &format!("#define A{level} A{below} A{below}\n#define P{level} D(P{below})\n");
    }
    let read = run_short(&format!("{text}int before;\nA63\nint after;"));
    assert!(read.text.starts_with("int before;"));
    assert!(kinds(&read).contains(&NoteKind::Truncated));
    assert!(kinds(&run_short(&format!("{text}P63"))).contains(&NoteKind::Truncated));
    let empty = text.replace("x x", "");
    assert!(kinds(&run_short(&format!("{empty}A63"))).contains(&NoteKind::Truncated));
    let strings = format!(
        "#define S(x) #x\n#define T(x) S(x)\n{}\"{}",
        "T(".repeat(150),
        ")".repeat(150)
    );
    check_places(&run_short(&strings));
    let strings = format!(
        "#define S(x) #x\n#define T(x) S(x)\n{}\"a\"{}",
        "T(".repeat(150),
        ")".repeat(150)
    );
    let read = run_short(&strings);
    assert!(kinds(&read).contains(&NoteKind::Truncated));
    check_places(&read);
}

/// What stands in replacement lists is counted, to the token; what stands in the file, also as an argument, is not.
#[test]
fn tokens_made_by_macros_are_limited() {
    let mut config = Config::default();
    config.limits.macro_tokens = 12;
    let read = |text: &str| super::run_with(text.as_bytes(), &[], &config);
    let written = "int written = (1 + 2) * 3 + 4 + 5 + 6 + 7;";
    let defined = format!("#define FOUR a b c d\n#define PASS(x) x\n{written}\n");

    let within = read(&format!(
        "{defined}FOUR FOUR PASS({written}) FOUR;\nint last;"
    ));
    assert_eq!(kinds(&within), []);
    assert!(
        within.text.ends_with("a b c d;\nint last;\n"),
        "{}",
        within.text
    );

    let text = format!("{defined}FOUR FOUR FOUR\nFOUR; __global__ void gone() {{ }}");
    let beyond = read(&text);
    assert_eq!(kinds(&beyond), [NoteKind::Truncated]);
    assert!(
        beyond.text.ends_with("a b c d a b c d a b c d\n"),
        "{}",
        beyond.text
    );
    assert!(beyond.text.starts_with(written));
    let note = &beyond.notes[0];
    assert!(note.kind.is_damage() && note.text.starts_with("the macros expand to too much text"));
    // The call that went too far ends where reading stood.
    let call = text.rfind("FOUR;").expect("the last call");
    assert_eq!((note.line, note.offset as usize), (5, call + "FOUR".len()));
    check_places(&beyond);
}

/// Arguments are expanded one in the other as deeply as the limit says; a deeper call stays, and is noted.
#[test]
fn the_depth_of_macro_arguments_is_limited() {
    let mut config = Config::default();
    config.limits.macro_depth = 10;
    for (depth, notes) in [(10, vec![]), (11, vec![NoteKind::MacroError])] {
        let text = format!(
            "#define F(x) x\n{}1{};",
            "F(".repeat(depth),
            ")".repeat(depth)
        );
        let read = super::run_with(text.as_bytes(), &[], &config);
        let expected = if notes.is_empty() { "1;" } else { "F(1);" };
        assert_eq!(
            (read.text.trim(), kinds(&read)),
            (expected, notes),
            "{depth}"
        );
    }
}

#[test]
fn macros_that_name_themselves_end() {
    for text in [
        "#define f f(\nf f f)",
        "#define g f(\n#define f(x) x g\ng g) )",
        "#define a b\n#define b a\na b a(b)",
        "#define f(x) f(f(x))\nf(f(f(1)))",
        "#define f(x) x(f)(x)\nf(f)(f)(f)",
        "#define EMPTY\n#define DEFER(x) x EMPTY\n#define R() DEFER(R2)()()\n#define R2() R\nR()()()()",
        "#define f(...) f(__VA_ARGS__, f) __VA_OPT__(f(__VA_ARGS__))\nf(f(1), f())",
    ] {
        check_places(&run(text));
    }
}

#[test]
fn a_hundred_thousand_macros() {
    let mut text = String::new();
    for number in 0..100_000 {
        text += &format!("#define NAME_{number} {number}\n");
    }
    text += "int x = NAME_0 + NAME_99999;";
    let read = run(&text);
    assert_eq!(
        (read.text.as_str(), kinds(&read)),
        ("int x = 0 + 99999;\n", vec![])
    );
}

#[test]
fn megabyte_lines() {
    let line = "x = a[i] + (b) * 3; ".repeat(60_000);
    let read = run(&line);
    assert_eq!(kinds(&read), []);
    check_places(&read);
    check_places(&run(&format!("#define F(x) x\nF({line})")));
    check_places(&run(&format!("#define S(x) #x\nS({line})")));
    check_places(&run(&format!("#define LONG {line}\nLONG")));
    check_places(&run(&format!("#if {line}\n#endif")));
    check_places(&run(&format!("\"{}\"", "s".repeat(1 << 20))));
    check_places(&run(&"\\\n".repeat(1 << 19)));
    check_places(&run(&"#".repeat(1 << 20)));
    check_places(&run(&"#if 1\n".repeat(100_000)));
    check_places(&run(&"#if 0\n".repeat(100_000)));
    check_places(&run(&format!("#define F({}) x\nF", "a,".repeat(100_000))));
}

#[test]
fn a_long_string_repeated_by_macros_ends() {
    let string = format!("\"{}\"", "s".repeat(1 << 16));
    let mut text = format!("#define A0 {string}\n");
    for level in 1..30 {
        text += &format!("#define A{level} A{0} A{0}\n", level - 1);
    }
    let read = run(&format!("{text}A29"));
    assert!(kinds(&read).contains(&NoteKind::Truncated));
    assert!(read.text.len() <= (128 << 20) + 100);
}

#[test]
fn things_that_do_not_end() {
    for text in [
        "/*",
        "/* \\\n",
        "\"",
        "'",
        "\"\\",
        "R\"(",
        "R\"",
        "R\"aaaaaaaaaaaaaaaaaaaaaa(",
        "//",
        "// \\\n",
        "#",
        "#define",
        "#define F(",
        "#define F(x",
        "#define F(x,",
        "#define F(...",
        "#define F(x) #",
        "#define F(x) ##",
        "#if",
        "#if (",
        "#if defined(",
        "#include",
        "#include \"",
        "#include <",
        "#elif",
        "#else",
        "#endif",
        "#line",
        "#line 99999999999999999999",
        "#pragma",
        "#ifdef",
        "#undef",
        "#error",
        "_Pragma(",
        "__attribute__((",
        "__launch_bounds__(1,2,",
        "__typeof__",
        "1e",
        "1e+",
        ".",
        "..",
        "L",
        "u8",
        "u8'",
        "\\",
        "\u{feff}\u{feff}",
        "é",
        "(",
        "(a",
        "(a)",
        "(a)+",
        "(a.",
        "(a.)+",
        "(::)+",
        "(a::)-",
        "(a[)+",
        "[] __device__",
        "] __device__",
        "typedef",
        "struct",
        "__align__(",
        "#define A(...) __VA_OPT__(\nA(1)",
        "#define A(...) __VA_OPT__()\nA(1)",
        "#define A(...) __VA_OPT__(a ## ) ## b\nA(1)",
        "#define f(x) x\nf(",
        "#define f(x) x\nf(\n#if 1",
        "#define f(x) x\nf(\n#include \"main.cu\"\n)",
    ] {
        check_places(&run(text));
        check_places(&run(&format!("{text}\n")));
        check_places(&run(&format!("#define A {text}\nA A(1)\n")));
        check_places(&run(&format!("#if 0\n{text}\n#else\nx\n#endif")));
    }
}

fn small() -> Config {
    let mut config = Config::default();
    config.limits.work = 50_000;
    config.limits.output_tokens = 20_000;
    config.limits.output_bytes = 200_000;
    config.limits.inclusions = 50;
    config.limits.include_depth = 10;
    config
}

fn soup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "#define ",
        "#undef ",
        "#if ",
        "#elif ",
        "#else\n",
        "#endif\n",
        "#ifdef ",
        "#include \"main.cu\"\n",
        "#include \"h.h\"\n",
        "#line 7\n",
        "#pragma once\n",
        "\n",
        "\n",
        " ",
        "A",
        "B",
        "F",
        "G",
        "F(",
        "G(",
        "(x, y)",
        "(x)",
        "(...)",
        "x",
        "y",
        "(",
        ")",
        "(",
        ")",
        ",",
        "#",
        "##",
        " # ",
        "__VA_ARGS__",
        "__VA_OPT__(",
        "defined ",
        "defined(",
        "__has_include(",
        "1",
        "0",
        "2.5e",
        "+",
        "-",
        "*",
        "&",
        "<<<",
        ">>>",
        "[",
        "]",
        "{",
        "}",
        ";",
        ".",
        "->",
        "::",
        "\"s\"",
        "\"",
        "'",
        "'c'",
        "R\"(",
        ")\"",
        "/*",
        "*/",
        "//",
        "\\\n",
        "\r\n",
        "\\",
        "é",
        "\u{feff}",
        "__global__ ",
        "__device__ ",
        "__attribute__",
        "__launch_bounds__",
        "__align__",
        "alignas",
        "_Pragma",
        "__typeof__",
        "__restrict__ ",
        "typedef ",
        "struct ",
        "return ",
        "int ",
        "n",
        "__LINE__",
        "__FILE__",
        "__COUNTER__",
        "?",
        ":",
        "!",
        "&&",
        "||",
        "<",
        ">",
        "==",
    ]);
    prop::collection::vec(pieces, 0..80).prop_map(|pieces| pieces.concat())
}

fn check(text: &[u8], header: &str) {
    let mut files = MemoryFiles::default();
    files.add("main.cu", text);
    files.add("h.h", header);
    if let Ok(read) = preprocess_with(Path::new("main.cu"), text, &small(), &files) {
        check_places(&read);
        let again =
            preprocess_with(Path::new("main.cu"), text, &small(), &files).expect("as before");
        assert_eq!((read.text, read.notes), (again.text, again.notes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_token_soup_breaks_it(text in soup(), header in soup()) {
        check(text.as_bytes(), &header);
    }

    #[test]
    fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..300), header in "\\PC*") {
        check(&bytes, &header);
    }

    #[test]
    fn plain_tokens_keep_their_spelling(text in "[a-z0-9+;(){}\n\r \u{e9}\\\\]{0,200}") {
        let read = run(&text);
        let spliced = text.contains('\\');
        for place in read.map.own_places().filter(|_| !spliced) {
            let spelled = &read.files[0].text[place.start as usize..place.end as usize];
            prop_assert!(!spelled.is_empty() && !spelled.contains(char::is_whitespace));
        }
        let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '(' && *c != ')').collect::<String>();
        if !spliced {
            prop_assert_eq!(solid(&read.text), solid(&text));
        }
    }
}
