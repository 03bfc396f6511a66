//! Texts made at random: words of CUDA, and edits of a text word by word. Seeds are given, so a text can be made again.
//!
//! Shared by the tests of random texts and the fuzz target (`fuzz/`).

/// Words that kernels and their host code are made of, with those that are easily misread.
pub const WORDS: &[&str] = &[
    // Declarations.
    "__global__",
    "__device__",
    "__host__",
    "__shared__",
    "__constant__",
    "extern",
    "extern \"C\"",
    "static",
    "void",
    "int",
    "unsigned",
    "float",
    "char",
    "long",
    "bool",
    "auto",
    "const",
    "volatile",
    "constexpr",
    "__restrict__",
    "float4",
    "dim3",
    "template",
    "template <int N>",
    "template <typename T>",
    "typename",
    "struct",
    "class",
    "union",
    "enum",
    "namespace",
    "using",
    "typedef",
    "operator",
    "decltype",
    "static_cast<int>",
    "reinterpret_cast<int *>",
    "this",
    "T",
    "S",
    "__launch_bounds__(64)",
    "__attribute__((aligned(16)))",
    "__global__ void k(int *g, int n) {",
    "__device__ int f(int *a, int i) {",
    "struct S { int x; int a[4]; };",
    // Statements.
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "asm",
    "new",
    "try",
    "catch",
    "for (int i = 0; i < n; i++)",
    "if (threadIdx.x < 32)",
    "int i = threadIdx.x;",
    "[&](int x) {",
    "sizeof",
    // Brackets and operators; the commonest more than once.
    "(",
    ")",
    "(",
    ")",
    "[",
    "]",
    "[",
    "]",
    "{",
    "}",
    "{",
    "}",
    "<",
    ">",
    ";",
    ";",
    ";",
    ",",
    "=",
    "+=",
    ">>=",
    "++",
    "--",
    "==",
    "!=",
    "<=",
    "<=>",
    "&&",
    "||",
    "!",
    "~",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "/",
    "%",
    "?",
    ":",
    "::",
    ".",
    "->",
    "...",
    "<<<",
    ">>>",
    "<<<1, 64>>>",
    // Names and values.
    "threadIdx.x",
    "threadIdx",
    "blockIdx.x",
    "blockDim.x",
    "warpSize",
    "g",
    "s",
    "a",
    "b",
    "i",
    "j",
    "k",
    "n",
    "f",
    "0",
    "1",
    "64",
    "0xffffffffu",
    "1.5f",
    "2147483647",
    "1ull",
    "'c'",
    "\"s\"",
    "nullptr",
    "true",
    "g[i]",
    "s[threadIdx.x]",
    // Calls.
    "__syncthreads()",
    "__syncthreads();",
    "atomicAdd",
    "atomicCAS(&g[0], 0, 1)",
    "__syncwarp",
    "__shfl_down_sync",
    "__ballot_sync",
    "__ldg(&g[i])",
    "memcpy",
    "cudaMalloc(&g, 64)",
    "cudaMemcpy",
    "cudaLaunchKernel",
    "k<<<n, 64>>>(g, n);",
    "int main() {",
    "f(g, i)",
    "std::",
    "cooperative_groups",
    "cg::this_thread_block()",
    "tex2D<float>",
    // Preprocessing.
    "\n#define N g[",
    "\n#define F(x, ...) x + N __VA_ARGS__\n",
    "F(",
    "N",
    "\n#if N\n",
    "\n#ifdef F\n",
    "\n#else\n",
    "\n#elif 1\n",
    "\n#endif\n",
    "\n#undef N\n",
    "\n#include \"main.cu\"\n",
    "\n#include \"h.cuh\"\n",
    "\n#pragma unroll\n",
    "\n#line 7\n",
    "\n#define",
    "#",
    "##",
    "__VA_OPT__(",
    "defined",
    "TILE",
    "AT(g, i)",
    "__LINE__",
    "_Pragma(",
    "\\\n",
    "\n",
    "\r\n",
    "//",
    "/*",
    "*/",
    "R\"(",
    ")\"",
    "\"",
    "'",
    "é",
    "\u{1a}",
    "\u{feff}",
];

/// Marsaglia's xorshift: small, and the same everywhere.
pub struct Random(u64);

impl Random {
    /// A generator for the seed; any seed will do.
    pub fn new(seed: u64) -> Random {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A number less than the bound; 0 when there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(self.0 % bound).unwrap_or(0)
    }

    /// One of the elements, of which there must be some.
    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// A text in pieces: names and numbers whole, all else character by character.
pub fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut in_word = false;
    for character in text.chars() {
        let is_word = character.is_alphanumeric() || character == '_';
        match pieces.last_mut() {
            Some(last) if is_word && in_word => last.push(character),
            _ => pieces.push(character.to_string()),
        }
        in_word = is_word;
    }
    pieces
}

/// Changes a text at one place: leaves out, doubles, exchanges, replaces or inserts a piece, or moves several.
pub fn edit(pieces: &mut Vec<String>, random: &mut Random) {
    let word = (*random.pick(WORDS)).to_owned();
    if pieces.is_empty() {
        pieces.push(word);
        return;
    }
    let at = random.below(pieces.len());
    let other = random.below(pieces.len());
    match random.below(8) {
        0 => pieces[at].clear(),
        1 => pieces.insert(other, pieces[at].clone()),
        2 => pieces.swap(at, other),
        3 => pieces[at] = word,
        4 | 5 => pieces.insert(at, format!(" {word} ")),
        6 => {
            // Up to sixteen pieces to another place.
            let moved: Vec<String> = pieces
                .drain(at..(at + 1 + other % 16).min(pieces.len()))
                .collect();
            let to = random.below(pieces.len() + 1);
            pieces.splice(to..to, moved);
        }
        _ => pieces.truncate(pieces.len() / 2 + at / 2),
    }
}
