//! Vectors and matrices: GLM's classes, and operators on vector types that nothing declares.
//!
//! A vector is a class with the members `x` to `w`, a matrix one of columns, which are vectors. GLM's own headers are not read,
//! as CUDA's are not. Operators and functions are pure: equal operands, equal result, and nothing else is touched. Operators on
//! `float4` and its kin are no part of CUDA; where a file uses them and nothing declares them, a header such as `helper_math.h` is
//! missing, whose operators go member by member.
//!
//! Source: GLM's manual and the OpenGL Shading Language, sections 5.4 (constructors) and 8 (functions); `helper_math.h` of the CUDA
//! samples.
//!
//! **Accuracy.** Members are known where they are set by constructors and by name; results of operators and functions are
//! uninterpreted. After a subscript that is not constant nothing is known of an object that is no memory. What a default
//! constructor leaves is any value.

use warplog_facts::{CType, Op, TermId};

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row, rows, types};
use crate::syntax::ast::*;

/// What names of the classes begin with.
const CLASS: &str = "glm::";

const MEMBERS: [&str; 4] = ["x", "y", "z", "w"];
const COLUMNS: [&str; 4] = ["c0", "c1", "c2", "c3"];

const LIKE: Meaning = Meaning::Pure(Out::Like(0));
const ELEMENT: Meaning = Meaning::Pure(Out::Element(0));
const WIDEST: Meaning = Meaning::Pure(Out::Widest);

pub(super) const FAMILY: Family = Family {
    subject: "Vectors and matrices of GLM",
    source: "GLM manual; OpenGL Shading Language, 8: Built-in Functions",
    namespaces: &["glm"],
    global: false,
    rows: &[
        row(
            "normalize inverse sign floor ceil fract round trunc sqrt inversesqrt exp exp2 log log2 sin cos tan asin acos sinh cosh tanh radians degrees conjugate abs",
            1,
            LIKE,
        ),
        row("length length2 determinant", 1, ELEMENT),
        row("dot distance distance2", 2, ELEMENT),
        row("cross reflect matrixCompMult", 2, LIKE),
        rows("atan", 1, 2, LIKE),
        row("mod pow step", 2, WIDEST),
        row("mix smoothstep", 3, WIDEST),
        row("min max", 2, Meaning::By(chosen)),
        row("clamp", 3, Meaning::By(chosen)),
        row("transpose", 1, Meaning::By(product)),
        row("outerProduct", 2, Meaning::By(product)),
        row("make_vec{2,3,4} make_mat{2,3,4}", 1, Meaning::By(loaded)),
        row("value_ptr", 1, Meaning::By(address_of_first)),
    ],
};

/// How many columns and rows; a vector has no columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    columns: usize,
    rows: usize,
    element: Ty,
}

/// The shape of a class of the library, or of a value that shows no class.
pub(crate) fn shape(ty: &Ty) -> Option<Shape> {
    let Ty::Struct(class) = ty else {
        return None;
    };
    if class.class.is_some() {
        return None;
    }
    let fields = class.fields();
    let are = |names: &[&str]| {
        (1..=4).contains(&fields.len())
            && fields
                .iter()
                .zip(names)
                .all(|((name, ..), own)| name == own)
    };
    let (_, first, _) = fields.first()?;
    if fields.iter().any(|(_, ty, _)| ty != first) {
        return None;
    }
    if are(&MEMBERS) && matches!(first, Ty::Scalar(_) | Ty::Opaque { .. }) {
        return Some(Shape {
            columns: 0,
            rows: fields.len(),
            element: first.clone(),
        });
    }
    let column = shape(first).filter(|_| are(&COLUMNS))?;
    Some(Shape {
        columns: fields.len(),
        ..column
    })
}

