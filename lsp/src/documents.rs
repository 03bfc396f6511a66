//! The texts that the editor has open.

use std::sync::Arc;

use lsp_types::TextDocumentContentChangeEvent;

use crate::places::Text;

/// A text with changes made one after the other, each of the text with those before it.
pub(crate) fn changed(text: &str, changes: &[TextDocumentContentChangeEvent]) -> Arc<str> {
    let mut now = text.to_owned();
    for change in changes {
        match change.range {
            None => now.clone_from(&change.text),
            Some(range) => {
                let lines = Text::new(&now);
                let start = lines.byte(range.start);
                let end = lines.byte(range.end).max(start);
                now.replace_range(start..end, &change.text);
            }
        }
    }
    now.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    #[test]
    fn changes_are_of_the_text_with_those_before() {
        let change = |from: (u32, u32), to: (u32, u32), text: &str| {
            let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
            TextDocumentContentChangeEvent {
                range: Some(range),
                range_length: None,
                text: text.to_owned(),
            }
        };
        let text = changed(
            "a𝛼b\nc\n",
            &[
                change((0, 3), (0, 4), "B"),
                change((1, 0), (1, 0), "x\n"),
                change((2, 1), (9, 0), ""),
            ],
        );
        assert_eq!(&*text, "a𝛼B\nx\nc");
        let mut whole = change((0, 0), (0, 0), "new");
        whole.range = None;
        assert_eq!(&*changed(&text, &[whole]), "new");
    }
}
