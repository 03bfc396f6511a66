//! The type of a library call without evaluating it: what the tables say, for overloads and templates.

use warplog_facts::CType;

use super::super::body::Lowerer;
use super::super::types::{Ty, scalar};
use super::{INDEX, Meaning, Out, half, linear, types};
use crate::syntax::ast::{Name, Scalar};

impl Lowerer<'_, '_> {
    /// The type that a call of a library function has for arguments of these types, where its row
    /// tells.
    pub(crate) fn library_result(&mut self, name: &Name, args: &[Ty]) -> Option<Ty> {
        if let Some(class) = name.qualifier.last()
            && class.name == "numeric_limits"
        {
            let of = class.args.as_ref()?.first()?.clone();
            return Some(self.template_type(&of));
        }
        let namespace = self.namespace_of(name);
        let meaning = INDEX
            .get(&name.base)
            .into_iter()
            .flatten()
            .find(|entry| {
                let (least, most) = entry.row.args;
                (least..=most).contains(&args.len()) && self.names(entry.family, &namespace)
            })
            .map(|entry| entry.row.meaning);
        let out = match meaning {
            Some(Meaning::Pure(out) | Meaning::Fresh(out) | Meaning::Stores(out, _)) => out,
            // `tex2D<float4>(t, x, y)`
            Some(Meaning::By(_))
                if name.base.starts_with("tex") && namespace.is_empty() && name.args.is_some() =>
            {
                let of = name.args.as_ref()?.first()?.clone();
                return Some(self.template_type(&of));
            }
            Some(Meaning::By(_) | Meaning::Refused(..)) => return by_name(&name.base, args),
            None => half::conversion(&name.base).filter(|_| namespace.is_empty())?,
        };
        result(out, &name.base, args)
    }
}

fn result(out: Out, name: &str, args: &[Ty]) -> Option<Ty> {
    Some(match out {
        Out::Nothing => Ty::Void,
        Out::Is(CType::Opaque) => half_type(name, args),
        Out::Is(ty) => Ty::Scalar(ty),
        Out::Class("half2") if wants_bfloat(name, args) => types::class("__nv_bfloat162")?,
        Out::Class(class) => types::class(class)?,
        Out::Like(position) => args.get(position)?.clone(),
        Out::Element(position) => linear::innermost(args.get(position)?)?,
        Out::Widest => {
            let class = args.iter().find(|ty| matches!(ty, Ty::Struct(_)));
            class.or(args.first())?.clone()
        }
        Out::FloatOfFirst => result(Out::Float, name, args.get(..1)?)?,
        Out::Float => {
            if let Some(class) = args.iter().find(|ty| matches!(ty, Ty::Struct(_))) {
                return Some(class.clone());
            }
            let mut ty = CType::F32;
            for arg in args {
                match arg {
                    Ty::Scalar(CType::F32) => {}
                    Ty::Scalar(_) => ty = CType::F64,
                    _ => return None,
                }
            }
            Ty::Scalar(ty)
        }
    })
}

/// Whether a function of half numbers is one of bfloat16 numbers here: by name or by argument.
fn wants_bfloat(name: &str, args: &[Ty]) -> bool {
    let wide = name.contains("bfloat16") || name.contains("_bf16");
    let from = name.starts_with("__bfloat16");
    wide && !from
        || args.iter().any(|ty| {
            matches!(
                ty.describe().as_str(),
                "bfloat16" | "__nv_bfloat162" | "nv_bfloat162"
            )
        })
}

fn half_type(name: &str, args: &[Ty]) -> Ty {
    scalar(if wants_bfloat(name, args) {
        Scalar::BFloat16
    } else {
        Scalar::Half
    })
}

/// Functions that are lowered by code of their own.
fn by_name(name: &str, args: &[Ty]) -> Option<Ty> {
    if let (Some(_), [of]) = (name.strip_prefix("make_"), args)
        && let Some(ty) = linear::loaded_type(name, of)
    {
        return Some(ty);
    }
    if let Some(class) = name.strip_prefix("make_")
        && let Some(ty) = types::class(class)
    {
        return Some(ty);
    }
    let scalar = |ty| Some(Ty::Scalar(ty));
    match name {
        "make_pair" | "make_tuple" => super::standard::made_of(name, args),
        "__halves2half2" | "__half2half2" => types::class("half2"),
        "__halves2bfloat162" | "__bfloat162bfloat162" | "make_bfloat162" => {
            types::class("__nv_bfloat162")
        }
        "__low2half" | "__high2half" | "__low2bfloat16" | "__high2bfloat16" => {
            Some(half_type(name, args))
        }
        "__mul24" | "__mulhi" | "__popc" | "__popcll" | "__clz" | "__clzll" | "__ffs"
        | "__ffsll" => scalar(CType::I32),
        "__umul24" | "__umulhi" | "__brev" | "__sad" | "__usad" | "__funnelshift_l"
        | "__funnelshift_r" | "__funnelshift_lc" | "__funnelshift_rc" => scalar(CType::U32),
        "__mul64hi" => scalar(CType::I64),
        "__umul64hi" | "__brevll" => scalar(CType::U64),
        "__hadd" => args.first().cloned(),
        "transpose" | "outerProduct" => linear::product_type(name, args),
        "min" | "max" if args.iter().any(|ty| matches!(ty, Ty::Struct(_))) => {
            result(Out::Widest, name, args)
        }
        "move" | "forward" | "clamp" | "exchange" => args.first().cloned(),
        "curand" => scalar(CType::U32),
        "curand4" => types::class("uint4"),
        "curand_uniform" | "curand_normal" | "curand_log_normal" => scalar(CType::F32),
        "curand_uniform_double" | "curand_normal_double" => scalar(CType::F64),
        "curand_uniform4" | "curand_normal4" => types::class("float4"),
        "curand_normal2" => types::class("float2"),
        "cuCrealf" | "cuCimagf" => scalar(CType::F32),
        "cuCreal" | "cuCimag" => scalar(CType::F64),
        "make_cuFloatComplex" | "make_cuComplex" => types::class("float2"),
        "make_cuDoubleComplex" => types::class("double2"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_those_of_the_headers() {
        let half = scalar(Scalar::Half);
        let bfloat = scalar(Scalar::BFloat16);
        assert_eq!(half_type("__float2half", &[Ty::Scalar(CType::F32)]), half);
        assert_eq!(
            half_type("__float2bfloat16", &[Ty::Scalar(CType::F32)]),
            bfloat
        );
        assert_eq!(
            half_type("__hmul", &[bfloat.clone(), bfloat.clone()]),
            bfloat
        );
        let f32 = Ty::Scalar(CType::F32);
        let f64 = Ty::Scalar(CType::F64);
        assert_eq!(
            result(Out::Float, "pow", &[f32.clone(), Ty::INT]),
            Some(f64)
        );
        assert_eq!(
            result(Out::Float, "exp", std::slice::from_ref(&f32)),
            Some(f32)
        );
    }
}