/// The class of vectors or matrices of a shape.
fn class_of(shape: &Shape) -> Option<Ty> {
    let element = &shape.element;
    let bytes = element.bytes()?;
    let align = element.align();
    let in_a_row = |names: &[&str; 4], count: usize, ty: &Ty, step: u64| {
        let names = names.iter().take(count).zip(0u64..);
        names
            .map(|(name, at)| ((*name).to_owned(), ty.clone(), at * step))
            .collect::<Vec<_>>()
    };
    let name = format!("{CLASS}vec<{}, {}>", shape.rows, element.describe());
    let row = bytes * shape.rows as u64;
    let fields = in_a_row(&MEMBERS, shape.rows, element, bytes);
    let vector = types::record(&name, fields, row, align);
    if shape.columns == 0 {
        return Some(vector);
    }
    let (columns, rows) = (shape.columns, shape.rows);
    let name = format!("{CLASS}mat<{columns}, {rows}, {}>", element.describe());
    let fields = in_a_row(&COLUMNS, columns, &vector, row);
    Some(types::record(&name, fields, row * columns as u64, align))
}

/// Whether a class is one of GLM's.
pub(crate) fn is_of_glm(ty: &Ty) -> bool {
    matches!(ty, Ty::Struct(class) if class.class.is_none() && class.name.starts_with(CLASS))
}

/// The type of an element that a subscript names.
pub(crate) fn element_type(ty: &Ty) -> Option<Ty> {
    if !is_of_glm(ty) {
        return super::torch::element_type(ty);
    }
    let (_, first) = types::fields(ty)?.into_iter().next()?;
    Some(first)
}

/// The type of the scalars in a class.
pub(super) fn innermost(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::Struct(_) => innermost(&types::fields(ty)?.into_iter().next()?.1),
        ty => Some(ty.clone()),
    }
}

/// The type of `a op b`, where one is a vector or a matrix.
pub(crate) fn operated(op: BinaryOp, left: &Ty, right: &Ty) -> Option<Ty> {
    let is_number = |ty: &Ty| matches!(ty, Ty::Scalar(_) | Ty::Opaque { .. });
    let (one, other) = (shape(left), shape(right));
    if let BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge = op {
        return None;
    }
    let result = match (&one, &other) {
        (Some(_), None) if is_number(right) => left.clone(),
        (None, Some(_)) if is_number(left) => right.clone(),
        (Some(a), Some(b)) if op == BinaryOp::Mul && a.columns + b.columns > 0 => {
            let (inner, columns, rows) = match (a.columns, b.columns) {
                (of, 0) => (of == b.rows, 0, a.rows),
                (0, of) => (a.rows == b.rows, 0, of),
                (of, columns) => (of == b.rows, columns, a.rows),
            };
            let product = Shape {
                columns,
                rows,
                element: a.element.clone(),
            };
            class_of(&product).filter(|_| inner)?
        }
        (Some(a), Some(b)) if (a.columns, a.rows) == (b.columns, b.rows) => left.clone(),
        _ => return None,
    };
    Some(match op {
        BinaryOp::Eq | BinaryOp::Ne => Ty::Scalar(CType::Bool),
        _ => result,
    })
}

impl Lowerer<'_, '_> {
    /// A class of GLM: `glm::vec3`, `glm::mat<3, 3, float>`.
    pub(in crate::lower) fn glm_class(&mut self, name: &Name) -> Option<Ty> {
        let namespace = self.namespace_of(name);
        let of_glm = match namespace.as_str() {
            "" => self.uses_namespace("glm"),
            space => space == "glm",
        };
        if !of_glm {
            return None;
        }
        let base = name.base.as_str();
        let number = |me: &mut Self, position: usize| {
            let value = match name.args.as_deref()?.get(position)? {
                TemplateArg::Expr(expr) => me.expr(expr),
                TemplateArg::Name(name) => me.name(name),
                TemplateArg::Type(_) => return None,
            };
            let Value::Term(term) = value else {
                return None;
            };
            let number = usize::try_from(me.facts.terms.as_const(term)?).ok()?;
            (1..=4).contains(&number).then_some(number)
        };
        let element = |me: &mut Self, position: usize| {
            let arg = name.args.as_deref()?.get(position)?.clone();
            Some(me.template_type(&arg))
        };
        let found = match base {
            "length_t" => return Some(Ty::INT),
            "vec" => Shape {
                columns: 0,
                rows: number(self, 0)?,
                element: element(self, 1)?,
            },
            "mat" => Shape {
                columns: number(self, 0)?,
                rows: number(self, 1)?,
                element: element(self, 2)?,
            },
            "qua" => Shape {
                columns: 0,
                rows: 4,
                element: element(self, 0)?,
            },
            "quat" | "fquat" => Shape {
                columns: 0,
                rows: 4,
                element: Ty::Scalar(CType::F32),
            },
            _ => short(base)?,
        };
        class_of(&found)
    }

