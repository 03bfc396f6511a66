//! Cooperative groups, as far as they mean the barriers and indices that there are already.
//!
//! A group is a class value with one member whose name says which group it is; for a tile it holds
//! the size. A block's `sync()` is the block barrier, a tile of 32 is a warp (tiles are cut from
//! consecutive ranks, as warps are) and its `sync()` the barrier of a whole warp, a grid's `sync()`
//! the barrier of the grid. Smaller tiles are groups of lanes, larger ones parts of the block, with
//! the number of the tile as key. Coalesced groups and clusters have no barrier of their own here
//! (which threads are in one group is for the device to say): their `sync()` is reported. Shuffles,
//! votes and reductions give values of other lanes, make them meet and order no memory.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::{Binding, Lowerer};
use super::super::types::{StructTy, Ty};
use super::super::value::*;
use super::masks::Meeting;
use super::standard::Argument;
use super::{Call, Family, Meaning, Out, row, rows, types};
use crate::syntax::ast::*;

/// What a group is, and the name of its value's member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Block,
    Grid,
    Tile,
    Coalesced,
    Cluster,
    Other,
}

const MARKS: &[(Group, &str)] = &[
    (Group::Block, "cooperative_groups::thread_block"),
    (Group::Grid, "cooperative_groups::grid_group"),
    (Group::Tile, "cooperative_groups::thread_block_tile"),
    (Group::Coalesced, "cooperative_groups::coalesced_group"),
    (Group::Cluster, "cooperative_groups::cluster_group"),
    (Group::Other, "cooperative_groups::other"),
];

/// The member of a tile's value that holds the size of the tile that it is a part of; 0 for a part of a block.
const WITHIN: &str = "within";

const DEVICES: &str = "multi-device groups are not modelled";

pub(super) const FAMILY: Family = Family {
    subject: "Cooperative groups",
    source: "CUDA C++ programming guide: Cooperative Groups",
    namespaces: &["cooperative_groups"],
    global: false,
    rows: &[
        rows("this_thread_block", 0, 1, Meaning::By(this_block)),
        row("this_grid", 0, Meaning::By(this_grid)),
        row("coalesced_threads", 0, Meaning::By(coalesced)),
        row("this_cluster", 0, Meaning::By(this_cluster)),
        row("this_multi_grid", 0, Meaning::By(other)),
        rows("tiled_partition", 1, 2, Meaning::By(tiled)),
        row("labeled_partition binary_partition", 2, Meaning::By(part)),
        row("sync", 1, Meaning::By(member_of_first)),
        row("thread_rank group_size", 1, Meaning::By(member_of_first)),
        rows(
            "reduce inclusive_scan exclusive_scan",
            2,
            4,
            Meaning::By(collective),
        ),
        row("memcpy_async", 4, Meaning::By(group_copy)),
        rows(
            "memcpy_async",
            3,
            5,
            Meaning::Refused(
                "this form of an asynchronous copy is not modelled",
                Effect::Control,
            ),
        ),
        row("wait", 1, Meaning::By(wait_for_group)),
        row("wait_prior", 1, Meaning::By(wait_for_groups_before)),
        rows(
            "invoke_one invoke_one_broadcast",
            2,
            8,
            Meaning::By(invoke_one),
        ),
    ],
};

/// The type of a group, by the last component of its name.
pub(super) fn class(name: &str, argument: &mut dyn FnMut(usize) -> Option<Argument>) -> Option<Ty> {
    let group = match name {
        "thread_block" => Group::Block,
        "grid_group" => Group::Grid,
        "thread_block_tile" | "tiled_group" => Group::Tile,
        "coalesced_group" => Group::Coalesced,
        // What it is, its value says.
        "cluster_group" => Group::Cluster,
        "thread_group" | "multi_grid_group" => Group::Other,
        _ => return None,
    };
    if name == "thread_block_tile" && !matches!(argument(0), Some(Argument::Other)) {
        return None;
    }
    // Sizes are counted in `unsigned`; a copy converts to the type of the member.
    let size = Ty::Scalar(CType::U32);
    let mut fields = vec![(mark(group).to_owned(), size.clone(), 0)];
    if group == Group::Tile {
        fields.push((WITHIN.to_owned(), size, 4));
    }
    Some(types::record(name, fields, 16, 8))
}

