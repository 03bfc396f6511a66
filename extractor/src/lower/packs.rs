//! Variadic functions with their packs written out.
//!
//! **Method.** For a number of arguments, `template <class... A> void f(A... a)` is the template
//! `template <class A0, class A1> void f(A0 a0, A1 a1)` whose body has every expansion, fold and `sizeof...` over the packs
//! replaced by what the standard defines it to be ([temp.variadic], [expr.prim.fold]). The parameters have names that no
//! program can write. Overload resolution, deduction and lowering then see an ordinary template.
//!
//! **Contract.** A function of which anything names a pack in another way is not written out: it keeps its packs, and a call
//! of it is reported. So is one whose class may have packs of its own, or that has several packs of template parameters.

use super::grown::Grown;
use super::unit::UnitIndex;
use crate::syntax::ast::*;

/// The most arguments of a pack that are written out.
const MAX_ELEMENTS: usize = 64;

/// Variadic functions that were written out, by the function and the number of arguments.
pub(crate) type WrittenOut = Grown<(Range, usize), Option<Function>>;

impl<'u> UnitIndex<'u> {
    /// The function that a variadic one is for a number of arguments, of which so many are written for its template.
    pub(crate) fn written_out(
        &'u self,
        function: &'u Function,
        own: &[TemplateParam],
        args: usize,
        written: usize,
    ) -> Option<&'u Function> {
        let count = self.elements(function, own, args, written)?;
        self.written_out
            .get((function.range, count), |_| write_out(function, count))?
            .as_ref()
    }

    /// A kernel with its packs written out for the arguments of a launch; itself, if it has none.
    pub(crate) fn launched_with(&'u self, kernel: &'u Function, arguments: usize) -> &'u Function {
        let is_pack = kernel.params.last().is_some_and(|param| param.pack);
        let own = kernel.template.as_deref().unwrap_or_default();
        let written_out = match is_pack {
            true => self.written_out(kernel, own, arguments, 0),
            false => None,
        };
        written_out.unwrap_or(kernel)
    }

    /// A variable template with a pack, `template <class T, class... L> constexpr bool one_of = (is<T, L> || ...);`, as it is for
    /// so many arguments; itself, if it has no pack.
    pub(crate) fn variable_with(
        &'u self,
        variable: &'u VarDecl,
        args: usize,
    ) -> Option<&'u VarDecl> {
        let Some(pack) = variable.template.iter().position(|one| one.pack) else {
            return Some(variable);
        };
        let count = args.checked_sub(pack)?;
        if pack + 1 != variable.template.len() || count > MAX_ELEMENTS {
            return None;
        }
        self.variables_written_out
            .get((variable.range, count), |_| {
                write_out_variable(variable, count)
            })?
            .as_ref()
    }

    /// How many elements the packs of a function have.
    fn elements(
        &self,
        function: &Function,
        own: &[TemplateParam],
        args: usize,
        written: usize,
    ) -> Option<usize> {
        let owner = function.owner.as_deref();
        let mut around = owner.into_iter().flat_map(|one| self.named.classes(one));
        if around.any(|record| record.template.iter().any(|parameter| parameter.pack)) {
            return None;
        }
        let all = function.template.as_deref().unwrap_or_default();
        let packs = |of: &[TemplateParam]| of.iter().filter(|parameter| parameter.pack).count();
        if packs(all) > 1 || packs(all) != packs(own) {
            return None;
        }
        let of_function = function.params.iter().filter(|param| param.pack).count();
        let count = match (of_function, function.params.last()) {
            (1, Some(last)) if last.pack => args.checked_sub(function.params.len() - 1)?,
            (0, _) => {
                let pack = own.iter().position(|parameter| parameter.pack)?;
                let named = own.get(pack)?.name.as_deref();
                // `f(S<A...>)`: what the argument is tells.
                if function.params.iter().any(|param| names(&param.ty, named)) {
                    return None;
                }
                written.saturating_sub(pack)
            }
            _ => return None,
        };
        (count <= MAX_ELEMENTS).then_some(count)
    }
}

/// Variable templates that were written out, by the variable and the number of elements.
pub(crate) type VariablesWrittenOut = Grown<(Range, usize), Option<VarDecl>>;

/// Whether a function has packs.
pub(crate) fn is_variadic(function: &Function) -> bool {
    let parameters = function.template.iter().flatten();
    function.params.iter().any(|param| param.pack) || parameters.clone().any(|one| one.pack)
}

