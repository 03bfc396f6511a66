//! Names that only one file of a program means, in the text of all: marked there, and shown as they were written.

use crate::lower::host::{Argument, Launch, Overlapped};

/// Stands between a name and the number of its file: a letter, so that readers take both for one name.
const MARK: char = '\u{1c0}';

/// The name that a file's own `name` has in the joined text.
pub(super) fn marked(name: &str, file: usize) -> String {
    format!("{name}{MARK}{file}")
}

/// Whether a function is the `main` of some program.
pub(crate) fn is_main(name: &str) -> bool {
    let rest = name.strip_prefix("main");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(MARK))
}

/// The text without marks.
pub(super) fn plain(text: &str) -> String {
    replaced(text, &|_| String::new())
}

/// The text as it reads in a file: names of other files say so.
fn shown(text: &str, own: usize, names: &[String]) -> String {
    if !text.contains(MARK) {
        return text.to_owned();
    }
    replaced(text, &|file| match names.get(file) {
        Some(name) if file != own => {
            let name = name.rsplit('/').next().unwrap_or(name);
            format!(" of {name}")
        }
        _ => String::new(),
    })
}

fn replaced(text: &str, with: &dyn Fn(usize) -> String) -> String {
    let mut parts = text.split(MARK);
    let mut result = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        result.push_str(&with(part[..digits].parse().unwrap_or(usize::MAX)));
        result.push_str(&part[digits..]);
    }
    result
}

/// A launch whose names read as in a file.
pub(super) fn stripped(mut launch: Launch, own: usize, names: &[String]) -> Launch {
    let text = |text: &mut String| *text = shown(text, own, names);
    let sizes = launch.block.iter_mut().chain(&mut launch.grid).flatten();
    for value in sizes.chain(&mut launch.conditions) {
        argument(value, &text);
    }
    for one in &mut launch.arguments {
        text(&mut one.text);
        argument(&mut one.value, &text);
    }
    for overlap in &mut launch.overlaps {
        if let Overlapped::Global(name) = &mut overlap.other {
            text(name);
        }
    }
    for one in &mut launch.contents {
        argument(&mut one.count, &text);
        text(&mut one.from);
    }
    let words = launch.doubts.iter_mut().chain(&mut launch.assumptions);
    words.for_each(text);
    launch
}

fn argument(value: &mut Argument, text: &dyn Fn(&mut String)) {
    match value {
        Argument::Constant(..) => {}
        Argument::Symbol(_, name, _) | Argument::Unknown(name) => text(name),
        Argument::Binary(_, left, right) => {
            argument(left, text);
            argument(right, text);
        }
        Argument::Cast(_, inner) => argument(inner, text),
        Argument::Select(condition, then, els) => {
            for part in [condition, then, els] {
                argument(part, text);
            }
        }
        Argument::Pointer { allocation, bytes } => {
            text(allocation);
            if let Some(bytes) = bytes {
                argument(bytes, text);
            }
        }
        Argument::Record(members) | Argument::Closure(_, members) => {
            for (_, member) in members {
                argument(member, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_shown_as_files() {
        let name = marked("helper", 1);
        let names = ["a/k.cu".to_owned(), "a/main.cpp".to_owned()];
        assert_eq!(plain(&format!("n::{name}<int>")), "n::helper<int>");
        assert_eq!(shown(&name, 1, &names), "helper");
        assert_eq!(
            shown(&format!("{name} * 2"), 0, &names),
            "helper of main.cpp * 2"
        );
        assert!(is_main("main") && is_main(&marked("main", 3)) && !is_main("mainly"));
        assert!(name.chars().all(char::is_alphanumeric));
    }
}
