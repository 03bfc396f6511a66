//! The second reading: tree-sitter's, compared with ours.
//!
//! A function is compared when tree-sitter finds no error in it. Control statements (`if`, loops, `switch`, `return`,
//! `break`, `continue`, `goto`) must be the same, with the same extent, in both. Assignments, increments, subscripts and
//! launches that tree-sitter sees must be among ours: its known wrong trees lose such places (a subscript taken for an
//! array type, an initialiser taken for a parameter), but do not invent them. Function bodies must be the same too. What
//! differs is a parse error of the function.
//!
//! tree-sitter's work is bounded by counting its progress calls, so that the outcome does not depend on the machine, and by
//! wall time as a safety net. As its time can grow with the square of the nesting, a text on which our reader gave up is
//! not given to it at all. A text without a second reading is recorded as such.

use std::collections::BTreeSet;
use std::ops::{Bound, ControlFlow};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use tree_sitter::{Language, ParseOptions, Tree};

use super::ast::{
    Block, Expr, ExprKind, Function, Init, Problem, Range, Stmt, StmtKind, SwitchItem, TemplateArg,
    Type, TypeKind, Unit, VarDecl,
};

/// Progress calls allowed: at least, and per this many bytes of text.
const LEAST_PROGRESS: u64 = 20_000;
const BYTES_PER_PROGRESS: u64 = 8;

/// The safety net.
const MOST_TIME: Duration = Duration::from_secs(30);

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    If,
    For,
    While,
    Do,
    Switch,
    Return,
    Break,
    Continue,
    Goto,
    Assign,
    Update,
    Subscript,
    Launch,
    Body,
}

impl Place {
    fn is_statement(self) -> bool {
        !matches!(
            self,
            Place::Assign | Place::Update | Place::Subscript | Place::Launch | Place::Body
        )
    }
}

/// What a kind of tree-sitter node means here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Plain,
    Place(Place),
    Function,
    Launch,
}

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| tree_sitter_cuda::LANGUAGE.into());

/// The class of each node kind, by its number.
static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
    let class = |id: usize| {
        let id = id as u16;
        if !LANGUAGE.node_kind_is_named(id) {
            return Class::Plain;
        }
        match LANGUAGE.node_kind_for_id(id).unwrap_or_default() {
            "if_statement" => Class::Place(Place::If),
            "for_statement" | "for_range_loop" => Class::Place(Place::For),
            "while_statement" => Class::Place(Place::While),
            "do_statement" => Class::Place(Place::Do),
            "switch_statement" => Class::Place(Place::Switch),
            "return_statement" => Class::Place(Place::Return),
            "break_statement" => Class::Place(Place::Break),
            "continue_statement" => Class::Place(Place::Continue),
            "goto_statement" => Class::Place(Place::Goto),
            "assignment_expression" => Class::Place(Place::Assign),
            "update_expression" => Class::Place(Place::Update),
            "subscript_expression" => Class::Place(Place::Subscript),
            "kernel_call_syntax" => Class::Launch,
            "function_definition" => Class::Function,
            _ => Class::Plain,
        }
    };
    (0..LANGUAGE.node_kind_count()).map(class).collect()
});

/// Compares the unit with tree-sitter's reading of the same text and records what differs.
pub(super) fn check(text: &str, unit: &mut Unit, gave_up: bool) {
    let tree = if gave_up { None } else { tree(text) };
    let Some(tree) = tree else {
        let range = Range::new(0, text.len() as u32);
        let what = "a text too deep or too large for a second reading".to_owned();
        unit.unparsed.push(Problem { range, what });
        return;
    };
    let theirs = theirs(text, &tree);
    let bodies: FxHashSet<Range> = theirs
        .places
        .iter()
        .filter(|(place, _)| *place == Place::Body)
        .map(|(_, range)| *range)
        .collect();
    let own: BTreeSet<Range> = unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref().map(|body| body.range))
        .filter(|range| bodies.contains(range))
        .collect();
    for function in &mut unit.functions {
        check_function(text, function, &theirs, &bodies, &own);
    }
    let ours: FxHashSet<Range> = unit
        .functions
        .iter()
        .chain(&unit.instantiations)
        .filter_map(|function| function.body.as_ref())
        .map(|body| body.range)
        .collect();
    for (_, body) in theirs
        .places
        .iter()
        .filter(|(place, _)| *place == Place::Body)
    {
        let inside = |outer: Range| outer.contains(*body);
        let recorded = unit.unparsed.iter().any(|problem| inside(problem.range))
            || ours.iter().any(|range| inside(*range));
        if !recorded && !theirs.erroneous(*body) {
            let what = "a function that only the second reading finds".to_owned();
            unit.unparsed.push(Problem { range: *body, what });
        }
    }
}