/// Whether a type names a pack, wherever.
fn names(ty: &Type, pack: Option<&str>) -> bool {
    let Some(pack) = pack else { return false };
    let mut writer = Writer {
        packs: vec![pack.to_owned()],
        count: 0,
        met: false,
        named: false,
        refused: false,
    };
    writer.ty(&mut ty.clone(), None);
    writer.named || writer.refused
}

fn write_out_variable(variable: &VarDecl, count: usize) -> Option<VarDecl> {
    let packs = variable.template.iter().filter(|parameter| parameter.pack);
    let mut writer = Writer {
        packs: packs
            .filter_map(|parameter| parameter.name.clone())
            .collect(),
        count,
        met: false,
        named: false,
        refused: false,
    };
    let mut variable = variable.clone();
    variable.template = writer.template(std::mem::take(&mut variable.template));
    writer.ty(&mut variable.ty, None);
    writer.init(&mut variable.init, None);
    (!writer.refused).then_some(variable)
}

fn write_out(function: &Function, count: usize) -> Option<Function> {
    let mut packs: Vec<String> = Vec::new();
    let of_template = function.template.iter().flatten();
    packs.extend(
        of_template
            .filter(|parameter| parameter.pack)
            .filter_map(|parameter| parameter.name.clone()),
    );
    let params = function.params.iter().filter(|param| param.pack);
    packs.extend(params.filter_map(|param| param.name.clone()));
    let mut writer = Writer {
        packs,
        count,
        met: false,
        named: false,
        refused: false,
    };
    let mut function = function.clone();
    let template = function.template.take();
    function.template = template.map(|template| writer.template(template));
    let params = std::mem::take(&mut function.params);
    function.params = writer.params(params);
    function.variadic = false;
    writer.ty(&mut function.ret, None);
    if let Some(body) = &mut function.body {
        writer.block(body);
    }
    (!writer.refused).then_some(function)
}

/// Between the name of a pack and the number of an element.
const SEPARATOR: &str = "...";

/// The name of an element of a pack.
fn element(pack: &str, position: usize) -> String {
    format!("{pack}{SEPARATOR}{position}")
}

/// The pack that a name is an element of.
pub(crate) fn pack_of(name: &str) -> Option<&str> {
    name.split_once(SEPARATOR).map(|(pack, _)| pack)
}

/// Replaces what names packs, in place.
struct Writer {
    /// The names of all packs, which have as many elements.
    packs: Vec<String>,
    count: usize,
    /// Whether a pack was named where its elements are meant.
    met: bool,
    /// Whether a pack was named anywhere, expanded or not.
    named: bool,
    /// Whether something was met that is not written out.
    refused: bool,
}

impl Writer {
    fn template(&mut self, template: Vec<TemplateParam>) -> Vec<TemplateParam> {
        let mut all = Vec::new();
        for mut parameter in template {
            let count = if parameter.pack { self.count } else { 1 };
            let is_pack = std::mem::take(&mut parameter.pack);
            for position in 0..count {
                let mut one = parameter.clone();
                if is_pack {
                    one.name = one.name.map(|name| element(&name, position));
                }
                let own = is_pack.then_some(position);
                match &mut one.kind {
                    TemplateParamKind::Type { default } => {
                        default.iter_mut().for_each(|ty| self.ty(ty, own));
                    }
                    TemplateParamKind::Value { ty, default } => {
                        self.ty(ty, own);
                        default.iter_mut().for_each(|value| self.expr(value, own));
                    }
                    TemplateParamKind::Template { .. } => {}
                }
                all.push(one);
            }
        }
        all
    }

    fn params(&mut self, params: Vec<Param>) -> Vec<Param> {
        let mut all = Vec::new();
        for mut param in params {
            let is_pack = std::mem::take(&mut param.pack);
            let count = if is_pack { self.count } else { 1 };
            for position in 0..count {
                let mut one = param.clone();
                if is_pack {
                    one.name = one.name.map(|name| element(&name, position));
                }
                let own = is_pack.then_some(position);
                self.ty(&mut one.ty, own);
                one.default
                    .iter_mut()
                    .for_each(|value| self.expr(value, own));
                all.push(one);
            }
        }
        all
    }

    fn is_pack(&self, name: &str) -> bool {
        self.packs.iter().any(|pack| pack == name)
    }

    /// A name that is declared inside: it would hide a pack.
    fn declared(&mut self, name: Option<&str>) {
        self.refused |= name.is_some_and(|name| self.is_pack(name));
    }

    fn name(&mut self, name: &mut Name, at: Option<usize>) {
        for segment in &mut name.qualifier {
            self.args(&mut segment.args, at);
            self.identifier(&mut segment.name, at);
        }
        if name.qualifier.is_empty() && !name.global {
            self.identifier(&mut name.base, at);
        }
        self.args(&mut name.args, at);
    }

