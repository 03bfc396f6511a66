//! What a thread has accessed since the last barrier: the words `__read`, `__write` and their kin.
//!
//! **Algorithm.** Where a file uses these words, each array that it may speak of has two variables of its own for reads and
//! two for writes: whether the thread has accessed it, and the byte offset of one such access. An access sets the first,
//! and the second to its own offset or not, which nothing decides: so what is proved of the offset is proved of all
//! accesses (Betts, Chong, Donaldson, Qadeer and Thomson, OOPSLA 2012). A barrier of the block or the grid clears the
//! first. The variables are lowered as those of the program are: branches join them, loops forget them but for invariants.
//!
//! **Accuracy.** `__write(p)` is exact, and an atomic operation is both a read and a write. An array that has no variables
//! (its name is another's too) has an unknown in their place: then nothing is proved of it. No access depends on them.

use std::collections::BTreeSet;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use super::super::walk::{each_expr, each_stmt, sub_exprs};
use super::called;
use crate::syntax::ast::*;

/// What the annotations of a file say of accesses.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    reads: bool,
    writes: bool,
    /// Names of arrays that they may mean, but for the parameters of kernels.
    names: BTreeSet<String>,
}

/// What is known of the accesses to one array.
#[derive(Clone, Debug)]
pub(crate) struct Tracked {
    /// Name of the array.
    name: String,
    of: Of,
    has: VarId,
    offset: VarId,
}

/// Which accesses are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Read,
    Write,
}

impl Of {
    fn word(name: &str) -> Option<Of> {
        match name {
            "__read" | "__no_read" | "__read_offset_bytes" | "__read_implies" => Some(Of::Read),
            "__write" | "__no_write" | "__write_offset_bytes" | "__write_implies" => {
                Some(Of::Write)
            }
            _ => None,
        }
    }

    fn covers(self, kind: AccessKind) -> bool {
        match self {
            Of::Read => kind != AccessKind::Write,
            Of::Write => kind != AccessKind::Read,
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Of::Read => "read",
            Of::Write => "written",
        }
    }
}

impl Spoken {
    /// What a unit says, if its expanded text may say anything.
    pub(crate) fn read(text: &str, unit: &Unit) -> Self {
        let mut spoken = Spoken::default();
        let words = ["__read", "__write", "__no_read", "__no_write"];
        if !words.iter().any(|word| text.contains(word)) {
            return spoken;
        }
        let bodies = || {
            let functions = unit.functions.iter();
            functions.filter_map(|function| function.body.as_ref())
        };
        for body in bodies() {
            for stmt in &body.stmts {
                each_expr(stmt, &mut |expr| spoken.see(expr));
            }
        }
        for expr in unit.axioms.iter().chain(&unit.assumed) {
            sub_exprs(expr, &mut |expr| spoken.see(expr));
        }
        if spoken.reads || spoken.writes {
            for body in bodies() {
                for stmt in &body.stmts {
                    each_stmt(stmt, &mut |stmt| {
                        let StmtKind::Decl(declared) = &stmt.kind else {
                            return;
                        };
                        let shared = declared.iter().filter(|one| one.storage.shared);
                        spoken.names.extend(shared.map(|one| one.name.clone()));
                    });
                }
            }
        }
        spoken
    }

    fn see(&mut self, expr: &Expr) {
        let ExprKind::Call { args, .. } = &expr.kind else {
            return;
        };
        let Some(of) = called(expr).and_then(Of::word) else {
            return;
        };
        self.reads |= of == Of::Read;
        self.writes |= of == Of::Write;
        for arg in args.iter().take(1) {
            sub_exprs(arg, &mut |inner| {
                if let ExprKind::Name(name) = &inner.kind {
                    self.names.insert(name.base.clone());
                }
            });
        }
    }
}

impl Lowerer<'_, '_> {
    /// Makes the variables, where a kernel begins: nothing was accessed.
    pub(crate) fn track_accesses(&mut self) {
        let spoken = &self.index.contracts.spoken;
        let kinds: Vec<Of> = [(spoken.reads, Of::Read), (spoken.writes, Of::Write)]
            .into_iter()
            .filter_map(|(is_spoken_of, of)| is_spoken_of.then_some(of))
            .collect();
        if kinds.is_empty() {
            return;
        }
        let mut names = spoken.names.clone();
        let launch = self.launch;
        let of_launch = self.facts.array.iter().filter(|row| row.launch == launch);
        names.extend(of_launch.map(|row| row.name.clone()));
        for name in names {
            for &of in &kinds {
                let never = self.facts.terms.truth(false);
                let text = format!("whether {name} was {}", of.verb());
                let has = self.variable(&text, Ty::Scalar(CType::Bool), Value::Term(never));
                let text = format!("where {name} was {}", of.verb());
                let none = self.facts.terms.constant(0, CType::U64);
                let offset = self.variable(&text, Ty::Scalar(CType::U64), Value::Term(none));
                self.contracts.tracked.push(Tracked {
                    name: name.clone(),
                    of,
                    has,
                    offset,
                });
            }
        }
    }

    /// The name by which the accesses to an array are known; none where another is called so, too.
    fn tracked_name(&self, array: ArrayId) -> Option<&str> {
        let row = self.facts.array.get(array.index())?;
        let storage = self.facts.array.get(row.storage.index())?;
        let is_namesake = |other: &&ArrayRow| {
            other.launch == self.launch
                && other.name == storage.name
                && other.array == other.storage
        };
        let namesakes = self.facts.array.iter().filter(is_namesake).count();
        (namesakes == 1).then_some(storage.name.as_str())
    }

