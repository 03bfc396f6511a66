//! Contracts: what annotations say of kernels, functions and loops, as facts.
//!
//! An annotation is lowered where it stands, by the same symbolic evaluation as code, but nobody executes it: its reads
//! are no accesses (`annotation_read`), and one that would change anything is refused with its position. What it says
//! becomes an `assume`, an `assert` or an `invariant` row; nothing here decides whether it holds.
//!
//! **Accuracy.** An assumption restricts executions and is listed as one. What is asserted is used nowhere before it is
//! proved. An annotation that is not understood is left out, which hides no race: it only assumes less.

mod barriers;
mod bounds;
mod comments;
mod loops;
mod modular;
mod properties;
mod sets;

use std::collections::{BTreeMap, BTreeSet};

use warplog_facts::words::*;
use warplog_facts::*;

pub(crate) use comments::Comments;
pub(crate) use loops::{HeadWord, Told};
pub(crate) use modular::Signature;
pub(crate) use properties::{MOST, Property};
pub(crate) use sets::Spoken;

use super::body::Lowerer;
use super::types::Ty;
use super::value::*;
use super::walk::sub_exprs;
use crate::syntax::ast::*;

/// What is known of annotations outside the kernel that is being lowered.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// `--no-annotations`
    pub ignored: bool,
    /// `--modular`
    pub modular: bool,
    /// `--check-assertions`
    pub assertions_are_checked: bool,
    /// `// warplog: …`
    pub comments: Comments,
    /// Which accesses annotations speak of.
    pub spoken: Spoken,
}

/// The state of annotations while a kernel is lowered.
#[derive(Debug, Default)]
pub(crate) struct Contracts {
    /// How many annotations are being evaluated, one in the other.
    pub depth: u32,
    /// How many calls were open where the outermost one began.
    pub calls: usize,
    /// It is one that must hold for threads that are not active, too.
    pub global: bool,
    /// Loop annotations that stand at the head of a loop.
    pub at_head: BTreeSet<Range>,
    /// What the function that is being left returns.
    pub returned: Option<Value>,
    /// Values of `__old_int(e)` at the entry, by the place of `e`.
    pub old: BTreeMap<Range, Value>,
    /// Arrays of `__requires_fresh_array`, by place.
    pub fresh: BTreeMap<Range, ArrayId>,
    /// Functions that were checked, to be used by their contracts.
    pub known: Vec<modular::Known>,
    /// The parameters of the function that is being checked, and what stands for its arguments.
    pub given: Vec<(VarId, TermId)>,
    /// The function that is being checked cannot be used by its contract.
    pub unfit: bool,
    /// What stands for all that it ensures.
    pub proved: Option<InvariantId>,
    /// What variables hold for the threads that took another arm: one for each arm around.
    pub inactive: Vec<Env>,
    /// What was accessed since the last barrier, where annotations speak of it.
    pub tracked: Vec<sets::Tracked>,
    /// Barrier invariants that were said, and whose barrier is still to come.
    pub pending: Vec<barriers::Pending>,
}

/// What is said of an inlined function.
#[derive(Debug, Default)]
pub(crate) struct CallContract {
    /// Where it is called.
    pub call: Range,
    pub ensures: Vec<Ensures>,
    /// It is not called but checked for arbitrary arguments.
    pub is_check: bool,
    /// `__function_wide_invariant(e)`: expression, and whether it is a guess.
    pub wide: Vec<(Expr, bool)>,
}

/// `__ensures(e)`
#[derive(Clone, Debug)]
pub(crate) struct Ensures {
    pub condition: Expr,
    pub old: BTreeMap<Range, Value>,
}

