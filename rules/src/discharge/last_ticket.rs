//! D17 `last-ticket`: what the last block does comes after what the others did before they drew.
//!
//! `partial[blockIdx.x] = …; __threadfence(); if (atomicInc(&ticket, gridDim.x) == gridDim.x - 1) { … partial[i] … }`. What a ticket
//! is, and why the last one comes last, is told in `tickets.rs`.

use super::rule::{Rule, Step};
use crate::offsets::outcome::{Outcome, Proof};
use crate::offsets::question::Question;

/// D17.
pub(super) const RULE: Rule = Rule {
    id: "D17",
    names: &["last-ticket"],
    sentence: "Only the block that drew the last of as many tickets as there are blocks makes one access, and the other block makes the other before it draws, or not at all.",
    origin: "our own; the protocol is that of the CUDA C++ Programming Guide (*Memory Fence Functions*), the argument that of the PTX \
             ISA, memory consistency model (release patterns)",
    module: module_path!(),
    text: include_str!("last_ticket.rs"),
    steps: &[Step::After(prove)],
};

fn prove(question: &Question<'_, '_>) -> Outcome {
    let (judge, pair) = (question.judge, question.pair);
    let tickets = judge.given.tickets;
    let accesses = [pair.first, pair.second];
    let evidence = tickets.orders(judge.ctx, pair.scope, accesses);
    evidence.map_or(Outcome::Nothing, |evidence| {
        Outcome::Apart(Proof {
            rule: "last-ticket",
            evidence,
        })
    })
}