/// Whether a class of groups derives from another, as those that are told apart here do from `thread_group`.
pub(crate) fn is_group_of(from: &StructTy, to: &StructTy) -> bool {
    let mark_of = |class: &StructTy| match class.fields().as_slice() {
        [(name, ..), ..] if class.class.is_none() => {
            let found = MARKS.iter().find(|(_, mark)| mark == name);
            found.map(|(group, _)| *group)
        }
        _ => None,
    };
    to.name == "thread_group"
        && mark_of(to) == Some(Group::Other)
        && matches!(
            mark_of(from),
            Some(Group::Block | Group::Tile | Group::Coalesced)
        )
}

fn mark(group: Group) -> &'static str {
    MARKS
        .iter()
        .find(|(known, _)| *known == group)
        .map_or("", |(_, mark)| mark)
}

/// Which group a value is, and the size of a tile.
pub(super) fn group_of(value: &Value) -> Option<(Group, Option<TermId>)> {
    let Value::Struct(fields) = value else {
        return None;
    };
    let (name, size) = fields.first()?;
    let &(group, _) = MARKS.iter().find(|(_, mark)| mark == name)?;
    let size = match size {
        Value::Term(term) => Some(*term),
        _ => None,
    };
    Some((group, size))
}

/// The size of the tile that a tile is a part of; 0 for a part of a block, none if that is not known.
fn within(tile: &Value) -> Option<TermId> {
    let Value::Struct(fields) = tile else {
        return None;
    };
    match fields.as_slice() {
        [_, (name, Value::Term(size))] if name == WITHIN => Some(*size),
        _ => None,
    }
}

fn value(group: Group, size: Value) -> Value {
    Value::Struct(Rc::new(vec![(mark(group).to_owned(), size)]))
}

fn tile(size: TermId, within: TermId) -> Value {
    let fields = [(mark(Group::Tile), size), (WITHIN, within)];
    let fields = fields.map(|(name, size)| (name.to_owned(), Value::Term(size)));
    Value::Struct(Rc::new(fields.to_vec()))
}

fn this_block(_: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    Some(value(Group::Block, Value::Void))
}

fn this_grid(_: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    Some(value(Group::Grid, Value::Void))
}

fn this_cluster(_: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    Some(value(Group::Cluster, Value::Void))
}

/// Whom the barrier of a group is for.
fn order_of(group: Group) -> Effect {
    match group {
        Group::Other | Group::Grid | Group::Cluster => Effect::OrderBlocks,
        _ => Effect::Order,
    }
}

/// Its lanes are told by their number, which is an unknown of its own.
fn coalesced(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let together = me.all_lanes_together(None, call.range);
    Some(value(Group::Coalesced, Value::Term(together.size)))
}

fn other(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.unsupported(
        call.range,
        &format!("call of `{}`", call.full.path()),
        DEVICES,
        Effect::Control,
    );
    Some(value(Group::Other, Value::Void))
}

/// `tiled_partition<32>(block)` and `tiled_partition(block, 32)`
fn tiled(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (parent, rest) = call.args.split_first()?;
    let parent = me.expr(parent);
    let size = match (rest.first(), call.full.args.as_deref()) {
        (Some(size), _) => me.expr(size),
        (None, Some([TemplateArg::Expr(size), ..])) => me.expr(size),
        (None, Some([TemplateArg::Name(name), ..])) => me.name(name),
        _ => return None,
    };
    let size = me.integer_of(&size, call.range);
    let size = me.facts.terms.cast(size, CType::U32);
    let parent_group = group_of(&parent)?;
    match parent_group {
        // Of a block, the threads of a tile take part that is no more than a warp.
        (Group::Block, _) => {
            let threads = me.facts.terms.as_const(size);
            if threads.is_some_and(|threads| threads <= 32) {
                me.group_meets((Group::Tile, Some(size)), call.name, call.range);
            }
        }
        (Group::Tile | Group::Coalesced, _) => {
            me.group_meets(parent_group, call.name, call.range);
        }
        _ => {}
    }
    match parent_group {
        (Group::Block, _) => {
            let none = me.facts.terms.constant(0, CType::U32);
            Some(tile(size, none))
        }
        // Part of a tile: ranks are still consecutive.
        (Group::Tile, Some(whole)) => Some(tile(size, whole)),
        (Group::Coalesced, _) => {
            let together = me.lanes_together(None, None, call.range);
            Some(value(Group::Coalesced, Value::Term(together.size)))
        }
        _ => Some(value(Group::Other, Value::Term(size))),
    }
}

