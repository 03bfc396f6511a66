//! Uses of kernels outside of launches: each one that does not resolve asks for an arbitrary launch.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::value::*;
use super::*;
use crate::lower::walk;
use crate::syntax::ast::*;

/// Why a kernel that is an argument of a template may be launched in any way.
const TEMPLATE_ARGUMENT: &str = "it is an argument of a template, which may launch it";

impl<'u> Host<'_, 'u> {
    /// Device code that names kernels: it launches them with anything.
    pub(super) fn on_device(&mut self, function: &'u Function) {
        let Some(body) = &function.body else { return };
        let own = declared_in(function, body);
        let is_own = |name: &Name| {
            let declared = name.as_simple().and_then(|simple| own.get(simple));
            declared.is_some_and(|seen| seen.iter().any(|range| range.contains(name.range)))
        };
        let mut names: Vec<&str> = Vec::new();
        let mut texts: Vec<Range> = function
            .parse_errors
            .iter()
            .map(|problem| problem.range)
            .collect();
        for stmt in &body.stmts {
            walk::each_expr(stmt, &mut |expr| match &expr.kind {
                ExprKind::Name(name) if is_own(name) => {}
                ExprKind::Name(name) => names.push(&name.base),
                ExprKind::New { .. }
                | ExprKind::Delete(_)
                | ExprKind::Designated { .. }
                | ExprKind::Unsupported { .. } => {
                    texts.push(expr.range);
                }
                _ => {}
            });
        }
        let why = format!("device code names it: `{}`", function.name);
        names.sort_unstable();
        names.dedup();
        for name in names {
            // Code for the device calls nothing that is for the host alone.
            let callable = |function: &Function| {
                let quals = function.quals;
                quals.global || quals.device || quals.constexpr
            };
            self.mentioned_of((name, true), &why, &callable);
        }
        for range in texts {
            for word in self.words(range) {
                self.mentioned(word, &why);
            }
        }
    }

    /// Kernels that are arguments of templates, `go<kernel>(p)`.
    pub(super) fn named_in_angles(&mut self) {
        let text = self.text;
        let unit = self.index.unit;
        for kernel in unit.kernels() {
            let name = kernel.name.as_str();
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let in_angles = text.match_indices(name).any(|(at, _)| {
                let before = text[..at].trim_end();
                let behind = text[at + name.len()..].trim_start();
                let whole =
                    !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word);
                let before = before.strip_suffix('&').map_or(before, str::trim_end);
                let opened = before.ends_with('<') && !before.ends_with("<<");
                let closed = behind.starts_with('>') && !behind.starts_with(">>");
                whole && (opened || closed)
            });
            if in_angles {
                self.mentioned(name, TEMPLATE_ARGUMENT);
            }
        }
        for (qualifier, argument) in arguments_in_angles(text) {
            // `E::f` is an enumerator, also where a function has its name.
            let is_enumeration = |one: &Enum| one.name.rsplit("::").next() == qualifier;
            if qualifier.is_some() && unit.enums.iter().any(is_enumeration) {
                continue;
            }
            let is_kernel = |function: &&'u Function| function.quals.global;
            if !self.index.functions(argument).iter().any(is_kernel) {
                self.mentioned(argument, TEMPLATE_ARGUMENT);
            }
            self.held_by_library(argument);
        }
    }

    /// The names of functions that stand in the code of a function.
    pub(super) fn words_of(&self, function: &Function) -> BTreeSet<&'u str> {
        let Some(body) = &function.body else {
            return BTreeSet::new();
        };
        let mut words = self.words(body.range);
        for stmt in &body.stmts {
            // Initialisers of members stand before the body.
            if let StmtKind::MemberInit { .. } = stmt.kind {
                words.extend(self.words(stmt.range));
            }
        }
        words
    }

    /// A name stands where it cannot be followed, for a reason.
    pub(super) fn mentioned(&mut self, name: &str, why: &str) {
        self.mentioned_of((name, false), why, &|_| true);
    }

    /// It may mean those of its functions that a predicate tells: all, or those that code for devices may call. What was wanted
    /// once need not be asked again.
    fn mentioned_of(
        &mut self,
        (name, by_device): (&str, bool),
        why: &str,
        is_meant: &dyn Fn(&Function) -> bool,
    ) {
        let index = self.index;
        let functions = index.functions(name);
        let Some(first) = functions.first() else {
            return;
        };
        if !self.mentioned.insert((&first.name, by_device)) {
            return;
        }
        for function in functions {
            if !is_meant(function) {
                continue;
            }
            if function.quals.global {
                let found = index.named.position_at(function.range);
                if let Some(found) = found.filter(|_| function.body.is_some()) {
                    self.arbitrary
                        .entry(found)
                        .or_insert_with(|| why.to_owned());
                }
            } else {
                self.wants(function);
            }
        }
    }

    /// A function may be called with anything.
    pub(super) fn wants(&mut self, function: &'u Function) {
        self.wanted.insert(function.range);
        if function.template.is_some() {
            let known = self.instances.entry(function.range).or_default();
            if known.iter().all(|instance| instance.arguments.is_some()) {
                known.push(Instance {
                    arguments: None,
                    entered: false,
                });
            }
        }
    }

    /// Whether the parser is not sure of a statement.
    pub(super) fn distrusted(&self, stmt: &Stmt) -> bool {
        let whole = matches!(
            stmt.kind,
            StmtKind::Block(_)
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::Switch { .. }
                | StmtKind::RangeFor { .. }
        );
        self.frame().problems.iter().any(|problem| {
            let within = stmt.range.contains(problem.range);
            let around = problem.range.contains(stmt.range);
            let apart =
                problem.range.end <= stmt.range.start || stmt.range.end <= problem.range.start;
            around || (!whole && (within || !apart))
        })
    }

    /// The kernels that a name may mean.
    pub(super) fn kernel(&mut self, name: &Name) -> Option<KernelUse> {
        let unit = self.index.unit;
        let path = name.path();
        let mut kernels: Vec<usize> = Vec::new();
        // A header that was read twice defines them again: the first stands for all.
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for function in self.index.functions(&name.base) {
            if !function.quals.global || function.body.is_none() {
                continue;
            }
            let fits = name.qualifier.is_empty()
                || function.qualified == path
                || function.qualified.ends_with(&format!("::{path}"))
                || path.ends_with(&format!("::{}", function.qualified));
            let params = function.params.iter();
            let params: Vec<String> = params.map(|param| self.text_of(param.range)).collect();
            let args: Vec<String> = function
                .template_args
                .iter()
                .map(|arg| argument_text(arg).unwrap_or_else(|| format!("{arg:?}")))
                .collect();
            let signature = format!("{} {args:?} {params:?}", function.qualified);
            if fits
                && seen.insert(signature)
                && let Some(found) = self.index.named.position_at(function.range)
            {
                kernels.push(found);
            }
        }
        if kernels.is_empty() {
            return None;
        }
        // Those in sight, if any are: others may be what a header that is missing makes visible.
        let in_sight = self.functions_in_sight(name);
        let is_seen = |kernel: &usize| {
            let range = unit.functions[*kernel].range;
            in_sight.iter().any(|one| one.range == range)
        };
        if kernels.iter().any(is_seen) {
            kernels.retain(is_seen);
        }
        let viable = |kernel: &usize| self.is_viable(&unit.functions[*kernel], name);
        if kernels.iter().any(viable) {
            kernels.retain(viable);
        }
        let (template_args, open, rest_is_open) = match &name.args {
            Some(args) => self.template_args(args),
            None => (Vec::new(), Vec::new(), false),
        };
        Some(KernelUse {
            kernels,
            template_args,
            rest_is_open,
            open,
        })
    }

    /// Whether a name can mean a kernel, by the arguments of a template that are written: no more than it has parameters, and what is
    /// not written has a default or may be told by an argument of the call.
    fn is_viable(&self, kernel: &Function, name: &Name) -> bool {
        let written = name.args.as_deref().unwrap_or_default();
        let range = |arg: &TemplateArg| match arg {
            TemplateArg::Type(ty) => ty.range,
            TemplateArg::Name(name) => name.range,
            TemplateArg::Expr(expr) => expr.range,
        };
        if written
            .iter()
            .any(|arg| self.text_of(range(arg)).contains("..."))
        {
            return true;
        }
        let Some(params) = &kernel.template else {
            return name.args.is_none();
        };
        // An explicit specialisation is chosen behind its template.
        if params.is_empty() || params.iter().any(|param| param.pack) {
            return true;
        }
        let is_told = |param: &TemplateParam| {
            let has_default = match &param.kind {
                TemplateParamKind::Type { default } => default.is_some(),
                TemplateParamKind::Value { default, .. } => default.is_some(),
                TemplateParamKind::Template { default } => default.is_some(),
            };
            let Some(own) = param.name.as_deref() else {
                return has_default;
            };
            let mentions = |param: &Param| {
                let text = self.text_of(param.range);
                text.split(|c: char| !is_word(c)).any(|word| word == own)
            };
            has_default || kernel.params.iter().any(mentions)
        };
        written.len() <= params.len() && params[written.len()..].iter().all(is_told)
    }
}

