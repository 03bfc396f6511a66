//! Loops over ranges, as the loops that the standard says they are (C++ 8.6.5): arrays of known size and lists by an index, objects
//! of classes with members `begin` and `end` by what these return.

use warplog_facts::words::*;

use super::body::{Binding, Lowerer, Names};
use super::overload::Found;
use super::types::{Extent, Ty};
use crate::syntax::ast::*;

/// Names that no program can write.
const RANGE: &str = "range of the loop";
const FIRST: &str = "first of the loop";
const LAST: &str = "last of the loop";

impl Lowerer<'_, '_> {
    /// `for (T x : a)` over an array of known size or a list: `for (int i = 0; i < n; ++i) { T x = a[i]; … }`.
    pub(crate) fn range_for(&mut self, var: &VarDecl, over: &Expr, body: &Stmt, range: Range) {
        if self.has_iterators(over) {
            return self.range_of_class(var, over, body, range);
        }
        let at = over.range;
        let expr = |kind| Expr { kind, range: at };
        let name = |text: &str| named(text, at);
        let int = Type::new(TypeKind::Scalar(Scalar::Int), at);
        let (array, index) = (RANGE, "index of the loop");
        self.scopes.push(Names::default());
        let count = match &over.kind {
            ExprKind::InitList(items) => {
                let element = match var.ty.kind {
                    TypeKind::Auto => items.first().map(|first| self.static_type(first)),
                    _ => Some(self.resolve(&var.ty)),
                };
                let ty = element
                    .map(|element| Ty::Array(element.into(), Extent::Constant(items.len() as u64)));
                ty.map(|ty| {
                    self.never_ends(&ty, at);
                    let local = self.local_array(array, &ty, Some(items), at);
                    self.bind(array, Binding::Variable(local));
                    items.len() as u64
                })
            }
            _ => match self.static_type(over) {
                Ty::Array(_, Extent::Constant(count)) => {
                    let place = self.place(over);
                    self.bind(array, Binding::Reference(place));
                    Some(count)
                }
                _ => None,
            },
        };
        match count {
            Some(count) if i32::try_from(count).is_ok() => {
                let zero = expr(ExprKind::Int {
                    value: 0,
                    ty: Scalar::Int,
                });
                let count = expr(ExprKind::Int {
                    value: count,
                    ty: Scalar::Int,
                });
                let element = expr(ExprKind::Index {
                    base: Box::new(name(array)),
                    index: Box::new(name(index)),
                });
                let loop_ = StmtKind::For {
                    init: Some(Box::new(Stmt {
                        kind: StmtKind::Decl(vec![declaration(index, int, zero)]),
                        range: at,
                    })),
                    cond: Some(expr(ExprKind::Binary(
                        BinaryOp::Lt,
                        Box::new(name(index)),
                        Box::new(count),
                    ))),
                    update: Some(expr(ExprKind::IncDec {
                        increment: true,
                        prefix: true,
                        arg: Box::new(name(index)),
                    })),
                    body: Box::new(iteration(var, element, body)),
                };
                self.stmt(&Stmt { kind: loop_, range });
            }
            _ => self.unsupported(
                range,
                "range-based for",
                "what it iterates over is not understood",
                Effect::Control,
            ),
        }
        self.scopes.pop();
    }

    /// Whether a range is an object whose class has `begin` and `end`.
    fn has_iterators(&mut self, over: &Expr) -> bool {
        let Ty::Struct(class) = self.static_type(over) else {
            return false;
        };
        ["begin", "end"].iter().all(|member| {
            let member = Name::simple(*member, over.range);
            let object = self.object_is_const(over, false, &member.base);
            let found = self.resolve_method(&class, &member, object, &[]);
            matches!(found, Found::One(_))
        })
    }

    /// `auto &&r = a; auto i = r.begin(); auto e = r.end(); for (; i != e; ++i) { T x = *i; … }`
    fn range_of_class(&mut self, var: &VarDecl, over: &Expr, body: &Stmt, range: Range) {
        let at = over.range;
        let expr = |kind| Expr { kind, range: at };
        let auto = || Type::new(TypeKind::Auto, at);
        let whole = Type::new(TypeKind::RvalueReference(Box::new(auto())), at);
        let member = |member: &str| {
            expr(ExprKind::Call {
                callee: Box::new(expr(ExprKind::Member {
                    base: Box::new(named(RANGE, at)),
                    arrow: false,
                    field: Name::simple(member, at),
                })),
                args: Vec::new(),
            })
        };
        let declared = [
            declaration(RANGE, whole, over.clone()),
            declaration(FIRST, auto(), member("begin")),
            declaration(LAST, auto(), member("end")),
        ];
        let mut stmts: Vec<Stmt> = declared
            .into_iter()
            .map(|one| Stmt {
                kind: StmtKind::Decl(vec![one]),
                range: at,
            })
            .collect();
        let element = expr(ExprKind::Deref(Box::new(named(FIRST, at))));
        let loop_ = StmtKind::For {
            init: None,
            cond: Some(expr(ExprKind::Binary(
                BinaryOp::Ne,
                Box::new(named(FIRST, at)),
                Box::new(named(LAST, at)),
            ))),
            update: Some(expr(ExprKind::IncDec {
                increment: true,
                prefix: true,
                arg: Box::new(named(FIRST, at)),
            })),
            body: Box::new(iteration(var, element, body)),
        };
        stmts.push(Stmt { kind: loop_, range });
        self.in_scope(&stmts);
    }
}

fn named(text: &str, at: Range) -> Expr {
    Expr {
        kind: ExprKind::Name(Name::simple(text, at)),
        range: at,
    }
}

fn declaration(text: &str, ty: Type, init: Expr) -> VarDecl {
    VarDecl {
        name: text.to_owned(),
        name_range: init.range,
        ty,
        storage: Storage::default(),
        range: init.range,
        init: Init::Expr(init),
        template: Vec::new(),
        special: None,
    }
}

/// `{ T x = element; … }`
fn iteration(var: &VarDecl, element: Expr, body: &Stmt) -> Stmt {
    let inner = VarDecl {
        init: Init::Expr(element),
        ..var.clone()
    };
    let stmts = vec![
        Stmt {
            kind: StmtKind::Decl(vec![inner]),
            range: var.range,
        },
        body.clone(),
    ];
    Stmt {
        kind: StmtKind::Block(Block {
            stmts,
            range: body.range,
        }),
        range: body.range,
    }
}
