//! Launches as calls: `k<<<grid, block>>>(a, b)` for a compiler that does not know CUDA.

/// The text with each launch as a call of `simt::on`, see `tests/simt/host.h`.
#[must_use]
pub fn launches_as_calls(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<<<") {
        let (before, after) = rest.split_at(at);
        let start = callee(before);
        let kernel = before[start..].trim();
        out.push_str(&before[..start]);
        let Some((configuration, behind)) = after[3..].split_once(">>>") else {
            break;
        };
        let Some(end) = closing(behind) else {
            break;
        };
        let open = behind.find('(').unwrap_or(0);
        let arguments = behind[open + 1..end].trim();
        let comma = if arguments.is_empty() { "" } else { ", " };
        out.push_str(&format!(
            "simt::on({configuration}).run([](auto... all) {{ {kernel}(all...); }}{comma}{arguments})"
        ));
        rest = &behind[end + 1..];
    }
    out.push_str(rest);
    out
}

/// Where the name of the kernel before `<<<` begins, its template arguments included.
fn callee(before: &str) -> usize {
    let mut depth = 0_usize;
    let mut start = before.len();
    for (at, c) in before.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ if c.is_alphanumeric() || c == '_' || c == ':' => {}
            _ => break,
        }
        start = at;
    }
    start
}

/// Where the list of arguments that follows ends.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::launches_as_calls;

    #[test]
    fn launches_become_calls() {
        let text = "void go() { k<int, 3><<<2, dim3(8, 8)>>>(f(a), B{1, 2}); n::k<<<1, 64>>>(); }";
        assert_eq!(
            launches_as_calls(text),
            "void go() { simt::on(2, dim3(8, 8)).run([](auto... all) { k<int, 3>(all...); }, f(a), B{1, 2}); \
             simt::on(1, 64).run([](auto... all) { n::k(all...); }); }"
        );
    }
}
