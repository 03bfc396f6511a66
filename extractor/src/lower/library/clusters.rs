//! Clusters: blocks that wait for each other and reach each other's shared memory.
//!
//! `cluster.map_shared_rank(s, rank)[t]` is an element of `s` in the block of that rank. Shared memory that is reached so is one array for the
//! grid: what a block has of it lies behind what the blocks before it have, so that bytes of two clusters are never the same. A barrier of the cluster is one
//! of the block, and between blocks it orders the accesses to such arrays, as only blocks of one cluster can meet there, if all blocks come to these
//! barriers in step, which the rules find out.
//!
//! **Accuracy.** The cluster must be told by `__cluster_dims__(n)` with a number, with all its blocks in a row, in a head without directives; else a pointer to the
//! memory of another block is not understood. A rank is taken to be one of the cluster. An access to the memory of another block with no barrier of the cluster behind it
//! is reported: that block may have ended. Source: CUDA C++ programming guide, *Thread Block Clusters* and *Distributed Shared Memory*; PTX ISA, "barrier.cluster".

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::under_way::What;
use super::super::value::*;
use crate::syntax::ast::Range;

/// No shared memory of a block is as large.
const STRIDE: i64 = 1 << 24;

/// The word that tells how many blocks a cluster has.
pub(crate) const DIMENSIONS: &str = "__cluster_dims__";

/// How many blocks a cluster has, of a kernel with this text: `__cluster_dims__(4, 1, 1)`. The text is that of the file, so nothing is told where
/// something in it may not be what is compiled: directives, lines that go on, the word twice, as a part of another one.
pub(crate) fn blocks(kernel: &str) -> Option<i128> {
    let head = without_comments(kernel);
    let head = head.split('{').next()?;
    if head.contains(['#', '\\', '"']) {
        return None;
    }
    let (before, rest) = head.split_once(DIMENSIONS)?;
    let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if rest.contains(DIMENSIONS) || !is_word {
        return None;
    }
    let inner = rest.trim_start().strip_prefix('(')?.split(')').next()?;
    let number = |size: &str| -> Option<i128> {
        let size = size.trim();
        let is_decimal = size.bytes().all(|c| c.is_ascii_digit()) && !size.starts_with('0');
        size.parse().ok().filter(|_| is_decimal)
    };
    let sizes: Option<Vec<i128>> = inner.split(',').map(number).collect();
    match sizes?.as_slice() {
        [x] | [x, 1] | [x, 1, 1] if (1..=16).contains(x) => Some(*x),
        _ => None,
    }
}

/// A text with a space for each comment.
fn without_comments(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let end = match from.as_bytes().get(1) {
            Some(b'/') => from.find('\n').unwrap_or(from.len()),
            Some(b'*') => from[2..].find("*/").map_or(from.len(), |end| end + 4),
            _ => {
                kept.push('/');
                rest = &from[1..];
                continue;
            }
        };
        kept.push(' ');
        // A continued line makes the next one a part of the comment: it stays to be seen.
        if from[..end].contains('\\') {
            kept.push('\\');
        }
        rest = &from[end..];
    }
    kept + rest
}

/// Where a thread has arrived at the barrier of its cluster: points before, and the loops and conditions around.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    points: usize,
    loops: Vec<LoopId>,
    guards: Vec<(TermId, bool)>,
}

impl Lowerer<'_, '_> {
    /// A member of `this_cluster()`; `None` if it is none of those that are followed.
    pub(super) fn cluster_member(
        &mut self,
        member: &str,
        args: &[Value],
        range: Range,
    ) -> Option<Value> {
        match (member, args) {
            ("map_shared_rank", [Value::Pointer(pointer), rank]) => {
                let rank = self.integer_of(rank, range);
                Some(Value::Pointer(self.in_block(pointer, rank, range)))
            }
            ("barrier_arrive", []) => {
                self.cluster_arrive();
                Some(Value::Void)
            }
            ("barrier_wait", []) => {
                self.cluster_wait("barrier_wait", range);
                Some(Value::Void)
            }
            ("block_rank", []) => Some(Value::Term(self.rank_in_cluster(range))),
            ("num_blocks", []) => Some(Value::Term(match self.cluster {
                Some(blocks) => self.facts.terms.constant(blocks, CType::U32),
                None => self.unknown("number of blocks of a cluster", range, CType::U32, true),
            })),
            _ => None,
        }
    }