    /// The value that a constructor of a vector or matrix of GLM makes; `None` for other classes.
    pub(in crate::lower) fn glm_value(
        &mut self,
        ty: &Ty,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        if !is_of_glm(ty) {
            return None;
        }
        let shape = shape(ty)?;
        let values: Vec<Value> = args.iter().map(|arg| self.scalar_expr(arg)).collect();
        let of_matrix = values.iter().any(
            |value| matches!(value, Value::Struct(fields) if fields.iter().any(|(name, _)| name == COLUMNS[0])),
        );
        if of_matrix || values.iter().any(|value| matches!(value, Value::Unknown)) {
            return Some(self.unknown_value(ty, "part of a matrix", range));
        }
        let given = self.flat(&values, range);
        let given: Vec<TermId> = given
            .into_iter()
            .map(|term| {
                let value = self.convert(Value::Term(term), &shape.element, range);
                self.term_of(&value, range)
            })
            .collect();
        let count = shape.rows * shape.columns.max(1);
        let all = match (given.as_slice(), shape.columns) {
            ([one], 0) => vec![*one; count],
            ([one], _) => {
                let zero = Value::Term(self.int(0));
                let zero = self.convert(zero, &shape.element, range);
                let zero = self.term_of(&zero, range);
                let on_diagonal = |at: usize| at / shape.rows == at % shape.rows;
                (0..count)
                    .map(|at| if on_diagonal(at) { *one } else { zero })
                    .collect()
            }
            (some, _) if some.len() >= count => some.iter().copied().take(count).collect(),
            _ => return Some(self.unknown_value(ty, "value that no constructor set", range)),
        };
        let mut rest = all.into_iter();
        let value = self.built(ty, "", &mut |me, _, _| match rest.next() {
            Some(term) => term,
            None => me.int(0),
        });
        Some(value)
    }

    /// What a subscript of an object of the library names.
    pub(in crate::lower) fn subscripted(
        &mut self,
        base: &Expr,
        index: &Expr,
        range: Range,
    ) -> Option<Lvalue> {
        match self.element_of_vector(base, index, range) {
            Some(element) => Some(element),
            None => self.element_of_accessor(base, index, range),
        }
    }

    /// `v[i]` of a vector or matrix of GLM.
    fn element_of_vector(&mut self, base: &Expr, index: &Expr, range: Range) -> Option<Lvalue> {
        let ty = self.static_type(base);
        let element = element_type(&ty).filter(|_| is_of_glm(&ty))?;
        let fields = types::fields(&ty)?;
        let place = self.place(base);
        let index = self.scalar_expr(index);
        let index = self.integer_of(&index, range);
        let at = self.facts.terms.as_const(index);
        let at = at.and_then(|at| fields.get(usize::try_from(at).ok()?));
        if let Some((name, _)) = at {
            return Some(self.member_place(place, name, range));
        }
        Some(match place {
            Lvalue::Memory { targets, .. } => {
                let first = Pointer { targets, element };
                let moved = self.advance(first, index, false, range);
                Lvalue::Memory {
                    targets: moved.targets,
                    ty: moved.element,
                }
            }
            // Which member is meant is not known: what is read is any value, and each may be written.
            Lvalue::Variable { .. } => {
                let reason = "a member that a subscript names";
                let whole = self.unknown_value(&ty, reason, range);
                self.write(&place, whole, range);
                let value = self.unknown_value(&element, reason, range);
                self.temporary(element, value)
            }
            Lvalue::Unknown => Lvalue::Unknown,
        })
    }

