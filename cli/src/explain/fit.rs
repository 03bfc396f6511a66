//! Pages that fit a terminal: lines broken behind their labels.

use warplog_report::text;
use warplog_report::text::options::TextOptions;

/// The page with lines that fit a terminal, if it is for one: further lines stand below the text of the first, behind its label.
pub(super) fn fitted(page: &str, options: TextOptions) -> String {
    if !options.fit {
        return page.to_owned();
    }
    let mut out = String::new();
    for line in page.lines() {
        let label = label_width(line);
        let (head, body) = line.split_at(label);
        let before = match head.trim().is_empty() {
            true => label + HANGING,
            false => label,
        };
        let mut head = head.to_owned();
        for (nth, line) in text::wrap(body, options.width.saturating_sub(before))
            .iter()
            .enumerate()
        {
            if nth > 0 {
                head = " ".repeat(before);
            }
            out.push_str(&head);
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Columns by which further lines are indented more.
const HANGING: usize = 4;

/// The columns before the text of a line: its indentation, and a label with two spaces or more behind it, `  guard     `.
fn label_width(line: &str) -> usize {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let word = line[indent..].find("  ").unwrap_or(0);
    let label = &line[indent..indent + word];
    if indent == 0
        || word == 0
        || !label
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b' ')
    {
        return indent;
    }
    let gap = line[indent + word..].trim_start_matches(' ').len();
    line.len() - gap
}
