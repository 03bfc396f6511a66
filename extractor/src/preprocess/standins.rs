//! Texts that stand in for headers which were not found and without which kernels cannot be read.
//!
//! Whole projects are checked on machines without PyTorch, CUTLASS or the helper headers of the CUDA samples. A word such as
//! `CUTLASS_DEVICE` before a function, or `CUDA_KERNEL_LOOP(i, n)` for a loop, then leaves the function unread. So where a header
//! of these is missing, a short text of ours is read in its place; the note that it was not found stays.
//!
//! `std::aligned_storage`, `cuda::std::array`, `optional`, `span` and `tuple` (of at most four) have such a text, and so have the algorithms that one thread of a kernel runs by itself (`thrust::sort(thrust::seq, …)`), of what they read and
//! write, in a file that names the policy: the headers of these libraries are not read (`library.rs`).
//!
//! **Accuracy.** A text holds macros that mean the same in every version of the header, and functions that compute values, by the
//! documentation. Each macro yields to one that is there already.

/// How the names of the texts begin; no path of a file does.
const NAMED: &str = "<in place of ";

/// Whether a name of a file is that of a text that stands in for a header.
#[must_use]
pub fn is_stand_in(path: &str) -> bool {
    path.starts_with(NAMED)
}

/// How the names of PyTorch's headers begin.
const TORCH: [&str; 4] = ["torch/", "ATen/", "c10/", "THC/"];

/// The beginning of a header's name, or the name without folders, and its text.
const TEXTS: &[(&[&str], &[&str], &str)] = &[
    (&TORCH, &[], include_str!("standins/torch.h")),
    (
        &["cutlass/", "cute/"],
        &[],
        include_str!("standins/cutlass.h"),
    ),
    (
        &[],
        &["helper_math.h", "cutil_math.h"],
        include_str!("standins/helper_math.h"),
    ),
];

/// What is read in place of a header that was not found: a name of the text, and the text.
pub(super) fn text_for(header: &str) -> Option<(String, &'static str)> {
    let file = header.rsplit('/').next().unwrap_or(header);
    let fits = |(begins, names, _): &&(&[&str], &[&str], &'static str)| {
        begins.iter().any(|begin| header.starts_with(begin)) || names.contains(&file)
    };
    let (begins, names, text) = TEXTS.iter().find(fits)?;
    let of = begins.first().or(names.first())?;
    Some((format!("{NAMED}{of}>"), text))
}

/// How the policy of algorithms that one thread runs by itself is named.
const SEQUENTIAL: &str = "thrust::seq";

/// Headers of libcu++ whose classes have a text.
const CLASSES: [&str; 4] = [
    "cuda/std/array",
    "cuda/std/optional",
    "cuda/std/span",
    "cuda/std/tuple",
];

/// What is read in place of a header of CUDA's libraries, found or not: of Thrust in a file that runs its algorithms in one thread,
/// and of the C++ library and libcu++ for some classes.
pub(super) fn of_library(header: &str, including: &str) -> Option<(String, &'static str)> {
    if header.starts_with("thrust/") && names_word(including, SEQUENTIAL) {
        let text = include_str!("standins/thrust_seq.h");
        return Some(("<in place of thrust/>".to_owned(), text));
    }
    // PyTorch's headers bring it in too.
    let brings_traits = header == "type_traits" || TORCH.iter().any(|one| header.starts_with(one));
    if brings_traits && including.contains("aligned_storage") {
        let text = include_str!("standins/aligned_storage.h");
        return Some(("<in place of type_traits>".to_owned(), text));
    }
    CLASSES.contains(&header).then(|| {
        let text = include_str!("standins/cuda_std.h");
        ("<in place of cuda/std/>".to_owned(), text)
    })
}

/// Whether a name stands in a text, and not as the beginning of a longer one: `thrust::sequence` names no policy.
fn names_word(text: &str, name: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[at + name.len()..].starts_with(goes_on))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_name_is_not_the_policy() {
        let text = |including| of_library("thrust/sequence.h", including);
        assert!(text("thrust::sequence(v.begin(), v.end());").is_none());
        assert!(text("thrust::sort(thrust::seq, p, p + 4);").is_some());
    }

    #[test]
    fn headers_have_the_text_of_their_project() {
        let name = |header| text_for(header).map(|(name, _)| name);
        assert_eq!(name("c10/cuda/CUDAException.h"), name("torch/extension.h"));
        assert_eq!(
            name("../common/helper_math.h").as_deref(),
            Some("<in place of helper_math.h>")
        );
        assert_eq!(name("my/torch/extension.h"), None);
    }
}