    fn identifier(&mut self, name: &mut String, at: Option<usize>) {
        if !self.is_pack(name) {
            return;
        }
        self.named = true;
        match at {
            Some(position) => {
                *name = element(name, position);
                self.met = true;
            }
            // A pack that nothing expands.
            None => self.refused = true,
        }
    }

    fn args(&mut self, args: &mut Option<Vec<TemplateArg>>, at: Option<usize>) {
        let Some(args) = args else { return };
        let mut all = Vec::new();
        for arg in std::mem::take(args) {
            match arg {
                TemplateArg::Type(Type {
                    kind: TypeKind::Expand(pattern),
                    ..
                }) => {
                    for position in self.positions(|me, at| me.ty(&mut pattern.clone(), at)) {
                        let mut one = Type::clone(&pattern);
                        self.ty(&mut one, Some(position));
                        // Of a bare name it shows only when it is looked up what it is.
                        all.push(match one.kind {
                            TypeKind::Named(name) if !one.is_const && !one.is_volatile => {
                                TemplateArg::Name(name)
                            }
                            _ => TemplateArg::Type(one),
                        });
                    }
                }
                TemplateArg::Expr(Expr {
                    kind: ExprKind::Expand(pattern),
                    ..
                }) => {
                    for position in self.positions(|me, at| me.expr(&mut pattern.clone(), at)) {
                        let mut one = Expr::clone(&pattern);
                        self.expr(&mut one, Some(position));
                        all.push(TemplateArg::Expr(one));
                    }
                }
                TemplateArg::Type(mut ty) => {
                    self.ty(&mut ty, at);
                    all.push(TemplateArg::Type(ty));
                }
                TemplateArg::Expr(mut expr) => {
                    self.expr(&mut expr, at);
                    all.push(TemplateArg::Expr(expr));
                }
                TemplateArg::Name(mut name) => {
                    self.name(&mut name, at);
                    all.push(TemplateArg::Name(name));
                }
            }
        }
        *args = all;
    }

    /// For which elements a pattern is written: none if it names no pack of these, which is reported.
    fn positions(&mut self, look: impl FnOnce(&mut Self, Option<usize>)) -> std::ops::Range<usize> {
        let before = std::mem::take(&mut self.met);
        look(self, Some(0));
        self.refused |= !std::mem::replace(&mut self.met, before);
        0..self.count
    }

