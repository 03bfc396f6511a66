//! Libraries whose built-in model wins over their text.
//!
//! A compile database passes the folders of the CUDA toolkit, of CUB, Thrust and libcu++, and of the C++ library. Their
//! headers are written for a compiler: with them the qualifiers become attributes, one `#include <cub/cub.cuh>` is a hundred
//! thousand lines, and a call of `cub::BlockReduce` is inline assembly rather than a reduction. What these libraries mean is
//! in the tables of `lower/library/`, and what is not there is unknown with its name. So their headers are not read, as if the
//! folders had not been given; the few macros by which code asks for their versions are defined.
//!
//! **Algorithm.** A header is one of such a library if its name is, and if the folder in which it was found holds a file that
//! only the library has: a project's own `math.h` or `cuda/util.h` is read.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::engine::{COMMAND_LINE, Engine};
use super::macros::{BodyToken, Macro, NO_PARAMETER};
use super::token::{Kind, Token};

/// How the names of headers begin that a library has, and files that tell its folder, any of them.
struct Library {
    begins: &'static [&'static str],
    marks: &'static [&'static str],
    /// Macros by which its version is told, with the values of CUDA 12.4.
    versions: &'static [(&'static str, &'static str)],
}

const TOOLKIT: Library = Library {
    begins: &[
        "builtin_types.h",
        "channel_descriptor.h",
        "common_functions.h",
        "cooperative_groups",
        "crt/",
        "cuComplex.h",
        "cuda.h",
        "cuda_awbarrier",
        "cuda_bf16.",
        "cuda_device_runtime_api.h",
        "cuda_fp16.",
        "cuda_pipeline",
        "cuda_runtime.h",
        "cuda_runtime_api.h",
        "cuda_surface_types.h",
        "cuda_texture_types.h",
        "device_",
        "driver_functions.h",
        "driver_types.h",
        "host_config.h",
        "host_defines.h",
        "math_functions.",
        "mma.h",
        "sm_",
        "surface_",
        "texture_",
        "vector_functions.",
        "vector_types.h",
    ],
    marks: &["cuda_runtime_api.h", "crt/host_defines.h"],
    versions: &[],
};

const RANDOM: Library = Library {
    begins: &["curand"],
    marks: &["curand_globals.h"],
    versions: &[],
};

const CUB: Library = Library {
    begins: &["cub/"],
    marks: &["cub/version.cuh"],
    versions: &[("CUB_VERSION", "200301")],
};

const THRUST: Library = Library {
    begins: &["thrust/"],
    marks: &["thrust/version.h"],
    // Thrust's headers include CUB's.
    versions: &[("THRUST_VERSION", "200301"), ("CUB_VERSION", "200301")],
};

const LIBCUXX: Library = Library {
    begins: &["cuda/"],
    marks: &["cuda/std/version", "cuda/std/detail/__config"],
    versions: &[("CCCL_VERSION", "2003001")],
};

/// Vectors and matrices for graphics.
const GLM: Library = Library {
    begins: &["glm/"],
    marks: &["glm/fwd.hpp", "glm/detail/setup.hpp"],
    versions: &[("GLM_VERSION", "1001")],
};

/// Names of C++'s headers have no ending, save for those of C that it takes over.
const CXX: Library = Library {
    begins: &[
        "assert.h",
        "bits/",
        "complex.h",
        "ctype.h",
        "float.h",
        "inttypes.h",
        "limits.h",
        "math.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
    ],
    marks: &[
        "bits/c++config.h",
        "c++config.h",
        "__config",
        "features.h",
        "stdio.h",
        "cstddef",
        "stddef.h",
    ],
    versions: &[],
};

const LIBRARIES: [&Library; 7] = [&TOOLKIT, &RANDOM, &CUB, &THRUST, &LIBCUXX, &GLM, &CXX];

/// The library that has a header of this name.
fn library_of(name: &str) -> Option<&'static Library> {
    let plain = !name.contains(['.', '/']);
    let begins = |library: &&&Library| {
        let mut begins = library.begins.iter();
        begins.any(|&begin| name.starts_with(begin))
    };
    match LIBRARIES.iter().find(begins) {
        Some(library) => Some(library),
        None => plain.then_some(&CXX),
    }
}

impl Engine<'_> {
    /// Whether the header `name`, which is at `path`, is text of a library of which there is a built-in model.
    pub fn is_modelled(&self, name: &str, path: &Path) -> bool {
        let Some(library) = library_of(name) else {
            return false;
        };
        // The folder below which the name was found.
        let mut folder: PathBuf = path.to_owned();
        for _ in Path::new(name).components() {
            if !folder.pop() {
                return false;
            }
        }
        if folder.join(name) != path {
            return false;
        }
        let mut marks = library.marks.iter();
        marks.any(|mark| self.files.is_file(&folder.join(mark)) && *mark != name)
    }

    /// Defines what an `#include` of a library's header that is not read would have defined.
    pub fn define_versions(&mut self, name: &str) {
        let Some(library) = library_of(name) else {
            return;
        };
        for (name, value) in library.versions {
            self.define_number(name, value);
        }
    }

    /// The versions of the toolkit whose folder is given: they are its, not those taken without one.
    pub fn take_versions(&mut self) {
        let headers = [
            ("cuda_runtime_api.h", "CUDART_VERSION"),
            ("cuda.h", "CUDA_VERSION"),
        ];
        for (header, name) in headers {
            if self.config.defines.iter().any(|define| define.name == name)
                || self
                    .config
                    .undefines
                    .iter()
                    .any(|undefined| undefined == name)
            {
                continue;
            }
            let Some(path) = self.find_header(header, true) else {
                continue;
            };
            let Ok(bytes) = self.files.read(&path, self.config.limits.file_bytes) else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            let value = text.lines().find_map(|line| {
                let mut words = line.split_whitespace();
                (words.next() == Some("#define") && words.next() == Some(name))
                    .then(|| words.next())?
            });
            if let Some(value) = value.filter(|value| value.parse::<u32>().is_ok()) {
                let symbol = self.names.intern(name);
                self.undefine(symbol);
                let value = value.to_owned();
                self.define_number(name, &value);
            }
        }
    }

    /// A macro for a number, unless there is one of that name.
    fn define_number(&mut self, name: &str, value: &str) {
        let name = self.names.intern(name);
        if self.is_defined(name) {
            return;
        }
        let like = Token {
            source: COMMAND_LINE,
            ..Token::marker(Kind::Number, 0)
        };
        let Some(token) = self.make(Kind::Number, value, &like) else {
            return;
        };
        let body: Rc<[BodyToken]> = Rc::new([BodyToken {
            token,
            parameter: NO_PARAMETER,
        }]);
        self.define(Macro {
            name,
            function_like: false,
            parameters: 0,
            variadic: false,
            body,
            builtin: None,
            source: COMMAND_LINE,
            start: 0,
            end: 0,
            disabled: 0,
        });
    }
}
