//! Command lines and response files, split into words as a POSIX shell does it.

/// Splits a command line: blanks separate, `'…'` keeps everything, `"…"` everything but `\` before `"`, `\`, `$` and a
/// back quote, `\` outside quotes keeps the next character. What a quote that is not closed holds is one word.
pub(crate) fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(characters.by_ref().take_while(|inner| *inner != '\''));
            }
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(inner) = characters.next() {
                    match (inner, characters.peek()) {
                        ('"', _) => break,
                        ('\\', Some('"' | '\\' | '$' | '`')) => word.extend(characters.next()),
                        ('\\', Some('\n')) => {
                            characters.next();
                        }
                        _ => word.push(inner),
                    }
                }
            }
            '\\' => match characters.next() {
                Some('\n') => {}
                Some(next) => word.get_or_insert_default().push(next),
                None => word.get_or_insert_default().push('\\'),
            },
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_escapes() {
        for (line, words) in [
            ("", &[][..]),
            ("  nvcc\t-c  a.cu\n", &["nvcc", "-c", "a.cu"]),
            (
                r#"-DS='"a b"' -I"my dir"/x"#,
                &["-DS=\"a b\"", "-Imy dir/x"],
            ),
            (r#"-DS=\"x\" a\ b"#, &["-DS=\"x\"", "a b"]),
            (r#""a\"b\\c\d" '' "#, &["a\"b\\c\\d", ""]),
            ("'open end", &["open end"]),
            (r"end\", &["end\\"]),
            ("a\\\nb", &["ab"]),
        ] {
            assert_eq!(split(line), words, "{line:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,40}") {
            split(&text);
        }

        #[test]
        fn quoted_words_come_back(words in proptest::collection::vec("[^']{0,8}", 0..6)) {
            let line: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
            proptest::prop_assert_eq!(split(&line.join(" ")), words);
        }
    }
}