    /// `-v` of a vector or matrix.
    pub(in crate::lower) fn vector_negated(
        &mut self,
        value: &Value,
        ty: &Ty,
        range: Range,
    ) -> Option<Value> {
        shape(ty)?;
        let terms = self.flat(std::slice::from_ref(value), range);
        Some(self.built(ty, "negation", &mut |me, part, ty| {
            me.pure(part, ty, &terms)
        }))
    }

    /// `a op b` of vectors and matrices of the library, by the types of the operands.
    pub(in crate::lower) fn vector_operation(
        &mut self,
        op: BinaryOp,
        (left, right): (&Value, &Value),
        (one, other): (&Ty, &Ty),
        range: Range,
    ) -> Option<Value> {
        if !matches!(left, Value::Struct(_)) && !matches!(right, Value::Struct(_)) {
            return None;
        }
        let result = operated(op, one, other)?;
        if !is_of_glm(one) && !is_of_glm(other) {
            self.assumption(OPERATORS);
        }
        let terms = self.flat(&[left.clone(), right.clone()], range);
        let name = format!("operator{}", op.text());
        Some(self.built(&result, &name, &mut |me, part, ty| {
            me.pure(part, ty, &terms)
        }))
    }
}

/// The type of `transpose(m)` and `outerProduct(c, r)`.
pub(super) fn product_type(name: &str, args: &[Ty]) -> Option<Ty> {
    let one = shape(args.first()?)?;
    let shape = match (name, args) {
        ("transpose", [_]) => Shape {
            columns: one.rows,
            rows: one.columns,
            element: one.element,
        },
        (_, [_, other]) => Shape {
            columns: shape(other)?.rows,
            rows: one.rows,
            element: one.element,
        },
        _ => return None,
    };
    class_of(&shape)
}

/// What is taken of operators that nothing declares.
const OPERATORS: &str =
    "operators of vector types that nothing declares compute a value and touch no memory";

/// `vec3`, `dmat4`, `ivec2`, `mat3x4`
fn short(name: &str) -> Option<Shape> {
    let (of_matrix, at) = match (name.find("vec"), name.find("mat")) {
        (Some(at), None) => (false, at),
        (None, Some(at)) => (true, at),
        _ => return None,
    };
    let element = match &name[..at] {
        "" | "f" => CType::F32,
        "d" => CType::F64,
        "i" => CType::I32,
        "u" => CType::U32,
        "b" => CType::Bool,
        _ => return None,
    };
    let digit = |word: &str| match word {
        "2" => Some(2),
        "3" => Some(3),
        "4" => Some(4),
        _ => None,
    };
    let sizes = &name[at + 3..];
    let (columns, rows) = match (of_matrix, sizes.split_once('x')) {
        (false, _) => (0, digit(sizes)?),
        (true, Some((columns, rows))) => (digit(columns)?, digit(rows)?),
        (true, None) => (digit(sizes)?, digit(sizes)?),
    };
    Some(Shape {
        columns,
        rows,
        element: Ty::Scalar(element),
    })
}

