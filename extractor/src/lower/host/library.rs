//! Functions of C's and CUDA's libraries that host code calls and whose bodies are not in the unit:
//! what they may change.
//!
//! **Contract.** A name stands here only if the function changes no variable of the program but
//! through the pointers that it is given, and stores no pointers there but such as it was given. A
//! function that the unit
//! declares itself is never taken for one of these, and names that programs use for functions of their
//! own (`read`, `open`, `remove`) are left out: the header that declares them may be missing.

use crate::syntax::ast::Name;

/// What a function of a library does to the program's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effects {
    /// Nothing.
    None,
    /// Nothing, and its result may be one of its arguments, or point into it.
    Into,
    /// It writes plain data to where its pointer arguments point.
    Writes,
    /// The same, or pointers among its arguments: `cusparseCreateCsr(&matrix, …, columns, …)`.
    Mixes,
}

/// Functions whose result comes from outside the program, whatever they are given.
const INPUTS: &[&str] = &[
    "atoi",
    "atol",
    "atoll",
    "atof",
    "stoi",
    "stol",
    "stoll",
    "stoul",
    "stoull",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtod",
    "strtof",
    "rand",
    "lrand48",
    "mrand48",
    "random",
    "getc",
    "fgetc",
    "getchar",
    "getCmdLineArgumentInt",
    "getCmdLineArgumentFloat",
];

/// Functions that write what comes from outside to where their arguments point.
pub(super) fn reads_input(name: &str) -> bool {
    matches!(name, "fread" | "scanf" | "fscanf" | "sscanf")
}

/// Whether any value may come out of a function.
pub(super) fn is_input(name: &str) -> bool {
    INPUTS.contains(&name)
}

/// Whether a name is that of a pair of the standard library.
pub(super) fn is_pair(name: &Name) -> bool {
    let first = name.qualifier.first().map(|segment| segment.name.as_str());
    name.base == "pair" && matches!(first, Some("std" | "thrust" | "cuda"))
}

/// Algorithms that leave one value in several places.
pub(super) fn copies_elements(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "copy",
        "copy_backward",
        "copy_if",
        "copy_n",
        "fill",
        "fill_n",
        "generate",
        "generate_n",
        "iota",
        "remove",
        "remove_if",
        "replace",
        "replace_if",
        "transform",
        "uninitialized_copy",
        "uninitialized_fill",
        "unique",
    ];
    NAMES.contains(&name)
}

/// `strchr(s, c)`
const INTO: &[&str] = &[
    "make_pair",
    "make_tuple",
    "strchr",
    "strrchr",
    "strstr",
    "strpbrk",
    "memchr",
    "basename",
    "dirname",
];

/// `strlen(s)`
const NONE: &[&str] = &[
    "acos",
    "asin",
    "atan",
    "atan2",
    "cbrt",
    "cosf",
    "cosh",
    "erf",
    "erfc",
    "exp2",
    "expf",
    "fabsf",
    "fmod",
    "fmodf",
    "hypot",
    "ldexp",
    "lgamma",
    "log10f",
    "log1p",
    "log2f",
    "logf",
    "lrint",
    "lround",
    "nearbyint",
    "rint",
    "signbit",
    "sinf",
    "sinh",
    "tan",
    "tanf",
    "tanh",
    "tgamma",
    "isinf",
    "isfinite",
    "labs",
    "llabs",
    "toupper",
    "tolower",
    "isalpha",
    "isdigit",
    "isspace",
    "isalnum",
    "isupper",
    "islower",
    "strcasecmp",
    "strncasecmp",
    "STRNCASECMP",
    "STRCASECMP",
    "_stricmp",
    "_strnicmp",
    "stricmp",
    "memcmp",
    "strcspn",
    "strspn",
    "strnlen",
    "getenv",
    "perror",
    "strerror",
    "fputs",
    "fputc",
    "putc",
    "putchar",
    "putchar_unlocked",
    "vprintf",
    "vfprintf",
    "fwrite",
    "fseek",
    "ftell",
    "rewind",
    "feof",
    "ferror",
    "fileno",
    "system",
    "lseek",
    "mkdir",
    "chdir",
    "sleep",
    "nanosleep",
    "sched_yield",
    "getpid",
    "difftime",
    "mktime",
    "drand48",
    "lrand48",
    "mrand48",
    "srand48",
    "srandom",
    "isatty",
    "getc",
    "fgetc",
    "getchar",
    "ungetc",
    "omp_get_num_threads",
    "omp_get_max_threads",
    "omp_get_thread_num",
    "omp_get_num_procs",
    "omp_get_wtime",
    "omp_set_num_threads",
    "sysconf",
    "setlocale",
    "setbuf",
    "setvbuf",
    "nextafter",
    "copysign",
    "fma",
    "fdim",
    "remainder",
    "floorf",
    "truncf",
    "roundf",
    "rintf",
    "sqrtl",
    "powl",
    "fabsl",
    "setprecision",
    "setw",
    "setfill",
    "fmaxf",
    "fminf",
    "tanhf",
    // Those of the samples' `helper_cuda.h` and `helper_string.h`.
    "findCudaDevice",
    "gpuGetMaxGflopsDeviceId",
    "checkCmdLineFlag",
    "getCmdLineArgumentInt",
    "getCmdLineArgumentFloat",
    // PyTorch's.
    "device_of",
    "getCurrentCUDAStream",
    "AT_CUDA_CHECK",
    "C10_CUDA_CHECK",
    "C10_CUDA_KERNEL_LAUNCH_CHECK",
];

