//! Every byte of the expanded text leads back to its place.

use super::{Config, Place, Preprocessed, SourceFile, run, run_with};

/// The source text at the place of the `n`th occurrence of `needle` in the expanded text.
fn source_of<'p>(read: &'p Preprocessed, needle: &str, n: usize) -> (u32, &'p str) {
    let (start, _) = read.text.match_indices(needle).nth(n).expect("the needle");
    let place = read.map.locate(start, start + needle.len());
    (place.file, text_at(read, place.place()))
}

fn text_at(read: &Preprocessed, place: Place) -> &str {
    &read.files[place.file as usize].text[place.start as usize..place.end as usize]
}

#[test]
fn plain_tokens_are_where_they_stand() {
    let read = run("int  a ;\n\n  a = /* c */ b + 1;");
    assert_eq!(source_of(&read, "a = b + 1", 0), (0, "a = /* c */ b + 1"));
    assert_eq!(source_of(&read, "b", 0), (0, "b"));
    // White space belongs to the token before it.
    let space = read.text.find(" b").expect("a space");
    assert_eq!(
        text_at(&read, read.map.locate(space, space + 1).place()),
        "="
    );
    assert_eq!(text_at(&read, read.map.locate(9999, 10_000).place()), ";");
    assert_eq!(text_at(&read, read.map.locate(4, 2).place()), "a");
}

#[test]
fn macro_tokens_are_at_the_outermost_call() {
    let read = run(
        "#define N 16\n#define TWICE(x) (ADD(x, x) * N)\n#define ADD(a, b) ((a) + b)\ny = TWICE( q ) + N;",
    );
    let star = read.text.find('*').expect("a star");
    let place = read.map.locate(star, star + 1);
    assert_eq!(text_at(&read, place.place()), "TWICE( q )");
    assert_eq!(place.macro_name, Some("TWICE"));
    assert_eq!(
        place.definition.map(|place| text_at(&read, place)),
        Some("TWICE")
    );
    assert_eq!(place.spelling.map(|place| text_at(&read, place)), Some("*"));
    let plus = read.text.find('+').expect("a plus");
    let place = read.map.locate(plus, plus + 1);
    assert_eq!(
        (text_at(&read, place.place()), place.macro_name),
        ("TWICE( q )", Some("TWICE"))
    );
    assert_eq!(
        place.spelling.map(|place| read.files[0].line(place.start)),
        Some(3)
    );
    assert_eq!(source_of(&read, "16", 1), (0, "N"));
}

#[test]
fn arguments_are_at_their_own_place() {
    let read = run("#define AT(m, i) m[(i) * 2]\n#define W 3\nx = AT(data, k + W); z");
    let k = read.text.find('k').expect("k");
    let place = read.map.locate(k, k + 1);
    assert_eq!(
        (
            text_at(&read, place.place()),
            place.macro_name,
            place.spelling
        ),
        ("k", Some("AT"), None)
    );
    assert_eq!(source_of(&read, "k + 3", 0), (0, "k + W"));
    assert_eq!(
        source_of(&read, "data[(k + 3) * 2]", 0),
        (0, "AT(data, k + W)")
    );
    let z = read.text.find('z').expect("z");
    assert_eq!(read.map.locate(z, z + 1).macro_name, None);
}

#[test]
fn calls_that_reach_past_their_replacement_are_whole() {
    let read = run("#define f g\n#define g(x) [x]\na f(2) b");
    assert_eq!(source_of(&read, "[", 0), (0, "f(2)"));
    let two = read.text.find('2').expect("2");
    assert_eq!(read.map.locate(two, two + 1).macro_name, Some("f"));
    assert_eq!(source_of(&read, "b", 0), (0, "b"));
}

#[test]
fn made_tokens_are_at_the_call() {
    let read = run("#define CAT(a, b) a ## b\n#define STR(a) #a\nCAT(x, y) STR(z) __LINE__ end");
    assert_eq!(source_of(&read, "xy", 0), (0, "CAT(x, y)"));
    assert_eq!(source_of(&read, "\"z\"", 0), (0, "STR(z)"));
    assert_eq!(source_of(&read, "3", 0), (0, "__LINE__"));
    let pasted = read.map.locate(0, 1);
    assert_eq!((pasted.macro_name, pasted.spelling), (Some("CAT"), None));
}

