//! How kernels of the data set are run by somebody else: the launches and inputs of race-free kernels, and those of witnesses.

use warplog::header::parse_header;
use warplog::macros::Macro;
use warplog_report::{Finding, Kernel, Value};

/// How a kernel is run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) block: [u64; 3],
    pub(crate) grid: [u64; 3],
    /// The only threads to watch: block and number in it.
    pub(crate) watched: Option<[(u64, u64); 2]>,
    /// Which contents the arrays have: 0 for zeros.
    pub(crate) contents: u32,
    /// Values of parameters and elements, by the number of the parameter: `1=3`, `0[5]=2`.
    pub(crate) given: Vec<String>,
}

/// The macros of a file's header, as flags of a compiler.
pub(crate) fn macro_flags(text: &str) -> Vec<String> {
    let header = parse_header(text).unwrap_or_default();
    let flag = |change: &Macro| match change {
        Macro::Define { name, value } => format!("-D{name}={value}"),
        Macro::Undefine { name } => format!("-U{name}"),
    };
    header.macros.iter().map(flag).collect()
}

/// Why a race-free kernel is not run: its verdict holds for other inputs, or orders by what the run does not see.
pub(crate) fn why_not_run(kernel: &Kernel, text: &str) -> Option<&'static str> {
    let body = body(text, kernel.line);
    let restricted = ["__requires", "__assume", "__invariant", "// warplog:"];
    if restricted.iter().any(|word| body.contains(word)) {
        Some("annotations")
    } else if body.contains("__threadfence") || rests_on_locks(kernel) {
        Some("fences, which order nothing for who watches")
    } else {
        None
    }
}

/// Whether the verdict rests on locks that are free at first.
fn rests_on_locks(kernel: &Kernel) -> bool {
    let launches = kernel.launches.iter();
    launches
        .flat_map(|launch| &launch.assumptions)
        .any(|text| text.starts_with("the lock `"))
}

/// The launches of a race-free kernel of at most so many threads, each with two contents of the arrays.
pub(crate) fn launches(kernel: &Kernel, most: u64) -> Vec<Run> {
    let mut runs = Vec::new();
    let known = |dim: &warplog_report::Dim| match dim {
        warplog_report::Dim::Known(size) => Some(*size),
        warplog_report::Dim::Symbolic(_) => None,
    };
    let Some(launch) = kernel.launches.first() else {
        return runs;
    };
    for (block, grid) in [([64, 1, 1], [2, 1, 1]), ([8, 4, 1], [3, 2, 1])] {
        let mut sizes: [u64; 6] = [block[0], block[1], block[2], grid[0], grid[1], grid[2]];
        for (size, dim) in sizes
            .iter_mut()
            .zip(launch.block.iter().chain(&launch.grid))
        {
            *size = known(dim).unwrap_or(*size);
        }
        let [bx, by, bz, gx, gy, gz] = sizes;
        if sizes.iter().product::<u64>() > most {
            continue;
        }
        for contents in [0, 1] {
            runs.push(Run {
                block: [bx, by, bz],
                grid: [gx, gy, gz],
                watched: None,
                contents,
                given: Vec::new(),
            });
        }
    }
    runs.dedup_by(|a, b| (a.block, a.grid, a.contents) == (b.block, b.grid, b.contents));
    if runs.len() == 4 && runs[0].block == runs[2].block && runs[0].grid == runs[2].grid {
        runs.truncate(2);
    }
    runs
}

/// The run of a witness of two threads, if its launch has at most so many.
pub(crate) fn of_witness(finding: &Finding, kernel: &Kernel, text: &str, most: u64) -> Option<Run> {
    let witness = finding.witness.as_ref()?;
    let total: u64 = witness.block_dim.iter().chain(&witness.grid_dim).product();
    let [first, second] = witness.threads.as_slice() else {
        return None;
    };
    if total > most {
        return None;
    }
    // Arrays of objects are not given contents, of which the witness names bytes.
    if witness
        .values
        .iter()
        .any(|(name, _)| name.contains(" at byte "))
    {
        return None;
    }
    let linear = |[x, y, z]: [u64; 3], [dx, dy, _]: [u64; 3]| x + dx * (y + dy * z);
    let id = |thread: &warplog_report::Thread| {
        (
            linear(thread.block, witness.grid_dim),
            linear(thread.thread, witness.block_dim),
        )
    };
    let names = parameters(text, kernel.line);
    let mut given = Vec::new();
    for (name, value) in &witness.values {
        let Value::Int(value) = value else {
            continue;
        };
        let (base, index) = name
            .split_once('[')
            .map_or((name.as_str(), None), |(base, index)| (base, Some(index)));
        if let Some(number) = names.iter().position(|known| known == base) {
            let index = index.map_or(String::new(), |index| format!("[{index}"));
            given.push(format!("{number}{index}={value}"));
        }
    }
    Some(Run {
        block: witness.block_dim,
        grid: witness.grid_dim,
        watched: Some([id(first), id(second)]),
        contents: 0,
        given,
    })
}

/// The text of a kernel from the line of its name to the next kernel.
pub(crate) fn body(text: &str, line: u32) -> String {
    let from = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let mut lines = text.lines().skip(from);
    let first = lines.next().unwrap_or("").to_owned();
    let rest = lines.take_while(|line| !line.contains("__global__"));
    rest.fold(first, |text, line| text + "\n" + line)
}

/// The names of the parameters of the kernel at a line.
fn parameters(text: &str, line: u32) -> Vec<String> {
    let body = body(text, line);
    let head = body.split('{').next().unwrap_or("");
    let Some((_, list)) = head
        .split_once("__global__")
        .unwrap_or(("", head))
        .1
        .split_once('(')
    else {
        return Vec::new();
    };
    let list = list.rsplit_once(')').map_or(list, |(list, _)| list);
    let word = |c: char| c.is_alphanumeric() || c == '_';
    list.split(',')
        .map(|parameter| {
            let parameter = parameter.split('[').next().unwrap_or(parameter).trim_end();
            let start = parameter.rfind(|c| !word(c)).map_or(0, |at| at + 1);
            parameter[start..].to_owned()
        })
        .collect()
}