/// tree-sitter's tree, or `None` when the budget is spent.
fn tree(text: &str) -> Option<Tree> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&LANGUAGE).ok()?;
    let bytes = text.as_bytes();
    let mut budget = LEAST_PROGRESS + bytes.len() as u64 / BYTES_PER_PROGRESS;
    let start = Instant::now();
    let mut progress = |_: &tree_sitter::ParseState| {
        budget = budget.saturating_sub(1);
        if budget == 0 || start.elapsed() > MOST_TIME {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let mut input = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(&mut input, None, Some(options))
}

/// What tree-sitter sees, in text order.
struct Theirs {
    places: Vec<(Place, Range)>,
    /// Places of errors, in text order.
    errors: Vec<Range>,
}

impl Theirs {
    /// Whether an error touches the range.
    fn erroneous(&self, range: Range) -> bool {
        self.errors
            .iter()
            .any(|error| error.start <= range.end && range.start <= error.end)
    }
}

fn theirs(text: &str, tree: &Tree) -> Theirs {
    let mut theirs = Theirs {
        places: Vec::new(),
        errors: Vec::new(),
    };
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let range = Range::new(node.start_byte() as u32, node.end_byte() as u32);
        if node.is_error() || node.is_missing() {
            theirs.errors.push(range);
        }
        match CLASSES.get(usize::from(node.kind_id())) {
            // `x < 0 || x >= n` is an assignment to `x<0 || x>` in its eyes.
            Some(Class::Place(Place::Assign))
                if node.child_by_field_name("left").is_some_and(|left| {
                    text.as_bytes().get(left.end_byte().wrapping_sub(1)) == Some(&b'>')
                }) => {}
            // Nor is there one among template arguments: `bool a = i < n, b = j > m;` is `i<n, b = j>` in its eyes.
            Some(Class::Place(Place::Assign))
                if node
                    .parent()
                    .is_some_and(|parent| parent.kind() == "template_argument_list") => {}
            // Every subscript has its own closing bracket; where it begins is a matter of casts.
            Some(Class::Place(Place::Subscript)) => {
                theirs.places.push((Place::Subscript, closing(range)))
            }
            // It reads `~n++` as `(~n)++`.
            Some(Class::Place(Place::Update)) => {
                let prefix = matches!(text.as_bytes().get(node.start_byte()), Some(b'+' | b'-'));
                theirs.places.push((Place::Update, operator(range, prefix)));
            }
            Some(Class::Place(place)) => theirs.places.push((*place, range)),
            Some(Class::Launch) => {
                if let Some(call) = node.parent() {
                    theirs.places.push((
                        Place::Launch,
                        Range::new(call.start_byte() as u32, call.end_byte() as u32),
                    ));
                }
            }
            Some(Class::Function) => {
                if let Some(body) = node.child_by_field_name("body") {
                    theirs.places.push((
                        Place::Body,
                        Range::new(body.start_byte() as u32, body.end_byte() as u32),
                    ));
                }
            }
            _ => {}
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                theirs
                    .places
                    .sort_by_key(|(_, range)| (range.start, range.end));
                return theirs;
            }
        }
    }
}

/// Where the operator of `++a` or `a++` stands.
fn operator(range: Range, prefix: bool) -> Range {
    if prefix {
        Range::new(range.start, range.start + 2)
    } else {
        Range::new(range.end.saturating_sub(2), range.end)
    }
}

/// Only the end of a range.
fn closing(range: Range) -> Range {
    Range::new(range.end.saturating_sub(1), range.end)
}

