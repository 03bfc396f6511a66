//! The build script of every crate whose binaries or tests link Z3 (`solver-bridge`, `cli`, `tests`).
//!
//! It does two things that a run path in `.cargo/config.toml` cannot:
//! - it stops with advice when the library is absent, where the linker would silently take an older Z3 of the system;
//! - it puts the folder of the library into the run path of what is linked, and for installed binaries `$ORIGIN/../lib` and the copy that
//!   set-up keeps with the data of the user, whatever `RUSTFLAGS` and `CARGO_TARGET_DIR` say. So what `cargo install --path cli` puts
//!   elsewhere needs the checkout no more.
//!
//! With the feature `vendored`, Z3 is compiled in and neither is needed.

#![expect(
    clippy::print_stdout,
    reason = "cargo reads the standard output of a build script"
)]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Set by `.cargo/config.toml`; z3-sys takes the same variable as its link search path.
const LIBRARY_FOLDER: &str = "Z3_LIBRARY_PATH_OVERRIDE";

/// `origin`: the library is only looked for from the folder of the program.
const RUN_PATH: &str = "WARPLOG_RUN_PATH";

fn main() {
    println!("cargo::rerun-if-env-changed={LIBRARY_FOLDER}");
    if env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return;
    }
    let Some(folder) = env::var_os(LIBRARY_FOLDER).map(PathBuf::from) else {
        println!(
            "cargo::error={LIBRARY_FOLDER} is not set: run cargo inside the project folder, where .cargo/config.toml sets it"
        );
        return;
    };
    let library = folder.join("libz3.so");
    // A missing file counts as changed, so that the script runs again as soon as the library is there.
    println!("cargo::rerun-if-changed={}", library.display());
    if !library.exists() {
        println!(
            "cargo::error=the Z3 library {} is missing: run `make setup`, or build with `--features vendored`",
            library.display()
        );
        return;
    }
    // Written anew by every set-up, where a library of the system may be older than the last build.
    let origin = folder.join("origin");
    if origin.exists() {
        println!("cargo::rerun-if-changed={}", origin.display());
    }
    let mut run_paths = vec![folder.display().to_string(), "$ORIGIN/../lib".to_owned()];
    run_paths.extend(kept(&library));
    // What is given away has the library beside it, and nothing of this machine in it.
    println!("cargo::rerun-if-env-changed={RUN_PATH}");
    if env::var(RUN_PATH).is_ok_and(|value| value == "origin") {
        run_paths = vec!["$ORIGIN/../lib".to_owned()];
    }
    // `-Xlinker` rather than `-Wl,`: a comma in the path would split the latter.
    for run_path in run_paths {
        println!("cargo::rustc-link-arg=-Xlinker");
        println!("cargo::rustc-link-arg=-rpath={run_path}");
    }
}

/// The folder with a copy of the library that stays when the checkout goes; none if set-up made none, which is where the library is one of
/// the system. It is `scripts/setup` that makes it.
fn kept(library: &Path) -> Option<String> {
    println!("cargo::rerun-if-env-changed=XDG_DATA_HOME");
    let data = env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".local/share")))?;
    let folder = data.join("warplog/lib");
    // The loader asks for the name within the library, which is that of the file behind the link.
    let name = fs::canonicalize(library).ok()?.file_name()?.to_owned();
    let copy = folder.join(name);
    if !copy.exists() {
        // Set-up touches `origin` when it makes one. Named here, a file that is not there would be a change at every run.
        return None;
    }
    println!("cargo::rerun-if-changed={}", copy.display());
    Some(folder.display().to_string())
}
