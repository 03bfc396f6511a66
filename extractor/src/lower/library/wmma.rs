//! Tensor cores: fragments of a warp.
//!
//! Which lane holds which elements of a fragment is not specified, so the values in one are not
//! followed. A load may read any element of its tile in any lane. A store writes each element of its
//! tile once, in a lane that is an uninterpreted function of the element's place: two lanes of a warp
//! do not collide in one store, two warps that store overlapping tiles do. `mma_sync` touches
//! registers only. The lanes meet at each of these (but `fill_fragment`), and no memory is ordered.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::place::How;
use super::super::types::{Extent, Ty};
use super::super::value::*;
use super::masks::Meeting;
use super::{Call, Family, Meaning, row, rows, types};
use crate::syntax::ast::*;

pub(super) const FAMILY: Family = Family {
    subject: "Tensor cores",
    source: "CUDA C++ programming guide: Warp Matrix Functions",
    namespaces: &["nvcuda::wmma", "wmma"],
    global: false,
    rows: &[
        rows("load_matrix_sync", 3, 4, Meaning::By(load)),
        row("store_matrix_sync", 4, Meaning::By(store)),
        rows("mma_sync bmma_sync", 4, 6, Meaning::By(into_first)),
        row("fill_fragment", 2, Meaning::By(into_first)),
    ],
};

/// Elements that a lane is given room for: at least as many as any shape has.
const ROOM: u64 = 32;

const NAME: &str = "wmma::fragment";

/// Classes without members that tell what a fragment is for and how it lies in memory; their qualifier here.
const WORDS: [&str; 5] = [
    "matrix_a",
    "matrix_b",
    "accumulator",
    "row_major",
    "col_major",
];
const QUALIFIER: &str = "wmma::";

/// The tile of a fragment, read from its class's name.
struct Tile {
    rows: i64,
    columns: i64,
    /// How it lies in memory, for the operands of a product.
    by_rows: Option<bool>,
    element: Ty,
}

fn tile_of(ty: &Ty) -> Option<Tile> {
    let name = ty.describe();
    let mut words = name.strip_prefix(NAME)?.split_whitespace();
    let role = words.next()?;
    let mut size = || words.next()?.parse::<i64>().ok();
    let (m, n, k) = (size()?, size()?, size()?);
    let by_rows = match words.next() {
        Some("row_major") => Some(true),
        Some("col_major") => Some(false),
        _ => None,
    };
    let (rows, columns) = match role {
        "matrix_a" => (m, k),
        "matrix_b" => (k, n),
        "accumulator" => (m, n),
        _ => return None,
    };
    let (_, held) = types::fields(ty)?.into_iter().next()?;
    let Ty::Array(element, _) = held else {
        return None;
    };
    Some(Tile {
        rows,
        columns,
        by_rows,
        element: Ty::clone(&element),
    })
}

/// All lanes of the warp come to it, or what happens is undefined.
fn whole_warp(me: &mut Lowerer<'_, '_>, call: &Call<'_>) {
    me.meeting(BarrierKind::Meet, call.name, Meeting::default(), call.range);
}

fn load(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [fragment, address, stride, layout @ ..] = call.args else {
        return None;
    };
    whole_warp(me, call);
    let target = me.place(fragment);
    let address = me.expr(address);
    let stride = me.expr(stride);
    me.tile_access(
        &target,
        &address,
        &stride,
        layout.first(),
        AccessKind::Read,
        call,
    );
    me.forget_fragment(&target, call.range);
    Some(Value::Void)
}

fn store(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [address, fragment, stride, layout] = call.args else {
        return None;
    };
    whole_warp(me, call);
    let address = me.expr(address);
    let source = me.place(fragment);
    let stride = me.expr(stride);
    me.tile_access(
        &source,
        &address,
        &stride,
        Some(layout),
        AccessKind::Write,
        call,
    );
    Some(Value::Void)
}

/// `mma_sync(d, a, b, c)`, `fill_fragment(d, v)`
fn into_first(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (target, rest) = call.args.split_first()?;
    for operand in rest {
        if matches!(call.name, "fill_fragment") {
            me.expr(operand);
        }
    }
    if call.name.ends_with("_sync") {
        whole_warp(me, call);
    }
    let target = me.place(target);
    me.forget_fragment(&target, call.range);
    Some(Value::Void)
}

impl Lowerer<'_, '_> {
    /// `wmma::row_major` and its kin as a class.
    pub(crate) fn fragment_word(&mut self, name: &Name) -> Option<Ty> {
        if name.args.is_some() || !WORDS.contains(&name.base.as_str()) {
            return None;
        }
        let namespace = self.namespace_of(name);
        let is_meant = self.names(&FAMILY, &namespace);
        is_meant.then(|| types::record(&format!("{QUALIFIER}{}", name.base), Vec::new(), 1, 1))
    }

    /// Which of these classes a template argument is.
    fn word_of(&mut self, arg: &TemplateArg) -> Option<String> {
        let class = self.template_type(arg).describe();
        let word = class.strip_prefix(QUALIFIER)?;
        WORDS.contains(&word).then(|| word.to_owned())
    }