fn part(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    match group_of(values.first()?) {
        Some(group) => me.group_meets(group, call.name, call.range),
        None => me.unsupported(
            call.range,
            &format!("call of `{}`", call.full.path()),
            "the group is not known",
            Effect::Control,
        ),
    }
    let label = match values.get(1) {
        Some(&Value::Term(label)) => Some(label),
        _ => None,
    };
    let together = me.lanes_together(label, None, call.range);
    Some(value(Group::Coalesced, Value::Term(together.size)))
}

/// `cg::sync(group)` is `group.sync()`.
fn member_of_first(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let group = me.expr(call.args.first()?);
    let member = if call.name == "group_size" {
        "size"
    } else {
        call.name
    };
    match group_of(&group) {
        Some(known) => me.group_member(known, within(&group), member, &[], call.range),
        None => {
            me.unsupported(
                call.range,
                &format!("call of `{}`", call.full.path()),
                "the group is not known",
                Effect::Control,
            );
            Some(Value::Term(me.unknown(
                "result of a call of an unknown group",
                call.range,
                CType::U32,
                true,
            )))
        }
    }
}

/// `cg::reduce(tile, value, cg::plus<int>())`: the operator is called on values only.
fn collective(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [group, args @ ..] = call.args else {
        return None;
    };
    let group = me.expr(group);
    let known = group_of(&group).is_some();
    // The last argument but for `(group, value)` is an operator: a function object or lambda.
    let values: Vec<Value> = args.iter().take(1).map(|arg| me.expr(arg)).collect();
    if !known || args.len() > 2 || matches!(values.first(), None | Some(Value::Pointer(_))) {
        me.unsupported(
            call.range,
            &format!("call of `{}`", call.full.path()),
            "this form of a collective operation is not modelled",
            Effect::Control,
        );
    }
    if let Some(group) = group_of(&group) {
        me.group_meets(group, call.name, call.range);
    }
    let ty = me.type_of(values.first()?);
    let ty = me.combined_type(&ty, args.get(1));
    let operation = match call.name {
        _ if !args.get(1).is_none_or(is_plus) => None,
        "reduce" => Some("sum"),
        "inclusive_scan" => Some("inclusive_sum"),
        "exclusive_scan" => Some("exclusive_sum"),
        _ => None,
    };
    let result = match (group_of(&group), &ty) {
        (Some((Group::Tile, size)), _) if call.name == "reduce" => {
            me.common_value(&ty, "value of other lanes", (size?, None), &[], call.range)
        }
        (_, Ty::Scalar(_)) => me.unknown_value(&ty, "value of another lane", call.range),
        _ => me.of_other_lane(values.first()?, call.range),
    };
    if let (Some((Group::Tile, Some(size))), Some(operation)) = (group_of(&group), operation)
        && let (Some(&Value::Term(value)), &Value::Term(sum)) = (values.first(), &result)
    {
        me.tell_collective(operation, (value, sum), Some(size));
    }
    Some(result)
}

/// `cg::plus<int>()`
fn is_plus(operator: &Expr) -> bool {
    match &operator.kind {
        ExprKind::Construct { ty, .. } => {
            matches!(&ty.kind, TypeKind::Named(name) if name.base == "plus")
        }
        ExprKind::Call { callee, .. } => {
            matches!(&callee.kind, ExprKind::Name(name) if name.base == "plus")
        }
        _ => false,
    }
}

/// `cg::memcpy_async(group, to, from, size)`
fn group_copy(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let [group, to, from, size] = values.as_slice() else {
        return None;
    };
    let known = group_of(group)?;
    me.group_meets(known, call.name, call.range);
    me.shared_copy(to, from, size, call.range);
    Some(Value::Void)
}

/// `cg::wait(group)`: the copies are done, and the threads of the group have met.
fn wait_for_group(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let group = me.expr(call.args.first()?);
    let (group, size) = group_of(&group)?;
    let none = me.int(0);
    me.wait_for_all_but(Some(none), call.range);
    me.group_barrier(group, size, call.range);
    Some(Value::Void)
}

