//! Lines that fit: broken at spaces, by the columns that a terminal needs for them.

use unicode_width::UnicodeWidthStr;

/// Columns below which nothing is made to fit: words are longer.
const LEAST: usize = 20;

/// The columns that a text takes on a terminal, where wide characters take two.
pub(super) fn columns(text: &str) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => text.width(),
    }
}

/// The text in lines of at most so many columns, broken at spaces.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    wrapped_behind(text, width, 0)
}

/// The same, with so many columns less for further lines, which stand indented.
pub(super) fn wrapped_behind(text: &str, width: usize, indent: usize) -> Vec<String> {
    let fits = |used: usize, nth: usize| {
        let room = if nth == 0 {
            width
        } else {
            width.saturating_sub(indent)
        };
        used <= room.max(LEAST)
    };
    if fits(columns(text), 0) {
        return vec![text.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for word in text.split(' ') {
        let long = columns(word);
        let nth = lines.len().saturating_sub(1);
        match lines.last_mut() {
            Some(line) if fits(used + 1 + long, nth) => {
                line.push(' ');
                line.push_str(word);
                used += 1 + long;
            }
            _ => {
                lines.push(word.to_owned());
                used = long;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        let text = "one two three four five six seven";
        assert_eq!(wrap(text, 200), [text]);
        assert_eq!(
            wrap(text, 20),
            ["one two three four", "five six seven"],
            "no line is longer"
        );
        assert_eq!(wrap("", 20), [""]);
        assert_eq!(wrap("a  b", 20), ["a  b"]);
        assert_eq!(wrap(text, 0), wrap(text, LEAST));
        let word = "w".repeat(50);
        assert_eq!(wrap(&word, 20), [word.as_str()], "words stay whole");
    }

    #[test]
    fn further_lines_have_less_room() {
        let text = "aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd";
        assert_eq!(
            wrapped_behind(text, 32, 4),
            [
                "aaaaaaaaaa bbbbbbbbbb cccccccccc".to_owned(),
                "dddddddddd".to_owned()
            ]
        );
        assert_eq!(
            wrapped_behind(text, 24, 4),
            ["aaaaaaaaaa bbbbbbbbbb", "cccccccccc", "dddddddddd"]
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let text = "カーネル カーネル カーネル";
        assert_eq!(columns(text), 26);
        assert_eq!(wrap(text, 20), ["カーネル カーネル", "カーネル"]);
        assert_eq!(wrap(text, 26), [text]);
    }
}
