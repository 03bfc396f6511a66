//! CUB's loads and stores of tiles: the accesses of each thread.
//!
//! A tile of a block is as many items as its threads have together, from an address on. Which of them a thread moves, the
//! algorithm says: its own row (`DIRECT`, `VECTORIZE`), every so-manieth (`STRIPED`, `TRANSPOSE`), every 32nd of its warp's
//! (`WARP_TRANSPOSE`). Those that transpose hand the items round in the storage, the others leave it alone and wait for nobody.
//!
//! Source: the reference of CUB, `BlockLoadAlgorithm`, `BlockStoreAlgorithm` and their kin of warps.
//!
//! **Accuracy.** Exact; what is loaded is known of `DIRECT` loads of whole tiles.

use warplog_facts::*;

use super::super::super::body::Lowerer;
use super::super::super::types::{Extent, Ty};
use super::super::super::value::*;
use super::{Collective, Slot};
use crate::syntax::ast::*;

/// How items lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrangement {
    /// `t * N + j`
    Blocked,
    /// `t + j * threads`
    Striped,
    /// `w * 32 * N + lane + j * 32`
    WarpStriped,
}

/// The arrangement of an algorithm, and whether it hands items round.
fn arrangement(algorithm: &str) -> Option<(Arrangement, bool)> {
    // A word that is not known to be one of CUB's.
    if algorithm.starts_with('?') {
        return None;
    }
    let (_, word) = match algorithm.split_once("LOAD_") {
        Some(parts) => parts,
        None => algorithm.split_once("STORE_").unwrap_or(("", algorithm)),
    };
    Some(match word {
        "" | "DIRECT" | "VECTORIZE" => (Arrangement::Blocked, false),
        "STRIPED" => (Arrangement::Striped, false),
        "TRANSPOSE" => (Arrangement::Striped, true),
        "WARP_TRANSPOSE" | "WARP_TRANSPOSE_TIMESLICED" => (Arrangement::WarpStriped, true),
        _ => return None,
    })
}

impl Lowerer<'_, '_> {
    /// A load or store of a tile.
    pub(super) fn tile_moved(
        &mut self,
        collective: &Collective,
        storage: &Value,
        (name, slots, args): (&str, &[Slot], &[Expr]),
        range: Range,
    ) {
        let refuse = |me: &mut Self, why: &str| {
            me.unsupported(
                range,
                &format!("call of `cub::{name}`"),
                why,
                warplog_facts::words::Effect::Control,
            );
        };
        let [memory, items, rest @ ..] = args else {
            return;
        };
        let loads = slots.get(1) == Some(&Slot::Written);
        let address = self.expr(memory);
        let counts = self.values_of(rest);
        let Ty::Array(element, Extent::Constant(count)) = self.static_type(items) else {
            refuse(self, "how many items a thread has is not known");
            return;
        };
        let (Some((lie, shared)), Value::Pointer(pointer)) =
            (arrangement(&collective.algorithm), address)
        else {
            refuse(self, "what it reads or writes is not known");
            return;
        };
        if shared {
            self.use_of(collective, storage, name, range);
        }
        let Some(first) = self.first_and_step(collective, lie, count) else {
            refuse(self, "how many threads take part is not known");
            return;
        };
        let limit = match (slots.get(2), counts.first()) {
            (Some(Slot::Count), Some(valid)) => {
                let valid = self.integer_of(valid, range);
                Some(self.facts.terms.cast(valid, CType::I64))
            }
            _ => None,
        };
        let list = self.expr(items);
        let (first, step) = first;
        self.each_item(&list, &element, count, range, |me, number, item| {
            let number = me.long(i64::try_from(number).unwrap_or(i64::MAX));
            let terms = &mut me.facts.terms;
            let ahead = terms.binary(Op::Mul, CType::I64, number, step);
            let index = terms.binary(Op::Add, CType::I64, first, ahead);
            let moved = me.advance(pointer.clone(), index, false, range);
            let place = Lvalue::Memory {
                targets: moved.targets,
                ty: moved.element,
            };
            let held = (!loads).then(|| me.read(&item, range));
            let act = |me: &mut Self| match held {
                Some(value) if !shared => {
                    me.write(&place, value, range);
                    None
                }
                Some(_) => {
                    let value = me.unknown_value(&element, "item of another thread", range);
                    me.write(&place, value, range);
                    None
                }
                None => Some(me.read(&place, range)),
            };
            let read = match limit {
                Some(limit) => {
                    let there = me.facts.terms.binary(Op::Lt, CType::Bool, index, limit);
                    me.guarded(there, true, range, act)
                }
                None => act(me),
            };
            if let Some(read) = read {
                let value = match limit.is_none() && !shared {
                    true => read,
                    false => me.unknown_value(&element, "item of a tile", range),
                };
                me.write(&item, value, range);
            }
        });
    }

    /// The place of the first item of the thread, and how far apart its items are, as `i64`.
    fn first_and_step(
        &mut self,
        collective: &Collective,
        lie: Arrangement,
        count: u64,
    ) -> Option<(TermId, TermId)> {
        let items = self.long(i64::try_from(count).unwrap_or(i64::MAX));
        let one = self.long(1);
        let rank = self.rank_in_block();
        let threads = collective.threads?;
        let rank = match collective.is_of_warp() {
            true => self.facts.terms.binary(Op::Rem, CType::U32, rank, threads),
            false => rank,
        };
        let terms = &mut self.facts.terms;
        let rank = terms.cast(rank, CType::I64);
        let threads = terms.cast(threads, CType::I64);
        Some(match lie {
            Arrangement::Blocked => {
                let first = terms.binary(Op::Mul, CType::I64, rank, items);
                (first, one)
            }
            Arrangement::Striped => (rank, threads),
            Arrangement::WarpStriped => {
                let lanes = terms.constant(32, CType::I64);
                let warp = terms.binary(Op::Div, CType::I64, rank, lanes);
                let lane = terms.binary(Op::Rem, CType::I64, rank, lanes);
                let row = terms.binary(Op::Mul, CType::I64, lanes, items);
                let before = terms.binary(Op::Mul, CType::I64, warp, row);
                (terms.binary(Op::Add, CType::I64, before, lane), lanes)
            }
        })
    }
}