/// `cg::wait_prior<N>(group)`: the same for all copies but the last N.
fn wait_for_groups_before(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let left = me.template_number(call)?;
    let group = me.expr(call.args.first()?);
    let (group, size) = group_of(&group)?;
    me.wait_for_all_but(Some(left), call.range);
    me.group_barrier(group, size, call.range);
    Some(Value::Void)
}

/// `cg::invoke_one(tile, f, args…)`: one thread of the tile, the same for all of them, calls the function, and no memory is ordered.
fn invoke_one(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [group, callee, args @ ..] = call.args else {
        return None;
    };
    let group = me.expr(group);
    let known = group_of(&group);
    let threads = known.and_then(|(_, size)| me.facts.terms.as_const(size?));
    let (Some((Group::Tile, Some(size))), Some(1 | 2 | 4 | 8 | 16 | 32)) = (known, threads) else {
        me.unsupported(
            call.range,
            &format!("call of `{}`", call.full.path()),
            "calls by one thread are modelled for tiles of constant size only",
            Effect::Control,
        );
        return Some(Value::Unknown);
    };
    me.group_meets((Group::Tile, Some(size)), call.name, call.range);
    let ty = Ty::Scalar(CType::U32);
    let reason = "the thread that is chosen of a tile";
    let chosen = me.common_value(&ty, reason, (size, None), &[], call.range);
    let chosen = me.term_of(&chosen, call.range);
    let rank = me.rank_in_block();
    let terms = &mut me.facts.terms;
    let own = terms.binary(Op::Rem, CType::U32, rank, size);
    let chosen = terms.binary(Op::Rem, CType::U32, chosen, size);
    let calls = terms.binary(Op::Eq, CType::Bool, own, chosen);
    let called = Expr {
        kind: ExprKind::Call {
            callee: Box::new(callee.clone()),
            args: args.to_vec(),
        },
        range: call.range,
    };
    let mut result = Value::Void;
    me.branch(
        calls,
        call.range,
        &mut |me| result = me.expr(&called),
        &mut |_| {},
    );
    if call.name == "invoke_one" || matches!(result, Value::Void) {
        return Some(Value::Void);
    }
    let ty = me.type_of(&result);
    Some(me.common_value(&ty, "value of another lane", (size, None), &[], call.range))
}

impl Lowerer<'_, '_> {
    /// The number that a function is given as its first template argument.
    pub(super) fn template_number(&mut self, call: &Call<'_>) -> Option<TermId> {
        let value = match call.full.args.as_deref() {
            Some([TemplateArg::Expr(number), ..]) => self.expr(number),
            Some([TemplateArg::Name(name), ..]) => self.name(name),
            _ => return None,
        };
        Some(self.integer_of(&value, call.range))
    }

    /// A call of a member function of a class of the library; `None` when the object is none.
    pub(crate) fn library_method(
        &mut self,
        base: &Expr,
        arrow: bool,
        field: &Name,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        if let "real" | "imag" = field.base.as_str()
            && self.index.functions(&field.base).is_empty()
        {
            return self.complex_member(base, &field.base, args, range);
        }
        if let Some(value) = self.cub_method(base, arrow, &field.base, args, range) {
            return Some(value);
        }
        if let Some(value) = self.accessor_method(base, arrow, &field.base, args, range) {
            return Some(value);
        }
        if let Some(value) = self.block_barrier_method(base, arrow, &field.base, args, range) {
            return Some(value);
        }
        if let Some(value) = self.pipeline_method(base, &field.base, args, range) {
            return Some(value);
        }
        if let Some(value) = self.atomic_method(base, arrow, &field.base, args, range) {
            return Some(value);
        }
        let object = match &base.kind {
            ExprKind::Name(name) => match self.lookup(&name.base)?.clone() {
                Binding::Variable(var) => self.env.get(var).clone(),
                Binding::Reference(Lvalue::Variable { var, path, .. }) if path.is_empty() => {
                    self.env.get(var).clone()
                }
                _ => return None,
            },
            ExprKind::Call { callee, .. } => {
                let ExprKind::Name(name) = &callee.kind else {
                    return None;
                };
                let made_here = FAMILY
                    .rows
                    .iter()
                    .take(6)
                    .any(|row| row.names.split_whitespace().any(|known| known == name.base));
                let namespace = self.namespace_of(name);
                if !made_here || !self.names(&FAMILY, &namespace) {
                    return None;
                }
                self.expr(base)
            }
            _ => return None,
        };
        let known = group_of(&object)?;
        self.group_member(known, within(&object), &field.base, args, range)
    }

