//! Normal forms of conditions: `p >= 0`, `p = 0`, conjunctions and disjunctions of them, and values that depend on a condition.
//!
//! **Accuracy.** Each function gives a condition that holds exactly where the one that it is asked for holds, under what is known in
//! the context. Simplifying takes a bounded number of steps; what is left is the condition as it is made, which is as true.

use warplog_facts::arith::gcd;

use super::{Id, Node, Pool};

/// Most steps by which conditions are simplified.
const MAX_STEPS: u32 = 1_000_000;

/// How many negations, one in the other, look for a part and its contrary among parts that are conjunctions or disjunctions.
const MAX_NESTED: u32 = 2;

impl Pool {
    /// Whether conditions are as they were made, as simplifying them took too many steps.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.steps >= MAX_STEPS
    }

    /// `p >= 0`
    pub fn not_negative(&mut self, p: Id) -> Id {
        let (low, high) = self.interval(p);
        if low >= 0 {
            return self.truth(true);
        }
        if high < 0 {
            return self.truth(false);
        }
        // 3x + 5 >= 0 is x >= -1.
        let sum = self.monomials(p);
        let divisor = sum.iter().filter(|(m, _)| !m.is_empty());
        let divisor = divisor.fold(0, |all, (_, factor)| gcd(all, *factor));
        let p = match divisor {
            0 | 1 => p,
            by => {
                let sum = sum.into_iter().map(|(m, f)| (m, f.div_euclid(by)));
                let sum: Vec<(Vec<Id>, i128)> = sum.collect();
                self.poly(sum)
            }
        };
        let id = self.intern(Node::NotNegative(p));
        self.known(id).unwrap_or(id)
    }

    /// `p = 0`
    pub fn zero(&mut self, p: Id) -> Id {
        let (low, high) = self.interval(p);
        if low > 0 || high < 0 {
            return self.truth(false);
        }
        if let Some(value) = self.as_int(p) {
            return self.truth(value == 0);
        }
        match *self.node(p) {
            Node::Ite(c, a, b) if self.is_constant(a) && self.is_constant(b) => {
                let (a, b) = (self.zero(a), self.zero(b));
                return self.ite(c, a, b);
            }
            Node::NotNegative(_) | Node::Zero(_) | Node::Not(_) | Node::And(_) | Node::Or(_) => {
                return self.not(p);
            }
            _ => {}
        }
        let sum = self.monomials(p);
        let constant = sum
            .iter()
            .find(|(m, _)| m.is_empty())
            .map_or(0, |(_, f)| *f);
        let divisor = sum.iter().filter(|(m, _)| !m.is_empty());
        let divisor = divisor.fold(0, |all, (_, factor)| gcd(all, *factor)).max(1);
        if constant % divisor != 0 {
            return self.truth(false);
        }
        let negative = sum
            .iter()
            .find(|(m, _)| !m.is_empty())
            .is_some_and(|(_, f)| *f < 0);
        let divisor = if negative { -divisor } else { divisor };
        let sum: Vec<(Vec<Id>, i128)> = sum.into_iter().map(|(m, f)| (m, f / divisor)).collect();
        let p = self.poly(sum);
        let id = self.intern(Node::Zero(p));
        self.known(id).unwrap_or(id)
    }

    /// Negation.
    pub fn not(&mut self, id: Id) -> Id {
        self.steps = self.steps.saturating_add(1);
        self.nested += 1;
        let found = self.contrary(id);
        self.nested -= 1;
        found
    }

    fn contrary(&mut self, id: Id) -> Id {
        match self.node(id).clone() {
            Node::And(_) | Node::Or(_) if self.is_spent() => self.intern(Node::Not(id)),
            Node::Int(value) => self.truth(value == 0),
            Node::Not(inner) => inner,
            Node::NotNegative(p) => {
                let minus_one = self.int(-1);
                let p = self.plus(minus_one, p, -1);
                self.not_negative(p)
            }
            Node::And(parts) => {
                let parts = parts.into_iter().map(|part| self.not(part)).collect();
                self.any(parts)
            }
            Node::Or(parts) => {
                let parts = parts.into_iter().map(|part| self.not(part)).collect();
                self.all(parts)
            }
            _ => {
                let id = self.intern(Node::Not(id));
                self.known(id).unwrap_or(id)
            }
        }
    }

    /// Conjunction.
    pub fn all(&mut self, parts: Vec<Id>) -> Id {
        self.set(parts, true)
    }

    /// Disjunction.
    pub fn any(&mut self, parts: Vec<Id>) -> Id {
        self.set(parts, false)
    }

    fn set(&mut self, parts: Vec<Id>, conjunction: bool) -> Id {
        let mut flat = Vec::new();
        for part in parts {
            match (self.node(part), conjunction) {
                (Node::Int(value), _) if (*value != 0) == conjunction => {}
                (Node::Int(_), _) => return self.truth(!conjunction),
                (Node::And(inner), true) | (Node::Or(inner), false) => flat.extend(inner.clone()),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        self.borders_moved(&mut flat, conjunction);
        self.weaker_dropped(&mut flat, conjunction);
        for part in flat.clone() {
            let is_compound = matches!(self.node(part), Node::And(_) | Node::Or(_));
            if is_compound && (self.nested >= MAX_NESTED || self.is_spent()) {
                continue;
            }
            let contrary = self.not(part);
            if flat.contains(&contrary) {
                return self.truth(!conjunction);
            }
        }
        match flat.as_slice() {
            [] => self.truth(conjunction),
            [one] => *one,
            _ if conjunction => self.intern(Node::And(flat)),
            _ => self.intern(Node::Or(flat)),
        }
    }

    /// `p >= 0 && p != 0` is `p - 1 >= 0`, and `p - 1 >= 0 || p = 0` is `p >= 0`.
    fn borders_moved(&mut self, parts: &mut Vec<Id>, conjunction: bool) {
        for position in 0..parts.len() {
            let zero = match (self.node(parts[position]), conjunction) {
                (Node::Not(inner), true) => *inner,
                (Node::Zero(_), false) => parts[position],
                _ => continue,
            };
            let Node::Zero(p) = *self.node(zero) else {
                continue;
            };
            let one = self.int(1);
            let nothing = self.int(0);
            for sign in [1, -1] {
                let p = self.plus(nothing, p, sign);
                let beyond = self.plus(p, one, -1);
                let (found, moved) = if conjunction {
                    (p, beyond)
                } else {
                    (beyond, p)
                };
                let found = self.intern(Node::NotNegative(found));
                if let Some(at) = parts.iter().position(|&part| part == found) {
                    parts[at] = self.intern(Node::NotNegative(moved));
                    parts[position] = self.truth(conjunction);
                    break;
                }
            }
        }
        let neutral = self.truth(conjunction);
        parts.retain(|&part| part != neutral);
        parts.sort_unstable();
        parts.dedup();
    }

    /// Of `p >= 0` and `p + 2 >= 0` one is enough.
    fn weaker_dropped(&self, parts: &mut Vec<Id>, conjunction: bool) {
        let split = |id: Id| match self.node(id) {
            Node::NotNegative(p) => {
                let mut sum = self.monomials(*p);
                let at = sum.iter().position(|(m, _)| m.is_empty());
                let constant = at.map_or(0, |at| sum.remove(at).1);
                Some((sum, constant))
            }
            _ => None,
        };
        let split: Vec<_> = parts.iter().map(|&id| split(id)).collect();
        let mut position = 0;
        parts.retain(|_| {
            let own = position;
            position += 1;
            let Some((sum, constant)) = &split[own] else {
                return true;
            };
            !split.iter().flatten().any(|(other, than)| {
                other == sum
                    && if conjunction {
                        than < constant
                    } else {
                        than > constant
                    }
            })
        });
    }

    /// A choice.
    pub fn ite(&mut self, condition: Id, then: Id, otherwise: Id) -> Id {
        match self.as_int(condition) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None if then == otherwise => return then,
            None => {}
        }
        let truths = (self.as_int(then), self.as_int(otherwise));
        let (a, b) = (self.interval(then), self.interval(otherwise));
        let boolean = |me: &Self, id: Id| {
            matches!(
                me.node(id),
                Node::NotNegative(_) | Node::Zero(_) | Node::Not(_) | Node::And(_) | Node::Or(_)
            )
        };
        match truths {
            (Some(1), Some(0)) => return condition,
            (Some(0), Some(1)) => return self.not(condition),
            _ => {}
        }
        if a.0 >= 0 && a.1 <= 1 && b.0 >= 0 && b.1 <= 1 {
            let fits = |me: &Self, id: Id| boolean(me, id) || me.as_int(id).is_some();
            if fits(self, then) && fits(self, otherwise) {
                // `c ? 1 : b` is `c || b`, without a contrary that would grow with each store to one element.
                match truths {
                    (Some(1), _) => return self.any(vec![condition, otherwise]),
                    (_, Some(0)) => return self.all(vec![condition, then]),
                    _ => {}
                }
                let contrary = self.not(condition);
                let one = self.all(vec![condition, then]);
                let other = self.all(vec![contrary, otherwise]);
                return self.any(vec![one, other]);
            }
        }
        // `c ? (c ? a : b) : d`
        let then = match *self.node(then) {
            Node::Ite(inner, a, _) if inner == condition => a,
            _ => then,
        };
        let otherwise = match *self.node(otherwise) {
            Node::Ite(inner, _, b) if inner == condition => b,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        let contrary = self.not(condition);
        if contrary < condition {
            return self.intern(Node::Ite(contrary, otherwise, then));
        }
        self.intern(Node::Ite(condition, then, otherwise))
    }
}
