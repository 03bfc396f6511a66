//! Products of matrices by a warpgroup: `wgmma.fence`, `wgmma.mma_async`, `wgmma.commit_group`, `wgmma.wait_group`.
//!
//! Four warps multiply together. The instruction is asynchronous: it reads the matrices in shared memory, which a *descriptor* names, by the
//! asynchronous proxy at some time until the threads have waited for the group in which they ended it. Until then whoever writes
//! there races with it, behind barriers, too, and what was written before needs `fence.proxy.async`, as for bulk copies. `wgmma.fence` orders
//! registers only.
//!
//! **Algorithm.** A descriptor is a number of 64 bits: the address, `(a & 0x3ffff) >> 4`, with strides and the kind of swizzle in the
//! upper bits. Of the number that the program computes it is asked which address is in it; if the rest is a constant, it tells which bytes from there on hold the matrix.
//! The read is of any of these bytes, and of any byte of the array where it does not tell.
//!
//! **Accuracy.** Over-approximates what is read, so that a race with it is potential. A tile begins where the pattern of its swizzle begins, and
//! a descriptor that is moved on along a row stays in the tile. What is in registers is not looked at: a missing `wgmma.fence`, or a
//! read of the result before the wait, is not told. Sources: PTX ISA 8.5, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate
//! Instructions", "Async proxy"; "Matrix Descriptor Format".

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::under_way::{Waiter, What};
use super::super::value::{Base, Pointer, Value};
use super::State;
use super::parse::{Instruction, Operand};
use crate::syntax::ast::Range;

/// Which of them an instruction is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Product {
    Fence,
    /// With rows of the first matrix and columns of the second, and whether transposition is told.
    Multiply {
        columns: i64,
        is_half: bool,
    },
    Commit,
    /// The number as written.
    Wait,
}

/// Rows of the first matrix.
const ROWS: i64 = 64;

/// What an opcode does; `None` if it is none of these, or not understood.
pub(super) fn product(opcode: &[String]) -> Option<Product> {
    let parts: Vec<&str> = opcode.iter().map(String::as_str).collect();
    Some(match parts.as_slice() {
        ["wgmma", "fence", "sync", "aligned"] => Product::Fence,
        ["wgmma", "commit_group", "sync", "aligned"] => Product::Commit,
        ["wgmma", "wait_group", "sync", "aligned"] => Product::Wait,
        ["wgmma", "mma_async", "sync", "aligned", shape, rest @ ..] => {
            let columns = shape
                .strip_prefix("m64n")?
                .split('k')
                .next()?
                .parse()
                .ok()?;
            let is_half = matches!(rest.last(), Some(&"f16" | &"bf16"));
            Product::Multiply { columns, is_half }
        }
        _ => return None,
    })
}

/// What the constant part of a descriptor tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// Bytes that are added to the address.
    ahead: i64,
    /// Bytes between groups of eight rows, and between columns of 16 bytes.
    stride: i64,
    leading: i64,
    /// Bytes of a row of the pattern; 16 without a swizzle.
    pitch: i64,
}

impl Layout {
    fn of(rest: i128) -> Option<Layout> {
        let field = |shift: u32| {
            i64::try_from((rest >> shift) & 0x3fff)
                .ok()
                .map(|one| one << 4)
        };
        let pitch = match (rest >> 62) & 3 {
            1 => 128,
            2 => 64,
            3 => 32,
            _ => 16,
        };
        Some(Layout {
            ahead: field(0)?,
            leading: field(16)?,
            stride: field(32)?,
            pitch,
        })
    }

    /// Bytes from the address on among which so many rows are.
    fn extent(self, rows: i64) -> i64 {
        let groups = (rows / 8 - 1).max(0) * self.stride;
        let ahead = if self.ahead < self.pitch {
            0
        } else {
            self.ahead
        };
        let columns = if self.pitch == 16 { self.leading } else { 0 };
        ahead + groups + columns + 8 * self.pitch
    }
}