    fn complex_member(
        &mut self,
        base: &Expr,
        field: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        let place = self.place(base);
        let name = if field == "real" { "x" } else { "y" };
        if let [new] = args {
            let value = self.expr(new);
            let place = self.member_place(place, name, range);
            self.write(&place, value, range);
            return Some(Value::Void);
        }
        let place = self.member_place(place, name, range);
        Some(self.read(&place, range))
    }

    /// Which of the tiles of the block, or of the tile that it is a part of, a tile is.
    fn rank_of_tile(&mut self, size: TermId, within: Option<TermId>, range: Range) -> TermId {
        let Some(within) = within else {
            return self.unknown("rank of a tile", range, CType::U32, true);
        };
        let tile = self.tile_of(size);
        if self.facts.terms.as_const(within) == Some(0) {
            return tile;
        }
        let terms = &mut self.facts.terms;
        let within = terms.cast(within, CType::U32);
        let beside = terms.binary(Op::Div, CType::U32, within, size);
        terms.binary(Op::Rem, CType::U32, tile, beside)
    }

    /// How many tiles the block, or the tile that it is a part of, has.
    fn tiles_beside(&mut self, size: TermId, within: Option<TermId>, range: Range) -> TermId {
        let threads = self.volume(0);
        let terms = &mut self.facts.terms;
        let [whole, threads, of] = [within, Some(threads), Some(size)]
            .map(|term| terms.as_const(term?).filter(|count| *count > 0));
        if within.and_then(|within| terms.as_const(within)) == Some(0) {
            // Rounded up: the last tile may be short.
            let threads = self.volume(0);
            let terms = &mut self.facts.terms;
            let one = terms.constant(1, CType::U32);
            let rest = terms.binary(Op::Sub, CType::U32, size, one);
            let up = terms.binary(Op::Add, CType::U32, threads, rest);
            return terms.binary(Op::Div, CType::U32, up, size);
        }
        match (whole, threads, of) {
            (Some(whole), Some(threads), Some(of)) if threads % whole == 0 && whole % of == 0 => {
                terms.constant(whole / of, CType::U32)
            }
            // The last of the tiles that it may be a part of may be short.
            _ => self.unknown("number of tiles in a tile", range, CType::U32, true),
        }
    }

