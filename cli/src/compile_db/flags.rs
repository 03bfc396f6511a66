//! The flags of `nvcc`, `clang` and `hipcc` that matter for reading source; all others are skipped.
//!
//! Flags are read in order, joined to their value or not. Those that take a value which is none of ours (`-o`, `-Xptxas`)
//! take it along, so that it is not read as a flag.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::words::split;
use crate::macros::{Macro, parse_define, parse_undefine};

/// What a compile command says about how to read its source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompileFlags {
    /// `-D` and `-U`, in order.
    pub macros: Vec<Macro>,
    /// `-iquote`, in order.
    pub quote_dirs: Vec<PathBuf>,
    /// `-I`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem` and `-idirafter`, in order.
    pub system_dirs: Vec<PathBuf>,
    /// `-include`, in order.
    pub forced_includes: Vec<String>,
    /// The value of `__CUDA_ARCH__`: of the highest architecture that code is made for.
    pub arch: Option<u32>,
    /// The value of `__cplusplus`.
    pub standard: Option<Cow<'static, str>>,
    /// The language given by `-x`.
    pub language: Option<String>,
    /// Whether the compiler makes device code of whatever it is given.
    pub device_compiler: bool,
}

/// Response files in response files.
const MOST_NESTED: usize = 8;

/// Flags whose separate value is of no interest. `nvcc` takes the values of its long flags joined by `=` too; then nothing
/// needs to be skipped.
const SKIPPED_VALUES: [&str; 34] = [
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-L",
    "-l",
    "-ccbin",
    "-Xptxas",
    "-Xlinker",
    "-Xnvlink",
    "-Xcudafe",
    "-Xarchive",
    "-Xfatbin",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-target",
    "-arch-list",
    "-maxrregcount",
    "-odir",
    "-code",
    "-t",
    "--output-file",
    "--compiler-bindir",
    "--ptxas-options",
    "--linker-options",
    "--nvlink-options",
    "--output-directory",
    "--gpu-code",
    "--maxrregcount",
    "--library",
    "--library-path",
    "--threads",
    "-cudart",
];

/// The flags of a command; `arguments` begins with the compiler, `directory` is where it ran.
pub(crate) fn read(arguments: &[String], directory: &Path) -> CompileFlags {
    let mut flags = CompileFlags::default();
    let mut rest = arguments;
    while let Some((program, after)) = rest.split_first() {
        rest = after;
        let name = Path::new(program)
            .file_name()
            .and_then(|name| name.to_str());
        if !matches!(name, Some("ccache" | "sccache" | "distcc" | "env")) {
            flags.device_compiler =
                name.is_some_and(|name| name.contains("nvcc") || name.contains("hipcc"));
            break;
        }
    }
    let mut reader = Reader { directory, flags };
    reader.words(rest, 0);
    reader.flags
}

struct Reader<'a> {
    directory: &'a Path,
    flags: CompileFlags,
}

