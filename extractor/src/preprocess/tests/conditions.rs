//! Conditionals and `#if` expressions.

use super::{Config, Define, NoteKind, flat, kinds, run, run_with};

fn holds(condition: &str) -> bool {
    let read = run(&format!("#if {condition}\nyes\n#else\nno\n#endif\n"));
    let damage: Vec<_> = read
        .notes
        .iter()
        .filter(|note| note.kind.is_damage())
        .collect();
    assert!(damage.is_empty(), "{condition}: {damage:?}");
    read.text.trim() == "yes"
}

#[test]
fn expressions_have_their_c_values() {
    let yes = [
        "1",
        "!0",
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "10 - 2 - 3 == 5",
        "-1 < 0",
        "-1 > 0u",
        "~0 == -1",
        "1 << 4 == 16",
        "-8 >> 1 == -4",
        "7 / 2 == 3",
        "-7 / 2 == -3",
        "-7 % 3 == -1",
        "0x1F == 31",
        "017 == 15",
        "0b101 == 5",
        "1'000 == 1000",
        "10UL == 10",
        "'A' == 65",
        "'\\n' == 10",
        "'\\x41' == 65",
        "'\\0' == 0",
        "1 ? 2 : 0",
        "0 ? 0 : 1",
        "1 ? 1 : 0 ? 0 : 0",
        "0 || 1 && 1",
        "not 0 and (0 or 1)",
        "not defined(NOTHING) and 1 not_eq 2",
        "(5 & 3) == 1",
        "(5 | 3) == 7",
        "(5 ^ 3) == 6",
        "1 == 1 != 0",
        "true",
        "!false",
        "defined __CUDACC__",
        "defined(__CUDACC__) && !defined(NOT)",
        "__CUDA_ARCH__ >= 700",
        "0 && 1 / 0 || 1",
        "1 || 1 / 0",
        "0xFFFFFFFFFFFFFFFF == -1",
        "1 << 64 == 0",
        "(-9223372036854775807 - 1) / -1 < 0",
        "(2 || 3) != 2",
        "18446744073709551615u == -1",
    ];
    for condition in yes {
        assert!(holds(condition), "{condition}");
        assert!(!holds(&format!("!({condition})")), "!({condition})");
    }
}

#[test]
fn operands_of_defined_are_not_expanded() {
    assert_eq!(
        flat("#define A B\n#if defined A && defined(A) && !defined(B)\nyes\n#endif"),
        "yes"
    );
    assert_eq!(
        flat("#define A 1\n#define HAS (defined(A) && A)\n#if HAS\nyes\n#endif"),
        "yes"
    );
    assert_eq!(
        flat("#define A 2\n#define F(x) ((x) > 1)\n#if F(A)\nyes\n#endif"),
        "yes"
    );
}

#[test]
fn branches_are_chosen_once() {
    let text = |value: &str| {
        format!(
            "#define V {value}\n#if V == 1\none\n#elif V == 2\ntwo\n#elif V == 2\nagain\n#else\nother\n#endif\nend"
        )
    };
    assert_eq!(flat(&text("1")), "one end");
    assert_eq!(flat(&text("2")), "two end");
    assert_eq!(flat(&text("3")), "other end");
}

#[test]
fn conditionals_nest_also_in_skipped_text() {
    let text = "#if 0\n#if 1\na\n#else\nb\n#endif\nc\n#elif 1\n#ifdef X\nd\n#else\ne\n#endif\n#else\nf\n#endif\ng";
    assert_eq!(flat(text), "e g");
    assert_eq!(flat("#ifndef X\n#define X\na\n#elifdef X\nb\n#endif"), "a");
    assert_eq!(flat("#ifdef X\na\n#elifndef X\nb\n#endif"), "b");
}

#[test]
fn skipped_text_is_lexed_as_comments_and_literals() {
    let text = "#if 0\n/*\n#endif\n*/ \"\n#error don't\n// #endif\n it's\n# /* a */ endif\nafter";
    assert_eq!(flat(text), "after");
    assert!(kinds(&run(text)).is_empty());
}