    fn tracked_term(&self, var: VarId) -> Option<TermId> {
        match self.env.get(var) {
            Value::Term(term) => Some(*term),
            _ => None,
        }
    }

    /// An access happens. Annotations perform none.
    pub(crate) fn track_access(
        &mut self,
        array: ArrayId,
        kind: AccessKind,
        index: TermId,
        range: Range,
    ) {
        if self.contracts.tracked.is_empty() || self.contracts.depth > 0 {
            return;
        }
        let Some(row) = self.facts.array.get(array.index()) else {
            return;
        };
        // Of namesakes nothing is said, see `tracked_name`.
        let name = self.facts.array[row.storage.index()].name.clone();
        for at in 0..self.contracts.tracked.len() {
            let one = self.contracts.tracked[at].clone();
            if one.name != name || !one.of.covers(kind) {
                continue;
            }
            let offset = self.facts.terms.cast(index, CType::U64);
            let known = self
                .tracked_term(one.has)
                .zip(self.tracked_term(one.offset));
            let offset = match known {
                Some((has, before)) if self.facts.terms.as_const(has) != Some(0) => {
                    let reason = format!("which of the accesses to {name} is meant");
                    let meant = self.unknown(&reason, range, CType::Bool, true);
                    let first = self.facts.terms.not(has);
                    let takes = self.facts.terms.or(first, meant);
                    self.facts.terms.ite(takes, offset, before)
                }
                _ => offset,
            };
            let truth = self.facts.terms.truth(true);
            self.env.set(one.has, Value::Term(truth));
            self.env.set(one.offset, Value::Term(offset));
        }
    }

    /// A barrier that orders all memory of the block.
    pub(crate) fn forget_accesses(&mut self) {
        let never = self.facts.terms.truth(false);
        for one in &self.contracts.tracked {
            self.env.set(one.has, Value::Term(never));
        }
    }

    /// The values of the variables, before something that happens under a condition.
    pub(crate) fn tracked_values(&self) -> Vec<(VarId, Value)> {
        let both = self.contracts.tracked.iter();
        both.flat_map(|one| [one.has, one.offset])
            .map(|var| (var, self.env.get(var).clone()))
            .collect()
    }

    /// Where the condition does not hold, they are what they were.
    pub(crate) fn merge_tracked(&mut self, before: Vec<(VarId, Value)>, happens: TermId) {
        for (var, before) in before {
            let now = self.env.get(var).clone();
            if now != before {
                let merged = self.merge(happens, &now, &before);
                self.env.set(var, merged);
            }
        }
    }

    /// Whether an array was accessed and where, as an annotation asks.
    fn accessed(&mut self, arg: &Expr, of: Of) -> Option<(TermId, TermId)> {
        // It holds for the accesses before this call only.
        self.contracts.unfit = true;
        let Value::Pointer(pointer) = self.expr(arg) else {
            self.contract_error(
                arg.range,
                "what is accessed is an array: it takes a pointer",
            );
            return None;
        };
        let mut result: Option<(TermId, TermId)> = None;
        for target in pointer.targets.iter().rev() {
            let shared = |array: &ArrayId| self.facts.array[array.index()].space != Space::Local;
            let base = match target.base {
                Base::Array(array) => Some(array).filter(shared),
                Base::Variable(_) => None,
                Base::Null | Base::Unknown => {
                    let text = "it is not known which array this points into";
                    self.contract_error(arg.range, text);
                    return None;
                }
            };
            let Some(array) = base else {
                let what = self.sources.text(arg.range).to_owned();
                let text = format!(
                    "`{what}` belongs to the thread alone: it takes an array that threads share"
                );
                self.contract_error(arg.range, &text);
                return None;
            };
            let tracked = self.tracked_name(array).and_then(|name| {
                let mut all = self.contracts.tracked.iter();
                all.find(|one| one.name == name && one.of == of)
            });
            let known = tracked.cloned().and_then(|one| {
                let has = self.tracked_term(one.has)?;
                Some((has, self.tracked_term(one.offset)?))
            });
            let one = match known {
                Some(known) => known,
                None => {
                    let reason = "whether and where an array was accessed that is not followed";
                    let has = self.unknown(reason, arg.range, CType::Bool, true);
                    (has, self.unknown(reason, arg.range, CType::U64, true))
                }
            };
            result = Some(match (result, target.condition) {
                (Some(rest), Some(condition)) => (
                    self.facts.terms.ite(condition, one.0, rest.0),
                    self.facts.terms.ite(condition, one.1, rest.1),
                ),
                _ => one,
            });
        }
        result
    }

    /// A word of this file, inside an annotation.
    pub(crate) fn access_set(&mut self, word: &str, args: &[Expr]) -> Option<Value> {
        let of = Of::word(word)?;
        let (has, offset) = match self.accessed(args.first()?, of) {
            Some(known) => known,
            None => return Some(Value::Unknown),
        };
        let term = match word {
            "__read" | "__write" => has,
            "__no_read" | "__no_write" => self.facts.terms.not(has),
            "__read_offset_bytes" | "__write_offset_bytes" => offset,
            _ => {
                let says = self.condition_at(args.get(1)?);
                let never = self.facts.terms.not(has);
                self.facts.terms.or(never, says)
            }
        };
        Some(Value::Term(term))
    }
}
