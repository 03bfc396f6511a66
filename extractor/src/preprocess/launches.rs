//! Launches whose brackets are written with spaces: `k << <grid, block>> >(x)` is `k<<<grid, block>>>(x)`.
//!
//! Some formatters for C++ write them so, and CUDA's compiler takes them. Elsewhere `<` follows `<<` only in the name of an operator
//! with template arguments, `operator<< <T>(…)`. The closing bracket is `>>` and `>`, in either order, before the arguments. Where
//! there is none the tokens stay as they are.

use super::engine::{Engine, OutToken};
use super::shims::partners;
use super::token::punctuator;

/// How the brackets of a launch are spelled, as positions in the table of the shims.
pub(super) const OPENS: u8 = 32;
pub(super) const CLOSES: u8 = 33;

const SHIFT_LEFT: u32 = punctuator(b"<<");
const LESS: u32 = punctuator(b"<");
const SHIFT_RIGHT: u32 = punctuator(b">>");
const MORE: u32 = punctuator(b">");

/// The tokens with one token for each bracket of such launches.
pub(super) fn join(engine: &Engine<'_>, tokens: Vec<OutToken>) -> Vec<OutToken> {
    let names_operator = |at: usize| {
        let before = at.checked_sub(1).map(|before| &tokens[before].token);
        before.is_some_and(|token| engine.text(token) == "operator")
    };
    let opens = |at: usize| {
        tokens[at].token.is(SHIFT_LEFT) && follows(&tokens, at + 1, LESS) && !names_operator(at)
    };
    if !(0..tokens.len()).any(opens) {
        return tokens;
    }
    let partners = partners(&tokens);
    let mut spelled = vec![0_u8; tokens.len()];
    let mut dropped = vec![false; tokens.len()];
    for at in (0..tokens.len()).filter(|&at| opens(at)) {
        if let Some((close, length)) = closing(&tokens, &partners, at + 2) {
            spelled[at] = OPENS;
            dropped[at + 1] = true;
            spelled[close] = CLOSES;
            dropped[close + 1..close + length].fill(true);
        }
    }
    let marked = tokens.into_iter().zip(spelled).zip(dropped);
    marked
        .filter(|&(_, dropped)| !dropped)
        .map(|((token, spelled), _)| OutToken {
            respelled: if spelled == 0 {
                token.respelled
            } else {
                spelled
            },
            ..token
        })
        .collect()
}

fn follows(tokens: &[OutToken], at: usize, code: u32) -> bool {
    tokens.get(at).is_some_and(|next| next.token.is(code))
}

/// Where the configuration ends: the first token of the closing bracket, and how many tokens it has.
fn closing(tokens: &[OutToken], partners: &[u32], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    while at < tokens.len() {
        let length = if follows(tokens, at, SHIFT_RIGHT) && follows(tokens, at + 1, MORE)
            || follows(tokens, at, MORE) && follows(tokens, at + 1, SHIFT_RIGHT)
        {
            2
        } else if (at..at + 3).all(|at| follows(tokens, at, MORE)) {
            3
        } else {
            0
        };
        if length > 0 && follows(tokens, at + length, punctuator(b"(")) {
            return Some((at, length));
        }
        if [&b";"[..], b"}", b")"]
            .iter()
            .any(|code| tokens[at].token.is(punctuator(code)))
        {
            return None;
        }
        let partner = partners[at] as usize;
        at = if partner > at && partner < tokens.len() {
            partner
        } else {
            at
        };
        at += 1;
    }
    None
}