/// What a function declares, with where it is seen: from there to the end of the block or loop. It hides kernels of that name.
fn declared_in<'u>(function: &'u Function, body: &'u Block) -> FxHashMap<&'u str, Vec<Range>> {
    let mut own: FxHashMap<&str, Vec<Range>> = FxHashMap::default();
    for param in &function.params {
        if let Some(name) = &param.name {
            own.entry(name).or_default().push(body.range);
        }
    }
    let mut hidden: Vec<(&'u str, Range)> = Vec::new();
    let mut declare = |stmt: &'u Stmt, end: u32| {
        if let StmtKind::Decl(declared) = &stmt.kind {
            for one in declared {
                let seen = Range::new(one.range.start, end);
                own.entry(&one.name).or_default().push(seen);
            }
        }
    };
    for stmt in &body.stmts {
        declare(stmt, body.range.end);
        walk::each_stmt(stmt, &mut |stmt| match &stmt.kind {
            StmtKind::Block(block) => {
                let within = block.stmts.iter();
                within.for_each(|inner| declare(inner, stmt.range.end));
            }
            StmtKind::For {
                init: Some(init), ..
            } => declare(init, stmt.range.end),
            _ => {}
        });
        walk::each_expr(stmt, &mut |expr| {
            if let ExprKind::Lambda(lambda) = &expr.kind {
                let inits = lambda.inits.iter().map(|one| one.name.as_str());
                let params = lambda.params.iter().filter_map(|one| one.name.as_deref());
                for name in inits.chain(params) {
                    hidden.push((name, lambda.body.range));
                }
            }
        });
    }
    for (name, seen) in hidden {
        own.entry(name).or_default().push(seen);
    }
    own
}

