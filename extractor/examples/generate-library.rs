//! Writes the generated page of library functions anew: `docs/library.md`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    std::fs::create_dir_all(&docs)?;
    std::fs::write(docs.join("library.md"), warplog_extractor::library_page())
}