#[test]
fn conditions_of_skipped_branches_are_not_evaluated() {
    assert!(kinds(&run("#if 1\n#elif 1 / 0 + UNKNOWN\n#endif")).is_empty());
    assert!(kinds(&run("#if 0\n#if )\n#endif\n#endif")).is_empty());
}

#[test]
fn undefined_names_that_count_are_noted() {
    let read = run("#if A\n#elif defined(B) && B > 2\n#elif 1 || C\n#endif\n#if D(2)\n#endif");
    let undefined: Vec<_> = read
        .notes
        .iter()
        .filter(|note| note.kind == NoteKind::UndefinedInIf)
        .collect();
    assert_eq!(
        undefined
            .iter()
            .map(|note| (note.line, &*note.text))
            .collect::<Vec<_>>(),
        [(1, "A"), (5, "D")]
    );
    assert!(kinds(&read).contains(&NoteKind::ConditionError));
}

#[test]
fn bad_conditions_are_false_and_noted() {
    for condition in [
        "",
        "1 +",
        "(1",
        "1)",
        "1 2",
        "1.5",
        "\"a\"",
        "= 1",
        "1 / 0",
        "1 % 0",
        "defined",
        "defined(",
        "0x",
        "09",
        "99999999999999999999",
        "1 ? 2",
        "''",
        "'ab'",
        "@",
        "'\\x'",
    ] {
        let read = run(&format!("#if {condition}\nyes\n#endif\nend"));
        assert_eq!(read.text.trim(), "end", "{condition}");
        assert_eq!(kinds(&read), [NoteKind::ConditionError], "{condition}");
    }
}

#[test]
fn unbalanced_conditionals_are_noted_with_their_lines() {
    let places = |text: &str| {
        let read = run(text);
        assert!(
            kinds(&read)
                .iter()
                .all(|&kind| kind == NoteKind::UnbalancedConditional),
            "{text}"
        );
        read.notes.iter().map(|note| note.line).collect::<Vec<_>>()
    };
    assert_eq!(places("a\n#endif\nb"), [2]);
    assert_eq!(places("#else\n#elif 1\n"), [1, 2]);
    assert_eq!(places("\n#if 1\n#if 0\n"), [2, 3]);
    assert_eq!(places("#if 1\n#else\n#else\n#endif"), [3]);
    assert_eq!(places("#if 0\n#else\n#elif 1\n#endif"), [3]);
}

#[test]
fn kernels_left_out_are_noted_by_name() {
    let text = "#if 0\n__global__ void __launch_bounds__(256, K(2)) lost(int *p) {}\n// __global__ void no();\n\
                template <int N> __global__ void other(int);\n#define G __global__ void\n#endif\n\
                #ifdef X\n__global__\n#endif\n__global__ void kept() {}";
    let read = run(text);
    let found: Vec<_> = read
        .notes
        .iter()
        .map(|note| (note.kind, note.line, &*note.text))
        .collect();
    let inactive = NoteKind::InactiveKernel;
    assert_eq!(
        found,
        [
            (inactive, 2, "lost"),
            (inactive, 4, "other"),
            (inactive, 8, "")
        ]
    );
}

#[test]
fn launches_left_out_are_noted_by_the_name_of_the_kernel() {
    let text = "#if 0\nvoid f() {\n  scan<<<1, 2>>>(p);\n  n::fold<float, 4> <<<1, 2>>>(p);\n  a << b;\n}\n#endif\n\
                void g() { kept<<<1, 2>>>(p); }";
    let read = run(text);
    let found: Vec<_> = read
        .notes
        .iter()
        .map(|note| (note.kind, note.line, &*note.text))
        .collect();
    let inactive = NoteKind::InactiveLaunch;
    assert_eq!(found, [(inactive, 3, "scan"), (inactive, 4, "fold")]);
}