    /// All threads of the cluster wait for each other.
    pub(crate) fn cluster_barrier(&mut self, operation: &str, range: Range) {
        self.barrier(BarrierKind::Block, operation, range);
        let barrier = BarrierId::from_index(self.facts.barrier.len() - 1);
        self.facts
            .cluster_barrier
            .push(ClusterBarrierRow { barrier });
    }

    /// `barrier.cluster.arrive`
    pub(crate) fn cluster_arrive(&mut self) {
        self.cluster_arrived = Some(self.arrived_here());
    }

    fn arrived_here(&self) -> Arrived {
        let guards = self.guards.iter().map(|one| (one.term, one.polarity));
        Arrived {
            points: self.facts.point.len(),
            loops: self.loops.clone(),
            guards: guards.collect(),
        }
    }

    /// `barrier.cluster.wait`: what is done since the arrival may also be done when others are past the barrier.
    pub(crate) fn cluster_wait(&mut self, operation: &str, range: Range) {
        let here = self.arrived_here();
        let arrived = self.cluster_arrived.take().filter(|arrived| {
            let same = arrived.loops == here.loops && arrived.guards == here.guards;
            same && arrived.points <= here.points
        });
        match arrived {
            Some(Arrived { points: since, .. }) => {
                let between = self.accesses_since(since);
                self.cluster_barrier(operation, range);
                let wait = PointId::from_index(self.facts.point.len() - 1);
                for access in between {
                    self.copy_event(What::Outlast(access, wait), range);
                }
            }
            None => self.unsupported(
                range,
                "barrier of a cluster",
                "the wait does not stand under the conditions of the arrival",
                Effect::OrderBlocks,
            ),
        }
    }

    /// Which block of its cluster this one is.
    pub(in crate::lower) fn rank_in_cluster(&mut self, range: Range) -> TermId {
        let Some(blocks) = self.cluster else {
            return self.unknown("rank of a block in its cluster", range, CType::U32, true);
        };
        let terms = &mut self.facts.terms;
        let block = terms.builtin(Axis::X.bid());
        let blocks = terms.constant(blocks, CType::U32);
        terms.binary(Op::Rem, CType::U32, block, blocks)
    }

    /// The same place in the shared memory of the block of this rank.
    pub(in crate::lower) fn in_block(
        &mut self,
        pointer: &Pointer,
        rank: TermId,
        range: Range,
    ) -> Pointer {
        let known: Option<Vec<ArrayId>> = pointer
            .targets
            .iter()
            .map(|target| match target.base {
                Base::Array(array) if self.facts.array[array.index()].space == Space::Shared => {
                    Some(array)
                }
                _ => None,
            })
            .collect();
        let (Some(arrays), Some(_)) = (known, self.cluster) else {
            let why = "of how many blocks a cluster consists is not known";
            self.unsupported(range, "memory of another block", why, Effect::Access);
            return self.pointer(Base::Unknown, pointer.element.clone());
        };
        let own = self.rank_in_cluster(range);
        let block = self.rank_of_block();
        let [own, block, rank] =
            [own, block, rank].map(|term| self.facts.terms.cast(term, CType::I64));
        let terms = &mut self.facts.terms;
        let first = terms.binary(Op::Sub, CType::I64, block, own);
        let other = terms.binary(Op::Add, CType::I64, first, rank);
        let moved = self.bytes_of_block(other);
        let mut targets = pointer.targets.clone();
        for (target, array) in targets.iter_mut().zip(arrays) {
            let elsewhere = match self.cluster_arrays.get(&array) {
                Some(&elsewhere) => elsewhere,
                None => {
                    let name = self.facts.array[array.index()].name.clone();
                    let ty = Ty::Array(
                        std::rc::Rc::new(Ty::Scalar(CType::U8)),
                        super::super::types::Extent::Unknown,
                    );
                    let made = self.array(&name, Space::Global, &ty, range);
                    self.cluster_arrays.insert(array, made);
                    made
                }
            };
            target.base = Base::Array(elsewhere);
            let terms = &mut self.facts.terms;
            target.offset = terms.binary(Op::Add, CType::I64, target.offset, moved);
        }
        Pointer {
            targets,
            element: pointer.element.clone(),
        }
    }

    fn bytes_of_block(&mut self, block: TermId) -> TermId {
        let stride = self.long(STRIDE);
        self.facts.terms.binary(Op::Mul, CType::I64, block, stride)
    }

