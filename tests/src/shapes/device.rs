//! Kernels whose accesses, barriers and branches are written in the shapes of C++: references, classes, closures, destructors,
//! jumps, templates.
//!
//! A kernel is a row of phases with a barrier between. In a phase each array has a mode: every thread has an element of its own, all
//! read, or one thread writes. What is to be read or written is decided first, how it is written in C++ second; so most kernels
//! are race-free, until one place is spoilt: a barrier left out, an index moved, a guard weakened.

use super::shape::{GUARDS, Holes, RARE_WRITES, READS, Shape, WAITS, WRITES};
use crate::random::dice::Dice;

/// Threads of a block.
pub(super) const BLOCK: usize = 64;

/// A kernel under construction.
pub(super) struct Writer {
    pub(super) dice: Dice,
    /// Declarations before the kernel.
    pub(super) before: String,
    next: usize,
    /// Whether there are several blocks.
    blocks: bool,
    /// Places where the kernel can still be spoilt, counted; the one that is.
    places: usize,
    spoilt: Option<usize>,
}

/// An array of the kernel.
#[derive(Clone, Copy)]
struct Array {
    name: &'static str,
    shared: bool,
}

const ARRAYS: [Array; 2] = [
    Array {
        name: "s",
        shared: true,
    },
    Array {
        name: "a",
        shared: false,
    },
];

/// What threads do with an array in a phase.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Each thread has the element at its image under the permutation of this number.
    Own(usize),
    /// All read.
    Read,
    /// One thread writes.
    One(usize),
}

impl Writer {
    pub(super) fn new(seed: u64) -> Writer {
        let mut dice = Dice::new(seed);
        let blocks = dice.chance(40);
        let spoilt = dice.chance(45).then(|| dice.roll(14));
        Writer {
            dice,
            before: String::new(),
            next: 0,
            blocks,
            places: 0,
            spoilt,
        }
    }

    pub(super) fn has_blocks(&self) -> bool {
        self.blocks
    }

    /// A number that no name has yet.
    pub(super) fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// Whether this place is the one that is spoilt.
    fn spoils(&mut self) -> bool {
        self.places += 1;
        self.spoilt == Some(self.places - 1)
    }

    /// The body of a kernel with `s` shared, `a` and `b` of global memory, and a number `n`.
    pub(super) fn body(&mut self) -> String {
        let mut body = String::from("  __shared__ int s[256];\n  int t = threadIdx.x;\n");
        let phases = 1 + self.dice.roll(3);
        for phase in 0..phases {
            if phase > 0 && !self.spoils() {
                body += &self.barrier();
            }
            for array in ARRAYS {
                if !array.shared && phase > 0 && self.blocks {
                    // Nothing orders blocks: of global memory each thread keeps its element.
                    body += &self.phase(array, Mode::Own(0));
                    continue;
                }
                let mode = match self.dice.roll(10) {
                    0..=4 if !array.shared && self.blocks => Mode::Own(0),
                    0..=4 => Mode::Own(self.dice.roll(PERMUTATIONS)),
                    5..=7 => Mode::Read,
                    _ if !array.shared && self.blocks => Mode::Own(0),
                    _ => Mode::One(self.dice.roll(BLOCK)),
                };
                body += &self.phase(array, mode);
            }
        }
        body
    }