/// All words of the language that are called like functions.
pub(crate) const WORDS: &[&str] = &[
    "__requires",
    "__ensures",
    "__assert",
    "__assume",
    "__global_assert",
    "__invariant",
    "__global_invariant",
    "__candidate_invariant",
    "__candidate_global_invariant",
    "__function_wide_invariant",
    "__function_wide_candidate_invariant",
    "__axiom",
    "__barrier_invariant",
    "__barrier_invariant_binary",
    "__read_permission",
    "__requires_fresh_array",
    "__distinct",
    "__sorted",
    "__strictly_increasing",
    "__offsets",
    "__permutation",
    "__bounded",
    "__implies",
    "__ite",
    "__enabled",
    "__other_int",
    "__other_bool",
    "__uniform_int",
    "__uniform_bool",
    "__distinct_int",
    "__distinct_bool",
    "__all",
    "__exclusive",
    "__read",
    "__write",
    "__no_read",
    "__no_write",
    "__read_offset_bytes",
    "__write_offset_bytes",
    "__read_implies",
    "__write_implies",
    "__ptr_offset_bytes",
    "__mod_pow2",
    "__is_pow2",
    "__add_noovfl",
    "__old_int",
    "__old_bool",
    "__return_val_int",
];

/// The word that a misspelled one may mean.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let near = |word: &&&str| distance(name, word) <= 2;
    (name.starts_with("__") && name.len() > 6)
        .then(|| {
            WORDS
                .iter()
                .filter(near)
                .min_by_key(|word| distance(name, word))
        })
        .flatten()
        .copied()
}

/// Letters to change, insert or leave out.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = at;
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
        for (position, &known) in other.iter().enumerate() {
            let change = diagonal + usize::from(letter != known);
            diagonal = row.get(position + 1).copied().unwrap_or(0);
            let left = row.get(position).copied().unwrap_or(0);
            if let Some(cell) = row.get_mut(position + 1) {
                *cell = change.min(diagonal + 1).min(left + 1);
            }
        }
    }
    row.last().copied().unwrap_or(0)
}

/// The name of the function that an expression calls.
pub(crate) fn called(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Call { callee, .. } => match &callee.kind {
            ExprKind::Name(name) => name.as_simple(),
            _ => None,
        },
        _ => None,
    }
}

/// An expression that changes something wherever it stands.
fn changes(expr: &Expr) -> Option<Range> {
    let mut found = None;
    sub_exprs(expr, &mut |inner| {
        if matches!(
            inner.kind,
            ExprKind::Assign { .. }
                | ExprKind::IncDec { .. }
                | ExprKind::Asm(_)
                | ExprKind::Launch { .. }
        ) {
            found.get_or_insert(inner.range);
        }
    });
    found
}

impl Lowerer<'_, '_> {
    /// Whether annotations are left out.
    pub(crate) fn ignores_annotations(&self) -> bool {
        self.index.contracts.ignored
    }

    /// An annotation that cannot be used, told with its position. The rest of the file goes on.
    pub(crate) fn contract_error(&mut self, range: Range, text: &str) {
        if self.trial > 0 {
            return;
        }
        let span = self.span(range);
        let (file, line, column) = {
            let row = &self.facts.span[span.index()];
            (row.file, row.line, row.column)
        };
        let note = NoteRow {
            file: Some(file),
            path: self.facts.file[file.index()].path.clone(),
            line,
            kind: NoteKind::Error,
            text: format!("column {column}: {text}"),
        };
        if !self.facts.note.contains(&note) {
            self.facts.note.push(note);
        }
    }

    /// The condition of an annotation; `None` when it is not usable, which has been told.
    pub(crate) fn annotated(&mut self, condition: &Expr) -> Option<TermId> {
        self.in_annotation(condition.range, &[condition], |me| {
            let value = me.expr(condition);
            if matches!(value, Value::Void | Value::Unknown | Value::Uninitialised) {
                return None;
            }
            Some(me.condition_of(&value, condition.range))
        })
    }