impl Lowerer<'_, '_> {
    pub(super) fn of_product(
        &mut self,
        state: &mut State<'_>,
        product: &Product,
        instruction: &Instruction,
        range: Range,
    ) {
        match product {
            Product::Fence => self.barrier(BarrierKind::Meet, "wgmma.fence", range),
            Product::Commit => self.copy_event(What::CommitProducts, range),
            Product::Wait => {
                let left = match instruction.operands.first() {
                    Some(Operand::Word(number)) => self.asm_integer(state, number, CType::I32),
                    _ => None,
                };
                let left = left.and_then(|left| self.facts.terms.as_const(left));
                self.copy_event(What::WaitProducts(left), range);
            }
            Product::Multiply { columns, is_half } => {
                self.barrier(BarrierKind::Meet, "wgmma.mma_async", range);
                self.multiply(state, (*columns, *is_half), instruction, range);
                self.give(state, instruction, &[], None);
            }
        }
    }

    /// The reads of one product.
    fn multiply(
        &mut self,
        state: &State<'_>,
        (columns, is_half): (i64, bool),
        instruction: &Instruction,
        range: Range,
    ) {
        let (descriptors, rest): (Vec<(&str, i64)>, &[Operand]) =
            match instruction.operands.as_slice() {
                [_, Operand::Vector(_), Operand::Word(second), rest @ ..] => {
                    (vec![(second, columns)], rest)
                }
                [_, Operand::Word(first), Operand::Word(second), rest @ ..] => {
                    (vec![(first, ROWS), (second, columns)], rest)
                }
                _ => {
                    self.lost_access(range, "the operands of the product are not understood");
                    return;
                }
            };
        // Behind the factors it is told which of the matrices lie the other way round.
        let turned = match is_half {
            true => rest.len().saturating_sub(descriptors.len())..rest.len(),
            false => 0..0,
        };
        let turned: Vec<bool> = rest[turned]
            .iter()
            .map(|operand| {
                let term = match operand {
                    Operand::Word(word) => self.asm_integer(state, word, CType::I32),
                    _ => None,
                };
                term.and_then(|term| self.facts.terms.as_const(term)) != Some(0)
            })
            .collect();
        let before = self.facts.access.len();
        for (at, (word, rows)) in descriptors.into_iter().enumerate() {
            let lies_so = !turned.get(at).copied().unwrap_or(is_half);
            let rows = lies_so.then_some(rows);
            self.read_matrix(state, word, rows, range);
        }
        self.begin_copy(before, Waiter::Products, range);
    }

    /// A read of any byte of the matrix behind a descriptor; `rows` of it, if it is known how it lies.
    fn read_matrix(&mut self, state: &State<'_>, word: &str, rows: Option<i64>, range: Range) {
        let Some(Value::Term(descriptor)) = self.asm_value(state, word) else {
            self.lost_access(range, "the descriptor of a matrix is not understood");
            return;
        };
        let (parts, whole) = (self.described(descriptor), self.address_in(descriptor));
        let told = parts
            .zip(rows)
            .and_then(|((pointer, rest), rows)| Some((pointer, Layout::of(rest)?.extent(rows))));
        let (pointer, most) = match (told, whole) {
            (Some((pointer, extent)), _) => (pointer, self.long(extent)),
            (None, Some(mut pointer)) => {
                // Anything from the start of the array on.
                for target in &mut pointer.targets {
                    target.offset = self.long(0);
                }
                let bytes = pointer
                    .targets
                    .iter()
                    .filter_map(|target| match target.base {
                        Base::Array(array) => self.facts.array[array.index()].bytes,
                        _ => None,
                    });
                let most = match bytes.max().and_then(|bytes| i64::try_from(bytes).ok()) {
                    Some(bytes) if pointer.targets.len() == 1 => self.long(bytes),
                    _ => self.unknown("bytes of a matrix", range, CType::I64, true),
                };
                (pointer, most)
            }
            (None, None) => {
                self.lost_access(range, "the descriptor of a matrix is not understood");
                return;
            }
        };
        self.some_byte(&pointer, most, AccessKind::Read, None, range);
    }