impl Reader<'_> {
    fn words(&mut self, words: &[String], depth: usize) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if let Some(file) = word.strip_prefix('@') {
                self.response_file(file, depth);
            } else if word.starts_with('-') {
                self.flag(word, &mut words, depth);
            }
        }
    }

    fn flag<'w>(&mut self, word: &str, rest: &mut impl Iterator<Item = &'w String>, depth: usize) {
        /// A flag with a value, joined to it as it is (`-IDIR`) or by `=` only.
        struct Form(&'static str, bool, fn(&mut Reader<'_>, &str, usize));
        // Longer names stand before their prefixes.
        let forms = [
            Form("-include", false, |reader, value, _| reader.force(value)),
            Form("--pre-include", false, |reader, value, _| {
                reader.force(value)
            }),
            Form("-imacros", false, |reader, value, _| reader.force(value)),
            Form("-isystem", true, |reader, value, _| {
                let dir = reader.path(value);
                reader.flags.system_dirs.push(dir);
            }),
            Form("--system-include", false, |reader, value, _| {
                let dir = reader.path(value);
                reader.flags.system_dirs.push(dir);
            }),
            Form("-idirafter", true, |reader, value, _| {
                let dir = reader.path(value);
                reader.flags.system_dirs.push(dir);
            }),
            Form("-iquote", true, |reader, value, _| {
                let dir = reader.path(value);
                reader.flags.quote_dirs.push(dir);
            }),
            Form("--include-path", false, |reader, value, _| {
                reader.include(value)
            }),
            Form("--include-directory", false, |reader, value, _| {
                reader.include(value)
            }),
            Form("-I", true, |reader, value, _| reader.include(value)),
            Form("--define-macro", false, |reader, value, _| {
                reader.define(value)
            }),
            Form("-D", true, |reader, value, _| reader.define(value)),
            Form("--undefine-macro", false, |reader, value, _| {
                reader.undefine(value)
            }),
            Form("-U", true, |reader, value, _| reader.undefine(value)),
            Form("-Xcompiler", false, |reader, value, depth| {
                reader.host(value, depth)
            }),
            Form("--compiler-options", false, |reader, value, depth| {
                reader.host(value, depth);
            }),
            Form("--options-file", false, |reader, value, depth| {
                for file in value.split(',') {
                    reader.response_file(file, depth);
                }
            }),
            Form("-optf", false, |reader, value, depth| {
                for file in value.split(',') {
                    reader.response_file(file, depth);
                }
            }),
            Form("-gencode", false, |reader, value, _| reader.arch(value)),
            Form("--generate-code", false, |reader, value, _| {
                reader.arch(value)
            }),
            Form("-arch", false, |reader, value, _| reader.arch(value)),
            Form("--gpu-architecture", false, |reader, value, _| {
                reader.arch(value)
            }),
            Form("--cuda-gpu-arch", false, |reader, value, _| {
                reader.arch(value)
            }),
            Form("--offload-arch", false, |reader, value, _| {
                reader.arch(value)
            }),
            Form("-std", false, |reader, value, _| reader.standard(value)),
            Form("--std", false, |reader, value, _| reader.standard(value)),
            Form("-x", true, |reader, value, _| {
                reader.flags.language = Some(value.to_owned())
            }),
            Form("--x", false, |reader, value, _| {
                reader.flags.language = Some(value.to_owned())
            }),
        ];
        for Form(name, joined, take) in forms {
            let Some(value) = word.strip_prefix(name) else {
                continue;
            };
            if value.is_empty() {
                if let Some(value) = rest.next() {
                    take(self, value, depth);
                }
                return;
            }
            if let Some(value) = value.strip_prefix('=') {
                take(self, value, depth);
                return;
            }
            if joined {
                take(self, value, depth);
                return;
            }
        }
        match word {
            "-fopenmp" => self.define("_OPENMP=201511"),
            "-dc" | "--device-c" | "-rdc=true" | "--relocatable-device-code=true" => {
                self.define("__CUDACC_RDC__");
            }
            "-extended-lambda"
            | "--extended-lambda"
            | "--expt-extended-lambda"
            | "-expt-extended-lambda" => self.define("__CUDACC_EXTENDED_LAMBDA__"),
            _ if SKIPPED_VALUES.contains(&word) => {
                rest.next();
            }
            _ => {}
        }
    }

    /// Flags for the host compiler: separated by commas, macros and folders among them.
    fn host(&mut self, value: &str, depth: usize) {
        if depth < MOST_NESTED {
            let words: Vec<String> = value.split(',').map(str::to_owned).collect();
            self.words(&words, depth + 1);
        }
    }

    fn response_file(&mut self, file: &str, depth: usize) {
        if depth >= MOST_NESTED {
            return;
        }
        // One that cannot be read is left out, as the compiler's own message tells more than ours could.
        if let Ok(text) = fs::read_to_string(self.path(file)) {
            self.words(&split(&text), depth + 1);
        }
    }

    fn path(&self, value: &str) -> PathBuf {
        self.directory.join(value)
    }

    fn include(&mut self, value: &str) {
        // nvcc takes several folders in one flag.
        for folder in value.split(',').filter(|folder| !folder.is_empty()) {
            let folder = self.path(folder);
            self.flags.include_dirs.push(folder);
        }
    }

    /// Headers to read first are looked for where the compiler ran, then where headers are.
    fn force(&mut self, value: &str) {
        let here = self.path(value);
        let name = if here.is_file() {
            here.to_string_lossy().into_owned()
        } else {
            value.to_owned()
        };
        self.flags.forced_includes.push(name);
    }

    fn define(&mut self, value: &str) {
        self.flags.macros.extend(parse_define(value));
    }

    fn undefine(&mut self, value: &str) {
        self.flags.macros.extend(parse_undefine(value));
    }

    /// `sm_80`, `compute_90a`, `arch=compute_80,code=[sm_80,sm_86]`.
    fn arch(&mut self, value: &str) {
        for (at, _) in value.match_indices('_') {
            let before = &value[..at];
            if !before.ends_with("sm") && !before.ends_with("compute") && !before.ends_with("lto") {
                continue;
            }
            let digits: String = value[at + 1..]
                .chars()
                .take_while(char::is_ascii_digit)
                .collect();
            if let Ok(number) = digits.parse::<u32>()
                && (20..=999).contains(&number)
            {
                self.flags.arch = self.flags.arch.max(Some(number * 10));
            }
        }
    }

    fn standard(&mut self, value: &str) {
        let standard = match value.trim_start_matches("gnu").trim_start_matches('c') {
            "++98" | "++03" => "199711L",
            "++11" | "++0x" => "201103L",
            "++14" | "++1y" => "201402L",
            "++17" | "++1z" => "201703L",
            "++20" | "++2a" => "202002L",
            "++23" | "++2b" => "202302L",
            _ => return,
        };
        self.flags.standard = Some(Cow::Borrowed(standard));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str) -> CompileFlags {
        read(&split(line), Path::new("/b"))
    }

    fn paths(paths: &[&str]) -> Vec<PathBuf> {
        paths.iter().map(PathBuf::from).collect()
    }

    fn macros(line: &str) -> Vec<String> {
        flags(line)
            .macros
            .into_iter()
            .map(|change| match change {
                Macro::Define { name, value } => format!("{name}={value}"),
                Macro::Undefine { name } => format!("!{name}"),
            })
            .collect()
    }

    #[test]
    fn folders_joined_or_not() {
        let flags = flags(
            "nvcc -I a -I/c --include-path=d,e -isystem s -isystem/t -iquote q -idirafter z -I=f --include-directory g -c a.cu",
        );
        assert_eq!(
            flags.include_dirs,
            paths(&["/b/a", "/c", "/b/d", "/b/e", "/b/f", "/b/g"])
        );
        assert_eq!(flags.system_dirs, paths(&["/b/s", "/t", "/b/z"]));
        assert_eq!(flags.quote_dirs, paths(&["/b/q"]));
        assert!(flags.device_compiler);
    }

    #[test]
    fn macros_keep_their_order() {
        assert_eq!(
            macros("nvcc -DN=4 -D M -UN --define-macro=K=a=b --undefine-macro K -D'F(x)=x' -D4=x"),
            ["N=4", "M=1", "!N", "K=a=b", "!K", "F(x)=x"]
        );
        assert_eq!(
            macros(
                "nvcc -Xcompiler -DA,-fopenmp --compiler-options=-DB -Xcompiler=\"-DC -DX\" -dc"
            ),
            ["A=1", "_OPENMP=201511", "B=1", "__CUDACC_RDC__=1"]
        );
    }

    #[test]
    fn values_of_other_flags_are_no_flags() {
        assert_eq!(
            macros("clang++ -o -DA -MF -DB -Xptxas -DC -DD a.cu -L -DE"),
            ["D=1"]
        );
        assert_eq!(macros("ccache /opt/nvcc -DA"), ["A=1"]);
        assert!(flags("ccache /opt/nvcc -DA").device_compiler);
        assert!(!flags("g++ -c a.cpp").device_compiler);
    }

    #[test]
    fn architecture_standard_language() {
        for (line, arch) in [
            ("nvcc -arch=sm_80", Some(800)),
            ("nvcc -arch compute_75", Some(750)),
            (
                "nvcc -gencode arch=compute_70,code=sm_70 -gencode=arch=compute_90a,code=[sm_90a,sm_86]",
                Some(900),
            ),
            ("clang++ --cuda-gpu-arch=sm_60", Some(600)),
            (
                "nvcc --generate-code=arch=compute_103,code=sm_103",
                Some(1030),
            ),
            ("nvcc -arch=native", None),
            ("nvcc -arch=sm_x", None),
            ("hipcc --offload-arch=gfx90a", None),
        ] {
            assert_eq!(flags(line).arch, arch, "{line}");
        }
        assert_eq!(
            flags("nvcc -std=c++14").standard.as_deref(),
            Some("201402L")
        );
        assert_eq!(
            flags("nvcc --std c++20").standard.as_deref(),
            Some("202002L")
        );
        assert_eq!(
            flags("nvcc -std=gnu++17").standard.as_deref(),
            Some("201703L")
        );
        assert_eq!(flags("nvcc -x cu a.cpp").language.as_deref(), Some("cu"));
        assert_eq!(
            flags("clang -xcuda a.cpp").language.as_deref(),
            Some("cuda")
        );
    }

    #[test]
    fn response_files_are_followed_but_not_without_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("a file");
        };
        write("one.rsp", "-DA -I 'my inc' @two.rsp @one.rsp");
        write("two.rsp", "-DB\n-include pre.h\n");
        write("pre.h", "");
        let words =
            split("nvcc --options-file one.rsp @missing.rsp -optf=two.rsp -include other.h");
        let flags = read(&words, folder.path());
        let first = Macro::Define {
            name: "A".to_owned(),
            value: "1".to_owned(),
        };
        assert_eq!(flags.macros.first(), Some(&first));
        assert_eq!(
            flags.include_dirs.first(),
            Some(&folder.path().join("my inc"))
        );
        let pre = folder.path().join("pre.h").display().to_string();
        assert_eq!(flags.forced_includes.first(), Some(&pre));
        assert_eq!(
            flags.forced_includes.last().map(String::as_str),
            Some("other.h")
        );
    }
}
