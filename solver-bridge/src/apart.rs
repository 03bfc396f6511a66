//! Pieces of work on threads of their own, one after the other or several at once.
//!
//! The binding gives every thread its own Z3 context, made when something of Z3 is first used and dropped with the thread. To
//! make one takes 16 MB of memory (`memory`) and some milliseconds, and most kernels are decided without one: so each piece has a
//! new thread, and what needs no Z3 pays nothing for it.
//!
//! **Determinism.** No piece sees what another asked, so that the results are the same for any number of threads.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};

use crate::memory::keep_large_blocks;

/// The name of the threads of this crate: a panic there comes back to the thread that waits for it.
pub const THREAD: &str = "warplog-solver";

/// Stack of a thread; only what is used of it costs memory.
const STACK: usize = 64 << 20;

/// Does the pieces, at most so many at once; results in their order.
pub(crate) fn each<T: Send, R: Send>(
    pieces: Vec<T>,
    at_once: usize,
    work: &(impl Fn(T) -> R + Sync),
) -> Vec<R> {
    keep_large_blocks();
    let count = pieces.len();
    if at_once <= 1 || count <= 1 {
        return pieces
            .into_iter()
            .filter_map(|piece| alone(piece, work))
            .collect();
    }
    let queue = Mutex::new(pieces.into_iter().enumerate());
    let results = Mutex::new((0..count).map(|_| None).collect::<Vec<Option<R>>>());
    let serve = || {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((position, piece)) = next else {
                return;
            };
            let result = alone(piece, work);
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = results.get_mut(position) {
                *place = result;
            }
        }
    };
    scope(|scope| {
        let others: Vec<_> = (1..at_once.min(count))
            .filter_map(|_| {
                let builder = Builder::new().name(THREAD.to_owned());
                builder.spawn_scoped(scope, serve).ok()
            })
            .collect();
        serve();
        for other in others {
            if let Err(panic) = other.join() {
                resume_unwind(panic);
            }
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().flatten().collect()
}

/// Does one piece on a new thread; on this one, if the system has none to give.
fn alone<T: Send, R: Send>(piece: T, work: &(impl Fn(T) -> R + Sync)) -> Option<R> {
    // Kept here, so that it is not lost with a thread that does not start.
    let piece = Mutex::new(Some(piece));
    let take = || piece.lock().unwrap_or_else(PoisonError::into_inner).take();
    let run = || take().map(work);
    scope(|scope| {
        let builder = Builder::new().name(THREAD.to_owned()).stack_size(STACK);
        match builder.spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => run(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        let pieces: Vec<usize> = (0..40).collect();
        let expected: Vec<usize> = pieces.iter().map(|piece| piece * piece).collect();
        for at_once in [0, 1, 2, 7, 100] {
            assert_eq!(
                each(pieces.clone(), at_once, &|piece| piece * piece),
                expected
            );
        }
        assert_eq!(each(Vec::<u8>::new(), 3, &|piece| piece), Vec::<u8>::new());
    }

    #[test]
    fn a_panic_comes_back() {
        for at_once in [1, 3] {
            let result = std::panic::catch_unwind(|| {
                each(vec![1, 2, 3], at_once, &|piece| {
                    assert!(piece != 2, "two");
                    piece
                })
            });
            let message = result.err().and_then(|panic| {
                let text = panic.downcast_ref::<&str>().copied();
                text.map(str::to_owned)
            });
            assert_eq!(message.as_deref(), Some("two"), "{at_once}");
        }
    }
}
