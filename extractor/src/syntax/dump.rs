//! The tree as S-expressions, for tests and for people: every node, no ranges.

use super::ast::{
    Asm, BinaryOp, Block, CastStyle, Enum, Expr, ExprKind, FoldOp, Function, Init, Name, Param,
    Scalar, Stmt, StmtKind, Storage, Struct, SwitchItem, TemplateArg, TemplateParam,
    TemplateParamKind, Type, TypeKind, Typedef, UnaryOp, Unit, VarDecl,
};

/// The whole unit, one item a paragraph.
pub fn dump(unit: &Unit) -> String {
    let mut out = String::new();
    for typedef in &unit.typedefs {
        line(&mut out, 0, &typedef_text(typedef));
    }
    for entry in &unit.enums {
        line(&mut out, 0, &enum_text(entry));
    }
    for entry in &unit.structs {
        line(&mut out, 0, &struct_text(entry));
    }
    for using in &unit.usings {
        let alias = using
            .alias
            .as_ref()
            .map_or(String::new(), |alias| format!("{alias} = "));
        let kind = if using.namespace {
            "using-namespace"
        } else {
            "using"
        };
        line(&mut out, 0, &format!("({kind} {alias}{})", using.target));
    }
    for var in &unit.globals {
        line(&mut out, 0, &format!("(global {})", var_text(var)));
    }
    for function in &unit.functions {
        function_lines(&mut out, "function", function);
    }
    for function in &unit.instantiations {
        function_lines(&mut out, "instantiation", function);
    }
    for class in &unit.class_instantiations {
        line(
            &mut out,
            0,
            &format!("(instantiation {})", type_text(class)),
        );
    }
    for problem in &unit.unparsed {
        line(&mut out, 0, &format!("(unparsed {:?})", problem.what));
    }
    out
}

/// One expression.
pub fn dump_expr(expr: &Expr) -> String {
    expr_text(expr)
}

/// One statement, nested statements indented.
pub fn dump_stmt(stmt: &Stmt) -> String {
    let mut out = String::new();
    stmt_lines(&mut out, 0, stmt);
    out
}

/// One type.
pub fn dump_type(ty: &Type) -> String {
    type_text(ty)
}

fn line(out: &mut String, indent: usize, text: &str) {
    out.extend(std::iter::repeat_n("  ", indent));
    out.push_str(text);
    out.push('\n');
}

fn join<T>(items: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    items
        .into_iter()
        .map(|item| format!(" {}", text(item)))
        .collect()
}

fn function_lines(out: &mut String, keyword: &str, function: &Function) {
    let quals = &function.quals;
    let flags: String = [
        (quals.global, " __global__"),
        (quals.device, " __device__"),
        (quals.host, " __host__"),
        (quals.forceinline, " __forceinline__"),
        (quals.noinline, " __noinline__"),
        (quals.inline, " inline"),
        (quals.is_static, " static"),
        (quals.constexpr, " constexpr"),
        (quals.extern_c, " extern-C"),
        (quals.is_virtual, " virtual"),
        (quals.friend, " friend"),
        (quals.is_const, " const"),
        (quals.of_reference, " of-reference"),
    ]
    .iter()
    .filter_map(|&(set, text)| set.then_some(text))
    .collect();
    let template = match &function.template {
        Some(params) => format!(" (template{})", join(params, template_param)),
        None => String::new(),
    };
    let args = if function.template_args.is_empty() {
        String::new()
    } else {
        template_args(&function.template_args)
    };
    let bounds = if function.launch_bounds.is_empty() {
        String::new()
    } else {
        format!(
            " (launch-bounds{})",
            join(&function.launch_bounds, expr_text)
        )
    };
    let owner = function
        .owner
        .as_ref()
        .map_or(String::new(), |owner| format!(" (member-of {owner})"));
    let variadic = if function.variadic { " ..." } else { "" };
    let (params, ret) = (join(&function.params, param_text), type_text(&function.ret));
    let head = format!(
        "({keyword} {}{args}{flags}{template}{bounds}{owner} (params{params}{variadic}) {ret}",
        function.qualified
    );
    match &function.body {
        None => line(out, 0, &format!("{head})")),
        Some(body) => {
            line(out, 0, &head);
            block_lines(out, 1, body);
        }
    }
    for problem in &function.parse_errors {
        line(out, 1, &format!("(error {:?})", problem.what));
    }
}

/// A block, by what it does and not where it stands.
pub(crate) fn block_text(block: &Block) -> String {
    let mut out = String::new();
    block_lines(&mut out, 0, block);
    out
}