    fn ty(&mut self, ty: &mut Type, at: Option<usize>) {
        match &mut ty.kind {
            TypeKind::Named(name) => self.name(name, at),
            TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                self.ty(to, at);
            }
            // The class in it is not kept.
            TypeKind::MemberPointer(_) => self.refused = true,
            TypeKind::Array(of, size) => {
                self.ty(of, at);
                size.iter_mut().for_each(|size| self.expr(size, at));
            }
            TypeKind::Function { ret, params } => {
                self.ty(ret, at);
                self.refused |= params.iter().any(|param| param.pack);
                for param in params {
                    self.ty(&mut param.ty, at);
                }
            }
            TypeKind::Decltype(expr) => self.expr(expr, at),
            // Only arguments are expanded.
            TypeKind::Expand(_) => self.refused = true,
            TypeKind::Scalar(_) | TypeKind::Auto | TypeKind::Unsupported(_) => {}
        }
    }

    fn exprs(&mut self, list: &mut Vec<Expr>, at: Option<usize>) {
        let mut all = Vec::with_capacity(list.len());
        for mut expr in std::mem::take(list) {
            let ExprKind::Expand(pattern) = &expr.kind else {
                self.expr(&mut expr, at);
                all.push(expr);
                continue;
            };
            for position in self.positions(|me, at| me.expr(&mut pattern.clone(), at)) {
                let mut one = Expr::clone(pattern);
                self.expr(&mut one, Some(position));
                all.push(one);
            }
        }
        *list = all;
    }

    fn expr(&mut self, expr: &mut Expr, at: Option<usize>) {
        match &mut expr.kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Char { .. }
            | ExprKind::Str(_)
            | ExprKind::Nullptr
            | ExprKind::This
            | ExprKind::Unsupported { .. } => {}
            ExprKind::Name(name) => self.name(name, at),
            ExprKind::Designated { value: arg, .. }
            | ExprKind::Unary(_, arg)
            | ExprKind::Deref(arg)
            | ExprKind::AddressOf(arg)
            | ExprKind::IncDec { arg, .. }
            | ExprKind::SizeofExpr(arg) => self.expr(arg, at),
            ExprKind::Binary(_, left, right)
            | ExprKind::Assign {
                lhs: left,
                rhs: right,
                ..
            }
            | ExprKind::Index {
                base: left,
                index: right,
            }
            | ExprKind::MemberPointer {
                base: left,
                pointer: right,
                ..
            }
            | ExprKind::Comma(left, right) => {
                self.expr(left, at);
                self.expr(right, at);
            }
            ExprKind::Conditional { cond, then, els } => {
                self.expr(cond, at);
                self.expr(then, at);
                self.expr(els, at);
            }
            ExprKind::Cast { ty, arg, .. } => {
                self.ty(ty, at);
                self.expr(arg, at);
            }
            ExprKind::Construct { ty, args, .. } | ExprKind::New { ty, operands: args } => {
                self.ty(ty, at);
                self.exprs(args, at);
            }
            ExprKind::Delete(arg) => self.expr(arg, at),
            ExprKind::Call { callee, args } => {
                self.expr(callee, at);
                self.exprs(args, at);
            }
            ExprKind::Launch {
                kernel,
                config,
                args,
            } => {
                self.expr(kernel, at);
                self.exprs(config, at);
                self.exprs(args, at);
            }
            ExprKind::Member { base, field, .. } => {
                self.expr(base, at);
                // Members have names of their own.
                self.args(&mut field.args, at);
            }
            ExprKind::SizeofType(ty) | ExprKind::AlignofType(ty) => self.ty(ty, at),
            ExprKind::InitList(items) => self.exprs(items, at),
            ExprKind::Lambda(lambda) => self.lambda(lambda, at),
            ExprKind::StmtExpr(block) => self.block_at(block, at),
            ExprKind::Expand(_) | ExprKind::Asm(_) => self.refused = true,
            ExprKind::SizeofPack(pack) => {
                if !self.is_pack(pack) {
                    self.refused = true;
                    return;
                }
                expr.kind = ExprKind::Int {
                    value: self.count as u64,
                    ty: Scalar::ULong,
                };
            }
            ExprKind::Fold(fold) => match self.fold(fold, at, expr.range) {
                Some(folded) => *expr = folded,
                None => self.refused = true,
            },
        }
    }

    /// What a fold expression means. Inside another pattern it has packs of its own.
    fn fold(&mut self, fold: &Fold, at: Option<usize>, range: Range) -> Option<Expr> {
        let (before, behind) = (fold.before.as_ref(), fold.behind.as_ref());
        let (pattern, init, left) = match (self.has_pack(before), self.has_pack(behind)) {
            (true, false) => (before?, behind, false),
            (false, true) => (behind?, before, true),
            _ => return None,
        };
        let mut operands = Vec::new();
        for position in 0..self.count {
            let mut one = pattern.clone();
            self.expr(&mut one, Some(position));
            operands.push(one);
        }
        if let Some(init) = init {
            let mut init = init.clone();
            self.expr(&mut init, at);
            let place = if left { 0 } else { operands.len() };
            operands.insert(place, init);
        }
        let combined = |one: Expr, other: Expr| Expr {
            kind: combined(fold.op, one, other),
            range,
        };
        if left {
            operands.into_iter().reduce(combined)
        } else {
            let mut from_right = operands.into_iter().rev();
            let last = from_right.next();
            last.map(|last| from_right.fold(last, |behind, one| combined(one, behind)))
        }
        .or_else(|| empty(fold.op, range))
    }

    fn has_pack(&mut self, operand: Option<&Expr>) -> bool {
        let Some(operand) = operand else { return false };
        let before = std::mem::take(&mut self.met);
        self.expr(&mut operand.clone(), Some(0));
        std::mem::replace(&mut self.met, before)
    }

    fn lambda(&mut self, lambda: &mut Lambda, at: Option<usize>) {
        lambda.captures = self.captures(&lambda.captures);
        for capture in &mut lambda.inits {
            self.variable(capture, at);
        }
        for param in &mut lambda.params {
            self.declared(param.name.as_deref());
            self.refused |= param.pack;
            self.ty(&mut param.ty, at);
            param
                .default
                .iter_mut()
                .for_each(|value| self.expr(value, at));
        }
        lambda.ret.iter_mut().for_each(|ty| self.ty(ty, at));
        self.block_at(&mut lambda.body, at);
    }

    /// `[n, &a...]`
    fn captures(&mut self, captures: &str) -> String {
        let mut all: Vec<String> = Vec::new();
        for capture in captures.split(',').map(str::trim) {
            let name = capture.trim_start_matches('&').trim();
            let reference = if capture.starts_with('&') { "&" } else { "" };
            match name.strip_suffix("...").map(str::trim_end) {
                Some(pack) if self.is_pack(pack) => {
                    let names = (0..self.count).map(|position| element(pack, position));
                    all.extend(names.map(|name| format!("{reference}{name}")));
                }
                Some(_) => self.refused = true,
                None => {
                    self.refused |= self.is_pack(name);
                    all.push(capture.to_owned());
                }
            }
        }
        all.join(", ")
    }

    fn variable(&mut self, variable: &mut VarDecl, at: Option<usize>) {
        self.declared(Some(&variable.name));
        // `auto [a, b]` names what it declares in its text alone.
        self.refused |= variable.name.is_empty();
        self.ty(&mut variable.ty, at);
        self.init(&mut variable.init, at);
    }

    fn init(&mut self, init: &mut Init, at: Option<usize>) {
        match init {
            Init::None => {}
            Init::Expr(value) | Init::List(value) => self.expr(value, at),
            Init::Call(args) => self.exprs(args, at),
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.block_at(block, None);
    }

    fn block_at(&mut self, block: &mut Block, at: Option<usize>) {
        for stmt in &mut block.stmts {
            self.stmt(stmt, at);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt, at: Option<usize>) {
        match &mut stmt.kind {
            StmtKind::Block(block) => self.block_at(block, at),
            StmtKind::Expr(expr) => self.expr(expr, at),
            StmtKind::Decl(variables) => {
                variables.iter_mut().for_each(|one| self.variable(one, at));
            }
            StmtKind::Binding { whole, names } => {
                for (name, _) in names.iter() {
                    self.declared(Some(name));
                }
                self.variable(whole, at);
            }
            StmtKind::Typedef(typedef) => {
                self.declared(Some(&typedef.name));
                self.refused |= !typedef.template.is_empty();
                self.ty(&mut typedef.ty, at);
            }
            StmtKind::If {
                cond, then, els, ..
            } => {
                self.expr(cond, at);
                self.stmt(then, at);
                els.iter_mut().for_each(|els| self.stmt(els, at));
            }
            StmtKind::For {
                init,
                cond,
                update,
                body,
            } => {
                init.iter_mut().for_each(|init| self.stmt(init, at));
                cond.iter_mut().for_each(|cond| self.expr(cond, at));
                update.iter_mut().for_each(|update| self.expr(update, at));
                self.stmt(body, at);
            }
            StmtKind::RangeFor { var, range, body } => {
                self.variable(var, at);
                self.expr(range, at);
                self.stmt(body, at);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.expr(cond, at);
                self.stmt(body, at);
            }
            StmtKind::Switch { cond, items } => {
                self.expr(cond, at);
                for item in items {
                    match item {
                        SwitchItem::Case(expr) => self.expr(expr, at),
                        SwitchItem::Default(_) => {}
                        SwitchItem::Stmt(stmt) => self.stmt(stmt, at),
                    }
                }
            }
            StmtKind::Return(value) => value.iter_mut().for_each(|value| self.expr(value, at)),
            StmtKind::Label(_, inner) => self.stmt(inner, at),
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Empty
            | StmtKind::Unsupported { .. } => {}
            StmtKind::MemberInit { member, init } => {
                self.args(&mut member.args, at);
                self.init(init, at);
            }
            // Their members may name packs, and are kept elsewhere.
            StmtKind::Enum(_)
            | StmtKind::Struct(_)
            | StmtKind::Using(_)
            | StmtKind::Prototype(_)
            | StmtKind::Asm(_) => self.refused = true,
        }
    }
}

fn combined(op: FoldOp, one: Expr, other: Expr) -> ExprKind {
    let (one, other) = (Box::new(one), Box::new(other));
    match op {
        FoldOp::Binary(op) => ExprKind::Binary(op, one, other),
        FoldOp::Assign(op) => ExprKind::Assign {
            op,
            lhs: one,
            rhs: other,
        },
        FoldOp::Comma => ExprKind::Comma(one, other),
    }
}

/// What a fold over nothing is: only three operators have one.
fn empty(op: FoldOp, range: Range) -> Option<Expr> {
    let kind = match op {
        FoldOp::Binary(BinaryOp::And) => ExprKind::Bool(true),
        FoldOp::Binary(BinaryOp::Or) => ExprKind::Bool(false),
        FoldOp::Comma => ExprKind::Cast {
            style: CastStyle::Functional,
            ty: Box::new(Type::new(TypeKind::Scalar(Scalar::Void), range)),
            arg: Box::new(Expr {
                kind: ExprKind::Int {
                    value: 0,
                    ty: Scalar::Int,
                },
                range,
            }),
        },
        _ => return None,
    };
    Some(Expr { kind, range })
}
