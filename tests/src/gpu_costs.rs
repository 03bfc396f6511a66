//! Programs that run the kernels of `datasets/costs/` on a GPU, so that its counters can be laid beside what is counted here.
//!
//! `scripts/gpu-costs` compiles them, runs them under Nsight Compute, and writes the counters of each kernel into a table;
//! [`table`] puts ours beside them, `datasets/costs.csv`. Each kernel is launched once, on arrays of zeros. A compiler may leave out
//! reads of shared memory that nothing has written, and may read several elements at once: the address of each shared array is given
//! away to an empty `asm`, and loops are not unrolled, so that the requests of the text are those of the program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use crate::counting::{COUNTED, Totals, totals};
use crate::datasets;

/// What stands before the text of a file.
const HEAD: &str = r#"#include <cstdio>
#include <cuda_runtime.h>

// An array whose address is known elsewhere: what is read of it may have been written.
template <class T> __device__ __forceinline__ void kept(T &array)
{
    asm volatile("" :: "l"((void *)&array) : "memory");
}

// An array of zeros, large enough for all kernels.
struct Zeros {
    template <class T> operator T *() const
    {
        void *bytes = nullptr;
        cudaMalloc(&bytes, 1 << 22);
        cudaMemset(bytes, 0, 1 << 22);
        return static_cast<T *>(bytes);
    }
};

template <class... A> static int launched(const char *name, void (*kernel)(A...), dim3 block, dim3 grid)
{
    kernel<<<grid, block>>>((A)Zeros()...);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s %s\n", name, cudaGetErrorName(error));
    return error != cudaSuccess;
}

"#;

/// The text of a file with its shared arrays kept and its loops as they stand.
fn prepared(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("for (") {
            out.push_str("#pragma unroll 1\n");
        }
        out.push_str(line);
        let declared = line.trim().strip_prefix("__shared__ ");
        let name = declared.and_then(|rest| rest.split_whitespace().nth(1));
        if let Some(name) = name.and_then(|name| name.split(['[', ';']).next()) {
            let _ = write!(out, " kept({name});");
        }
        out.push('\n');
    }
    out
}

/// Writes a program for each file, and what is counted here as `expected.csv`. Returns the number of kernels.
///
/// # Errors
/// A file that cannot be written, a kernel that cannot be counted.
pub fn write(folder: &Path) -> io::Result<usize> {
    let mut count = 0;
    fs::create_dir_all(folder)?;
    for (file, block, grid) in COUNTED {
        let text = fs::read_to_string(datasets().join("costs").join(file))?;
        let kernels = totals(&text, block, grid).map_err(io::Error::other)?;
        let mut program = format!(
            "{HEAD}{}\nint main()\n{{\n    int faults = 0;\n",
            prepared(&text)
        );
        for name in kernels.keys() {
            let [bx, by, bz] = block;
            let [gx, gy, gz] = grid;
            let _ = writeln!(
                program,
                "    faults += launched(\"{name}\", {name}, dim3({bx}, {by}, {bz}), dim3({gx}, {gy}, {gz}));"
            );
            count += 1;
        }
        program.push_str("    return faults;\n}\n");
        fs::write(folder.join(file), program)?;
    }
    Ok(count)
}

/// What a counter of a GPU is compared with.
type Ours = fn(&Totals) -> u64;

/// Counters by their names in Nsight Compute, the names of their columns, and what of ours they are compared with.
pub const COUNTERS: [(&str, &str, Ours); 12] = [
    (
        "smsp__inst_executed_op_shared_ld.sum",
        "shared_reads",
        |of| of.shared_requests[0],
    ),
    (
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "shared_read_turns",
        |of| of.shared_turns[0],
    ),
    (
        "smsp__inst_executed_op_shared_st.sum",
        "shared_writes",
        |of| of.shared_requests[1],
    ),
    (
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        "shared_write_turns",
        |of| of.shared_turns[1],
    ),
    (
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        "global_reads",
        |of| of.global_requests[0],
    ),
    (
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        "global_read_sectors",
        |of| of.global_sectors[0],
    ),
    (
        "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        "global_writes",
        |of| of.global_requests[1],
    ),
    (
        "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        "global_write_sectors",
        |of| of.global_sectors[1],
    ),
    (
        "smsp__inst_executed_op_shared_atom.sum",
        "shared_atomics",
        |of| of.shared_requests[2],
    ),
    (
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
        "shared_atomic_turns",
        |of| of.shared_turns[2],
    ),
    (
        "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
        "global_atomics",
        |of| of.global_requests[2],
    ),
    (
        "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
        "global_atomic_sectors",
        |of| of.global_sectors[2],
    ),
];

/// Why a counter is not what is counted here, where that is understood.
fn remark(column: &str, counted: u64, measured: u64) -> &'static str {
    match column {
        "shared_reads" if measured > counted => {
            "the device counts instructions of warps whose lanes are all switched off"
        }
        "shared_atomic_turns" if measured < counted => {
            "the device combines additions of a constant to one word"
        }
        _ => "",
    }
}

/// Counters of kernels by name, as `scripts/gpu-costs` writes them: a row for each kernel, a column for each counter.
///
/// # Errors
/// A table that is none.
pub fn counters(text: &str) -> Result<BTreeMap<String, BTreeMap<String, u64>>, String> {
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    if heads.first() != Some(&"kernel") {
        return Err("the first column is not `kernel`".to_owned());
    }
    let mut all = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let mut row = BTreeMap::new();
        for (head, cell) in heads.iter().zip(&cells).skip(1) {
            if let Ok(value) = cell.parse() {
                row.insert((*head).to_owned(), value);
            }
        }
        all.insert(cells[0].to_owned(), row);
    }
    Ok(all)
}

/// The table: for each kernel and counter what is counted here and what the GPU counted, with why they differ.
///
/// # Errors
/// A kernel that cannot be counted or read.
pub fn table(measured: &BTreeMap<String, BTreeMap<String, u64>>) -> Result<String, String> {
    let mut out = String::from("kernel,file,counter,counted,measured,remark\n");
    for (file, block, grid) in COUNTED {
        let path = datasets().join("costs").join(file);
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        for (kernel, own) in totals(&text, block, grid)? {
            let Some(row) = measured.get(&kernel) else {
                continue;
            };
            for (metric, column, ours) in COUNTERS {
                let counted = ours(&own);
                let Some(&measured) = row.get(metric).filter(|&&own| counted > 0 || own > 0) else {
                    continue;
                };
                let remark = remark(column, counted, measured);
                let _ = writeln!(
                    out,
                    "{kernel},costs/{file},{column},{counted},{measured},{remark}"
                );
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_arrays_are_kept_and_loops_stay() {
        let text =
            "    __shared__ float s[16][17];\n    for (int k = 0; k < 4; k++) v += s[k][0];\n";
        assert_eq!(
            prepared(text),
            "    __shared__ float s[16][17]; kept(s);\n#pragma unroll 1\n    for (int k = 0; k < 4; k++) v += s[k][0];\n"
        );
    }

    #[test]
    fn counters_stand_beside_ours() {
        let metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
        let measured =
            counters(&format!("kernel,{metric}\ncost_stride2_bad,8\n")).expect("a table");
        let table = table(&measured).expect("is counted");
        assert!(
            table.contains("cost_stride2_bad,costs/words.cu,shared_read_turns,8,8,\n"),
            "{table}"
        );
        assert_eq!(table.lines().count(), 2, "{table}");
        assert!(counters("name\n").is_err());
    }
}
