//! Foreign text made safe to print, and names in the order in which people look for them.
//!
//! Whatever comes from the analysed files goes through [`safe`] before it reaches a terminal or a page: no control character of theirs
//! steers the terminal, and no name fills the screen.

use std::cmp::Ordering;

/// Names and expressions are cut at this many characters.
pub(crate) const LONGEST: usize = 300;

/// The text without control characters, cut to a length that leaves room for the rest.
#[must_use]
pub fn safe(text: &str) -> String {
    if text.len() <= LONGEST && is_printable_ascii(text) {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(LONGEST).map(visible).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    out
}

/// The order in which people look for names: numbers in them count by their size, `a[2]` before `a[10]`.
pub(crate) fn naturally(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let number = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (m, n) = (number(left), number(right));
        let order = if m > 0 && n > 0 {
            let (x, y) = (&left[..m], &right[..n]);
            let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
            (left, right) = (&left[m..], &right[n..]);
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            let (mut p, mut q) = (left.chars(), right.chars());
            let order = match (p.next(), q.next()) {
                // `01` and `1` are not the same name.
                (None, None) => return a.cmp(b),
                (x, y) => x.cmp(&y),
            };
            (left, right) = (p.as_str(), q.as_str());
            order
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Whether a text is of ASCII's printable characters alone, as nearly every name and line is: nothing in it wants a stand-in.
pub(crate) fn is_printable_ascii(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The text with some of its characters replaced, each by what stands for it, and the rest as it is.
pub(crate) fn replaced<'t>(text: &str, stand_in: impl Fn(char) -> Option<&'t str>) -> String {
    // Most texts want no stand-in.
    if is_printable_ascii(text)
        && text
            .bytes()
            .all(|byte| stand_in(char::from(byte)).is_none())
    {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut done = 0;
    for (at, character) in text.char_indices() {
        if let Some(other) = stand_in(character) {
            out.push_str(&text[done..at]);
            out.push_str(other);
            done = at + character.len_utf8();
        }
    }
    out.push_str(&text[done..]);
    out
}

/// The character, or a visible stand-in if it would control the terminal or reorder the line. Always one for one, so
/// that columns stay what they are.
pub(crate) fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        // The control pictures stand in the same order as the characters.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' => '\u{fffd}',
        other => other,
    }
}

/// `1 finding`, `3 findings`.
#[must_use]
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub(crate) fn safe_list<T: AsRef<str>>(items: &[T], separator: &str) -> String {
    let items: Vec<String> = items.iter().map(|item| safe(item.as_ref())).collect();
    items.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_controls_a_terminal_survives() {
        let nasty: String = (0..0x3000u32).filter_map(char::from_u32).collect();
        for piece in nasty.chars().collect::<Vec<_>>().chunks(100) {
            let piece: String = piece.iter().collect();
            let shown = safe(&piece);
            assert!(!shown.chars().any(char::is_control), "{shown:?}");
            assert_eq!(shown.chars().count(), piece.chars().count());
        }
        assert_eq!(safe("a\u{1b}[31mb\n"), "a␛[31mb␊");
        assert_eq!(safe("x\u{202e}y"), "x\u{fffd}y");
    }

    #[test]
    fn long_names_are_cut() {
        let shown = safe(&"n".repeat(1_000_000));
        assert_eq!(shown.chars().count(), LONGEST + 1);
        assert!(shown.ends_with('…'));
        assert_eq!(safe(&"n".repeat(LONGEST)).chars().count(), LONGEST);
    }

    #[test]
    fn numbers_count_by_their_size() {
        let mut names = [
            "a[10]",
            "a[2]",
            "b",
            "a",
            "k.cu:442: x",
            "k.cu:45: x",
            "a[010]",
        ];
        names.sort_by(|a, b| naturally(a, b));
        assert_eq!(
            names,
            [
                "a",
                "a[2]",
                "a[010]",
                "a[10]",
                "b",
                "k.cu:45: x",
                "k.cu:442: x"
            ]
        );
    }
}
