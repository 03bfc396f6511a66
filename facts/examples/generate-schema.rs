//! Writes the generated pages of the schema anew: `docs/schema.md` and `docs/facts.dl`.

use std::path::Path;

use warplog_facts::schema_page;

fn main() -> std::io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    std::fs::create_dir_all(&docs)?;
    std::fs::write(docs.join("schema.md"), schema_page::page())?;
    std::fs::write(docs.join("facts.dl"), schema_page::declarations())
}