/// `fscanf(file, "%d", &n)`
const WRITES: &[&str] = &[
    "fread",
    "fgets",
    "gets",
    "scanf",
    "fscanf",
    "sscanf",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "vsprintf",
    "vsnprintf",
    "gettimeofday",
    "clock_gettime",
    "getrusage",
    "fstat",
    "lstat",
    "modf",
    "frexp",
    "sincos",
    "sincosf",
    "rand_r",
    "erand48",
    "gmtime_r",
    "localtime_r",
    "bzero",
    "bcopy",
    "getopt",
    "posix_memalign",
];

/// `strtol(s, &end, 10)`
const MIXES: &[&str] = &[
    "strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "stol", "stoul", "stoll",
    "stoull", "stof", "stod",
];

/// Libraries by the beginnings of their names.
const PREFIXES: &[&str] = &[
    "cublas",
    "cufft",
    "curand",
    "cusparse",
    "cusolver",
    "cudnn",
    "nccl",
    "nvtx",
    "nvml",
    "npp",
    "hipblas",
    "hipfft",
    "hiprand",
    "hipsparse",
    "rocblas",
    "MPI_",
    // The samples' timers and images.
    "sdk",
];

/// Members of containers that take what they are given as it is.
const OF_CONTAINERS: &[&str] = &[
    "append",
    "assign",
    "clear",
    "emplace",
    "emplace_back",
    "emplace_front",
    "erase",
    "fill",
    "insert",
    "pop",
    "pop_back",
    "pop_front",
    "push",
    "push_back",
    "push_front",
    "reserve",
    "resize",
    "shrink_to_fit",
    "substr",
];

/// Whether a member of a class of the standard library or thrust changes its object alone, none of its arguments.
pub(super) fn changes_its_object(member: &str) -> bool {
    OF_CONTAINERS.contains(&member)
}

/// What a function does that the unit does not declare; `None`: it is not known.
pub(super) fn effects(name: &str) -> Option<Effects> {
    let makes_value = name.strip_prefix("make_").is_some_and(|made| {
        crate::lower::types::vector(made).is_some()
            || matches!(made, "cudaExtent" | "cudaPos" | "cudaPitchedPtr")
    });
    if makes_value {
        // One of a pointer and its pitch holds the pointer.
        return Some(Effects::Into);
    }
    if INTO.contains(&name) {
        return Some(Effects::Into);
    }
    if NONE.contains(&name) {
        return Some(Effects::None);
    }
    let of_library = PREFIXES.iter().any(|prefix| {
        name.strip_prefix(prefix)
            .and_then(|rest| rest.chars().next())
            .is_some_and(|next| next.is_ascii_uppercase())
    });
    if of_library || MIXES.contains(&name) {
        return Some(Effects::Mixes);
    }
    WRITES.contains(&name).then_some(Effects::Writes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_told_by_a_prefix_and_a_capital() {
        assert_eq!(effects("cublasCreate"), Some(Effects::Mixes));
        assert_eq!(effects("cublasify"), None);
        assert_eq!(effects("MPI_Init"), Some(Effects::Mixes));
        assert_eq!(effects("strchr"), Some(Effects::Into));
        assert_eq!(effects("strlen2"), None);
        assert_eq!(effects("strtol"), Some(Effects::Mixes));
        assert_eq!(effects("read"), None);
        assert_eq!(effects("make_float2"), Some(Effects::Into));
        assert_eq!(effects("make_cudaExtent"), Some(Effects::Into));
        assert_eq!(effects("make_cudaThing"), None);
    }
}