/// `own`: the bodies in both readings, which are compared by themselves: those of methods of local classes are among them.
fn check_function(
    text: &str,
    function: &mut Function,
    theirs: &Theirs,
    bodies: &FxHashSet<Range>,
    own: &BTreeSet<Range>,
) {
    let Some(body) = &function.body else { return };
    if !function.parse_errors.is_empty() || theirs.erroneous(function.range) {
        return;
    }
    let mut differs = |range: Range, what: &str| {
        let what = format!("{what}, in which two readings differ");
        function.parse_errors.push(Problem { range, what });
    };
    // With member initialisers the body's range begins at its brace in both.
    if body.stmts.is_empty() {
        return;
    }
    if !bodies.contains(&body.range) {
        differs(body.range, "the extent of the body");
        return;
    }
    let mut ours = Ours {
        text,
        places: FxHashSet::default(),
        skipped: Vec::new(),
    };
    ours.block(body);
    let at_end = Range::new(body.range.end, body.range.end);
    let inner = own.range((Bound::Excluded(body.range), Bound::Excluded(at_end)));
    ours.skipped
        .extend(inner.filter(|inner| body.range.contains(**inner)));
    let first = theirs
        .places
        .partition_point(|(_, range)| range.start < body.range.start);
    let inside = theirs.places[first..]
        .iter()
        .take_while(|(_, range)| range.start < body.range.end);
    let inside: FxHashSet<(Place, Range)> = inside.copied().collect();
    let skipped = |range: Range| ours.skipped.iter().any(|skipped| skipped.contains(range));
    let missing = |found: &&(Place, Range)| {
        found.0 != Place::Body && !ours.places.contains(*found) && !skipped(found.1)
    };
    let mut different: Vec<(Place, Range)> = inside.iter().filter(missing).copied().collect();
    different.extend(
        ours.places
            .iter()
            .filter(|found| found.0.is_statement() && !inside.contains(*found)),
    );
    different.sort_by_key(|(_, range)| (range.start, range.end));
    if let Some((place, range)) = different.first() {
        differs(*range, &format!("{place:?}").to_lowercase());
    }
}

/// The places of a function of ours.
struct Ours<'a> {
    text: &'a str,
    places: FxHashSet<(Place, Range)>,
    /// What we do not read, and declarators, which tree-sitter may take for subscripts.
    skipped: Vec<Range>,
}

