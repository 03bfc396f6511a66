//! How text for people is rendered: how much of it, in which width, with which parts in full.

/// How to render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether to use colour.
    pub color: bool,
    /// Columns of the terminal; source lines are trimmed to it.
    pub width: usize,
    /// Whether lines that stand alone (verdicts, headlines, what could not be read) are broken to it too: on a terminal. In a file
    /// each stays a line, so that what looks for a word finds the whole of it.
    pub fit: bool,
    /// How much is told.
    pub detail: Detail,
    /// What is shown in full.
    pub shows: Shows,
}

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Findings, and what could not be read.
    Quiet,
    /// What one reads in a minute.
    #[default]
    Normal,
    /// Every launch, assumption, reason and note, nothing cut.
    Verbose,
}

/// Parts that are counted unless they are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shows {
    /// Conditional findings, however many there are.
    pub conditional: bool,
    /// Potential findings.
    pub potential: bool,
    /// Kernels that are undecided, with all reasons.
    pub unknown: bool,
    /// Kernels that are proved, with launches and assumptions.
    pub race_free: bool,
    /// Findings that do not count.
    pub suppressed: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            color: false,
            width: 140,
            fit: false,
            detail: Detail::default(),
            shows: Shows::default(),
        }
    }
}

impl TextOptions {
    pub(super) fn is_verbose(self) -> bool {
        self.detail == Detail::Verbose
    }
}
