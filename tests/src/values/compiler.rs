//! The system's C++ compiler as a calculator: one program that prints the values of all snippets.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::read::Snippet;
use super::unit::{INCLUDES, namespaced};
use crate::command::first_that_works;

/// A compiler that has the sanitizer of undefined behaviour.
#[derive(Debug)]
pub struct Compiler {
    program: &'static str,
    folder: TempDir,
    /// What stands before all snippets.
    header: String,
}

/// What a snippet comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// C++ leaves it open.
    Undefined,
    /// The value of the expression.
    Is(i64),
    /// The launches that happened: threads of a block, and the argument.
    Launches(Vec<(i64, i64)>),
}

/// What stands for CUDA in the program.
const RUNTIME: &str = r#"
#define HD
#define __host__
#define __device__
#define __global__
#define __shared__ static
#define __forceinline__ inline
static bool undefined;
extern "C" void __ubsan_on_report() { undefined = true; }
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct Launched {
    dim3 block;
    template <class N> void operator()(int *, N n) const
    {
        printf(" %lld %lld", (long long)block.x * block.y * block.z, (long long)(long)n);
    }
};
struct Launcher {
    Launched at(dim3, dim3 block, size_t = 0, int = 0) const { return Launched{block}; }
};
static const Launcher k;
"#;

impl Compiler {
    /// A compiler of this system that finds signed overflow.
    ///
    /// # Errors
    /// Why there is none.
    pub fn find() -> Result<Compiler, String> {
        first_that_works(&["g++", "clang++"], Compiler::with)
    }

    /// The same compiler with declarations before all snippets.
    #[must_use]
    pub fn with_header(mut self, header: &str) -> Compiler {
        header.clone_into(&mut self.header);
        self
    }

    /// One compiler.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn with(program: &'static str) -> Result<Compiler, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let compiler = Compiler {
            program,
            folder,
            header: String::new(),
        };
        let probe = |value: &str| Snippet {
            file: "probe".to_owned(),
            body: "int a = 2147483647;".to_owned(),
            value: Some(value.to_owned()),
            ..Snippet::default()
        };
        match compiler.values(&[probe("a"), probe("a + 1")])?.as_slice() {
            [Value::Is(2147483647), Value::Undefined] => Ok(compiler),
            other => Err(format!("undefined behaviour is not seen: {other:?}")),
        }
    }

    /// What the snippets come to.
    ///
    /// # Errors
    /// What the compiler complains of.
    pub fn values(&self, snippets: &[Snippet]) -> Result<Vec<Value>, String> {
        let source = self.folder.path().join("values.cpp");
        let program = self.folder.path().join("values");
        fs::write(&source, text(&self.header, snippets)).map_err(|error| error.to_string())?;
        let mut command = Command::new(self.program);
        command
            .args(["-w", "-std=c++20", "-O0", "-fsigned-char"])
            .args(["-fsanitize=undefined", "-fno-sanitize=enum,vptr", "-o"])
            .arg(&program)
            .arg(&source);
        finish(&mut command)?;
        let printed = printed(program)?;
        let values: Vec<Value> = printed.lines().filter_map(value).collect();
        if values.len() == snippets.len() {
            Ok(values)
        } else {
            Err(format!(
                "{} of {} snippets were run",
                values.len(),
                snippets.len()
            ))
        }
    }
}

/// The program.
fn text(header: &str, snippets: &[Snippet]) -> String {
    let mut out = format!("#include <cstdio>\n{INCLUDES}\n{RUNTIME}{header}");
    let mut main = String::from("int main()\n{\n");
    for (number, snippet) in snippets.iter().enumerate() {
        let place = format!("#line {} \"{}\"\n", snippet.line, snippet.file);
        let Snippet { body, value, .. } = snippet;
        let function = match value {
            Some(value) => {
                format!("long long value()\n{{\n{body}return (long long)({value});\n}}\n")
            }
            None => format!("void h(int *g)\n{{\n{body}}}\n"),
        };
        out.push_str(&place);
        let function = function.replace("<<<", ".at(").replace(">>>", ")");
        let prelude = snippet.prelude.replace("<<<", ".at(").replace(">>>", ")");
        out.push_str(&namespaced(number, &prelude, &function));
        let _ = match value {
            Some(_) => writeln!(
                main,
                "    undefined = false; {{ long long v = s{number}::value(); printf(\"%d = %lld\\n\", undefined, v); }}"
            ),
            None => writeln!(
                main,
                "    undefined = false; printf(\"0 h\"); s{number}::h(0); printf(\"\\n\");"
            ),
        };
    }
    format!("{out}\n{main}    fflush(stdout);\n    _exit(0);\n}}\n")
}

/// A line of the program's output.
fn value(line: &str) -> Option<Value> {
    let mut words = line.split(' ');
    if words.next()? == "1" {
        return Some(Value::Undefined);
    }
    let kind = words.next()?;
    let mut numbers = Vec::new();
    for word in words {
        numbers.push(word.parse().ok()?);
    }
    match (kind, numbers.as_slice()) {
        ("=", [value]) => Some(Value::Is(*value)),
        ("h", numbers) => {
            let launches = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            Some(Value::Launches(launches.collect()))
        }
        _ => None,
    }
}

/// Runs a compiler; the lines of its errors.
fn finish(command: &mut Command) -> Result<(), String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("error") || line.contains("undefined reference"))
        .take(40)
        .collect();
    Err(errors.join("\n"))
}

/// What a program prints.
fn printed(program: PathBuf) -> Result<String, String> {
    let output = Command::new(program)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("the program ends with {}", output.status))
    }
}
