//! Values with other values in place of their atoms, and what that needs: the parts of a value, bound variables of loops in it.
//!
//! **Accuracy.** A value that is made anew is in normal form under what is known then; no variable of the images is caught by a loop.

use rustc_hash::FxHashMap;

use super::{Fold, Id, Leaf, Node, Pool, signed, unsigned};

impl Pool {
    /// The value with some atoms replaced, made anew under what is known. Bound variables of loops in it get other names where the
    /// atoms or their images are variables of that name.
    pub fn rebuilt(&mut self, id: Id, images: &FxHashMap<Id, Id>) -> Id {
        let mut taken: Vec<u32> = Vec::new();
        // The names do not depend on the order.
        #[allow(clippy::iter_over_hash_type)]
        for (&atom, &image) in images {
            taken.extend(&self.free[atom.0 as usize]);
            taken.extend(&self.free[image.0 as usize]);
        }
        let mut memo = images.clone();
        self.rebuild(id, &taken, &mut memo)
    }

    /// The heights of the loops whose variables stand in these values outside of these loops, in order.
    pub(super) fn bound_heights(&self, roots: &[Id]) -> Vec<u32> {
        let mut heights: Vec<u32> = Vec::new();
        for root in roots {
            heights.extend(&self.free[root.0 as usize]);
        }
        heights.sort_unstable();
        heights.dedup();
        heights
    }

    fn rebuild(&mut self, id: Id, taken: &[u32], memo: &mut FxHashMap<Id, Id>) -> Id {
        if let Some(&known) = memo.get(&id) {
            return known;
        }
        let node = self.node(id).clone();
        let image = match node {
            Node::Int(_) | Node::Float(..) => id,
            Node::Leaf(_) => match self.interval(id) {
                (low, high) if low == high => self.int(low),
                _ => id,
            },
            Node::Input(array, ty, at) => {
                let at = self.rebuild(at, taken, memo);
                self.input(array, ty, at)
            }
            Node::Output(array, step, ty, at) => {
                let at = self.rebuild(at, taken, memo);
                self.output(array, step, ty, at)
            }
            Node::Poly(sum) => {
                let mut all = self.int(0);
                for (monomial, factor) in sum {
                    let mut product = self.int(1);
                    for atom in monomial {
                        let atom = self.rebuild(atom, taken, memo);
                        product = self.times(product, atom);
                    }
                    all = self.plus(all, product, factor);
                }
                all
            }
            Node::Mod(bits, inner) => {
                let inner = self.rebuild(inner, taken, memo);
                self.converted(inner, unsigned(bits))
            }
            Node::SignedMod(bits, inner) => {
                let inner = self.rebuild(inner, taken, memo);
                self.converted(inner, signed(bits))
            }
            Node::Div(a, b) => {
                let (a, b) = (self.rebuild(a, taken, memo), self.rebuild(b, taken, memo));
                match self.quotient(a, b) {
                    Ok(quotient) => quotient,
                    Err(_) => self.intern(Node::Div(a, b)),
                }
            }
            Node::Call(name, ty, args) => {
                let args: Vec<Id> = args
                    .into_iter()
                    .map(|arg| self.rebuild(arg, taken, memo))
                    .collect();
                let name = self.names[name as usize].clone();
                self.float_call(&name, ty, args)
            }
            Node::NotNegative(p) => {
                let p = self.rebuild(p, taken, memo);
                self.not_negative(p)
            }
            Node::Zero(p) => {
                let p = self.rebuild(p, taken, memo);
                self.zero(p)
            }
            Node::Not(inner) => {
                let inner = self.rebuild(inner, taken, memo);
                self.not(inner)
            }
            Node::And(parts) => {
                let parts = parts
                    .into_iter()
                    .map(|part| self.rebuild(part, taken, memo))
                    .collect();
                self.all(parts)
            }
            Node::Or(parts) => {
                let parts = parts
                    .into_iter()
                    .map(|part| self.rebuild(part, taken, memo))
                    .collect();
                self.any(parts)
            }
            Node::Ite(c, a, b) => {
                let c = self.rebuild(c, taken, memo);
                match self.as_int(c) {
                    Some(0) => self.rebuild(b, taken, memo),
                    Some(_) => self.rebuild(a, taken, memo),
                    None => {
                        let (a, b) = (self.rebuild(a, taken, memo), self.rebuild(b, taken, memo));
                        self.ite(c, a, b)
                    }
                }
            }
            Node::Fold(fold, which) => {
                let fold = self.rebuild_fold(&fold, taken, memo);
                self.fold(fold, which)
            }
            Node::Trips(fold) => {
                let fold = self.rebuild_fold(&fold, taken, memo);
                self.trips(fold)
            }
        };
        memo.insert(id, image);
        image
    }

