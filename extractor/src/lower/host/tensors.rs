//! PyTorch's tensors, whose header is not read: what asking one does, and which functions make a new one.
//!
//! **Contract.** A method stands here only if it leaves the tensor and everything else as it is and its result holds no pointer. A
//! function stands here only if what it returns has memory of its own. Both are taken so for `torch::Tensor` and `at::Tensor` alone,
//! and not where the unit has functions of these namespaces itself.

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::eval::unknown_type;
use super::term::{self, Term};
use super::value::*;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// Methods whose result is a number that the tensor keeps.
const NUMBERS: &[&str] = &[
    "size",
    "stride",
    "dim",
    "ndimension",
    "numel",
    "nbytes",
    "element_size",
    "itemsize",
    "get_device",
    "storage_offset",
];

/// Methods whose result tells something else about the tensor, and those of what they return.
const QUERIES: &[&str] = &[
    "options",
    "dtype",
    "scalar_type",
    "type",
    "device",
    "device_type",
    "layout",
    "sizes",
    "strides",
    "is_cuda",
    "is_cpu",
    "is_contiguous",
    "is_floating_point",
    "is_sparse",
    "defined",
    "index",
    "requires_grad",
    "is_complex",
    "vec",
    "toScalarType",
    "toString",
];

/// Those of them that are no methods of tensors, or other ones: `x.device().index()`.
const OF_RESULTS: &[&str] = &["index", "vec", "toScalarType", "toString"];

/// Functions that return a tensor with memory of its own.
const FACTORIES: &[&str] = &[
    "arange",
    "empty",
    "empty_like",
    "empty_strided",
    "eye",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "rand",
    "rand_like",
    "randint",
    "randn",
    "randn_like",
    "randperm",
    "zeros",
    "zeros_like",
];

/// Methods that return a pointer to the memory of a tensor.
pub(super) fn gives_memory(method: &str) -> bool {
    matches!(
        method,
        "data_ptr" | "mutable_data_ptr" | "const_data_ptr" | "mutable_data"
    )
}

/// Whether a name is one of PyTorch's, by the namespace before it.
fn is_of_torch(name: &Name) -> bool {
    let first = name.qualifier.first().map(|segment| segment.name.as_str());
    matches!(first, Some("torch" | "at" | "c10"))
}

/// Whether a type is written as that of a tensor, or of a reference to one.
fn is_tensor(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Named(name) => is_of_torch(name) && name.base == "Tensor",
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => is_tensor(to),
        _ => false,
    }
}

impl<'u> Host<'_, 'u> {
    /// A function of PyTorch that makes a tensor: a pointer to its memory, which stands for the tensor too.
    pub(super) fn new_tensor(&mut self, name: &'u Name, args: &'u [Expr]) -> Option<Value<'u>> {
        if !is_of_torch(name) || !FACTORIES.contains(&name.base.as_str()) {
            return None;
        }
        for arg in args {
            self.eval(arg);
        }
        let root = self.objects.object(Kind::Fresh, &name.base, unknown_type());
        let pointer = Pointer::At(Place::of(root), Term::bytes(0));
        Some(Value::Pointer(pointer, unknown_type()))
    }

    /// `x.size(0)`, `x.options().dtype()` of a tensor.
    pub(super) fn tensor_query(
        &mut self,
        base: &'u Expr,
        field: &Name,
        args: &'u [Expr],
    ) -> Option<Value<'u>> {
        let method = field.base.as_str();
        if !NUMBERS.contains(&method) && !QUERIES.contains(&method) {
            return None;
        }
        let is_direct = matches!(base.kind, ExprKind::Name(_));
        // `x.index({0})` is another tensor.
        let is_new = is_direct && !NUMBERS.contains(&method) && !args.is_empty();
        if is_new || is_direct && OF_RESULTS.contains(&method) {
            return None;
        }
        let tensor = self.asked_tensor(base)?;
        let mut which = Vec::new();
        for arg in args {
            let value = match self.eval(arg) {
                Value::Scalar(term) => term.as_constant(),
                _ => None,
            };
            which.push(value);
        }
        // The last dimension is one of the others as well.
        let is_one = which.iter().all(|at| at.is_some_and(|at| at >= 0));
        if is_direct && is_one && NUMBERS.contains(&method) {
            let which: Vec<String> = which
                .into_iter()
                .flatten()
                .map(|at| at.to_string())
                .collect();
            let number = format!("{method}({})", which.join(", "));
            if let Some(shared) = self.behind_tensor(&tensor) {
                let value = self.read(&shared.field(&number), &Ty::Scalar(CType::I64));
                return Some(self.not_negative(method, value));
            }
        }
        if NUMBERS.contains(&method) {
            let text = format!("{method}()");
            let value = Value::Scalar(self.fresh(&text, CType::I64));
            return Some(self.not_negative(method, value));
        }
        Some(Value::Unknown(Rc::new(BTreeSet::from([self.outside]))))
    }

    /// A size or the like: what comes behind runs where it is no negative number.
    fn not_negative(&mut self, method: &str, value: Value<'u>) -> Value<'u> {
        if method != "get_device"
            && let (Value::Scalar(term), Some(state)) = (&value, &mut self.state)
        {
            let zero = Term::Constant(0, term.ty());
            let cond = term::binary(BinaryOp::Ge, term.clone(), zero);
            let is_new = !state.path.iter().any(|(known, _)| *known == cond);
            if cond.as_constant().is_none() && is_new {
                state.assume(cond, true);
            }
            self.sizes.insert(term.clone());
        }
        value
    }

    /// A size that becomes a number of 32 bits: what comes behind runs where it is one, or the program computes with another size than the tensor has.
    pub(super) fn fits(&mut self, term: &Term, to: CType) {
        let most = match to {
            CType::I32 => i128::from(i32::MAX),
            CType::U32 => i128::from(u32::MAX),
            _ => return,
        };
        if self.sizes.contains(term)
            && let Some(state) = &mut self.state
        {
            let most = Term::Constant(most, term.ty());
            let cond = term::binary(BinaryOp::Le, term.clone(), most);
            let is_new = !state.path.iter().any(|(known, _)| *known == cond);
            if cond.as_constant().is_none() && is_new {
                state.assume(cond, true);
            }
        }
    }

    /// What all copies of a tensor share.
    fn behind_tensor(&mut self, tensor: &Place) -> Option<Place> {
        match self.read(tensor, &Ty::Void) {
            Value::Pointer(Pointer::At(place, _), _) => Some(place),
            Value::Initial(place, version) => {
                Some(Place::of(self.objects.pointee(&place, version)))
            }
            Value::Unknown(roots) if roots.is_empty() => {
                let version = self.version_of(self.state.as_ref()?, tensor.root);
                Some(Place::of(self.objects.pointee(tensor, version)))
            }
            _ => None,
        }
    }

    /// The tensor at the beginning of `x.options().device()`, of which nothing else is asked on the way.
    fn asked_tensor(&mut self, expr: &'u Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let (place, ty) = self.named(name)?;
                // One that holds a new tensor is taken for a pointer.
                let is_open = matches!(ty, Ty::Opaque { .. } | Ty::Pointer(_));
                let written = self.written.get(&place.root);
                (is_open && place.path.is_empty() && written.is_some_and(is_tensor))
                    .then_some(place)
            }
            ExprKind::Call { callee, args } if args.is_empty() => match &callee.kind {
                ExprKind::Member {
                    base,
                    arrow: false,
                    field,
                } if QUERIES.contains(&field.base.as_str()) => self.asked_tensor(base),
                _ => None,
            },
            _ => None,
        }
    }
}
