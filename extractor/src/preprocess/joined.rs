//! Several expanded texts as one, with the way back to the files of all of them.
//!
//! The files of a program are preprocessed each by itself, with its own macros. What is to be read of each follows the others in
//! one text: tokens that are not kept are left out, and names may be replaced. Places stay those of the files.

use std::collections::BTreeMap;

use super::locate::LocationMap;
use super::{Preprocessed, SourceFile};

/// A token of an expanded text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextToken {
    /// Its first byte in the text.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// The file that it comes from: 0 for the main file.
    pub file: u32,
}

impl Preprocessed {
    /// The tokens of the text, in order.
    pub(crate) fn tokens(&self) -> Vec<TextToken> {
        let mut tokens = Vec::new();
        self.map.each_token(|start, end, file| {
            let end = end.map_or(self.text.len(), |end| end as usize);
            let text = self.text.get(start as usize..end).unwrap_or("").trim_end();
            let end = start + u32::try_from(text.len()).unwrap_or(0);
            tokens.push(TextToken { start, end, file });
        });
        tokens
    }
}

/// A text and what is taken of it.
pub(crate) struct Piece<'p> {
    pub pre: &'p Preprocessed,
    /// For each token what stands in its place: itself, another name, or nothing.
    pub taken: Vec<Taken<'p>>,
}

/// What becomes of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken<'p> {
    AsItIs,
    Renamed(&'p str),
    Left,
}

/// The pieces, one behind the other. Notes and doubts are not kept: who joins texts looks at those of each.
pub(crate) fn join(pieces: &[Piece<'_>]) -> Preprocessed {
    let mut text = String::new();
    let mut map = LocationMap::default();
    let mut files: Vec<SourceFile> = Vec::new();
    for piece in pieces {
        let mut starts: BTreeMap<usize, u32> = BTreeMap::new();
        let tokens = piece.pre.tokens();
        for (position, (token, taken)) in tokens.iter().zip(&piece.taken).enumerate() {
            let own = piece
                .pre
                .text
                .get(token.start as usize..token.end as usize)
                .unwrap_or("");
            let written = match taken {
                Taken::AsItIs => own,
                Taken::Renamed(name) => name,
                Taken::Left => continue,
            };
            starts.insert(position, u32::try_from(text.len()).unwrap_or(u32::MAX));
            text.push_str(written);
            let next = tokens
                .get(position + 1)
                .map_or(piece.pre.text.len(), |next| next.start as usize);
            text.push_str(piece.pre.text.get(token.end as usize..next).unwrap_or("\n"));
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let first = u32::try_from(files.len()).unwrap_or(u32::MAX);
        map.append(&piece.pre.map, first, &|position| {
            starts.get(&position).copied()
        });
        files.extend(piece.pre.files.iter().cloned());
    }
    let first = pieces.first().map(|piece| piece.pre);
    Preprocessed {
        text,
        files,
        map,
        notes: Vec::new(),
        doubts: Vec::new(),
        guesses: Vec::new(),
        architecture: first.and_then(|pre| pre.architecture.clone()),
        no_asserts: pieces.iter().any(|piece| piece.pre.no_asserts),
        on_host: None,
    }
}