    /// A member of a group: its barrier, its indices, its collective operations.
    fn group_member(
        &mut self,
        (group, size): (Group, Option<TermId>),
        within: Option<TermId>,
        member: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        let values = self.values_of(args);
        if group == Group::Cluster
            && let Some(value) = self.cluster_member(member, &values, range)
        {
            return Some(value);
        }
        let term = match (member, group) {
            ("sync", _) => {
                self.group_barrier(group, size, range);
                return Some(Value::Void);
            }
            ("thread_rank", Group::Block) => self.rank_in_block(),
            ("size" | "num_threads", Group::Block) => self.volume(0),
            ("group_index", Group::Block) | ("block_index", Group::Grid) => {
                return Some(self.indices(3, true));
            }
            ("thread_index", Group::Block) => return Some(self.indices(0, true)),
            ("group_dim" | "dim_threads", Group::Block) => return Some(self.indices(0, false)),
            ("group_dim" | "dim_blocks", Group::Grid) => return Some(self.indices(3, false)),
            ("block_rank", Group::Grid) => self.rank_of_block(),
            ("num_blocks", Group::Grid) => self.volume(3),
            ("thread_rank", Group::Grid) => {
                let [rank, block, threads] =
                    [self.rank_in_block(), self.rank_of_block(), self.volume(0)]
                        .map(|term| self.facts.terms.cast(term, CType::U64));
                let terms = &mut self.facts.terms;
                let before = terms.binary(Op::Mul, CType::U64, block, threads);
                terms.binary(Op::Add, CType::U64, before, rank)
            }
            ("size" | "num_threads", Group::Grid) => {
                let [threads, blocks] = [self.volume(0), self.volume(3)]
                    .map(|term| self.facts.terms.cast(term, CType::U64));
                self.facts
                    .terms
                    .binary(Op::Mul, CType::U64, threads, blocks)
            }
            ("is_valid", _) => self.facts.terms.truth(true),
            ("thread_rank", Group::Tile) => {
                let rank = self.rank_in_block();
                self.facts.terms.binary(Op::Rem, CType::U32, rank, size?)
            }
            ("meta_group_rank", Group::Tile) => self.rank_of_tile(size?, within, range),
            ("meta_group_size", Group::Tile) => self.tiles_beside(size?, within, range),
            ("size" | "num_threads", Group::Tile) => size?,
            ("thread_rank" | "size" | "num_threads", Group::Coalesced)
                if size.is_some_and(|size| self.together_of_size(size).is_some()) =>
            {
                let together = self.together_of_size(size?)?;
                match member {
                    "thread_rank" => together.rank,
                    _ => together.size,
                }
            }
            ("thread_rank" | "meta_group_rank", Group::Coalesced) => {
                let any = self.unknown(
                    "rank in a group of coalesced threads",
                    range,
                    CType::U32,
                    true,
                );
                self.clamped(any, 0, 31)
            }
            ("size" | "num_threads" | "meta_group_size", Group::Coalesced) => {
                let any = self.unknown(
                    "size of a group of coalesced threads",
                    range,
                    CType::U32,
                    true,
                );
                self.clamped(any, 1, 32)
            }
            ("shfl", Group::Tile) => {
                self.tile_meets(size, member, range);
                let value = values.first()?;
                let from = self.term_of(values.get(1)?, range);
                let ty = self.type_of(value);
                let tile = (size?, None);
                let result = self.common_value(&ty, "value of another lane", tile, &[from], range);
                let size = Value::Term(size?);
                let told = [value.clone(), Value::Term(from), size];
                self.tell_lanes("__shfl_sync", (&told, 0), &result, range);
                return Some(result);
            }
            ("shfl" | "shfl_up" | "shfl_down" | "shfl_xor", Group::Tile | Group::Coalesced) => {
                self.group_meets((group, size), member, range);
                let value = values.first()?;
                let result = self.of_other_lane(value, range);
                if let (Group::Tile, Some(size), Some(from)) = (group, size, values.get(1)) {
                    let told = [value.clone(), from.clone(), Value::Term(size)];
                    self.tell_lanes(&format!("__{member}_sync"), (&told, 0), &result, range);
                }
                if let ("shfl", Group::Coalesced, &Value::Term(value), &Value::Term(result)) =
                    (member, group, value, &result)
                {
                    let from = self.term_of(values.get(1)?, range);
                    self.hand_round(value, from, (result, None), range);
                }
                return Some(result);
            }
            ("any" | "all" | "ballot", Group::Tile) => {
                self.tile_meets(size, member, range);
                let ty = match member {
                    "ballot" => Ty::Scalar(CType::U32),
                    _ => Ty::INT,
                };
                return Some(self.common_value(&ty, "vote of a group", (size?, None), &[], range));
            }
            ("any" | "all", Group::Coalesced) => {
                self.group_meets((group, size), member, range);
                self.unknown("vote of a group", range, CType::I32, true)
            }
            ("ballot" | "match_any" | "match_all", Group::Tile | Group::Coalesced) => {
                self.group_meets((group, size), member, range);
                if let Some(flag) = values.get(1) {
                    let all = self.fresh_result(Out::Is(CType::I32), member, &[], range);
                    self.store_through(flag, all, range);
                }
                self.unknown("vote of a group", range, CType::U32, true)
            }
            _ => {
                self.unsupported(
                    range,
                    &format!("`{member}` of a cooperative group"),
                    "not modelled",
                    order_of(group),
                );
                self.unknown("result of a group's member", range, CType::I32, true)
            }
        };
        Some(Value::Term(term))
    }

