//! How users name kernels and the files that they stand in: `reduce` for `reduce<256>`, `k.cu:reduce,scale`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Whether a name given by the user means a kernel: `reduce` means `reduce<256>` and `ns::reduce` too.
#[must_use]
pub fn names(given: &str, kernel: &str) -> bool {
    let plain = |name: &str| -> String { name.chars().filter(|c| !c.is_whitespace()).collect() };
    let (given, kernel) = (plain(given), plain(kernel));
    let split = |name: &str| match name.find('<') {
        Some(at) => (name[..at].to_owned(), name[at..].to_owned()),
        None => (name.to_owned(), String::new()),
    };
    let (given_base, given_arguments) = split(&given);
    let (base, arguments) = split(&kernel);
    let same_base = base == given_base || base.ends_with(&format!("::{given_base}"));
    same_base && (given_arguments.is_empty() || given_arguments == arguments)
}

/// A side as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The file.
    pub path: PathBuf,
    /// The kernels, in the order of their launches.
    pub kernels: Vec<String>,
}

/// `FILE:KERNEL[,KERNEL…]`; both may have colons in them.
///
/// # Errors
/// What is wrong, for the user.
pub fn named(text: &str) -> Result<Named, String> {
    let colons: Vec<usize> = text.match_indices(':').map(|(at, _)| at).collect();
    if colons.is_empty() {
        return Err("expected FILE:KERNEL, as in transpose.cu:naive".to_owned());
    }
    let is_file = |at: &&usize| Path::new(&text[..**at]).is_file();
    let at = colons.iter().find(is_file).unwrap_or(&colons[0]);
    let (file, kernels) = (&text[..*at], &text[at + 1..]);
    let kernels = split_outside(kernels);
    if file.is_empty() || kernels.iter().any(String::is_empty) {
        return Err("expected FILE:KERNEL, as in transpose.cu:naive".to_owned());
    }
    Ok(Named {
        path: PathBuf::from(file),
        kernels,
    })
}

/// At the commas that stand outside of template arguments.
fn split_outside(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0i32);
    for letter in text.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(letter);
        }
    }
    parts
}

/// A kernel's name without namespaces and template arguments.
pub(crate) fn base_name(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}