/// `min`, `max` and `clamp`: of integers the number that is meant.
fn chosen(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values: Vec<Value> = call.args.iter().map(|arg| me.scalar_expr(arg)).collect();
    let integer = |me: &Lowerer<'_, '_>, value: &Value| match value {
        Value::Term(term) => me.facts.terms.ty(*term).is_integer().then_some(*term),
        _ => None,
    };
    let terms: Option<Vec<TermId>> = values.iter().map(|value| integer(me, value)).collect();
    let Some(terms) = terms else {
        return Some(me.pure_result(Out::Widest, call.name, &values, call.range));
    };
    let terms_of = &mut me.facts.terms;
    let types = terms.iter().map(|&term| terms_of.ty(term));
    let common = types.reduce(CType::common)?;
    let mut terms = terms
        .iter()
        .map(|&term| terms_of.cast(term, common))
        .collect::<Vec<_>>()
        .into_iter();
    let first = terms.next()?;
    let second = terms.next()?;
    let (outer, third) = (terms.next(), call.name);
    Some(Value::Term(match (third, outer) {
        ("min", None) => terms_of.binary(Op::Min, common, first, second),
        ("max", None) => terms_of.binary(Op::Max, common, first, second),
        (_, Some(high)) => {
            let above = terms_of.binary(Op::Max, common, first, second);
            terms_of.binary(Op::Min, common, above, high)
        }
        _ => return None,
    }))
}

/// `transpose(m)`; `outerProduct(c, r)`: as many rows as `c` has members, as many columns as `r`.
fn product(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let types: Vec<Ty> = call.args.iter().map(|arg| me.static_type(arg)).collect();
    let ty = product_type(call.name, &types)?;
    let values: Vec<Value> = call.args.iter().map(|arg| me.scalar_expr(arg)).collect();
    let terms = me.flat(&values, call.range);
    Some(me.built(&ty, call.name, &mut |me, part, ty| {
        me.pure(part, ty, &terms)
    }))
}

/// The type of `make_vec3(p)`, by the type of `p`.
pub(super) fn loaded_type(name: &str, of: &Ty) -> Option<Ty> {
    let element = match of {
        Ty::Pointer(element) | Ty::Array(element, _) => Ty::clone(element),
        _ => return None,
    };
    let shape = short(name.strip_prefix("make_")?)?;
    class_of(&Shape { element, ..shape })
}

/// `make_vec3(p)`: reads the first elements.
fn loaded(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let Value::Pointer(pointer) = me.expr(call.args.first()?) else {
        return None;
    };
    let of = pointer.element.clone().pointer_to();
    let ty = loaded_type(call.name, &of)?;
    let mut at = 0;
    let mut read = Vec::new();
    let mut count = 0;
    me.built(&ty, "", &mut |me, _, _| {
        count += 1;
        me.int(0)
    });
    while at < count {
        let index = me.long(at);
        let item = me.advance(pointer.clone(), index, false, call.range);
        let place = Lvalue::Memory {
            targets: item.targets,
            ty: item.element,
        };
        let value = me.read(&place, call.range);
        read.push(me.term_of(&value, call.range));
        at += 1;
    }
    let mut rest = read.into_iter();
    Some(me.built(&ty, "", &mut |me, _, _| match rest.next() {
        Some(term) => term,
        None => me.int(0),
    }))
}

/// `value_ptr(v)`: the address of the first scalar.
fn address_of_first(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let object = call.args.first()?;
    let element = shape(&me.static_type(object))?.element;
    let address = me.expr(&Expr {
        kind: ExprKind::AddressOf(Box::new(object.clone())),
        range: call.range,
    });
    match address {
        Value::Pointer(pointer) => Some(Value::Pointer(Pointer { element, ..pointer })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Ty {
        class_of(&short(name).expect("a shape")).expect("a class")
    }

    #[test]
    fn sizes_are_those_of_glm() {
        assert_eq!(named("vec3").bytes(), Some(12));
        assert_eq!(named("dmat3x2").bytes(), Some(48));
        assert_eq!(short("cvec3"), None);
        assert_eq!(short("vec5"), None);
    }

    #[test]
    fn products_have_the_shape_of_linear_algebra() {
        let product = |a: &str, b: &str| operated(BinaryOp::Mul, &named(a), &named(b));
        assert_eq!(product("mat3x2", "vec3"), Some(named("vec2")));
        assert_eq!(product("vec2", "mat3x2"), Some(named("vec3")));
        assert_eq!(product("mat3x2", "mat4x3"), Some(named("mat4x2")));
        assert_eq!(product("mat3x2", "vec2"), None);
        assert_eq!(product("vec3", "vec2"), None);
    }
}