    fn group_barrier(&mut self, group: Group, size: Option<TermId>, range: Range) {
        let threads = size.and_then(|size| self.facts.terms.as_const(size));
        match (group, threads) {
            (Group::Block, _) => self.barrier(BarrierKind::Block, "sync", range),
            (Group::Grid, _) => self.barrier(BarrierKind::Grid, "sync", range),
            (Group::Cluster, _) => self.cluster_barrier("sync", range),
            (Group::Tile, Some(32)) => self.barrier(BarrierKind::Warp, "sync", range),
            // One thread waits for nobody.
            (Group::Tile, Some(1)) => {}
            (Group::Tile, Some(2 | 4 | 8 | 16)) => {
                let named = self.tile(size);
                self.meeting(BarrierKind::Warp, "sync", named, range);
            }
            (Group::Tile, Some(64 | 128 | 256 | 512)) => {
                let named = self.tile(size);
                self.meeting(BarrierKind::Part, "sync", named, range);
            }
            _ => self.unsupported(
                range,
                "`sync` of a cooperative group",
                "only blocks, grids, and tiles of a constant power of two have a barrier that is modelled",
                order_of(group),
            ),
        }
    }

    /// The threads of the tile that the thread is in.
    fn tile(&mut self, size: Option<TermId>) -> Meeting {
        Meeting {
            key: size.map(|size| self.tile_of(size)),
            ..Meeting::default()
        }
    }

    /// The threads of a tile meet, and no memory is ordered.
    fn tile_meets(&mut self, size: Option<TermId>, operation: &str, range: Range) {
        self.group_meets((Group::Tile, size), operation, range);
    }

    /// The threads of a group come to an operation, and no memory is ordered. Where it is not known whether all of them come, that
    /// is reported.
    pub(super) fn group_meets(
        &mut self,
        (group, size): (Group, Option<TermId>),
        operation: &str,
        range: Range,
    ) {
        let threads = size.and_then(|size| self.facts.terms.as_const(size));
        let all_come = match (group, threads) {
            // One thread waits for nobody.
            (Group::Tile, Some(1)) => true,
            (Group::Tile, Some(32)) => {
                self.meeting(BarrierKind::Meet, operation, Meeting::default(), range);
                true
            }
            (Group::Tile, Some(2 | 4 | 8 | 16)) => {
                let named = self.tile(size);
                self.meeting(BarrierKind::Meet, operation, named, range);
                true
            }
            (Group::Coalesced, _) => size.is_some_and(|size| self.are_still_together(size)),
            (Group::Block, _) => {
                let all = Meeting::default();
                self.meeting(BarrierKind::Collective, operation, all, range);
                true
            }
            _ => self.certainly_uniform(),
        };
        if !all_come {
            self.unsupported(
                range,
                &format!("`{operation}` of a cooperative group"),
                "whether all threads of the group come to it is not known",
                order_of(group),
            );
        }
    }

    /// The type of what an operation makes of values of a type: `cg::plus<long>()` makes a `long` of two numbers of an `int`.
    /// Of another operation only is known that it makes a number of numbers.
    fn combined_type(&mut self, ty: &Ty, operation: Option<&Expr>) -> Ty {
        if !matches!(ty, Ty::Scalar(ty) if ty.is_integer()) {
            return ty.clone();
        }
        let Some(operation) = operation else {
            return ty.clone();
        };
        let name = match &operation.kind {
            ExprKind::Construct { ty, .. } => match &ty.kind {
                TypeKind::Named(name) => Some(name.clone()),
                _ => None,
            },
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Name(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        };
        let of = name.and_then(|name| name.args?.into_iter().next());
        match of.map(|arg| self.template_type(&arg)) {
            Some(of @ Ty::Scalar(_)) => of,
            _ => Ty::Scalar(CType::I64),
        }
    }

    /// `dim3`: an index (of the thread from 0, of the block from 3) or the dimensions.
    fn indices(&mut self, from: usize, index: bool) -> Value {
        let fields = Axis::ALL
            .iter()
            .map(|&axis| {
                let size = self.dimensions[from + axis as usize];
                let term = if !index {
                    size
                } else if self.facts.terms.as_const(size) == Some(1) {
                    self.facts.terms.constant(0, CType::U32)
                } else if from == 0 {
                    self.facts.terms.builtin(axis.tid())
                } else {
                    self.facts.terms.builtin(axis.bid())
                };
                (axis.name().to_owned(), Value::Term(term))
            })
            .collect();
        Value::Struct(Rc::new(fields))
    }
}