    /// `wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>` as a class.
    pub(crate) fn fragment_class(&mut self, name: &Name) -> Option<Ty> {
        let namespace = self.namespace_of(name);
        if name.base != "fragment" || !self.names(&FAMILY, &namespace) {
            return None;
        }
        let [role, m, n, k, element, layout @ ..] = name.args.as_ref()?.as_slice() else {
            return None;
        };
        let word = |arg: &TemplateArg| match arg {
            TemplateArg::Name(name) => Some(name.base.clone()),
            TemplateArg::Type(Type {
                kind: TypeKind::Named(name),
                ..
            }) => Some(name.base.clone()),
            _ => None,
        };
        let role = self.word_of(role)?;
        let mut sizes = Vec::new();
        for size in [m, n, k] {
            let value = match size {
                TemplateArg::Expr(size) => self.expr(size),
                TemplateArg::Name(size) => self.name(size),
                TemplateArg::Type(_) => return None,
            };
            let Value::Term(term) = value else {
                return None;
            };
            let size = self.facts.terms.as_const(term)?;
            sizes.push(size.to_string());
        }
        let element = match word(element).as_deref() {
            Some("tf32") => Ty::Scalar(CType::F32),
            Some("u4" | "s4" | "b1") => return None,
            _ => self.template_type(element),
        };
        let bytes = element.bytes()?;
        let layout = layout.first().and_then(|layout| self.word_of(layout));
        let layout = layout.unwrap_or_default();
        let name = format!("{NAME} {role} {} {layout}", sizes.join(" "));
        let held = Ty::Array(Rc::new(element), Extent::Constant(ROOM));
        let fields = vec![
            ("x".to_owned(), held, 0),
            ("num_elements".to_owned(), Ty::INT, ROOM * bytes),
        ];
        let size = (ROOM * bytes + 4).next_multiple_of(8);
        Some(types::record_in_memory(&name, fields, size, 8))
    }

    /// Lanes hold other elements now.
    fn forget_fragment(&mut self, place: &Lvalue, range: Range) {
        if let Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } = place {
            let value = self.unknown_value(&ty.clone(), "elements of a fragment", range);
            self.write(place, value, range);
        }
    }

    /// The access of a lane to some element of a tile.
    fn tile_access(
        &mut self,
        fragment: &Lvalue,
        address: &Value,
        stride: &Value,
        layout: Option<&Expr>,
        kind: AccessKind,
        call: &Call<'_>,
    ) {
        let range = call.range;
        let tile = match fragment {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => tile_of(ty),
            Lvalue::Unknown => None,
        };
        let by_rows = match layout.map(|layout| &layout.kind) {
            Some(ExprKind::Name(name)) => match name.base.as_str() {
                "mem_row_major" => Some(true),
                "mem_col_major" => Some(false),
                _ => None,
            },
            Some(_) => None,
            None => tile.as_ref().and_then(|tile| tile.by_rows),
        };
        let (Some(tile), Some(by_rows), Value::Pointer(pointer)) = (tile, by_rows, address) else {
            self.unsupported(
                range,
                &format!("call of `{}`", call.full.path()),
                "the shape or layout of its fragment is not known",
                Effect::Access,
            );
            return;
        };
        let stride = self.integer_of(stride, range);
        let stride = self.facts.terms.cast(stride, CType::I64);
        let (rows, columns) = (self.long(tile.rows), self.long(tile.columns));
        let (row, row_inside) = self.any_below(rows, "which row of a tile", range);
        let (column, column_inside) = self.any_below(columns, "which column of a tile", range);
        let size = self.long(i64::try_from(tile.element.bytes().unwrap_or(1)).unwrap_or(1));
        let (far, near) = if by_rows {
            (row, column)
        } else {
            (column, row)
        };
        let terms = &mut self.facts.terms;
        let mut inside = terms.and(row_inside, column_inside);
        let lines = terms.binary(Op::Mul, CType::I64, far, stride);
        let index = terms.binary(Op::Add, CType::I64, lines, near);
        let bytes = terms.binary(Op::Mul, CType::I64, index, size);
        if kind == AccessKind::Write {
            let owner = self.pure("lane that holds an element", CType::I64, &[row, column]);
            let owner = self.clamped(owner, 0, 31);
            let rank = self.rank_in_block();
            let terms = &mut self.facts.terms;
            let mask = terms.constant(31, CType::U32);
            let lane = terms.binary(Op::BitAnd, CType::U32, rank, mask);
            let lane = terms.cast(lane, CType::I64);
            let mine = terms.binary(Op::Eq, CType::Bool, lane, owner);
            inside = terms.and(inside, mine);
        }
        for target in pointer.targets.clone() {
            let condition = match target.condition {
                Some(condition) => self.facts.terms.and(condition, inside),
                None => inside,
            };
            match target.base {
                Base::Array(array) => {
                    let at = self
                        .facts
                        .terms
                        .binary(Op::Add, CType::I64, target.offset, bytes);
                    let how = How::plain(kind);
                    self.guarded(condition, true, range, |me| {
                        me.access(array, at, &tile.element, &how, None, range)
                    });
                }
                Base::Null => {}
                _ => self.lost_access(range, "the pointer is not understood"),
            }
        }
    }
}