/// Names that may be arguments of templates, `f<int, &C::go>`, with their qualifiers, by what stands around them.
fn arguments_in_angles(text: &str) -> BTreeSet<(Option<&str>, &str)> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_word).map(|start| at + start) {
        let rest = &text[start..];
        let end = start + rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        at = end;
        let behind = text[end..].trim_start();
        let closed = behind.starts_with('>');
        let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
        if is_number || (!closed && !behind.starts_with(',')) {
            continue;
        }
        let mut before = text[..start].trim_end();
        let mut qualifier = None;
        // `C::go`
        while let Some(rest) = before.strip_suffix("::") {
            let rest = rest.trim_end();
            before = rest.trim_end_matches(is_word);
            qualifier = qualifier.or(Some(&rest[before.len()..]));
            before = before.trim_end();
        }
        let before = before.strip_suffix('&').map_or(before, str::trim_end);
        let opened = before.ends_with('<') && !before.ends_with("<<");
        // `template <void (*F)(int) = f>`
        let is_default = closed && before.ends_with('=');
        if opened || is_default || (before.ends_with(',') && in_angles(before)) {
            found.insert((qualifier, &text[start..end]));
        }
    }
    found
}

/// Whether a list that goes on behind a text began with `<`: of `g(a, f, b)` no template is made.
fn in_angles(before: &str) -> bool {
    let mut depth = 0;
    for c in before.chars().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return false,
            '(' => depth -= 1,
            '<' if depth == 0 => return true,
            ';' | '{' | '}' => return false,
            _ => {}
        }
    }
    false
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::arguments_in_angles;

    #[test]
    fn arguments_of_templates_are_told_by_their_neighbours() {
        let text = "f<a>(x); g<int, &C::b>(y, z); h<1, c, 2>(); for (i = 0; i < n; i++) call(p, q, r); \
                    <class T = d> m<decltype(&e), &e>(s);";
        let found: Vec<_> = arguments_in_angles(text).into_iter().collect();
        let plain = |name| (None, name);
        let expected = ["a", "c", "d", "e", "int"].map(plain);
        assert_eq!(found, [&expected[..], &[(Some("C"), "b")]].concat());
    }
}