fn block_lines(out: &mut String, indent: usize, block: &Block) {
    for stmt in &block.stmts {
        stmt_lines(out, indent, stmt);
    }
}

fn stmt_lines(out: &mut String, indent: usize, stmt: &Stmt) {
    let optional = |expr: &Option<Expr>| expr.as_ref().map_or("-".to_owned(), expr_text);
    match &stmt.kind {
        StmtKind::Block(block) => {
            line(out, indent, "(block");
            block_lines(out, indent + 1, block);
        }
        StmtKind::Expr(expr) => line(out, indent, &expr_text(expr)),
        StmtKind::Decl(vars) => vars
            .iter()
            .for_each(|var| line(out, indent, &format!("(var {})", var_text(var)))),
        StmtKind::Typedef(typedef) => line(out, indent, &typedef_text(typedef)),
        StmtKind::Enum(entry) => line(out, indent, &enum_text(entry)),
        StmtKind::Struct(entry) => line(out, indent, &struct_text(entry)),
        StmtKind::Using(using) => line(out, indent, &format!("(using {})", using.target)),
        StmtKind::Prototype(function) => {
            let params = join(&function.params, param_text);
            line(
                out,
                indent,
                &format!(
                    "(prototype {} (params{params}) {})",
                    function.name,
                    type_text(&function.ret)
                ),
            );
        }
        StmtKind::If {
            constexpr,
            cond,
            then,
            els,
        } => {
            let constexpr = if *constexpr { "-constexpr" } else { "" };
            line(out, indent, &format!("(if{constexpr} {}", expr_text(cond)));
            stmt_lines(out, indent + 1, then);
            if let Some(els) = els {
                line(out, indent, " else");
                stmt_lines(out, indent + 1, els);
            }
        }
        StmtKind::For {
            init,
            cond,
            update,
            body,
        } => {
            line(out, indent, "(for");
            match init {
                Some(init) => stmt_lines(out, indent + 2, init),
                None => line(out, indent + 2, "-"),
            }
            line(
                out,
                indent + 2,
                &format!("{} ; {}", optional(cond), optional(update)),
            );
            stmt_lines(out, indent + 1, body);
        }
        StmtKind::RangeFor { var, range, body } => {
            line(
                out,
                indent,
                &format!("(range-for {} in {}", var_text(var), expr_text(range)),
            );
            stmt_lines(out, indent + 1, body);
        }
        StmtKind::While { cond, body } => {
            line(out, indent, &format!("(while {}", expr_text(cond)));
            stmt_lines(out, indent + 1, body);
        }
        StmtKind::DoWhile { body, cond } => {
            line(out, indent, "(do");
            stmt_lines(out, indent + 1, body);
            line(out, indent, &format!(" while {}", expr_text(cond)));
        }
        StmtKind::Switch { cond, items } => {
            line(out, indent, &format!("(switch {}", expr_text(cond)));
            for item in items {
                match item {
                    SwitchItem::Case(label) => {
                        line(out, indent + 1, &format!("case {}", expr_text(label)))
                    }
                    SwitchItem::Default(_) => line(out, indent + 1, "default"),
                    SwitchItem::Stmt(stmt) => stmt_lines(out, indent + 2, stmt),
                }
            }
        }
        StmtKind::Binding { whole, names } => {
            let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            let text = format!("(binding {} {}", names.join(" "), var_text(whole));
            line(out, indent, &text);
        }
        StmtKind::Break => line(out, indent, "(break)"),
        StmtKind::Continue => line(out, indent, "(continue)"),
        StmtKind::Return(value) => line(out, indent, &format!("(return {})", optional(value))),
        StmtKind::Goto(label) => line(out, indent, &format!("(goto {label})")),
        StmtKind::Label(label, body) => {
            line(out, indent, &format!("(label {label}"));
            stmt_lines(out, indent + 1, body);
        }
        StmtKind::Empty => line(out, indent, "(empty)"),
        StmtKind::Asm(asm) => line(out, indent, &asm_text(asm)),
        StmtKind::MemberInit { member, init } => {
            let init = init_text(init);
            line(
                out,
                indent,
                &format!("(member-init {}{init})", name_text(member)),
            );
        }
        StmtKind::Unsupported { what } => line(out, indent, &format!("(unsupported {what:?})")),
    }
}

fn asm_text(asm: &Asm) -> String {
    let operand =
        |(constraint, value): &(String, Expr)| format!("{constraint:?} {}", expr_text(value));
    format!(
        "(asm{} {:?} (out{}) (in{}) (clobber{}))",
        if asm.is_volatile { "-volatile" } else { "" },
        asm.template,
        join(&asm.outputs, operand),
        join(&asm.inputs, operand),
        join(&asm.clobbers, |clobber| format!("{clobber:?}"))
    )
}

