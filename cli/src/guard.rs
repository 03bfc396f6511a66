//! Panics as values: what goes wrong in one file is reported and the others are still analysed.
//!
//! A panic inside [`guarded`] is caught; its message and place are kept for the report instead of being printed. Panics
//! elsewhere are printed as usual. A stack overflow cannot be caught: threads have a large stack ([`STACK_SIZE`]), the analysis
//! bounds its recursion, and where it does not, the process is one that analyses for another ([`crate::isolation`]).

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// Stack of a worker thread.
pub const STACK_SIZE: usize = 64 << 20;

thread_local! {
    static GUARDS: Cell<u32> = const { Cell::new(0) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Calls the function; a panic becomes an error that says what happened and where in our code.
///
/// # Errors
/// The message of the panic.
pub fn guarded<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    GUARDS.set(GUARDS.get() + 1);
    let result = panic::catch_unwind(AssertUnwindSafe(function));
    GUARDS.set(GUARDS.get() - 1);
    let place = PLACE.take();
    result.map_err(|payload| {
        let message = message(payload.as_ref());
        match place {
            Some(place) => format!("internal error at {place}: {message}; please report this"),
            None => format!("internal error: {message}; please report this"),
        }
    })
}

/// Keeps the place of guarded panics and leaves the others to the hook that was there.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // What goes wrong on a thread of the solver comes back to the one that waits for it.
            let comes_back = std::thread::current().name() == Some(warplog_solver_bridge::THREAD);
            if GUARDS.get() == 0 && !comes_back {
                previous(info);
            } else if let Some(location) = info.location() {
                PLACE.set(Some(format!("{}:{}", location.file(), location.line())));
            }
        }));
    });
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    text.lines().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_errors_and_the_guard_ends_with_them() {
        assert_eq!(guarded(|| 3), Ok(3));
        let line = line!() + 1;
        let error = guarded(|| panic!("first\nsecond {}", 2)).err();
        assert_eq!(
            error,
            Some(format!(
                "internal error at {}:{line}: first; second 2; please report this",
                file!()
            ))
        );
        assert_eq!(GUARDS.get(), 0);
        assert_eq!(guarded(|| 4), Ok(4));
    }
}
