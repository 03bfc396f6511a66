//! The pool of threads that a run works with.

use rayon::ThreadPool;

use crate::guard::STACK_SIZE;

pub(crate) fn workers(jobs: usize) -> Result<ThreadPool, String> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(STACK_SIZE)
        .thread_name(|index| format!("worker-{index}"))
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))
}