    /// Behind the whole kernel: shared memory that other blocks reach is one array of the grid.
    pub(crate) fn join_clusters(&mut self) {
        let arrays = std::mem::take(&mut self.cluster_arrays);
        if arrays.is_empty() {
            return;
        }
        let block = self.rank_of_block();
        let block = self.facts.terms.cast(block, CType::I64);
        let moved = self.bytes_of_block(block);
        // Arrays that share their memory go together.
        let storages: Vec<ArrayId> = arrays
            .keys()
            .map(|array| self.facts.array[array.index()].storage)
            .collect();
        let launch = self.launch;
        let own: Vec<ArrayId> = self
            .facts
            .array
            .iter()
            .filter(|row| row.launch == launch && storages.contains(&row.storage))
            .map(|row| row.array)
            .collect();
        for at in 0..self.facts.access.len() {
            let row = &self.facts.access[at];
            if own.contains(&row.array) {
                let index = row.index;
                let index = self.facts.terms.binary(Op::Add, CType::I64, index, moved);
                self.facts.access[at].index = index;
            }
        }
        self.ends_while_reached(&arrays);
        for (array, elsewhere) in &arrays {
            let storage = self.facts.array[array.index()].storage;
            self.facts.array[elsewhere.index()].storage = storage;
        }
        for array in own.into_iter().chain(arrays.values().copied()) {
            let row = &mut self.facts.array[array.index()];
            row.space = Space::Global;
            row.bytes = None;
            self.facts.cluster_array.push(ClusterArrayRow { array });
        }
    }

    /// Reports an access to the memory of another block behind which no barrier of the cluster need stand: that block may have ended.
    fn ends_while_reached(&mut self, arrays: &BTreeMap<ArrayId, ArrayId>) {
        let facts = &self.facts;
        let mut next: FxHashMap<PointId, Vec<PointId>> = FxHashMap::default();
        for row in &facts.cfg_edge {
            next.entry(row.from).or_default().push(row.to);
        }
        let barriers: FxHashSet<PointId> = facts
            .cluster_barrier
            .iter()
            .map(|row| facts.barrier[row.barrier.index()].point)
            .collect();
        let ends = |from: PointId| {
            let (mut seen, mut stack) = (FxHashSet::default(), vec![from]);
            while let Some(at) = stack.pop() {
                if facts.point[at.index()].kind == PointKind::Exit {
                    return true;
                }
                for &to in next.get(&at).into_iter().flatten() {
                    if !barriers.contains(&to) && seen.insert(to) {
                        stack.push(to);
                    }
                }
            }
            false
        };
        let mut reached = facts.access.iter();
        let found = reached.find(|row| {
            let elsewhere = arrays.values().any(|array| *array == row.array);
            elsewhere && ends(row.point)
        });
        let Some(span) = found.map(|row| row.span) else {
            return;
        };
        let launch = Some(self.launch);
        self.facts.unsupported.push(UnsupportedRow {
            launch,
            span,
            what: "memory of another block".to_owned(),
            why: "that block may have ended: no barrier of the cluster need follow".to_owned(),
            effect: Effect::Access,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn sizes_of_clusters() {
        assert_eq!(
            blocks("__global__ void __cluster_dims__(2, 1, 1) k() { }"),
            Some(2)
        );
        assert_eq!(
            blocks("__global__ __cluster_dims__( 4 ) void k() { }"),
            Some(4)
        );
        assert_eq!(
            blocks("__global__ void __cluster_dims__(2, 2, 1) k() { }"),
            None
        );
        assert_eq!(
            blocks("__global__ void __cluster_dims__(N, 1, 1) k() { }"),
            None
        );
        assert_eq!(blocks("__global__ void k() { __cluster_dims__(2); }"), None);
        assert_eq!(
            blocks(
                "__global__ void /* __cluster_dims__(2) */ __cluster_dims__(4) // __cluster_dims__(8)\n k() { }"
            ),
            Some(4)
        );
        for text in [
            "__global__ void // __cluster_dims__(2)\nk() { }",
            "__global__ void // so \\\n __cluster_dims__(2)\nk() { }",
            "__global__ void\n#if A\n__cluster_dims__(2)\n#endif\nk() { }",
            "__global__ void __cluster_dims__(2) __cluster_dims__(4) k() { }",
            "__global__ void my__cluster_dims__(2) k() { }",
            "__global__ void __cluster_dims__(010) k() { }",
            "__global__ void __cluster_dims__(2 /* 4 */ 4) k() { }",
        ] {
            assert_eq!(blocks(text), None, "{text}");
        }
    }
}