fn typedef_text(typedef: &Typedef) -> String {
    let template = join(&typedef.template, template_param);
    let template = if template.is_empty() {
        template
    } else {
        format!(" (template{template})")
    };
    let align = join(&typedef.align, |align| {
        format!("(align {})", expr_text(align))
    });
    let opaque = if typedef.opaque { " opaque" } else { "" };
    format!(
        "(typedef {}{template}{align}{opaque} {})",
        typedef.name,
        type_text(&typedef.ty)
    )
}

fn enum_text(entry: &Enum) -> String {
    let values = join(&entry.values, |value| match &value.value {
        Some(expr) => format!("({} {})", value.name, expr_text(expr)),
        None => value.name.clone(),
    });
    let scoped = if entry.scoped { "-class" } else { "" };
    let underlying = entry
        .underlying
        .as_ref()
        .map_or(String::new(), |ty| format!(" : {}", type_text(ty)));
    format!("(enum{scoped} {}{underlying}{values})", entry.name)
}

fn struct_text(entry: &Struct) -> String {
    let kind = format!("{:?}", entry.kind).to_lowercase();
    let template = join(&entry.template, template_param);
    let template = if template.is_empty() {
        template
    } else {
        format!(" (template{template})")
    };
    let args = if entry.template_args.is_empty() {
        String::new()
    } else {
        template_args(&entry.template_args)
    };
    let bases = join(&entry.bases, |base| format!(": {}", type_text(base)));
    let fields = join(&entry.fields, |field| {
        format!("(field {})", var_text(field))
    });
    let bits = join(&entry.bits, |bits| {
        format!("(bits {} {})", bits.before, expr_text(&bits.width))
    });
    let opaque = entry
        .opaque_layout
        .as_ref()
        .map_or(String::new(), |why| format!(" (opaque {why:?})"));
    let declared = match (entry.defined, entry.has_virtual) {
        (false, _) => " declared",
        (true, true) => " virtual",
        (true, false) => "",
    };
    let align = join(&entry.align, |align| {
        format!("(align {})", expr_text(align))
    });
    let fields_align = join(&entry.field_align, |(position, align)| {
        format!("(align {position} {})", expr_text(align))
    });
    let packed = entry
        .packed
        .map_or(String::new(), |bytes| format!("(packed {bytes})"));
    format!(
        "({kind} {}{args}{template}{align}{packed}{bases}{declared}{fields}{fields_align}{bits}{opaque})",
        entry.name
    )
}

fn init_text(init: &Init) -> String {
    match init {
        Init::None => String::new(),
        Init::Expr(value) => format!(" = {}", expr_text(value)),
        Init::List(value) => format!(" {}", expr_text(value)),
        Init::Call(args) => format!(" (init{})", join(args, expr_text)),
    }
}

fn var_text(var: &VarDecl) -> String {
    let storage = storage_text(&var.storage);
    let init = init_text(&var.init);
    format!("{}{storage} {}{init}", var.name, type_text(&var.ty))
}

fn storage_text(storage: &Storage) -> String {
    [
        (storage.shared, " __shared__"),
        (storage.constant, " __constant__"),
        (storage.device, " __device__"),
        (storage.managed, " __managed__"),
        (storage.is_extern, " extern"),
        (storage.is_static, " static"),
        (storage.constexpr, " constexpr"),
        (storage.register, " register"),
        (storage.thread_local, " thread_local"),
        (storage.mutable, " mutable"),
        (storage.grid_constant, " __grid_constant__"),
    ]
    .iter()
    .filter_map(|&(set, text)| set.then_some(text))
    .collect()
}

fn param_text(param: &Param) -> String {
    let pack = if param.pack { "..." } else { "" };
    let default = param.default.as_ref().map_or(String::new(), |default| {
        format!(" = {}", expr_text(default))
    });
    format!(
        "({pack}{} {}{default})",
        param.name.as_deref().unwrap_or("-"),
        type_text(&param.ty)
    )
}

fn template_param(param: &TemplateParam) -> String {
    let pack = if param.pack { "..." } else { "" };
    let name = param.name.as_deref().unwrap_or("-");
    match &param.kind {
        TemplateParamKind::Type { default } => {
            let default = default
                .as_ref()
                .map_or(String::new(), |ty| format!(" = {}", type_text(ty)));
            format!("(type {pack}{name}{default})")
        }
        TemplateParamKind::Value { ty, default } => {
            let default = default
                .as_ref()
                .map_or(String::new(), |expr| format!(" = {}", expr_text(expr)));
            format!("(value {pack}{name} {}{default})", type_text(ty))
        }
        TemplateParamKind::Template { .. } => format!("(template {pack}{name})"),
    }
}

