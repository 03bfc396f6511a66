//! What a comparison of two kernels rests on: their assignments, who makes the same one on the other side, and what follows by rules.
//!
//! The first five relations are what the comparison finds, the others are concluded from them (rules R56 to R59). Addresses, conditions and values are shown as text, over the names of the side that the row is of.

use crate::relation::relations;

relations! {
    /// What is known of a comparison.
    Compared {
        /// `writes_element(write, side, array, interval, line, element, condition, value)`: a thread of the side stores the value in the element if the condition holds; behind so many barriers where both sides go from barrier to barrier together.
        /// Yields: `out[i] = in[i];`. Does not: `x = in[i];`.
        writes_element / WritesElementRow "writes_element" [key 1] {
            /// Number of the assignment.
            write: u32,
            /// Side: `left` or `right`.
            side: String,
            /// Array, by the name of the left side.
            array: String,
            /// How many barriers and ends of loops are before it.
            interval: u32,
            /// Line of the access; 0 if it is not known.
            line: u32,
            /// First byte of the element in the array.
            element: String,
            /// When it is stored.
            condition: String,
            /// What is stored.
            value: String,
        }
        /// `writer_of(write, by, thread, condition)`: the assignment `by` of the other side is to the same element if this thread makes it, which it does if the condition holds.
        /// Yields: thread `threadIdx.y, threadIdx.x` of a transposing kernel. Does not: an element that nobody on the other side writes.
        writer_of / WriterOfRow "writer_of" [] {
            /// Assignment.
            write: u32,
            /// Assignment of the other side.
            by: u32,
            /// Coordinates of the thread that makes it, where they are not those of the same number.
            thread: String,
            /// What has to hold besides.
            condition: String,
        }
        /// `same_value(write, by)`: both store the same value in the element, where both are made.
        /// Yields: `a + b` and `b + a`. Does not: `a - b` and `b - a`.
        same_value / SameValueRow "same_value" [] {
            /// Assignment.
            write: u32,
            /// Assignment of the other side.
            by: u32,
        }
        /// `covered(write)`: the cases in which the assignment is one of the other side are all cases in which it is made.
        /// Yields: an assignment that the other side makes in the same thread. Does not: one that it makes only if a size is a multiple.
        covered / CoveredRow "covered" [key 1] {
            /// Assignment.
            write: u32,
        }
        /// `leaves_element(side, array, element, value, block, thread, line)`: what an execution with numbers leaves in an element, and who wrote it last.
        /// Yields: the element that a counterexample is about. Does not: elements that are equal.
        leaves_element / LeavesElementRow "leaves_element" [] {
            /// Side: `left` or `right`.
            side: String,
            /// Array, by the name of the left side.
            array: String,
            /// Number of the element.
            element: i128,
            /// Value.
            value: String,
            /// `blockIdx` of the thread that wrote it last; empty if nobody did.
            block: String,
            /// `threadIdx` of it.
            thread: String,
            /// Line; 0 if nobody did.
            line: u32,
        }
        /// `matched(write, by)`: the two assignments leave the same value in the same element (rule R56).
        /// Yields: `out[j] = in[j]` of thread j and of thread n - 1 - j. Does not: an assignment whose value is not seen to be the same.
        matched / MatchedRow "matched" [] {
            /// Assignment.
            write: u32,
            /// Assignment of the other side.
            by: u32,
        }
        /// `unmatched(write)`: no assignment of the other side is seen to be the same (rule R57).
        /// Yields: what makes an answer unknown. Does not: a kernel compared with itself.
        unmatched / UnmatchedRow "unmatched" [key 1] {
            /// Assignment.
            write: u32,
        }
        /// `agrees(array)`: each assignment of either side to the array is matched (rule R58).
        /// Yields: the arrays of two kernels that are equal. Does not: an array with an unmatched assignment.
        agrees / AgreesRow "agrees" [key 1] {
            /// Array, by the name of the left side.
            array: String,
        }
        /// `differs(array, element, left, right)`: executions of the two leave different values in the element (rule R59).
        /// Yields: a counterexample. Does not: values that are equal.
        differs / DiffersRow "differs" [key 2] {
            /// Array, by the name of the left side.
            array: String,
            /// Number of the element.
            element: i128,
            /// Value on the left.
            left: String,
            /// Value on the right.
            right: String,
        }
    }
}