    /// Evaluates something as part of an annotation: nothing of it happens.
    pub(crate) fn in_annotation<T>(
        &mut self,
        range: Range,
        parts: &[&Expr],
        act: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if let Some(place) = parts.iter().find_map(|part| changes(part)) {
            self.contract_error(place, "an annotation must not have a side effect");
            self.unsupported(range, "annotation", "it has a side effect", Effect::Control);
            return None;
        }
        let mark = self.mark();
        let (accesses, unsupported) = (self.facts.access.len(), self.facts.unsupported.len());
        let (barriers, fences) = (self.facts.barrier.len(), self.facts.fence.len());
        let (errors, loops) = (self.facts.note.len(), self.facts.loop_.len());
        let saved = (
            self.frontier.clone(),
            self.env.clone(),
            self.guards.clone(),
            self.alive,
            self.last_leaving,
        );
        if self.contracts.depth == 0 {
            self.contracts.calls = self.calls.len();
        }
        self.contracts.depth += 1;
        let result = act(self);
        self.contracts.depth -= 1;
        let unknown = self.facts.unsupported.get(unsupported..).and_then(|rows| {
            let row = rows.iter().find(|row| row.effect != Effect::Nothing)?;
            Some(format!("{}: {}", row.what, row.why))
        });
        let writes = self
            .facts
            .access
            .get(accesses..)
            .unwrap_or_default()
            .iter()
            .any(|row| row.kind != AccessKind::Read);
        let loops = self.facts.loop_.len() > loops;
        let changed = writes
            || self.facts.barrier.len() > barriers
            || self.facts.fence.len() > fences
            || (0..saved.1.len()).any(|index| {
                let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
                self.env.get(var) != saved.1.get(var)
            });
        let told = self.facts.note.get(errors..).unwrap_or_default();
        let told = told.iter().any(|row| row.kind == NoteKind::Error);
        let refused = if changed {
            Some("an annotation must not have a side effect".to_owned())
        } else if loops {
            Some("an annotation must not contain a loop".to_owned())
        } else if result.is_none() && !told {
            unknown.or_else(|| Some("an annotation must have a value".to_owned()))
        } else {
            unknown
        };
        if refused.is_some() || result.is_none() || told {
            self.undo(&mark);
            (
                self.frontier,
                self.env,
                self.guards,
                self.alive,
                self.last_leaving,
            ) = saved;
            if let Some(text) = refused.filter(|_| !told) {
                self.contract_error(range, &text);
            }
            if changed {
                self.unsupported(range, "annotation", "it has a side effect", Effect::Control);
            }
            return None;
        }
        (self.env, self.guards, self.alive, self.last_leaving) =
            (saved.1, saved.2, saved.3, saved.4);
        // What an annotation inside this one read, a function that it calls, is told already.
        let told = |me: &Self, access: AccessId| {
            let mut rows = me.facts.annotation_read.iter().rev();
            rows.any(|row| row.access == access)
        };
        for index in accesses..self.facts.access.len() {
            let access = AccessId::from_index(index);
            if self.contracts.depth == 0 && !told(self, access) {
                let span = self.span(range);
                self.facts
                    .annotation_read
                    .push(AnnotationReadRow { access, span });
            }
        }
        result
    }

    /// A condition that must hold here.
    pub(crate) fn claim(
        &mut self,
        term: TermId,
        kind: AssertKind,
        invariant: Option<InvariantId>,
        (condition, place): (Range, Range),
    ) {
        let point = self.point(PointKind::Condition, place);
        let span = self.span(condition);
        let assert = AssertId::from_index(self.facts.assert_.len());
        self.facts.assert_.push(AssertRow {
            assert,
            point,
            term,
            kind,
            invariant,
            span,
        });
    }

    /// Restricts executions to those in which the term is true here, and lists it.
    pub(crate) fn assume_here(&mut self, term: TermId, range: Range) {
        let text = self.sources.text(range).to_owned();
        self.assumption(&text);
        let point = self.point(PointKind::Condition, range);
        let ends = false;
        self.facts.assume.push(AssumeRow {
            point,
            term,
            ends,
            certain: false,
        });
    }

