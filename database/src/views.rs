//! Views: the joins that most questions about facts begin with.

use std::fmt::Write as _;

/// A view.
pub struct View {
    /// Its name.
    pub name: &'static str,
    /// What a row is.
    pub doc: &'static str,
    /// Its columns with their meaning.
    pub columns: &'static [(&'static str, &'static str)],
    /// The query behind it.
    sql: &'static str,
}

/// The views, each over tables and earlier views.
pub const VIEWS: [View; 6] = [
    View {
        name: "launched",
        doc: "A launch with the kernel that it launches, by name and place.",
        columns: &[
            ("launch", "The launch, a row of `launch`"),
            ("kernel", "Name of the kernel"),
            ("file", "File of the kernel"),
            ("line", "Line of the kernel"),
            ("source", "Where the launch comes from: `code`, `flag`, `header`, `comment`, `configuration` or `symbolic`"),
        ],
        sql: "SELECT l.launch, k.name, f.path, s.line, l.source
FROM launch l JOIN kernel k USING (kernel) JOIN span s ON s.span = k.span JOIN file f USING (file)",
    },
    View {
        name: "access_at",
        doc: "An access and the point of the control flow at which it is; `access` has the rest of it.",
        columns: &[("access", "The access, a row of `access`"), ("point", "The point of the control flow, a row of `point`: `guard_at` has the conditions under which it is executed, `loop_at` the loops round it")],
        sql: "SELECT access, point FROM access",
    },
    View {
        name: "access_place",
        doc: "An access with its launch, kernel, array and place.",
        columns: &[
            ("access", "The access, a row of `access`"),
            ("launch", "The launch, a row of `launch`"),
            ("kernel", "Name of the kernel"),
            ("array", "Name of the array"),
            ("space", "Memory space of the array: `global`, `shared`, `local` or `constant`"),
            ("kind", "`read`, `write` or `atomic`"),
            ("point", "The point of the control flow, a row of `point`: `guard_at` has the conditions under which it is executed, `loop_at` the loops round it"),
            ("file", "File in which it stands"),
            ("line", "Line in which it stands"),
            ("column", "Column in which it stands"),
        ],
        sql: "SELECT a.access, p.launch, l.kernel, r.name, r.space, a.kind, a.point, f.path, s.line, s.\"column\"
FROM access a JOIN point p USING (point) JOIN launched l USING (launch) JOIN array r USING (array)
JOIN span s ON s.span = a.span JOIN file f ON f.file = s.file",
    },
    View {
        name: "barrier_place",
        doc: "A barrier with its launch, kernel and place; and (`meet`) an operation at which lanes meet without any order of memory.",
        columns: &[
            ("barrier", "The barrier, a row of `barrier`"),
            ("launch", "The launch, a row of `launch`"),
            ("kernel", "Name of the kernel"),
            ("kind", "`block`, `warp`, `part` or `grid`; `meet` orders no memory"),
            ("point", "The point of the control flow, a row of `point`: `guard_at` has the conditions under which it is executed, `loop_at` the loops round it"),
            ("file", "File in which it stands"),
            ("line", "Line in which it stands"),
        ],
        sql: "SELECT b.barrier, p.launch, l.kernel, b.kind, b.point, f.path, s.line
FROM barrier b JOIN point p USING (point) JOIN launched l USING (launch)
JOIN span s ON s.span = b.span JOIN file f ON f.file = s.file",
    },
    View {
        name: "pair",
        doc: "A pair of accesses that was looked at, with what became of it: the rule that discharged it, or the solver's answer.",
        columns: &[
            ("launch", "The launch, a row of `launch`"),
            ("first", "The first access, a row of `access`"),
            ("second", "The second access, a row of `access`"),
            ("scope", "Which pairs of threads were asked about: `warp`, `inter_warp`, `block` or `grid`"),
            ("rule", "Rule that discharged it; NULL if it was left to the solver"),
            ("answer", "The solver's answer; NULL if it was not asked"),
            ("stage", "Stage of the solver that decided"),
        ],
        sql: "SELECT launch, first, second, scope, rule, NULL AS answer, NULL AS stage FROM discarded_race
UNION ALL
SELECT c.launch, c.first, c.second, c.scope, NULL, w.answer, w.stage
FROM candidate_race c LEFT JOIN answer w ON w.kind = 'race' AND w.candidate = c.rowid",
    },
    View {
        name: "pair_place",
        doc: "A pair of accesses with its kernel, array and lines.",
        columns: &[
            ("kernel", "Name of the kernel"),
            ("array", "Name of the array"),
            ("file", "File of the first access"),
            ("first_line", "Line of the first access"),
            ("first_kind", "Kind of the first access"),
            ("second_line", "Line of the second access"),
            ("second_kind", "Kind of the second access"),
            ("scope", "Which pairs of threads were asked about: `warp`, `inter_warp`, `block` or `grid`"),
            ("rule", "Rule that discharged it"),
            ("answer", "The solver's answer"),
            ("stage", "Stage of the solver that decided"),
        ],
        sql: "SELECT a.kernel, a.array, a.file, a.line, a.kind, b.line, b.kind, p.scope, p.rule, p.answer, p.stage
FROM pair p JOIN access_place a ON a.access = p.first JOIN access_place b ON b.access = p.second",
    },
];

/// The statements that make the views.
pub(crate) fn definitions() -> String {
    let mut out = String::new();
    for view in &VIEWS {
        let columns: Vec<String> = view
            .columns
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect();
        let _ = writeln!(
            out,
            "CREATE VIEW \"{}\"({}) AS {};",
            view.name,
            columns.join(", "),
            view.sql
        );
    }
    out
}
