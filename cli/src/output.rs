//! The report in the formats asked for: one on standard output, any number in files.
//!
//! A file is written beside its place and renamed, so that nobody finds half a report, and the one of an earlier run stays
//! whole when this one is interrupted. What is no file (a device, a pipe) is written to directly.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use warplog_database::Database;
use warplog_report::{
    FailOn, Report, concise, csv, exit_status, gitlab, html, json, junit, rows, sarif, text,
};

use crate::args::{Format, OutputArgs, RowsFormat};
use crate::collect::{reason, shown};
use crate::texts::is_stdin;
use crate::threads::workers;
use crate::{
    FAILED, INTERRUPTED, Streams, complain, errors, guard, identity, notes, remark, replaced,
};

/// Why the output asked for makes no sense, if so.
pub(crate) fn refusal(output: &OutputArgs, streams: &Streams<'_>) -> Option<String> {
    let on_stdout = output.output.iter().filter(|file| is_stdin(&file.path));
    if on_stdout.count() + usize::from(output.format.is_some()) > 1 {
        return Some(
            "standard output takes one report: give a file to the others, `--output FORMAT=FILE`"
                .to_owned(),
        );
    }
    if let Some(message) = replaced::each_other(output) {
        return Some(message);
    }
    (output.on_stdout() == Format::Sqlite && streams.terminal).then(|| {
        "a database is not for a terminal: use `--output sqlite=FILE`, or send standard output to a file".to_owned()
    })
}

/// Why a report, or the baseline, could not be written, if so: known before the scan, not after.
pub(crate) fn unwritable(output: &OutputArgs) -> Option<String> {
    let reports = output.output.iter().filter(|file| !is_stdin(&file.path));
    let reports = reports.map(|file| (file.path.as_path(), "report"));
    let baseline = output.write_baseline.iter();
    let baseline = baseline.map(|path| (path.as_path(), "baseline"));
    reports
        .chain(baseline)
        .find_map(|(path, what)| refused(path, what))
}

/// Why a file could not be written, if so.
pub(crate) fn refused(path: &Path, what: &str) -> Option<String> {
    let error = writable(path).err()?;
    let name = text::safe(&shown(path));
    Some(format!(
        "{name}: cannot write the {what}: {}",
        reason(&error)
    ))
}

/// Whether the file can be written, by making the one that would be renamed to it.
fn writable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(known) if known.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        // Opening a pipe waits for its reader.
        Ok(known) if !known.is_file() => return Ok(()),
        _ => {}
    }
    let temporary = temporary(&place(path)?)?;
    fs::write(&temporary, [])?;
    fs::remove_file(&temporary)
}

/// Writes a report and gives the exit status it asks for. The formats are rendered side by side, on so many threads.
pub(crate) fn print(
    report: &Report,
    output: &OutputArgs,
    (jobs, made): (usize, Option<html::Made>),
    streams: &mut Streams<'_>,
) -> u8 {
    match output.on_stdout() {
        Format::Text => {}
        _ if output.quiet => errors(report, streams),
        // Its errors are lines of its own, which a terminal or a log would show twice.
        Format::Concise => notes(report, streams),
        _ => remark(report, streams),
    }
    let fail_on = output.fail_on.into();
    let status = match report.incomplete {
        Some(_) => INTERRUPTED,
        None => exit_status(report, fail_on),
    };
    let how = Ended {
        status,
        fail_on,
        made,
    };
    let plain = warplog_report::text::options::TextOptions {
        detail: output.detail(),
        shows: output.shows(),
        ..warplog_report::text::options::TextOptions::default()
    };
    let options = warplog_report::text::options::TextOptions {
        color: output.colors(streams.color),
        width: streams.width,
        fit: streams.terminal,
        ..plain
    };
    let files = || output.output.iter().filter(|file| !is_stdin(&file.path));
    // Colour and width of a file are its own, whatever standard output is.
    let mut wanted: Vec<_> = files().map(|file| (file.format, plain)).collect();
    wanted.push((output.on_stdout(), options));
    let mut rendered = all_rendered(report, &wanted, jobs, &how);
    let on_stdout = rendered
        .pop()
        .unwrap_or_else(|| Err("nothing was rendered".to_owned()));
    let mut failed = false;
    for (file, bytes) in files().zip(rendered) {
        let written =
            bytes.and_then(|bytes| write(&file.path, &bytes).map_err(|error| reason(&error)));
        if let Err(message) = written {
            complain(
                streams,
                &format!(
                    "{}: cannot write the report: {message}",
                    text::safe(&shown(&file.path))
                ),
            );
            failed = true;
        }
    }
    for (format, folder) in &output.rows {
        if let Err(message) = write_rows(report, *format, folder) {
            let folder = text::safe(&shown(folder));
            complain(
                streams,
                &format!("{folder}: cannot write the tables: {message}"),
            );
            failed = true;
        }
    }
    let written = on_stdout.map(|bytes| {
        streams.out.write_all(&bytes)?;
        streams.out.flush()
    });
    match written {
        Ok(Ok(())) => {}
        // Whoever reads has seen enough: the status still says what was found.
        Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Ok(Err(error)) => {
            complain(
                streams,
                &format!("cannot write the report: {}", reason(&error)),
            );
            failed = true;
        }
        Err(message) => {
            complain(streams, &message);
            failed = true;
        }
    }
    if failed { FAILED } else { status }
}