#[test]
fn headers_and_ranges_across_them() {
    let headers = [
        ("a.h", "x = T;\n#include \"b.h\"\n"),
        ("b.h", "deep;\n"),
        ("c.h", "other;"),
    ];
    let text = "#define T 4\nbegin\n  #include \"a.h\" // why\nmiddle\n#include \"c.h\"\nend";
    let read = run_with(text.as_bytes(), &headers, &Config::default());
    assert_eq!(source_of(&read, "4", 0), (2, "T"));
    assert_eq!(source_of(&read, "deep", 0), (3, "deep"));
    let deep = read.text.find("deep").expect("deep");
    let inclusion = read.map.locate(deep, deep + 1).inclusion;
    let (outer, place) = read.map.included_from(inclusion).expect("included");
    assert_eq!((place.file, text_at(&read, place)), (2, "#include \"b.h\""));
    let (main, place) = read.map.included_from(outer).expect("included");
    assert_eq!(
        (main, text_at(&read, place)),
        (0, "#include \"a.h\" // why")
    );
    assert_eq!(read.map.included_from(main), None);
    let range = |from: &str, to: &str| {
        let start = read.text.find(from).expect("the start");
        let end = read.text.find(to).expect("the end") + to.len();
        text_at(&read, read.map.locate(start, end).place())
    };
    assert_eq!(
        range("begin", "end"),
        &text[text.find("begin").expect("begin")..]
    );
    assert_eq!(range("x =", "deep"), "x = T;\n#include \"b.h\"");
    assert_eq!(range("deep", "middle"), "#include \"a.h\" // why\nmiddle");
    assert_eq!(
        range("deep", "other"),
        "#include \"a.h\" // why\nmiddle\n#include \"c.h\""
    );
}

#[test]
fn literals_know_their_macro() {
    let headers = [("t.h", "#define FROM_HEADER (32)\n")];
    let config = Config {
        defines: vec![super::Define::parse("D=8")],
        ..Config::default()
    };
    let text = b"#include \"t.h\"\n#define TILE 16\n#define PAD (TILE + 1)\n#define ALIAS TILE\n\
                 a[TILE] b[PAD] c[ALIAS] d[D] e[FROM_HEADER] f[7]";
    let read = run_with(text, &headers, &config);
    let name = |needle: &str| {
        read.map
            .macro_of_literal(read.text.find(needle).expect("the literal") + needle.len() - 1)
    };
    assert_eq!(name("a[16"), Some("TILE"));
    assert_eq!(name("b[(16"), Some("TILE"));
    assert_eq!(name("+ 1"), None);
    assert_eq!(name("c[16"), Some("TILE"));
    assert_eq!(name("d[8"), Some("D"));
    assert_eq!(name("e[(32"), Some("FROM_HEADER"));
    assert_eq!(name("f[7"), None);
    let outer = read.map.locate(
        read.text.find("c[").expect("c") + 2,
        read.text.find("c[").expect("c") + 4,
    );
    assert_eq!(outer.macro_name, Some("ALIAS"));
}

#[test]
fn doubled_parentheses_are_at_the_written_one() {
    let text = "int n = 2, m = (n) + 1;";
    let read = run(text);
    assert_eq!(read.text.trim(), "int n = 2, m = ((n)) + 1;");
    let open = read.text.find("((").expect("the parentheses");
    for range in [open..open + 1, open + 1..open + 2] {
        let place = read.map.locate(range.start, range.end).place();
        assert_eq!(
            (place.start as usize, text_at(&read, place)),
            (text.find('(').expect("one"), "(")
        );
    }
    assert_eq!(
        text_at(&read, read.map.locate(open, open + 5).place()),
        "(n)"
    );
}

/// Columns are found from a count kept for every 1,024 bytes: they are those of counting the whole line, whatever lies on such
/// a border (characters of several bytes, both halves of `\r\n`, a line end, the end of the text).
#[test]
fn columns_on_long_lines_are_those_of_a_plain_count() {
    let mut texts = vec!["\u{feff}".to_owned() + &"é".repeat(1500)];
    for length in [1022, 1023, 1024, 1025, 2047, 2048, 2049] {
        for tail in ["", "\n", "\r\nx", "é", "\u{1f600}", "\u{1f600}\r\n\u{20ac}"] {
            texts.push(format!("{}{tail}", "x".repeat(length)));
            texts.push(format!(
                "\u{feff}a\n{}{tail}",
                "\u{20ac}b".repeat(length / 4)
            ));
            texts.push(format!("{}{tail}", "a\r\n\u{1f600}\n".repeat(length / 8)));
        }
    }
    for text in texts {
        let file = SourceFile::new("main.cu".into(), text.as_str().into());
        let (mut line, mut column, mut previous) = (1, 1, ' ');
        for (offset, character) in text.char_indices() {
            let shown = (offset, text.len());
            assert_eq!(file.line_column(offset as u32), (line, column), "{shown:?}");
            // Of `\r\n` only the second ends the line.
            let ends =
                character == '\n' || character == '\r' && !text[offset..].starts_with("\r\n");
            (line, column) = match character {
                _ if ends => (line + 1, 1),
                '\u{feff}' if offset == 0 => (1, 1),
                _ => (line, column + 1),
            };
            previous = character;
        }
        let end = text.len() as u32;
        assert_eq!(
            file.line_column(end),
            (line, column),
            "the end, after {previous:?}"
        );
        assert_eq!(file.line_column(end + 5000), (line, column));
    }
}
