//! A pair of accesses in question, with their forms.

use std::cell::OnceCell;
use std::rc::Rc;

use warplog_facts::words::{LockStep, PairScope, Scope};
use warplog_facts::{LoopId, TermId};

use super::align;
use super::common_rounds;
use super::form::{Instance, LaunchForm};
use super::judge::{Judge, Key};
use super::sizes;
use crate::pair::Pair;

/// A pair in question.
pub(crate) struct Question<'q, 'r> {
    pub(crate) judge: &'q Judge<'r>,
    pub(crate) pair: &'q Pair,
    /// What lock-step warps would make of the pair.
    pub(crate) lock_step: LockStep,
    pub(crate) launch: Rc<LaunchForm>,
    pub(crate) first: Rc<Instance>,
    pub(crate) second: Rc<Instance>,
    aligned: OnceCell<Vec<LoopId>>,
    sizes: OnceCell<Vec<TermId>>,
}

impl<'q, 'r> Question<'q, 'r> {
    pub(crate) fn new(judge: &'q Judge<'r>, pair: &'q Pair, lock_step: LockStep) -> Self {
        Question {
            judge,
            pair,
            lock_step,
            launch: judge.launch(judge.ctx.launch_of(pair.head)),
            first: judge.instance(pair.first),
            second: judge.instance(pair.second),
            aligned: OnceCell::new(),
            sizes: OnceCell::new(),
        }
    }

    /// The same question to another judge.
    pub(crate) fn to<'o>(&self, judge: &'o Judge<'r>) -> Question<'o, 'r>
    where
        'q: 'o,
    {
        let question = Question::new(judge, self.pair, self.lock_step);
        let aligned = OnceCell::from(self.aligned().to_vec());
        Question {
            aligned,
            ..question
        }
    }

    /// The scope in which a shared atom must be uniform.
    pub(crate) fn scope(&self) -> Scope {
        match self.pair.scope {
            PairScope::Grid => Scope::Grid,
            _ => Scope::Block,
        }
    }

    /// The loops that are in the same iteration for both threads, sorted.
    pub(crate) fn aligned(&self) -> &[LoopId] {
        self.aligned.get_or_init(|| {
            if self.pair.exit.is_some() {
                return Vec::new();
            }
            let (judge, level) = (self.judge, self.pair.level());
            let crossed = |start| judge.crossed(level, start);
            let aligned = align::aligned_loops(judge.ctx, self.pair, &crossed);
            common_rounds::with_common_rounds(judge, self.pair, aligned)
        })
    }

    /// Whether a term has one value for both threads.
    pub(crate) fn is_shared(&self, term: TermId) -> bool {
        self.judge.is_shared(term, self.scope(), self.aligned())
    }

    /// The shared numbers of the two offsets that guards show to be at least 1 where their ranges do not, see
    /// [`sizes`](super::sizes).
    pub(crate) fn sizes(&self) -> &[TermId] {
        self.sizes.get_or_init(|| sizes::by_guards(self))
    }

    /// What the answer about the two offsets depends on.
    pub(crate) fn key(&self) -> Key {
        let apart = self.first.index.constant_part() - self.second.index.constant_part();
        (
            self.first.shape,
            self.second.shape,
            apart,
            self.pair.scope,
            self.aligned().to_vec(),
        )
    }
}