/// How a run ended and came to be, for the formats that say so.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    /// Its exit status.
    pub status: u8,
    /// The findings that made it fail, if there were such.
    pub fail_on: FailOn,
    /// Command line and time, if a page shall say them.
    pub made: Option<html::Made>,
}

/// The report in each of the formats, in their order.
fn all_rendered(
    report: &Report,
    formats: &[(Format, warplog_report::text::options::TextOptions)],
    jobs: usize,
    how: &Ended,
) -> Vec<Result<Vec<u8>, String>> {
    let one = |&(format, options): &(Format, warplog_report::text::options::TextOptions)| {
        rendered(report, format, options, how)
    };
    match formats {
        [_, _, ..] if jobs != 1 => match workers(jobs) {
            Ok(pool) => pool.install(|| formats.par_iter().map(one).collect()),
            Err(_) => formats.iter().map(one).collect(),
        },
        _ => formats.iter().map(one).collect(),
    }
}

/// The report in a format.
///
/// # Errors
/// Why it could not be rendered: memory ran out, or we are at fault.
pub(crate) fn rendered(
    report: &Report,
    format: Format,
    options: warplog_report::text::options::TextOptions,
    how: &Ended,
) -> Result<Vec<u8>, String> {
    guard::guarded(|| {
        let text = match format {
            Format::Text => text::render(report, options),
            Format::Concise => concise::render(report),
            Format::Json => json::render(report).map_err(|error| error.to_string())?,
            Format::Sarif => sarif::render(report, how.status, &identity::folders())
                .map_err(|error| error.to_string())?,
            Format::Junit => junit::render(report, how.fail_on),
            Format::Gitlab => gitlab::render(report).map_err(|error| error.to_string())?,
            Format::Csv => csv::render(report).map_err(|error| error.to_string())?,
            Format::Html => {
                html::render(report, how.made.as_ref()).map_err(|error| error.to_string())?
            }
            Format::Sqlite => {
                let mut database = Database::new().map_err(|error| error.to_string())?;
                database
                    .add_report(report, &[])
                    .map_err(|error| error.to_string())?;
                return database.bytes().map_err(|error| error.to_string());
            }
        };
        Ok(text.into_bytes())
    })?
}

/// Writes the tables of a report to a folder, which is made if it is not there.
fn write_rows(report: &Report, format: RowsFormat, folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| reason(&error))?;
    for table in rows::tables(report) {
        let (ending, bytes) = match format {
            RowsFormat::Csv => ("csv", table.csv().map_err(|error| error.to_string())?),
            #[cfg(feature = "parquet")]
            RowsFormat::Parquet => {
                let bytes = rows::parquet::render(&table).map_err(|error| error.to_string())?;
                ("parquet", bytes)
            }
        };
        let path = folder.join(format!("{}.{ending}", table.name));
        write(&path, &bytes).map_err(|error| reason(&error))?;
    }
    Ok(())
}

/// Puts the bytes in the place of the file.
///
/// # Errors
/// What the system says.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let known = fs::metadata(path);
    if known.as_ref().is_ok_and(|known| !known.is_file()) {
        return fs::OpenOptions::new()
            .write(true)
            .open(path)?
            .write_all(bytes);
    }
    let place = place(path)?;
    let temporary = temporary(&place)?;
    let written = fs::write(&temporary, bytes)
        .and_then(|()| match &known {
            Ok(known) => fs::set_permissions(&temporary, known.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&temporary, &place));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Links that are followed before they are taken for a circle.
const LINKS: usize = 40;

/// Where the file is. A link keeps pointing to it, whether it is there already or not.
fn place(path: &Path) -> io::Result<PathBuf> {
    if let Ok(place) = fs::canonicalize(path) {
        return Ok(place);
    }
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&place) {
            Ok(target) => place = place.parent().unwrap_or(Path::new("")).join(target),
            // No link, or nothing.
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// The name under which a file is written before it is renamed.
fn temporary(place: &Path) -> io::Result<PathBuf> {
    let name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(place.with_file_name(temporary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole_and_leave_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("r.json");
        write(&path, b"one").expect("writes");
        write(&path, b"two").expect("writes");
        assert_eq!(fs::read(&path).expect("reads"), b"two");
        let names = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(names, 1);
        assert!(write(&folder.path().join("no/such"), b"x").is_err());
        assert!(write(folder.path(), b"x").is_err());
        for wrong in ["no/such", "."] {
            assert!(writable(&folder.path().join(wrong)).is_err(), "{wrong}");
        }
        writable(&path).expect("can be written");
        writable(&folder.path().join("new")).expect("can be written");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        write(Path::new("/dev/null"), b"x").expect("writes to a device");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_leads_to_the_file() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link");
        symlink("real", &link).expect("a link");
        writable(&link).expect("can be written");
        write(&link, b"one").expect("writes");
        write(&link, b"two").expect("writes");
        assert_eq!(fs::read(folder.path().join("real")).expect("reads"), b"two");
        assert!(fs::symlink_metadata(&link).expect("is there").is_symlink());

        symlink("round", folder.path().join("round")).expect("a link");
        assert!(writable(&folder.path().join("round")).is_err());
        symlink("gone/file", folder.path().join("lost")).expect("a link");
        assert!(writable(&folder.path().join("lost")).is_err());
    }
}