fn template_args(args: &[TemplateArg]) -> String {
    let args: Vec<String> = args
        .iter()
        .map(|arg| match arg {
            TemplateArg::Type(ty) => type_text(ty),
            TemplateArg::Expr(expr) => expr_text(expr),
            TemplateArg::Name(name) => name_text(name),
        })
        .collect();
    format!("<{}>", args.join(", "))
}

fn name_text(name: &Name) -> String {
    let mut text = if name.global {
        "::".to_owned()
    } else {
        String::new()
    };
    for segment in &name.qualifier {
        text.push_str(&segment.name);
        text.push_str(
            &segment
                .args
                .as_deref()
                .map(template_args)
                .unwrap_or_default(),
        );
        text.push_str("::");
    }
    text.push_str(&name.base);
    text.push_str(&name.args.as_deref().map(template_args).unwrap_or_default());
    text
}

fn type_text(ty: &Type) -> String {
    let mut text = String::new();
    for (set, word) in [
        (ty.is_const, "const "),
        (ty.is_volatile, "volatile "),
        (ty.restrict, "restrict "),
    ] {
        if set {
            text.push_str(word);
        }
    }
    text + &match &ty.kind {
        TypeKind::Scalar(scalar) => scalar_text(*scalar).to_owned(),
        TypeKind::Named(name) => name_text(name),
        TypeKind::Pointer(to) => format!("(ptr {})", type_text(to)),
        TypeKind::Reference(to) => format!("(ref {})", type_text(to)),
        TypeKind::RvalueReference(to) => format!("(rref {})", type_text(to)),
        TypeKind::Array(of, size) => {
            format!(
                "(array {} {})",
                size.as_ref().map_or("-".to_owned(), |size| expr_text(size)),
                type_text(of)
            )
        }
        TypeKind::Function { ret, params } => {
            format!("(fn{} {})", join(params, param_text), type_text(ret))
        }
        TypeKind::Auto => "auto".to_owned(),
        TypeKind::Decltype(expr) => format!("(decltype {})", expr_text(expr)),
        TypeKind::MemberPointer(to) => format!("(member-pointer {})", type_text(to)),
        TypeKind::Expand(pattern) => format!("(expand {})", type_text(pattern)),
        TypeKind::Unsupported(problem) => format!("(unsupported {:?})", problem.what),
    }
}

fn scalar_text(scalar: Scalar) -> &'static str {
    use Scalar::*;
    match scalar {
        Void => "void",
        Bool => "bool",
        Char => "char",
        SChar => "schar",
        UChar => "uchar",
        Short => "short",
        UShort => "ushort",
        Int => "int",
        UInt => "uint",
        Long => "long",
        ULong => "ulong",
        LongLong => "longlong",
        ULongLong => "ulonglong",
        Int128 => "int128",
        UInt128 => "uint128",
        WChar => "wchar",
        Char8 => "char8",
        Char16 => "char16",
        Char32 => "char32",
        Half => "half",
        BFloat16 => "bfloat16",
        Float => "float",
        Double => "double",
        LongDouble => "longdouble",
        NullptrT => "nullptr_t",
    }
}