#[test]
fn errors_and_unknown_directives_are_noted() {
    let read = run(
        "#error you  can't\n#warning w\n#pragma unroll\n#foo\n# 12 \"x\"\n#\n#ident \"a\"\nend",
    );
    let found: Vec<_> = read
        .notes
        .iter()
        .map(|note| (note.kind, &*note.text))
        .collect();
    let expected = [
        (NoteKind::ErrorDirective, "you can't"),
        (NoteKind::Warning, "w"),
        (NoteKind::UnknownDirective, "#foo"),
    ];
    assert_eq!(found, expected);
    assert_eq!(read.text, "end\n");
}

/// A branch that ends in `#error` is not the one that is compiled: another is read, and it is said which.
#[test]
fn branches_with_errors_are_not_taken() {
    let read = |text: &str| {
        let read = run(text);
        let notes: Vec<(NoteKind, String)> = read
            .notes
            .into_iter()
            .filter(|note| note.kind != NoteKind::UndefinedInIf)
            .map(|note| (note.kind, note.text))
            .collect();
        (read.text, notes)
    };
    let avoided = |text: &str| vec![(NoteKind::ErrorAvoided, text.to_owned())];
    // The only other one.
    let one = "#if _POSIX_VERSION >= 200112L\none\n#else\n# error no\n#endif\nend\n";
    let told = "no (`#if _POSIX_VERSION >= 200112L` is taken instead)";
    assert_eq!(read(one), ("one\nend\n".to_owned(), avoided(told)));
    // One behind it.
    let behind = "#ifndef HAVE_TIME\n#error no\n#else\ntwo\n#endif\nend\n";
    let told = "no (the branch behind it is taken instead)";
    assert_eq!(read(behind), ("two\nend\n".to_owned(), avoided(told)));
    // Rather not that of another system; conditionals inside are read as ever.
    let two = "#ifdef _WIN32\na\n#elif defined(B)\n#ifdef C\nc\n#else\nb\n#endif\n#else\n#error no\n#endif\nend\n";
    let told = "no (`#if defined(B)` is taken instead)";
    assert_eq!(read(two), ("b\nend\n".to_owned(), avoided(told)));
    // Of several nobody knows which: a barrier may stand in one and not in the other.
    let several = "#if MODE == 1\na\n#elif MODE == 2\nb\n#else\n#error no\n#endif\nend\n";
    let error = vec![(NoteKind::ErrorDirective, "no".to_owned())];
    assert_eq!(read(several), ("end\n".to_owned(), error));
    let windows = "#ifdef _WIN32\na\n#else\n#error no\n#endif\nend\n";
    let told = "no (`#ifdef _WIN32` is taken instead)";
    assert_eq!(read(windows), ("a\nend\n".to_owned(), avoided(told)));
    // Where all end in errors, and where there is no other, it stays one.
    let all = "#ifdef A\n#error one\n#else\n#error two\n#endif\nend\n";
    let (text, notes) = read(all);
    assert_eq!(text, "end\n");
    let damage = (NoteKind::ErrorDirective, "two".to_owned());
    assert!(notes.contains(&damage), "{notes:?}");
    let met = "#ifdef A\n#endif\n#ifndef A\n#error no\n#endif\nend\n";
    for alone in [met, "#error no\nend\n"] {
        let expected = vec![(NoteKind::ErrorDirective, "no".to_owned())];
        assert_eq!(read(alone), ("end\n".to_owned(), expected), "{alone}");
    }
}