    fn rebuild_fold(&mut self, fold: &Fold, taken: &[u32], memo: &mut FxHashMap<Id, Id>) -> Fold {
        let own = match taken.contains(&fold.height) {
            true => self.with_other_names(fold, taken),
            false => fold.clone(),
        };
        let mut all = |me: &mut Self, ids: &[Id]| -> Vec<Id> {
            ids.iter().map(|&id| me.rebuild(id, taken, memo)).collect()
        };
        let start = all(self, &own.start);
        let next = all(self, &own.next);
        let condition = all(self, &[own.condition])[0];
        Fold {
            height: own.height,
            condition,
            start,
            next,
        }
    }

    /// The same loop with bound variables of which none is in it or has one of these heights.
    fn with_other_names(&mut self, fold: &Fold, taken: &[u32]) -> Fold {
        let mut inside = fold.next.clone();
        inside.push(fold.condition);
        let own = self.bound_heights(&inside);
        let highest = own.iter().chain(taken).copied().max().unwrap_or(0);
        let height = highest.max(self.height(&inside)) + 1;
        self.named_apart(fold, height)
    }

    /// The same loop with bound variables of this height, of which none is in it.
    pub(crate) fn named_apart(&mut self, fold: &Fold, height: u32) -> Fold {
        let mut images = FxHashMap::default();
        let [from, to] = [fold.height, height].map(|height| self.leaf(Leaf::Bound(height)));
        images.insert(from, to);
        for place in 0..u32::try_from(fold.next.len()).unwrap_or(0) {
            let [from, to] =
                [fold.height, height].map(|height| self.leaf(Leaf::BoundCarry(height, place)));
            images.insert(from, to);
        }
        let contexts = std::mem::take(&mut self.contexts);
        let named = Fold {
            height,
            condition: self.rebuilt(fold.condition, &images),
            start: fold.start.clone(),
            next: fold
                .next
                .iter()
                .map(|&next| self.rebuilt(next, &images))
                .collect(),
        };
        self.contexts = contexts;
        named
    }

    /// All values that these are made of, themselves included.
    #[must_use]
    pub fn parts(&self, roots: &[Id]) -> Vec<Id> {
        self.parts_of(roots, true)
    }

    /// The same without what loops do.
    #[must_use]
    pub fn parts_outside_of_folds(&self, roots: &[Id]) -> Vec<Id> {
        self.parts_of(roots, false)
    }

    fn parts_of(&self, roots: &[Id], folds: bool) -> Vec<Id> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            found.push(id);
            match self.node(id) {
                Node::Int(_) | Node::Float(..) | Node::Leaf(_) => {}
                Node::Input(_, _, one)
                | Node::Output(_, _, _, one)
                | Node::Mod(_, one)
                | Node::SignedMod(_, one)
                | Node::NotNegative(one)
                | Node::Zero(one)
                | Node::Not(one) => stack.push(*one),
                Node::Div(a, b) => stack.extend([*a, *b]),
                Node::Ite(a, b, c) => stack.extend([*a, *b, *c]),
                Node::Poly(sum) => stack.extend(sum.iter().flat_map(|(m, _)| m).copied()),
                Node::Call(_, _, args) | Node::And(args) | Node::Or(args) => stack.extend(args),
                Node::Fold(..) | Node::Trips(_) if !folds => {}
                Node::Fold(fold, _) | Node::Trips(fold) => {
                    stack.push(fold.condition);
                    stack.extend(fold.start.iter().chain(&fold.next));
                }
            }
        }
        found
    }

    /// The height above all folds in these values.
    #[must_use]
    pub fn height(&self, roots: &[Id]) -> u32 {
        let heights = self.parts(roots).into_iter().map(|id| match self.node(id) {
            Node::Fold(fold, _) | Node::Trips(fold) => fold.height + 1,
            _ => 0,
        });
        heights.max().unwrap_or(0)
    }
}
