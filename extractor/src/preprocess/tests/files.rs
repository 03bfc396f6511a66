//! Headers, encodings and line ends.

use std::path::{Path, PathBuf};

use super::{
    Config, MemoryFiles, NoteKind, PreprocessError, kinds, preprocess, preprocess_with, run,
    run_with,
};

fn flat_with(text: &str, headers: &[(&str, &str)]) -> String {
    run_with(text.as_bytes(), headers, &Config::default())
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn quoted_headers_are_found_beside_the_including_file() {
    let headers = [
        ("sub/a.h", "a\n#include \"b.h\"\n#include \"../c.h\""),
        ("sub/b.h", "b"),
        ("b.h", "wrong"),
        ("c.h", "c"),
    ];
    assert_eq!(
        flat_with("#include \"sub/a.h\"\nend", &headers),
        "a b c end"
    );
}

#[test]
fn include_folders_serve_both_forms() {
    let config = Config {
        include_dirs: vec![PathBuf::from("one"), PathBuf::from("two")],
        ..Config::default()
    };
    let headers = [
        ("two/x.h", "two"),
        ("one/x.h", "one"),
        ("two/y.h", "y"),
        ("x.h", "here"),
    ];
    let read = run_with(
        b"#include \"x.h\"\n#include <x.h>\n#include <y.h>\n",
        &headers,
        &config,
    );
    assert_eq!(read.text, "here\none\ny\n");
    assert_eq!(
        read.files
            .iter()
            .map(|file| file.path.as_path())
            .collect::<Vec<_>>(),
        [
            Path::new("main.cu"),
            Path::new("<command line>"),
            Path::new("x.h"),
            Path::new("one/x.h"),
            Path::new("two/y.h"),
        ]
    );
}

#[test]
fn computed_includes_and_has_include() {
    let headers = [("a.h", "a"), ("b.h", "b")];
    let text = "#define H \"a.h\"\n#include H\n#define NAME(x) #x\n#include NAME(b.h)\n\
                #if __has_include(\"a.h\") && !__has_include(<zz.h>) && defined(__has_include)\nyes\n#endif";
    assert_eq!(flat_with(text, &headers), "a b yes");
}

#[test]
fn missing_headers_are_noted_and_skipped() {
    let read =
        run("#include <math.h>\n#include \"gone.h\" // why\n#include\n#include <open\nint x;");
    assert_eq!(read.text, "int x;\n");
    let found: Vec<_> = read
        .notes
        .iter()
        .map(|note| (note.kind, note.line, &*note.text))
        .collect();
    assert_eq!(
        found[..2],
        [
            (NoteKind::MissingInclude, 1, "<math.h>"),
            (NoteKind::MissingInclude, 2, "\"gone.h\"")
        ]
    );
    assert_eq!(
        found.iter().map(|note| note.1).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
}

#[test]
fn guards_and_pragma_once() {
    let headers = [
        (
            "g.h",
            "#ifndef G\n#define G\n__global__ void k() {}\n#endif",
        ),
        ("o.h", "#pragma once\no"),
        ("i.h", "i"),
    ];
    let text = "#include \"g.h\"\n#include \"g.h\"\n#include \"o.h\"\n#include \"./o.h\"\n#import \"i.h\"\n#import \"i.h\"";
    let read = run_with(text.as_bytes(), &headers, &Config::default());
    assert_eq!(read.text, "__global__ void k() {}\no\ni\n");
    // The kernel is inactive in the second inclusion only, so nothing is lost.
    assert_eq!(kinds(&read), []);
}

#[test]
fn conditionals_and_comments_end_with_their_file() {
    let headers = [
        ("a.h", "#if 1\na"),
        ("b.h", "b /* open"),
        ("c.h", "#define f(x) x\nf("),
    ];
    let read = run_with(
        b"#include \"a.h\"\n#include \"b.h\"\n#include \"c.h\"\n1) end",
        &headers,
        &Config::default(),
    );
    assert_eq!(read.text, "a\nb\nf(\n1) end\n");
    let expected = [
        NoteKind::UnbalancedConditional,
        NoteKind::Unterminated,
        NoteKind::MacroError,
    ];
    assert_eq!(kinds(&read), expected);
}

#[test]
fn files_that_include_themselves_end() {
    let guarded = [
        ("a.h", "#include \"b.h\"\na"),
        ("b.h", "#include \"a.h\"\nb"),
    ];
    let read = run_with(b"#include \"a.h\"\nend", &guarded, &Config::default());
    assert!(read.text.ends_with("\nend\n"));
    assert!(kinds(&read).contains(&NoteKind::IncludeLimit));
    let twice = [("a.h", "#include \"a.h\"\n#include \"a.h\"\nx\n")];
    let read = run_with(b"#include \"a.h\"\nend", &twice, &Config::default());
    assert!(read.text.ends_with("\nend\n"));
    assert!(kinds(&read).contains(&NoteKind::IncludeLimit));
    let mut files = MemoryFiles::default();
    let main = b"#include \"main.cu\"\n#include \"main.cu\"\nend".as_slice();
    files.add("main.cu", main);
    let read =
        preprocess_with(Path::new("main.cu"), main, &Config::default(), &files).expect("text");
    assert!(kinds(&read).contains(&NoteKind::IncludeLimit));
    assert_eq!(read.files.len(), 2);
}

#[test]
fn binary_files_are_refused_with_their_line() {
    let refuse = |bytes: &[u8]| {
        preprocess_with(
            Path::new("b.cu"),
            bytes,
            &Config::default(),
            &MemoryFiles::default(),
        )
    };
    let error = refuse(b"int x;\n\0").expect_err("a zero byte");
    assert_eq!(
        error,
        PreprocessError::Binary {
            path: "b.cu".into(),
            line: 2,
            offset: 7
        }
    );
    assert_eq!(
        error.to_string(),
        "b.cu:2: a zero byte at offset 7: this is no source text"
    );
    assert_eq!(
        refuse(b"\xff\xfei\0").expect_err("UTF-16"),
        PreprocessError::Utf16 {
            path: "b.cu".into()
        }
    );
    let headers = [("bin.h", "\0")];
    let read = run_with(
        b"#include \"bin.h\"\n#include \"bin.h\"\nend",
        &headers,
        &Config::default(),
    );
    assert_eq!(
        (read.text.as_str(), kinds(&read)),
        ("end\n", vec![NoteKind::UnreadableInclude; 2])
    );
}

#[test]
fn long_files_are_refused() {
    let mut config = Config::default();
    config.limits.file_bytes = 10;
    let error = preprocess_with(
        Path::new("l.cu"),
        b"int x; int y;",
        &config,
        &MemoryFiles::default(),
    );
    assert_eq!(
        error.expect_err("too long").to_string(),
        "l.cu: 13 bytes are too many (at most 10)"
    );
}

#[test]
fn empty_files_are_fine() {
    for text in ["", "\n", "\u{feff}", "// only\n", "\\\n", "\\"] {
        let read = run(text);
        assert_eq!(kinds(&read), [], "{text:?}");
        let place = read.map.locate(0, 10);
        assert!(place.end as usize <= text.len());
    }
    assert_eq!(run("").text, "");
}

#[test]
fn bytes_that_are_not_utf8_keep_all_offsets() {
    let bytes = b"// caf\xe9 \xe9\xe9\nint x = 1; \xff int y;\n";
    let read = run_with(bytes, &[], &Config::default());
    assert_eq!(read.files[0].text.len(), bytes.len());
    assert_eq!(
        read.notes
            .iter()
            .map(|note| (note.kind, note.line))
            .collect::<Vec<_>>(),
        [
            (NoteKind::InvalidUtf8, 1),
            (NoteKind::InvalidUtf8, 1),
            (NoteKind::InvalidUtf8, 2)
        ]
    );
    let y = read.text.find('y').expect("y");
    let place = read.map.locate(y, y + 1);
    assert_eq!(&bytes[place.start as usize..place.end as usize], b"y");
    assert_eq!(read.files[0].line_column(place.start), (2, 18));
}

#[test]
fn byte_order_mark_and_windows_lines() {
    let text = "\u{feff}#define A 1\r\nint é = A;\r\nint b\\\r\nc;\rint d;\r\n";
    let read = run(text);
    assert_eq!(read.text, "int é = 1;\nint bc;\nint d;\n");
    let at = |name: &str| {
        let start = read.text.find(name).expect("the name");
        let place = read.map.locate(start, start + name.len());
        (
            &text[place.start as usize..place.end as usize],
            read.files[0].line_column(place.start),
        )
    };
    assert_eq!(at("1"), ("A", (2, 9)));
    assert_eq!(at("bc"), ("b\\\r\nc", (3, 5)));
    assert_eq!(at("d"), ("d", (5, 5)));
    assert_eq!(read.files[0].line_column(3), (1, 1));
    assert_eq!(read.files[0].line_text(1), "#define A 1");
    assert_eq!(read.files[0].line_text(2), "int é = A;");
    assert_eq!(
        (read.files[0].line_text(0), read.files[0].line_text(99)),
        ("", "")
    );
    assert_eq!(read.files[0].line_count(), 6);
}

#[test]
fn splices_and_comments_are_white_space() {
    assert_eq!(
        run("#def\\\nine A 1 \\\n + 2\nA i\\\nnt /* a\n b */ x; // c \\\n still\ny").text,
        "1 + 2 int x;\ny\n"
    );
}

#[test]
fn raw_strings_are_one_token() {
    let text =
        "#define X 1\nconst char *s = R\"(X \" \\ // /* )\"; const char *t = u8R\"q(X)\")q\"; X";
    assert_eq!(
        run(text).text.trim(),
        "const char *s = R\"(X \" \\ // /* )\"; const char *t = u8R\"q(X)\")q\"; 1"
    );
    let open = run("int a;\nR\"(never");
    assert_eq!(
        (kinds(&open), open.notes[0].line),
        (vec![NoteKind::Unterminated], 2)
    );
}

#[test]
fn real_files_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.h"), "#define A 5\n").expect("a file");
    std::fs::create_dir(folder.path().join("folder.h")).expect("a folder");
    let main = folder.path().join("m.cu");
    let text = b"#include \"a.h\"\n#include \"folder.h\"\nint x = A;\n";
    let read = preprocess(&main, text, &Config::default()).expect("text");
    assert_eq!(
        (read.text.as_str(), kinds(&read)),
        ("int x = 5;\n", vec![NoteKind::MissingInclude])
    );
}

#[test]
fn headers_of_libraries_with_a_model_are_not_read() {
    let config = Config {
        include_dirs: vec![PathBuf::from("own"), PathBuf::from("toolkit")],
        ..Config::default()
    };
    let headers = [
        (
            "toolkit/cuda_runtime_api.h",
            "#define CUDART_VERSION  11080\ntext",
        ),
        ("toolkit/crt/host_defines.h", "text"),
        ("toolkit/cuda.h", "#define CUDA_VERSION 11080\ntext"),
        ("toolkit/cuda_runtime.h", "#define __device__ other\ntext"),
        ("toolkit/cub/version.cuh", "text"),
        ("toolkit/cub/cub.cuh", "text"),
        ("toolkit/math_constants.h", "constants"),
        ("own/cub/mine.cuh", "mine"),
        ("own/math.h", "own"),
    ];
    let text = b"#include <cuda.h>\n#include <cuda_runtime.h>\n#include <cub/cub.cuh>\n\
                 #include <math_constants.h>\n#include \"cub/mine.cuh\"\n#include <math.h>\n\
                 __device__ CUDA_VERSION CUDART_VERSION\n";
    let read = run_with(text, &headers, &config);
    let words: Vec<&str> = read.text.split_whitespace().collect();
    let all = ["constants", "mine", "own", "__device__", "11080", "11080"];
    assert_eq!(words, all);
    assert!(kinds(&read).is_empty());
}