fn expr_text(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int { value, ty } => format!(
            "{value}{}",
            if *ty == Scalar::Int {
                ""
            } else {
                scalar_text(*ty)
            }
        ),
        ExprKind::Float { text, ty } => format!(
            "{text}{}",
            if *ty == Scalar::Double {
                ""
            } else {
                scalar_text(*ty)
            }
        ),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Char { value, ty } => format!(
            "'{value}{}'",
            if *ty == Scalar::Char {
                ""
            } else {
                scalar_text(*ty)
            }
        ),
        ExprKind::Str(text) => format!("{text:?}"),
        ExprKind::Nullptr => "nullptr".to_owned(),
        ExprKind::This => "this".to_owned(),
        ExprKind::Name(name) => name_text(name),
        ExprKind::Unary(op, arg) => {
            let op = match op {
                UnaryOp::Neg => "neg",
                UnaryOp::Plus => "plus",
                UnaryOp::Not => "!",
                UnaryOp::BitNot => "~",
            };
            format!("({op} {})", expr_text(arg))
        }
        ExprKind::Deref(arg) => format!("(deref {})", expr_text(arg)),
        ExprKind::AddressOf(arg) => format!("(addr {})", expr_text(arg)),
        ExprKind::IncDec {
            increment,
            prefix,
            arg,
        } => {
            let op = if *increment { "++" } else { "--" };
            let (before, after) = if *prefix { (op, "_") } else { ("_", op) };
            format!("({before}{after} {})", expr_text(arg))
        }
        ExprKind::Binary(op, left, right) => {
            format!("({} {} {})", op.text(), expr_text(left), expr_text(right))
        }
        ExprKind::Assign { op, lhs, rhs } => {
            format!(
                "({}= {} {})",
                op.map_or("", |op| op.text()),
                expr_text(lhs),
                expr_text(rhs)
            )
        }
        ExprKind::Conditional { cond, then, els } => {
            format!(
                "(? {} {} {})",
                expr_text(cond),
                expr_text(then),
                expr_text(els)
            )
        }
        ExprKind::Cast { style, ty, arg } => {
            let style = match style {
                CastStyle::C => "cast",
                CastStyle::Functional => "cast-fn",
                CastStyle::Static => "cast-static",
                CastStyle::Reinterpret => "cast-reinterpret",
                CastStyle::Const => "cast-const",
                CastStyle::Dynamic => "cast-dynamic",
                CastStyle::Part => "cast-part",
            };
            format!("({style} {} {})", type_text(ty), expr_text(arg))
        }
        ExprKind::Construct { ty, args, braces } => {
            format!(
                "(construct{} {}{})",
                if *braces { "-braces" } else { "" },
                type_text(ty),
                join(args, expr_text)
            )
        }
        ExprKind::Call { callee, args } => {
            format!("(call {}{})", expr_text(callee), join(args, expr_text))
        }
        ExprKind::Launch {
            kernel,
            config,
            args,
        } => {
            format!(
                "(launch {} (config{}){})",
                expr_text(kernel),
                join(config, expr_text),
                join(args, expr_text)
            )
        }
        ExprKind::Member { base, arrow, field } => {
            format!(
                "({} {} {})",
                if *arrow { "->" } else { "." },
                expr_text(base),
                name_text(field)
            )
        }
        ExprKind::Index { base, index } => format!("([] {} {})", expr_text(base), expr_text(index)),
        ExprKind::SizeofType(ty) => format!("(sizeof-type {})", type_text(ty)),
        ExprKind::SizeofExpr(arg) => format!("(sizeof {})", expr_text(arg)),
        ExprKind::AlignofType(ty) => format!("(alignof {})", type_text(ty)),
        ExprKind::InitList(elements) => format!("{{{}}}", join(elements, expr_text).trim_start()),
        ExprKind::Lambda(lambda) => {
            let mut body = String::new();
            block_lines(&mut body, 0, &lambda.body);
            let body = body.trim_end().replace('\n', " ");
            format!(
                "(lambda [{}{}] (params{}) {{{body}}})",
                lambda.captures,
                join(&lambda.inits, var_text),
                join(&lambda.params, param_text)
            )
        }
        ExprKind::StmtExpr(block) => {
            let mut body = String::new();
            block_lines(&mut body, 0, block);
            format!("(stmt-expr {{{}}})", body.trim_end().replace('\n', " "))
        }
        ExprKind::Comma(left, right) => format!("(, {} {})", expr_text(left), expr_text(right)),
        ExprKind::MemberPointer {
            base,
            arrow,
            pointer,
        } => {
            let operator = if *arrow { "->*" } else { ".*" };
            format!("({operator} {} {})", expr_text(base), expr_text(pointer))
        }
        ExprKind::Expand(inner) => format!("(expand {})", expr_text(inner)),
        ExprKind::Fold(fold) => {
            let operand =
                |operand: &Option<Expr>| operand.as_ref().map_or("...".to_owned(), expr_text);
            let op = match fold.op {
                FoldOp::Binary(op) => op.text().to_owned(),
                FoldOp::Assign(op) => format!("{}=", op.map_or("", BinaryOp::text)),
                FoldOp::Comma => ",".to_owned(),
            };
            format!(
                "(fold {op} {} {})",
                operand(&fold.before),
                operand(&fold.behind)
            )
        }
        ExprKind::SizeofPack(pack) => format!("(sizeof... {pack})"),
        ExprKind::Asm(asm) => asm_text(asm),
        ExprKind::New { ty, operands } => {
            format!("(new {}{})", type_text(ty), join(operands, expr_text))
        }
        ExprKind::Delete(deleted) => format!("(delete {})", expr_text(deleted)),
        ExprKind::Designated { field, value } => format!("(.{field} {})", expr_text(value)),
        ExprKind::Unsupported { what } => format!("(unsupported {what:?})"),
    }
}