    /// The one address of shared memory that a number is made of.
    fn address_in(&self, term: TermId) -> Option<Pointer> {
        let inside = self.facts.terms.reachable(&[term]);
        let mut found = inside
            .into_iter()
            .filter_map(|one| self.addresses.get(&one));
        let (first, second) = (found.next()?, found.next());
        let pointer = first.clone().filter(|_| second.is_none())?;
        let in_shared = pointer.targets.iter().all(|target| match target.base {
            Base::Array(array) => self.facts.array[array.index()].space == Space::Shared,
            _ => false,
        });
        in_shared.then_some(pointer)
    }

    /// A descriptor as an address and a constant: `((a & 0x3ffff) >> 4) | c + d`.
    fn described(&mut self, term: TermId) -> Option<(Pointer, i128)> {
        let node = self.facts.terms.get(term);
        let (op, ty, args) = (node.op, node.ty, node.args.clone());
        let constant = |me: &Self, term: TermId| me.facts.terms.as_const(term);
        match (op, args.as_slice()) {
            (Op::Cast, &[inner]) if ty.bits().is_some_and(|bits| bits >= 32) => {
                self.described(inner)
            }
            (Op::BitOr | Op::Add, &[left, right]) => {
                let (inner, more) = match (constant(self, left), constant(self, right)) {
                    (None, Some(more)) => (left, more),
                    (Some(more), None) => (right, more),
                    _ => return None,
                };
                let (pointer, rest) = self.described(inner)?;
                // The address goes on, and nothing is carried out of its bits.
                let goes_on = more >= 0 && (rest & 0x3fff) + (more & 0x3fff) <= 0x3fff;
                let apart = match op {
                    Op::Add => goes_on && more < 1 << 63,
                    _ => rest & more == 0 && more & 0x3fff == 0,
                };
                apart.then_some((pointer, rest + more.rem_euclid(1 << 64)))
            }
            (Op::Shr, &[inner, by]) if constant(self, by) == Some(4) => {
                let inner = self.uncast(inner);
                let node = self.facts.terms.get(inner);
                let (op, args) = (node.op, node.args.clone());
                let address = match (op, args.as_slice()) {
                    (Op::BitAnd, &[address, mask]) if constant(self, mask) == Some(0x3ffff) => {
                        address
                    }
                    (Op::BitAnd, &[mask, address]) if constant(self, mask) == Some(0x3ffff) => {
                        address
                    }
                    _ => return None,
                };
                let address = self.uncast(address);
                let address = self.facts.terms.cast(address, CType::U64);
                self.address_in(address)?;
                Some((self.pointer_of(address)?, 0))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_of_products() {
        let of = |text: &str| {
            let opcode: Vec<String> = text.split('.').map(str::to_owned).collect();
            product(&opcode)
        };
        assert_eq!(of("wgmma.fence.sync.aligned"), Some(Product::Fence));
        assert_eq!(of("wgmma.wait_group.sync.aligned"), Some(Product::Wait));
        assert_eq!(
            of("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16"),
            Some(Product::Multiply {
                columns: 128,
                is_half: true
            })
        );
        assert_eq!(
            of("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2"),
            Some(Product::Multiply {
                columns: 8,
                is_half: false
            })
        );
        assert_eq!(
            of("wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16"),
            None
        );
    }

    #[test]
    fn extents_of_matrices() {
        // A swizzle of 128 bytes, groups of eight rows 1,024 bytes apart.
        let layout = Layout::of((1 << 62) | (64 << 32) | (1 << 16)).expect("a layout");
        assert_eq!(layout.extent(64), 8192);
        // The next 32 bytes of each row.
        let next = Layout::of((1 << 62) | (64 << 32) | (1 << 16) | 2).expect("a layout");
        assert_eq!(next.extent(64), 8192);
        // Without a swizzle: two columns of 16 bytes.
        let plain = Layout::of((16 << 32) | (8 << 16)).expect("a layout");
        assert_eq!((plain.stride, plain.leading), (256, 128));
        assert_eq!(plain.extent(64), 7 * 256 + 128 + 128);
    }
}