/// What an `#error` wants to be defined counts in conditions behind it, and is no macro: whoever compiles the file has given it a value.
#[test]
fn what_an_error_demands_is_defined_in_conditions() {
    let demand = "#ifndef A\n#error no\n#endif\n";
    let read = |text: &str| run(&format!("{demand}{text}"));
    let kinds =
        |text: &str| -> Vec<NoteKind> { read(text).notes.iter().map(|note| note.kind).collect() };
    assert_eq!(read("#if A\nA one\n#else\ntwo\n#endif\n").text, "A one\n");
    assert_eq!(read("#ifdef A\none\n#endif\n").text, "one\n");
    assert_eq!(kinds("#if A\n#endif\n"), vec![NoteKind::ErrorAvoided]);
    // An include guard is read, and guards.
    let guarded = format!("{demand}#include \"h.h\"\n#include \"h.h\"\n#ifdef A\nbehind\n#endif\n");
    let header = [("h.h", "#ifndef A\n#define A\nbody\n#endif\n")];
    let read_guarded = run_with(guarded.as_bytes(), &header, &Config::default());
    assert_eq!(read_guarded.text, "body\nbehind\n");
    // A value for who gives none is not the one that whoever compiles the file has given.
    let other = "#ifndef A\n#define A 1\n#endif\n#ifdef A\nA behind\n#endif\n";
    assert_eq!(read(other).text, "A behind\n");
    assert!(kinds("#if !defined(A)\n#endif\n").contains(&NoteKind::ConditionError));
    // Nothing is known where the conditional holds more, or where the name was met before.
    let more = "#ifndef A\nint a;\nint b;\n#error no\n#endif\n";
    assert_eq!(run(more).notes[0].kind, NoteKind::ErrorDirective);
}

#[test]
fn the_architecture_counts_where_its_value_is_asked_for() {
    let architecture = |text: &str| run(text).architecture;
    let seven = Some("700".to_owned());
    assert_eq!(architecture("#if __CUDA_ARCH__ >= 800\n#endif\n"), seven);
    assert_eq!(architecture("int a = __CUDA_ARCH__ / 10;\n"), seven);
    let of_another = "#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 600)\n#endif\n";
    assert_eq!(architecture(of_another), seven);
    for text in [
        "int a;\n",
        "#ifdef __CUDA_ARCH__\n#endif\n",
        "#ifndef __CUDA_ARCH__\n#endif\n",
        "#if defined(__CUDA_ARCH__) || !defined __CUDA_ARCH__\n#endif\n",
        "#if __CUDA_ARCH_LIST__ >= 800\n#endif\n",
    ] {
        assert_eq!(architecture(text), None, "{text}");
    }
}

#[test]
fn the_architecture_is_that_of_the_command_line() {
    let mut config = Config::default();
    config.defines.push(Define::parse("__CUDA_ARCH__=900"));
    let read = run_with(b"#if __CUDA_ARCH__ >= 800\nyes\n#endif\n", &[], &config);
    assert_eq!(read.text.trim(), "yes");
    assert_eq!(read.architecture.as_deref(), Some("900"));
    // A header of the file's own asks for it.
    let header = [("a.h", "#if __CUDA_ARCH__ >= 800\nyes\n#endif\n")];
    let read = run_with(b"#include \"a.h\"\n", &header, &Config::default());
    assert_eq!(read.architecture.as_deref(), Some("700"));
}

#[test]
fn asserts_do_nothing_where_somebody_says_so() {
    assert!(!run("int a;\n#ifndef NDEBUG\n#endif\n").no_asserts);
    assert!(run("#define NDEBUG\nint a;\n").no_asserts);
    assert!(run("  # define NDEBUG 1\n").no_asserts);
    let mut config = Config::default();
    config.defines.push(Define::parse("NDEBUG"));
    assert!(run_with(b"int a;\n", &[], &config).no_asserts);
    let header = [("a.h", "#define NDEBUG\n")];
    let read = run_with(b"#include \"a.h\"\n", &header, &Config::default());
    assert!(read.no_asserts);
}

