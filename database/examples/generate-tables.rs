//! Writes the generated page of the tables anew: `docs/tables.md`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    std::fs::write(docs.join("tables.md"), warplog_database::reference())
}
