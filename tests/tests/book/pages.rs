//! The pages, and the fenced blocks in them.

use std::fs;
use std::path::PathBuf;

use warplog_tests::project;

/// A page by its path from the project's folder.
pub struct Page {
    /// `docs/queries.md`.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Page {
    /// Reads a page.
    pub fn read(name: &str) -> Page {
        let text = fs::read_to_string(project().join(name)).expect(name);
        Page {
            name: name.to_owned(),
            text,
        }
    }

    /// Where it stands.
    pub fn path(&self) -> PathBuf {
        project().join(&self.name)
    }

    /// Its fenced blocks.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (number, line) in self.text.lines().enumerate() {
            match (&mut open, line.strip_prefix("```")) {
                (None, Some(info)) => {
                    open = Some(Block {
                        info: info.to_owned(),
                        text: String::new(),
                        line: number + 1,
                    });
                }
                (Some(_), Some("")) => blocks.extend(open.take()),
                (Some(block), _) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a block is not closed", self.name);
        blocks
    }

    /// The lines that are in no fenced block, with their numbers.
    pub fn prose(&self) -> Vec<(usize, &str)> {
        let mut inside = false;
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(self.text.lines()) {
            if line.starts_with("```") {
                inside = !inside;
            } else if !inside {
                lines.push((number, line));
            }
        }
        lines
    }
}

/// A fenced block.
pub struct Block {
    /// What stands behind the fence: `cuda file=sum.cu`.
    pub info: String,
    /// What is inside.
    pub text: String,
    /// Line of the fence.
    pub line: usize,
}

impl Block {
    /// The language.
    pub fn language(&self) -> &str {
        self.info.split([' ', ',']).next().unwrap_or_default()
    }

    /// The file that the block is, `file=sum.cu`.
    pub fn file(&self) -> Option<&str> {
        let mut words = self.info.split([' ', ',']);
        words.find_map(|word| word.strip_prefix("file="))
    }
}

/// The pages of the book, the title page of the project, and the architecture.
pub fn all() -> Vec<Page> {
    let mut names = vec!["README.md".to_owned(), "ARCHITECTURE.md".to_owned()];
    for folder in ["docs", "docs/findings"] {
        for entry in fs::read_dir(project().join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            let name = name.to_str().expect("a name");
            if name.ends_with(".md") {
                names.push(format!("{folder}/{name}"));
            }
        }
    }
    names.sort();
    names.iter().map(|name| Page::read(name)).collect()
}