/// The texts that may be others, and the names that may be declared there; `None` if anything may be.
fn doubted(text: &str, headers: &[(&str, &str)]) -> Option<(Vec<String>, Vec<String>)> {
    let read = run_with(text.as_bytes(), headers, &Config::default());
    if read.doubts.iter().any(|doubt| doubt.wild) {
        return None;
    }
    let ranges = read.doubts.iter().flat_map(|doubt| &doubt.ranges);
    let texts = ranges.map(|&(start, end)| {
        let end = (end as usize).min(read.text.len());
        read.text[start as usize..end].trim().to_owned()
    });
    let mut texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    texts.dedup();
    let names = read.doubts.iter().flat_map(|doubt| doubt.names.clone());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    Some((texts, names))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn an_error_makes_its_conditional_doubtful_and_what_asks_for_the_same_names() {
    let guard = "#if !(TIMERS > 0)\n#error \"no timers\"\n#endif\n";
    let (texts, names) = doubted(&format!("int a;\n{guard}int b;\n"), &[]).expect("confined");
    assert_eq!((texts, names), (words(&[]), words(&[])));
    let text = format!("{guard}int a;\n#if TIMERS\nlong b;\n#else\nint c;\n#endif\nint d;\n");
    let (texts, names) = doubted(&text, &[]).expect("confined");
    assert_eq!(texts, words(&["int", "c", ";"]));
    assert_eq!(names, words(&["b", "c"]));
    // Through a macro, and where that is used.
    let text = format!("{guard}#if TIMERS\n#define N 1\n#endif\nint a;\nint b = N;\nint c;\n");
    let (texts, _) = doubted(&text, &[]).expect("confined");
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains('N'), "{texts:?}");
    // A macro of a macro.
    let text = format!("{guard}#define N (TIMERS + 1)\n#define M N\nint a[M];\nint b;\n");
    let (texts, _) = doubted(&text, &[]).expect("confined");
    assert!(
        !texts.is_empty() && texts.iter().all(|text| !text.contains('b')),
        "{texts:?}"
    );
    // An include guard says nothing of what stands in the header.
    let header = format!("#ifndef H\n#define H\n{guard}int a;\n#endif\n");
    let (texts, _) = doubted("#include \"h.h\"\nint b;\n", &[("h.h", &header)]).expect("confined");
    assert_eq!(texts, words(&[]));
    // A header that is included under the condition.
    let text = format!("{guard}#if !TIMERS\n#include \"i.h\"\n#endif\nint b;\n");
    let (texts, names) = doubted(&text, &[("i.h", "int i;\n")]).expect("confined");
    assert_eq!((texts, names), (words(&["int", "i", ";"]), words(&["i"])));
    // One that would be, and is there.
    let text = format!("{guard}#if TIMERS\n#include \"i.h\"\n#endif\nint b;\n");
    assert_eq!(doubted(&text, &[("i.h", "int i;\n")]), None);
    assert!(doubted(&text, &[]).is_some());
}

#[test]
fn doubt_is_anywhere_where_it_cannot_be_confined() {
    for text in [
        "#error \"never\"\nint a;",
        "#if X(1)\nnamespace n {\n#endif\nint a;\n#if X(1)\n}\n#endif\n",
        "#if X(1)\nusing namespace n;\n#endif\nint a;",
        "#if X(1)\nT operator+(T, T);\n#endif\nint a;",
        "#if X(1)\n#include \"i.h\"\n#endif\nint a;",
        "#if X(1)\n#pragma pack(1)\n#endif\nint a;",
        "#if X(1)\nint b;\n#endif\n#define\nint a;",
    ] {
        assert_eq!(doubted(text, &[("i.h", "int i;")]), None, "{text}");
    }
    let (_, names) = doubted(
        "#if X(1)\nint b(int n);\nstruct S { T t; };\n#endif\nint a;",
        &[],
    )
    .expect("confined");
    assert_eq!(names, words(&["S", "b", "t"]));
}

#[test]
fn questions_about_the_compiler_are_answered() {
    assert_eq!(
        flat(
            "#if __has_cpp_attribute(nodiscard) && __has_builtin(__builtin_clz) && !__has_builtin(f)\nyes\n#endif"
        ),
        "yes"
    );
    assert_eq!(
        flat(
            "#ifdef __has_feature\nno\n#elif __CUDA_ARCH_HAS_FEATURE__(SM100_ALL)\nno\n#else\nyes\n#endif"
        ),
        "yes"
    );
    assert_eq!(
        flat(
            "#include <cuda.h>\n#if CUDA_VERSION == CUDART_VERSION && CUDA_VERSION >= 12000\nyes\n#endif"
        ),
        "yes"
    );
    assert_eq!(
        flat(
            "#ifndef CUB_VERSION\nnone\n#endif\n#include <cub/cub.cuh>\n#if CUB_VERSION >= 200000\nyes\n#endif"
        ),
        "none yes"
    );
}