    fn phase(&mut self, array: Array, mode: Mode) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.dice.roll(2) {
            match mode {
                Mode::Own(number) => {
                    let mut index = permuted(number);
                    if self.spoils() {
                        index = format!(
                            "({index}) + {}",
                            self.dice.pick(&["(t & 1)", "t", "(t == 5)"])
                        );
                    }
                    if !array.shared {
                        index = format!("blockIdx.x * {BLOCK} + ({index})");
                    }
                    let read = self.value(array, &index);
                    let write = self.write(array.name, &index, &read);
                    text += &self.guarded(&write);
                }
                Mode::Read => {
                    let index = self.any_index();
                    let index = if !array.shared && self.blocks {
                        // Other blocks write their own elements of `a`: what is read is this thread's.
                        format!("blockIdx.x * {BLOCK} + t")
                    } else {
                        index
                    };
                    let name = self.fresh();
                    let read = self.read(array.name, &index);
                    text += &format!("  int x{name} = {read};\n");
                    text += &self.write(
                        "a",
                        &format!("2048 + blockIdx.x * {BLOCK} + t"),
                        &format!("x{name}"),
                    );
                }
                Mode::One(thread) => {
                    let write = self.write(array.name, &self.clone_index(thread), "t");
                    let guard = if self.spoils() {
                        format!("(t | 1) == {}", thread | 1)
                    } else {
                        format!("t == {thread}")
                    };
                    text += &format!("  if ({guard}) {{\n{write}  }}\n");
                }
            }
        }
        text
    }

    /// The index that one thread writes: it does not name the thread, so that two of them meet.
    fn clone_index(&self, thread: usize) -> String {
        format!("{}", (thread * 7) % BLOCK)
    }

    fn any_index(&mut self) -> String {
        let shift = self.dice.roll(BLOCK);
        match self.dice.roll(4) {
            0 => format!("(t + {shift}) % {BLOCK}"),
            1 => format!("{} - t", BLOCK - 1),
            2 => format!("{shift}"),
            _ => format!("(t ^ {})", shift & 63),
        }
    }

    fn value(&mut self, array: Array, index: &str) -> String {
        match self.dice.roll(5) {
            0 => "t".to_owned(),
            1 => format!("t * {} + n", 1 + self.dice.roll(5)),
            2 => {
                let read = self.read(array.name, index);
                format!("{read} + 1 + t")
            }
            3 => {
                let other = self.any_index();
                let read = self.read("b", &other);
                format!("{read} + t")
            }
            _ => format!("(int)(threadIdx.x + {}u)", self.dice.roll(9)),
        }
    }

    /// The text of a shape, whose declarations are made.
    fn shaped(&mut self, shape: Shape, array: &str, index: &str, value: &str) -> String {
        let number = self.fresh();
        let other = if array == "s" { "a" } else { "s" };
        let holes = Holes {
            number,
            array,
            other,
            index,
            value,
        };
        self.before += &holes.fill(shape.before);
        holes.fill(shape.text)
    }

    /// A statement under a guard, or not.
    fn guarded(&mut self, statement: &str) -> String {
        let bound = 1 + self.dice.roll(BLOCK);
        if self.dice.chance(25) {
            let text = GUARDS[self.dice.roll(GUARDS.len())];
            let shape = Shape { before: "", text };
            return self.shaped(shape, "s", &bound.to_string(), statement);
        }
        let number = self.fresh();
        match self.dice.roll(12) {
            0 => format!("  if (t < {bound}) {{\n{statement}  }}\n"),
            1 => format!(
                "  if (t >= {bound}) goto skip{number};\n  {{\n{statement}  }}\nskip{number}:;\n"
            ),
            2 => format!("  switch (t & 3) {{\n  case 0: {{\n{statement}  }}\n  default:;\n  }}\n"),
            3 => format!("  while (t < {bound}) {{\n{statement}  break;\n  }}\n"),
            4 => {
                format!("  do {{\n  if (t == {bound}) continue;\n{statement}  }} while (false);\n")
            }
            5 => format!("  if (n > 3) {{\n{statement}  }}\n"),
            6 => {
                self.before += &format!(
                    "struct Flag{number} {{ int f; __device__ explicit operator bool() const {{ return f != 0; }} }};\n"
                );
                format!("  if (Flag{number} flag{number}{{t & 1}}) {{\n{statement}  }}\n")
            }
            _ => statement.to_owned(),
        }
    }

    fn barrier(&mut self) -> String {
        if self.dice.chance(45) {
            let (waits, goes_on) = WAITS[self.dice.roll(WAITS.len())];
            let shape = if self.spoils() { goes_on } else { waits };
            return self.shaped(shape, "s", "", "");
        }
        let number = self.fresh();
        match self.dice.roll(9) {
            0 => {
                self.before += &format!("__device__ void wait{number}() {{ __syncthreads(); }}\n");
                format!("  wait{number}();\n")
            }
            1 => {
                self.before += &format!(
                    "struct Wait{number} {{ __device__ ~Wait{number}() {{ __syncthreads(); }} }};\n"
                );
                format!("  {{ Wait{number} wait; }}\n")
            }
            2 => format!("  auto wait{number} = [] {{ __syncthreads(); }};\n  wait{number}();\n"),
            3 => {
                let on = if self.spoils() { "false" } else { "true" };
                self.before += &format!(
                    "template <bool On> __device__ void wait{number}() {{ if constexpr (On) __syncthreads(); }}\n"
                );
                format!("  wait{number}<{on}>();\n")
            }
            4 => {
                self.before += &format!(
                    "struct Base{number} {{ __device__ virtual void wait() {{}} }};\nstruct Derived{number} : Base{number} {{ __device__ void wait() override {{ __syncthreads(); }} }};\n"
                );
                let dynamic = if self.spoils() { "Base" } else { "Derived" };
                format!(
                    "  {dynamic}{number} object{number};\n  Base{number} &base{number} = object{number};\n  base{number}.wait();\n"
                )
            }
            5 => {
                let on = if self.spoils() { "int" } else { "short" };
                self.before += &format!(
                    "template <class T> struct Kind{number} {{ __device__ static void wait() {{ __syncthreads(); }} }};\ntemplate <> struct Kind{number}<int> {{ __device__ static void wait() {{}} }};\n"
                );
                format!("  Kind{number}<{on}>::wait();\n")
            }
            _ => "  __syncthreads();\n".to_owned(),
        }
    }

    /// Statements that store a value at an index of an array.
    #[expect(clippy::too_many_lines, reason = "a table of shapes, one arm each")]
    fn write(&mut self, array: &str, index: &str, value: &str) -> String {
        if self.dice.chance(60) {
            let shapes = match self.dice.chance(4) {
                true => RARE_WRITES,
                false => WRITES,
            };
            let shape = shapes[self.dice.roll(shapes.len())];
            return self.shaped(shape, array, index, value);
        }
        let n = self.fresh();
        let other = if array == "s" { "a" } else { "s" };
        match self.dice.roll(27) {
            0 => format!("  int &r{n} = {array}[{index}];\n  r{n} = {value};\n"),
            1 => format!("  int *p{n} = {array} + ({index});\n  *p{n} = {value};\n"),
            2 => {
                format!("  auto f{n} = [&](int j) {{ {array}[j] = {value}; }};\n  f{n}({index});\n")
            }
            3 => format!(
                "  int *p{n} = {array};\n  auto f{n} = [p{n}](int j, int w) {{ p{n}[j] = w; }};\n  f{n}({index}, {value});\n"
            ),
            4 => {
                self.before += &format!("__device__ void set{n}(int &r, int w) {{ r = w; }}\n");
                format!("  set{n}({array}[{index}], {value});\n")
            }
            5 => {
                self.before += &format!(
                    "template <class T> __device__ void put{n}(T *p, int j, T w) {{ p[j] = w; }}\n"
                );
                format!("  put{n}({array}, {index}, {value});\n")
            }
            6 => {
                self.before += &format!(
                    "struct View{n} {{ int *p; __device__ int &at(int j) const {{ return p[j]; }} }};\n"
                );
                format!("  View{n} v{n}{{{array}}};\n  v{n}.at({index}) = {value};\n")
            }
            7 => {
                self.before += &format!(
                    "struct View{n} {{ int *p; __device__ int &operator[](int j) {{ return p[j]; }} }};\n"
                );
                format!("  View{n} v{n}{{{array}}};\n  v{n}[{index}] = {value};\n")
            }
            8 => {
                self.before += &format!(
                    "struct Late{n} {{ int *p; int j, w; __device__ ~Late{n}() {{ p[j] = w; }} }};\n"
                );
                format!("  {{ Late{n} late{{{array}, (int)({index}), {value}}}; }}\n")
            }
            9 => {
                self.before += &format!(
                    "struct Holds{n} {{ int *p; }};\nstruct Sets{n} : Holds{n} {{ __device__ void set(int j, int w) {{ p[j] = w; }} }};\n"
                );
                format!("  Sets{n} o{n};\n  o{n}.p = {array};\n  o{n}.set({index}, {value});\n")
            }
            10 => {
                self.before += &format!(
                    "struct Refers{n} {{ int &r; __device__ void set(int w) {{ r = w; }} }};\n"
                );
                format!("  Refers{n} o{n}{{{array}[{index}]}};\n  o{n}.set({value});\n")
            }
            11 => format!(
                "  int *p{n} = {array};\n  int **q{n} = &p{n};\n  (*q{n})[{index}] = {value};\n"
            ),
            12 => format!(
                "  int j{n} = 0;\nagain{n}:\n  if (j{n} < 1) {{ {array}[{index}] = {value}; j{n}++; goto again{n}; }}\n"
            ),
            13 => format!(
                "  switch (t & 1) {{\n  case 0: {array}[{index}] = {value}; break;\n  default: {array}[{index}] = {value};\n  }}\n"
            ),
            14 => format!(
                "  int &r{n} = (t & 1) ? {array}[{index}] : {array}[{index}];\n  r{n} = {value};\n"
            ),
            15 => format!(
                "  std::pair<int *, int> q{n}({array} + ({index}), {value});\n  *q{n}.first = q{n}.second;\n"
            ),
            16 => {
                self.before += &format!(
                    "template <int K> __device__ void at{n}(int *p, int j, int w) {{ p[j + K] = w; }}\n"
                );
                format!("  at{n}<0>({array}, {index}, {value});\n")
            }
            17 => {
                self.before += &format!(
                    "struct Does{n} {{ __device__ virtual void put(int *p, int j, int w) {{ p[0] = w; }} }};\nstruct Puts{n} : Does{n} {{ __device__ void put(int *p, int j, int w) override {{ p[j] = w; }} }};\n"
                );
                format!(
                    "  Puts{n} o{n};\n  Does{n} &d{n} = o{n};\n  d{n}.put({array}, {index}, {value});\n"
                )
            }
            18 => format!(
                "  int *p{n} = {array}, *q{n} = {other};\n  std::swap(p{n}, q{n});\n  q{n}[{index}] = {value};\n"
            ),
            19 => format!(
                "  for (int j{n} = 0; j{n} < 1; j{n}++) {array}[({index}) + j{n}] = {value};\n"
            ),
            20 => format!("  [&]() -> int & {{ return {array}[{index}]; }}() = {value};\n"),
            21 => {
                self.before += &format!("struct Two{n} {{ int *v[2]; }};\n");
                format!(
                    "  Two{n} q{n} = {{{{{array}, {other}}}}};\n  q{n}.v[0][{index}] = {value};\n"
                )
            }
            22 => {
                self.before += &format!(
                    "template <class F> __device__ void call{n}(F f, int j) {{ f(j); }}\n"
                );
                format!("  call{n}([&](int j) {{ {array}[j] = {value}; }}, {index});\n")
            }
            23 => {
                self.before += &format!(
                    "struct Word{n} {{ int *p; __device__ Word{n} &operator=(int w) {{ *p = w; return *this; }} }};\nstruct Words{n} {{ int *p; __device__ Word{n} operator()(int j) {{ return Word{n}{{p + j}}; }} }};\n"
                );
                format!("  Words{n} o{n}{{{array}}};\n  o{n}({index}) = {value};\n")
            }
            _ => format!("  {array}[{index}] = {value};\n"),
        }
    }

    /// An expression that reads at an index of an array.
    fn read(&mut self, array: &str, index: &str) -> String {
        if self.dice.chance(30) {
            let shape = READS[self.dice.roll(READS.len())];
            return self.shaped(shape, array, index, "");
        }
        let n = self.fresh();
        match self.dice.roll(10) {
            0 => format!("*({array} + ({index}))"),
            1 => {
                self.before += &format!("__device__ int get{n}(const int &r) {{ return r; }}\n");
                format!("get{n}({array}[{index}])")
            }
            2 => {
                self.before += &format!(
                    "struct Sees{n} {{ const int *p; __device__ int at(int j) const {{ return p[j]; }} }};\n"
                );
                format!("Sees{n}{{{array}}}.at({index})")
            }
            3 => format!("[&](int j) {{ return {array}[j]; }}({index})"),
            4 => {
                self.before += &format!(
                    "template <class T> __device__ T load{n}(const T *p, int j) {{ return p[j]; }}\n"
                );
                format!("load{n}({array}, {index})")
            }
            _ => format!("{array}[{index}]"),
        }
    }
}

/// How many permutations of a block's threads there are.
const PERMUTATIONS: usize = 5;

fn permuted(number: usize) -> String {
    match number {
        0 => "t".to_owned(),
        1 => format!("{} - t", BLOCK - 1),
        2 => "t ^ 1".to_owned(),
        3 => format!("(t + 9) % {BLOCK}"),
        _ => "t * 2".to_owned(),
    }
}