    /// A thread goes no further than this.
    pub(crate) fn ends_here(&mut self, range: Range) {
        let term = self.facts.terms.constant(0, CType::Bool);
        let point = self.point(PointKind::Condition, range);
        let ends = true;
        self.facts.assume.push(AssumeRow {
            point,
            term,
            ends,
            certain: false,
        });
    }

    /// Whether what stands here is reached whenever the innermost function is entered.
    pub(crate) fn is_at_function_level(&self) -> bool {
        let Some(call) = self.calls.last() else {
            return false;
        };
        let branches = self.guards.get(call.guards..).unwrap_or_default();
        self.jumps.len() == call.jumps
            && !branches
                .iter()
                .any(|guard| matches!(guard.cause, GuardCause::Branch | GuardCause::Loop))
    }

    /// `__requires(e)`: assumed in a kernel, checked where a function is called.
    pub(crate) fn requires(&mut self, condition: &Expr, range: Range) {
        if !self.is_at_function_level() {
            let text = "`__requires` means nothing here: it stands at the head of a function";
            self.contract_error(range, text);
            return;
        }
        let Some(term) = self.annotated(condition) else {
            return;
        };
        match self.calls.last().filter(|call| !call.is_kernel) {
            Some(call) if call.contract.is_check => {
                self.required_of_arguments(term, condition.range);
            }
            Some(call) => {
                let call = call.contract.call;
                self.claim(
                    term,
                    AssertKind::Precondition,
                    None,
                    (condition.range, call),
                );
            }
            None => self.precondition(term, range),
        }
    }

    /// Something that is assumed of the launch where it speaks of nothing else, else of the threads that come here.
    pub(crate) fn precondition(&mut self, term: TermId, range: Range) {
        let of_launch = self.facts.terms.reachable(&[term]).into_iter().all(|id| {
            let term = self.facts.terms.get(id);
            let leaf = matches!(
                term.op,
                Op::Const
                    | Op::Symbol
                    | Op::BdimX
                    | Op::BdimY
                    | Op::BdimZ
                    | Op::GdimX
                    | Op::GdimY
                    | Op::GdimZ
            );
            leaf || (!term.args.is_empty() && !matches!(term.op, Op::Load | Op::Other))
        });
        if of_launch && self.guards.is_empty() {
            let launch = self.launch;
            self.facts.launch_assume.push(LaunchAssumeRow {
                launch,
                term,
                by_host: false,
            });
            let text = self.sources.text(range).to_owned();
            self.assumption(&text);
        } else {
            self.assume_here(term, range);
        }
    }

    /// What the file says of all threads, and the comments at the kernel say of it.
    pub(crate) fn contracts_of_kernel(&mut self, kernel: &Function) {
        self.launch_bounds(kernel);
        self.sizes_are_numbers();
        let index = self.index;
        let all = &index.unit.assumed;
        // Those that the user adds stand behind what the file has.
        let added = all.len().saturating_sub(index.assume_in.len());
        for (nth, assumed) in all.iter().enumerate() {
            let named = nth
                .checked_sub(added)
                .and_then(|nth| index.assume_in.get(nth));
            let is_meant = named.is_none_or(|named| {
                named.is_empty()
                    || named
                        .iter()
                        .any(|name| *name == kernel.qualified || *name == kernel.name)
            });
            if is_meant {
                self.assume_besides(assumed);
            }
        }
        if self.ignores_annotations() {
            return;
        }
        let unit = self.index.unit;
        for axiom in &unit.axioms {
            if let Some(term) = self.annotated(axiom) {
                self.precondition(term, axiom.range);
            }
        }
        self.comments_at(kernel);
    }