impl Ours<'_> {
    fn add(&mut self, place: Place, range: Range) {
        self.places.insert((place, range));
    }

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    /// A statement that stands in the text as such, not one that a condition's declaration was turned into.
    fn keyword(&mut self, place: Place, range: Range, word: &str) {
        if self.text[range.bytes()].starts_with(word) {
            self.add(place, range);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Decl(vars) => {
                for var in vars {
                    self.var(var);
                    self.add(Place::Assign, Range::new(range.start, var.range.end));
                }
            }
            StmtKind::Binding { whole, names } => {
                self.var(whole);
                self.add(Place::Assign, Range::new(range.start, whole.range.end));
                // `auto [a, b]` may look like a subscript.
                let before = names.first().map_or(whole.name_range, |(_, first)| *first);
                let last = names.last().map_or(before, |(_, last)| *last);
                self.skipped.push(Range::new(range.start, last.end + 1));
            }
            StmtKind::If {
                cond, then, els, ..
            } => {
                self.keyword(Place::If, range, "if");
                self.expr(cond);
                self.stmt(then);
                els.iter().for_each(|els| self.stmt(els));
            }
            StmtKind::For {
                init,
                cond,
                update,
                body,
            } => {
                self.keyword(Place::For, range, "for");
                init.iter().for_each(|init| self.stmt(init));
                cond.iter().chain(update).for_each(|expr| self.expr(expr));
                self.stmt(body);
            }
            StmtKind::RangeFor {
                var,
                range: over,
                body,
            } => {
                self.keyword(Place::For, range, "for");
                self.var(var);
                self.expr(over);
                self.stmt(body);
            }
            StmtKind::While { cond, body } => {
                self.keyword(Place::While, range, "while");
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.keyword(Place::Do, range, "do");
                self.stmt(body);
                self.expr(cond);
            }
            StmtKind::Switch { cond, items } => {
                self.keyword(Place::Switch, range, "switch");
                self.expr(cond);
                for item in items {
                    match item {
                        SwitchItem::Case(label) => self.expr(label),
                        SwitchItem::Default(_) => {}
                        SwitchItem::Stmt(stmt) => self.stmt(stmt),
                    }
                }
            }
            StmtKind::Break => self.keyword(Place::Break, range, "break"),
            StmtKind::Continue => self.keyword(Place::Continue, range, "continue"),
            StmtKind::Return(value) => {
                self.keyword(Place::Return, range, "return");
                value.iter().for_each(|value| self.expr(value));
            }
            StmtKind::Goto(_) => self.keyword(Place::Goto, range, "goto"),
            StmtKind::Label(_, body) => self.stmt(body),
            StmtKind::Asm(asm) => asm
                .outputs
                .iter()
                .chain(&asm.inputs)
                .for_each(|(_, value)| self.expr(value)),
            StmtKind::Enum(entry) => entry
                .values
                .iter()
                .filter_map(|value| value.value.as_ref())
                .for_each(|value| self.expr(value)),
            StmtKind::Struct(entry) => entry.fields.iter().for_each(|field| self.var(field)),
            StmtKind::Typedef(typedef) => self.ty(&typedef.ty),
            StmtKind::MemberInit { .. } | StmtKind::Unsupported { .. } => self.skipped.push(range),
            StmtKind::Using(_) | StmtKind::Prototype(_) | StmtKind::Empty => {}
        }
    }

    fn var(&mut self, var: &VarDecl) {
        self.ty(&var.ty);
        // `A<4> x = e;` may look like an assignment to `A < 4 > x`, and `T (*p)[4];` like a subscript.
        self.add(Place::Assign, var.range);
        self.add(
            Place::Assign,
            Range::new(var.name_range.start, var.range.end),
        );
        self.skipped.push(var.ty.range);
        match &var.init {
            Init::None => {}
            Init::Expr(value) | Init::List(value) => self.expr(value),
            Init::Call(args) => args.iter().for_each(|arg| self.expr(arg)),
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                self.ty(to)
            }
            TypeKind::Array(of, size) => {
                self.ty(of);
                size.iter().for_each(|size| self.expr(size));
            }
            TypeKind::Decltype(expr) => self.expr(expr),
            TypeKind::Expand(pattern) => self.ty(pattern),
            TypeKind::Named(name) => self.args(name.args.as_deref()),
            TypeKind::Function { .. }
            | TypeKind::MemberPointer(_)
            | TypeKind::Scalar(_)
            | TypeKind::Auto
            | TypeKind::Unsupported(_) => {}
        }
    }

    fn args(&mut self, args: Option<&[TemplateArg]>) {
        for arg in args.unwrap_or_default() {
            match arg {
                TemplateArg::Type(ty) => self.ty(ty),
                TemplateArg::Expr(expr) => self.expr(expr),
                TemplateArg::Name(name) => self.args(name.args.as_deref()),
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Char { .. }
            | ExprKind::Str(_)
            | ExprKind::Nullptr
            | ExprKind::SizeofPack(_)
            | ExprKind::This => {}
            ExprKind::New { .. }
            | ExprKind::Delete(_)
            | ExprKind::Designated { .. }
            | ExprKind::Unsupported { .. } => {
                self.skipped.push(expr.range);
            }
            ExprKind::MemberPointer { base, pointer, .. } => {
                self.expr(base);
                self.expr(pointer);
            }
            ExprKind::Expand(pattern) => self.expr(pattern),
            ExprKind::Fold(fold) => {
                let operands = fold.before.iter().chain(&fold.behind);
                operands.for_each(|operand| self.expr(operand));
            }
            ExprKind::Name(name) => self.args(name.args.as_deref()),
            ExprKind::Unary(_, arg)
            | ExprKind::Deref(arg)
            | ExprKind::AddressOf(arg)
            | ExprKind::SizeofExpr(arg) => self.expr(arg),
            ExprKind::IncDec { arg, prefix, .. } => {
                self.add(Place::Update, operator(expr.range, *prefix));
                self.expr(arg);
            }
            ExprKind::Binary(_, left, right) | ExprKind::Comma(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Assign { lhs, rhs, .. } => {
                self.add(Place::Assign, expr.range);
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Conditional { cond, then, els } => [cond, then, els]
                .into_iter()
                .for_each(|part| self.expr(part)),
            ExprKind::Cast { ty, arg, .. } => {
                self.ty(ty);
                self.expr(arg);
            }
            ExprKind::Construct { ty, args, .. } => {
                self.ty(ty);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Call { callee, args } => {
                self.expr(callee);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Launch {
                kernel,
                config,
                args,
            } => {
                self.add(Place::Launch, expr.range);
                self.expr(kernel);
                config.iter().chain(args).for_each(|arg| self.expr(arg));
            }
            ExprKind::Member { base, field, .. } => {
                self.expr(base);
                self.args(field.args.as_deref());
            }
            ExprKind::Index { base, index } => {
                self.add(Place::Subscript, closing(expr.range));
                self.expr(base);
                self.expr(index);
            }
            ExprKind::SizeofType(ty) | ExprKind::AlignofType(ty) => self.ty(ty),
            ExprKind::InitList(elements) => elements.iter().for_each(|element| self.expr(element)),
            ExprKind::Lambda(lambda) => {
                lambda.inits.iter().for_each(|init| self.var(init));
                self.block(&lambda.body);
            }
            ExprKind::StmtExpr(block) => self.block(block),
            ExprKind::Asm(asm) => asm
                .outputs
                .iter()
                .chain(&asm.inputs)
                .for_each(|(_, value)| self.expr(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ast::{ExprKind, StmtKind, Unit};
    use super::check;

    const TEXT: &str = "__global__ void k(int *a, int n) {
        if (n > 3) { a[0] = a[1]; }
        n++;
        k<<<1, 2>>>(a, n);
        return;
    }";

    /// What the comparison finds after our reading was changed by `change`.
    fn after(change: impl FnOnce(&mut Unit)) -> Vec<String> {
        let mut unit = super::super::parse(TEXT);
        assert_eq!(unit.functions[0].parse_errors, []);
        change(&mut unit);
        check(TEXT, &mut unit, false);
        unit.functions[0]
            .parse_errors
            .iter()
            .map(|problem| problem.what.clone())
            .collect()
    }

    /// Removes a statement of the kernel.
    fn without(index: usize) -> Vec<String> {
        after(|unit| {
            if let Some(body) = &mut unit.functions[0].body {
                body.stmts.remove(index);
            }
        })
    }

    #[test]
    fn agreement_is_silent() {
        assert_eq!(after(|_| {}), Vec::<String>::new());
    }

    #[test]
    fn a_lost_statement_is_noticed() {
        assert_eq!(without(0), ["if, in which two readings differ"]);
        assert_eq!(without(1), ["update, in which two readings differ"]);
        assert_eq!(without(2), ["launch, in which two readings differ"]);
        assert_eq!(without(3), ["return, in which two readings differ"]);
    }

    #[test]
    fn a_lost_access_is_noticed() {
        let errors = after(|unit| {
            let Some(body) = &mut unit.functions[0].body else {
                return;
            };
            let StmtKind::If { then, .. } = &mut body.stmts[0].kind else {
                return;
            };
            let StmtKind::Block(block) = &mut then.kind else {
                return;
            };
            let StmtKind::Expr(assign) = &mut block.stmts[0].kind else {
                return;
            };
            let ExprKind::Assign { rhs, .. } = &mut assign.kind else {
                return;
            };
            rhs.kind = ExprKind::This;
        });
        assert_eq!(errors, ["subscript, in which two readings differ"]);
    }

    #[test]
    fn a_lost_function_is_noticed() {
        let mut unit = super::super::parse(TEXT);
        unit.functions.clear();
        check(TEXT, &mut unit, false);
        assert_eq!(unit.unparsed.len(), 1);
    }
}
