//! Guessing where headers are when nobody says: an index of the header files below the folders that are scanned.
//!
//! A build gives its include folders on command lines that we do not have. A header that is not found by the rules of the
//! language is looked up by the name that was written: every indexed file whose path ends in it is a candidate, and the one
//! nearest to the including file is taken (fewest steps from folder to folder, then the first by path). Names that belong to
//! the system or the CUDA toolkit are never guessed: a `math.h` of some sample is not the one that `<math.h>` means.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::source::normalise;

/// The header files below the scanned folders, by file name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderIndex {
    by_name: BTreeMap<String, Vec<PathBuf>>,
}

/// A header that was found by guessing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guess {
    /// The name as written, without quotes.
    pub wanted: String,
    /// The file taken.
    pub found: PathBuf,
    /// How many files had the name.
    pub candidates: usize,
}

impl HeaderIndex {
    /// Adds a file by the path under which it is to be opened.
    pub fn add(&mut self, path: &Path) {
        if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
            let paths = self.by_name.entry(name.to_owned()).or_default();
            if let Err(at) = paths.binary_search_by(|known| known.as_path().cmp(path)) {
                paths.insert(at, path.to_owned());
            }
        }
    }

    /// The files that were added.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.by_name.values().flatten().map(PathBuf::as_path)
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The file meant by `#include "wanted"` in the file `from`.
    pub fn find(&self, wanted: &str, from: &Path) -> Option<Guess> {
        if is_system_header(wanted) {
            return None;
        }
        // `../common/x.h` is wanted as `common/x.h`: where the folder lies is what is guessed.
        let wanted_path: PathBuf = Path::new(wanted)
            .components()
            .filter(|component| matches!(component, Component::Normal(_)))
            .collect();
        let name = wanted_path.file_name()?.to_str()?;
        let from = normalise(from);
        let folder = from.parent().unwrap_or(Path::new(""));
        let mut candidates = 0;
        let mut best: Option<(usize, &PathBuf)> = None;
        for path in self.by_name.get(name)? {
            let plain = normalise(path);
            if !plain.ends_with(&wanted_path) || plain == from {
                continue;
            }
            candidates += 1;
            let steps = steps(folder, plain.parent().unwrap_or(Path::new("")));
            if best.is_none_or(|(least, _)| steps < least) {
                best = Some((steps, path));
            }
        }
        let (_, found) = best?;
        Some(Guess {
            wanted: wanted.to_owned(),
            found: found.clone(),
            candidates,
        })
    }
}

/// Steps up and down from one folder to another.
fn steps(from: &Path, to: &Path) -> usize {
    let common = from
        .components()
        .zip(to.components())
        .take_while(|(a, b)| a == b)
        .count();
    from.components().count() + to.components().count() - 2 * common
}

/// Folders of the toolkit and of libraries that come with it or with the system.
const SYSTEM_FOLDERS: [&str; 15] = [
    "sys",
    "bits",
    "cub",
    "thrust",
    "cuda",
    "cooperative_groups",
    "crt",
    "hip",
    "hipcub",
    "rocprim",
    "rocrand",
    "hiprand",
    "nvtx3",
    "experimental",
    "linux",
];

/// How names of the toolkit's headers begin.
const SYSTEM_PREFIXES: [&str; 24] = [
    "cuda_",
    "cuda.h",
    "cudart",
    "cublas",
    "cufft",
    "curand",
    "cusolver",
    "cusparse",
    "cudnn",
    "cutensor",
    "cooperative_groups",
    "device_",
    "vector_types",
    "vector_functions",
    "math_constants",
    "math_functions",
    "sm_",
    "texture_",
    "surface_",
    "nccl",
    "nvrtc",
    "nvml",
    "npp",
    "nvToolsExt",
];

/// Headers of C, C++ and POSIX that are written with their `.h`, and CUDA's that no prefix covers.
const SYSTEM_HEADERS: [&str; 58] = [
    "aio.h",
    "arpa/inet.h",
    "assert.h",
    "builtin_types.h",
    "channel_descriptor.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "driver_functions.h",
    "driver_types.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "getopt.h",
    "host_config.h",
    "host_defines.h",
    "immintrin.h",
    "inttypes.h",
    "iso646.h",
    "libgen.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "mma.h",
    "mpi.h",
    "netdb.h",
    "netinet/in.h",
    "nvvm.h",
    "omp.h",
    "poll.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "tgmath.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
    "windows.h",
    "wmmintrin.h",
    "xmmintrin.h",
];

/// Whether a header, named as in its `#include`, belongs to the system, the language or the CUDA toolkit.
pub fn is_system_header(name: &str) -> bool {
    let first = name.split('/').next().unwrap_or(name);
    // `<vector>`, `<algorithm>`: the headers of C++ have no ending.
    let no_ending = !name.contains(['.', '/']);
    no_ending
        || (name.contains('/') && SYSTEM_FOLDERS.contains(&first))
        || SYSTEM_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
        || SYSTEM_HEADERS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(paths: &[&str]) -> HeaderIndex {
        let mut index = HeaderIndex::default();
        for path in paths {
            index.add(Path::new(path));
        }
        index
    }

    #[test]
    fn the_nearest_file_by_that_name_is_taken() {
        let index = index(&[
            "r/Common/h.h",
            "r/a/inc/h.h",
            "r/b/inc/h.h",
            "r/a/inc/x/deep.h",
        ]);
        let found = |wanted: &str, from: &str| {
            index
                .find(wanted, Path::new(from))
                .map(|guess| (guess.found.display().to_string(), guess.candidates))
        };
        assert_eq!(
            found("h.h", "r/a/src/k.cu"),
            Some(("r/a/inc/h.h".to_owned(), 3))
        );
        assert_eq!(
            found("h.h", "r/b/src/../src/k.cu"),
            Some(("r/b/inc/h.h".to_owned(), 3))
        );
        assert_eq!(
            found("../inc/h.h", "r/b/k.cu"),
            Some(("r/b/inc/h.h".to_owned(), 2))
        );
        assert_eq!(
            found("x/deep.h", "r/b/k.cu"),
            Some(("r/a/inc/x/deep.h".to_owned(), 1))
        );
        assert_eq!(found("y/deep.h", "r/b/k.cu"), None);
        // Equally near: the first by path.
        assert_eq!(found("h.h", "r/k.cu"), Some(("r/Common/h.h".to_owned(), 3)));
    }

    #[test]
    fn a_header_is_no_guess_for_itself_nor_for_one_of_the_system() {
        let index = index(&["r/a/wrap.h", "r/b/wrap.h", "r/math.h", "r/cub/cub.cuh"]);
        let found = index
            .find("wrap.h", Path::new("r/a/wrap.h"))
            .expect("the other one");
        assert_eq!(found.found, Path::new("r/b/wrap.h"));
        assert_eq!(index.find("math.h", Path::new("r/k.cu")), None);
        assert_eq!(index.find("cub/cub.cuh", Path::new("r/k.cu")), None);
    }

    #[test]
    fn system_headers_are_told_from_own_ones() {
        for name in [
            "vector",
            "math.h",
            "sys/time.h",
            "cuda_runtime.h",
            "curand_kernel.h",
            "cub/cub.cuh",
            "hip/hip_runtime.h",
        ] {
            assert!(is_system_header(name), "{name}");
        }
        for name in [
            "util.h",
            "common/cuda.h",
            "reduce.cuh",
            "src/math.h",
            "helper_cuda.h",
        ] {
            assert!(!is_system_header(name), "{name}");
        }
        assert!(SYSTEM_HEADERS.is_sorted());
    }
}