    /// What the user assumes, where its names mean something. A name that means nothing in the kernel is that of a value of the host
    /// at this launch, if there is one.
    fn assume_besides(&mut self, assumed: &Expr) {
        let mut known = true;
        let mut of_host: Vec<(String, TermId)> = Vec::new();
        sub_exprs(assumed, &mut |inner| {
            if let ExprKind::Name(name) = &inner.kind
                && !self.knows(name)
            {
                match self.of_host(name) {
                    Some(named) => of_host.push(named),
                    None => known = false,
                }
            }
        });
        if !known {
            return;
        }
        self.with_names_of_host(&of_host, |me| me.assume_known(assumed));
    }

    /// A value of the host by its name.
    fn of_host(&self, name: &Name) -> Option<(String, TermId)> {
        let simple = name.as_simple()?;
        let term = *self.symbols.get(simple)?;
        let symbol = self.facts.terms.get(term).symbol()?;
        let kind = self.facts.symbol[symbol.index()].kind;
        matches!(kind, SymbolKind::Host | SymbolKind::Computed).then(|| (simple.to_owned(), term))
    }

    /// Does something while values of the host have their names.
    fn with_names_of_host(&mut self, names: &[(String, TermId)], act: impl FnOnce(&mut Self)) {
        if let Some(call) = self.calls.last_mut() {
            for (name, term) in names {
                let value = Value::Term(*term);
                call.types.values.insert(name.clone(), value);
            }
        }
        act(self);
        if let Some(call) = self.calls.last_mut() {
            for (name, _) in names {
                call.types.values.remove(name);
            }
        }
    }

    /// An assumption whose names all mean something.
    fn assume_known(&mut self, assumed: &Expr) {
        if let (Some(name), ExprKind::Call { args, .. }) = (called(assumed), &assumed.kind)
            && properties::is_property(name)
        {
            self.property(name, args, assumed.range);
            return;
        }
        if let Some(term) = self.annotated(assumed) {
            self.precondition(term, assumed.range);
        }
    }

    /// Whether a name means something where a kernel begins.
    fn knows(&mut self, name: &Name) -> bool {
        const BUILT_IN: [&str; 5] = ["blockDim", "gridDim", "threadIdx", "blockIdx", "warpSize"];
        let simple = name.as_simple();
        simple.is_some_and(|simple| {
            BUILT_IN.contains(&simple)
                || simple.starts_with("__")
                || self.lookup(simple).is_some()
                || self.scope().values.contains_key(simple)
        }) || self.global_array(name).is_some()
            || self.constant_global(name).is_some()
    }

    /// `__ensures(e)`: kept for the returns, with the values that it compares with.
    pub(crate) fn ensures(&mut self, condition: &Expr, range: Range) {
        if !self.is_at_function_level() {
            let text = "`__ensures` means nothing here: it stands at the head of a function";
            self.contract_error(range, text);
            return;
        }
        let mut olds: Vec<&Expr> = Vec::new();
        sub_exprs(condition, &mut |inner| {
            if let ExprKind::Call { args, .. } = &inner.kind
                && called(inner).is_some_and(|name| name.starts_with("__old_"))
                && let [arg] = args.as_slice()
            {
                olds.push(arg);
            }
        });
        let mut old = BTreeMap::new();
        for arg in olds {
            let value = self.in_annotation(arg.range, &[arg], |me| Some(me.expr(arg)));
            if let Some(value) = value {
                old.insert(arg.range, value);
            }
        }
        if let Some(call) = self.calls.last_mut() {
            call.contract.ensures.push(Ensures {
                condition: condition.clone(),
                old,
            });
        }
    }

    /// Checks what the function that is being left ensures.
    pub(crate) fn check_ensures(&mut self, value: Option<&Value>, place: Range) {
        let Some(call) = self.calls.last() else {
            return;
        };
        if call.contract.ensures.is_empty() || !self.alive {
            return;
        }
        let (ensures, is_check) = (call.contract.ensures.clone(), call.contract.is_check);
        // Parameters are meant, whatever hides them where the function is left.
        let visible = if call.is_kernel { 1 } else { call.scopes + 2 };
        let hidden = self.scopes.split_off(visible.min(self.scopes.len()));
        let returned = std::mem::replace(&mut self.contracts.returned, value.cloned());
        for one in ensures {
            let old = std::mem::replace(&mut self.contracts.old, one.old);
            if let Some(term) = self.annotated(&one.condition) {
                let ranges = (one.condition.range, place);
                let proof = is_check.then(|| self.proof_of_function(one.condition.range));
                self.claim(term, AssertKind::Postcondition, proof, ranges);
            }
            self.contracts.old = old;
        }
        self.contracts.returned = returned;
        self.scopes.extend(hidden);
    }

    /// `__global_assert(e)`: must hold for the threads that took another way, too.
    pub(crate) fn global_assertion(&mut self, condition: &Expr, range: Range) {
        self.contracts.global = true;
        let term = self.annotated(condition);
        self.contracts.global = false;
        let Some(term) = term else { return };
        let guards = self.everywhere(condition, term, range);
        let Some(guards) = guards else { return };
        let active = std::mem::replace(&mut self.guards, guards);
        let ranges = (condition.range, range);
        self.claim(term, AssertKind::Assertion, None, ranges);
        self.guards = active;
    }

    /// The path condition of a place for all threads, active there or not; `None` where the values that the term speaks
    /// of are others for those that are not.
    pub(crate) fn everywhere(
        &mut self,
        condition: &Expr,
        term: TermId,
        range: Range,
    ) -> Option<Vec<super::body::Guard>> {
        for env in self.contracts.inactive.clone() {
            let here = std::mem::replace(&mut self.env, env);
            self.contracts.global = true;
            // Names of inner functions mean nothing there, which is no fault of the annotation.
            self.trial += 1;
            let other = self.annotated(condition);
            self.trial -= 1;
            self.contracts.global = false;
            self.env = here;
            if other != Some(term) {
                self.unsupported(
                    range,
                    "annotation for inactive threads",
                    "it speaks of values that the branch around it changes, or of memory",
                    Effect::Control,
                );
                return None;
            }
        }
        let all = self.guards.iter();
        Some(
            all.filter(|guard| guard.cause == GuardCause::Loop)
                .copied()
                .collect(),
        )
    }

    /// `__requires_fresh_array(p)`: what it points to is an array of its own.
    pub(crate) fn fresh_array(&mut self, arg: &Expr, range: Range) {
        let place = self.place(arg);
        let value = self.read(&place, range);
        let Value::Pointer(pointer) = value else {
            let text = "`__requires_fresh_array` takes a pointer";
            self.contract_error(arg.range, text);
            return;
        };
        let known = pointer
            .targets
            .iter()
            .all(|target| matches!(target.base, Base::Array(_) | Base::Variable(_)));
        if known {
            return;
        }
        let Lvalue::Variable { .. } = &place else {
            let text = "`__requires_fresh_array` takes a parameter or a field of one";
            self.contract_error(arg.range, text);
            return;
        };
        let array = match self.contracts.fresh.get(&range) {
            Some(&array) => array,
            None => {
                let name = self.sources.text(arg.range).to_owned();
                let object = Ty::Array(
                    std::rc::Rc::new(pointer.element.clone()),
                    super::types::Extent::Unknown,
                );
                let array = self.array(&name, Space::Global, &object, arg.range);
                self.contracts.fresh.insert(range, array);
                array
            }
        };
        let fresh = self.pointer(Base::Array(array), pointer.element);
        self.write(&place, Value::Pointer(fresh), range);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_words() {
        assert_eq!(meant("__invarient"), Some("__invariant"));
        assert_eq!(meant("__require"), Some("__requires"));
        assert_eq!(meant("__asume"), Some("__assume"));
        assert_eq!(meant("__other_bol"), Some("__other_bool"));
        assert_eq!(meant("__shfl_down_sync"), None);
        assert_eq!(meant("invariant"), None);
        assert_eq!(meant("__foo"), None);
    }

    #[test]
    fn letters_apart() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
