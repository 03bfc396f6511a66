//! Host code that brings two pointers to a launch, in the shapes in which programs do: members, bases, pairs, containers, closures,
//! references, globals, objects of classes, jumps. The pointers lead to allocations of their own, to one, or into one.

use super::device::{BLOCK, Writer};
use super::ways::WAYS;

/// How the two arrays lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lie {
    /// In allocations of their own.
    Apart,
    /// At the same place.
    Same,
    /// In one allocation, with elements in common.
    Overlap,
    /// In one allocation, with none in common.
    Carved,
}

/// How the kernel takes its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Pointers,
    Object,
    Functor,
}

/// A whole program: a kernel with this body, and host code that launches it.
pub(super) fn program(writer: &mut Writer, body: &str) -> (String, Lie) {
    let lie = match writer.dice.roll(10) {
        0..=5 => Lie::Apart,
        6..=7 => Lie::Same,
        8 => Lie::Overlap,
        _ => Lie::Carved,
    };
    let takes = match writer.dice.roll(6) {
        0 => Takes::Object,
        1 => Takes::Functor,
        _ => Takes::Pointers,
    };
    let kernel = match takes {
        Takes::Pointers => format!("__global__ void k(int *a, const int *b, int n) {{\n{body}}}\n"),
        Takes::Object => format!(
            "struct Args {{ int *a; const int *b; int n; }};\n__global__ void k(Args args) {{\n  int *a = args.a;\n  const int *b = args.b;\n  int n = args.n;\n{body}}}\n"
        ),
        Takes::Functor => format!(
            "struct Run {{ int *a; const int *b; int n; __device__ void operator()() const; }};\n__device__ void Run::operator()() const {{\n{body}}}\ntemplate <class F> __global__ void k(F f) {{ f(); }}\n"
        ),
    };
    let (before, setup, first, second) = pointers(writer, lie);
    let grid = if writer.has_blocks() { 2 } else { 1 };
    let count = writer.dice.roll(8);
    let arguments = match takes {
        Takes::Pointers => format!("{first}, {second}, {count}"),
        Takes::Object => format!("Args{{{first}, {second}, {count}}}"),
        Takes::Functor => format!("Run{{{first}, {second}, {count}}}"),
    };
    let launch = format!("  k<<<{grid}, {BLOCK}>>>({arguments});\n");
    let launch = if writer.dice.chance(20) {
        format!("  auto go = [&] {{\n  {launch}  }};\n  go();\n")
    } else {
        launch
    };
    let text = format!(
        "{}{kernel}{before}int main() {{\n{setup}{launch}  cudaDeviceSynchronize();\n  return 0;\n}}\n",
        writer.before
    );
    (text, lie)
}

/// Declarations, statements of `main`, and the expressions of the two pointers.
#[expect(clippy::too_many_lines, reason = "a table of shapes, one arm each")]
fn pointers(writer: &mut Writer, lie: Lie) -> (String, String, String, String) {
    let mut setup = String::from("  int *d;\n  cudaMalloc(&d, 65536);\n");
    let other = match lie {
        Lie::Apart => {
            setup += "  int *e;\n  cudaMalloc(&e, 65536);\n";
            "e"
        }
        Lie::Same => "d",
        Lie::Overlap => "d + 32",
        Lie::Carved => "d + 8192",
    };
    if writer.dice.chance(60) {
        let way = WAYS[writer.dice.roll(WAYS.len())];
        let [before, more, first, second] = way.of(other);
        return (before, setup + &more, first, second);
    }
    let mut before = String::new();
    let (first, second) = match writer.dice.roll(24) {
        0 => {
            before += "struct Fields { int *in, *out; };\n";
            setup += &format!("  Fields f;\n  f.in = {other};\n  f.out = d;\n");
            ("f.out", "f.in")
        }
        1 => {
            before += "struct Lower { int *in; };\nstruct Upper : Lower { int *out; };\n";
            setup += &format!("  Upper u;\n  u.in = {other};\n  u.out = d;\n");
            ("u.out", "u.in")
        }
        2 => {
            setup += &format!("  std::pair<int *, int *> p(d, {other});\n");
            ("p.first", "p.second")
        }
        3 => {
            setup += &format!("  std::array<int *, 2> p = {{d, {other}}};\n");
            ("p[0]", "p[1]")
        }
        4 => {
            setup +=
                &format!("  std::vector<int *> p;\n  p.push_back(d);\n  p.push_back({other});\n");
            ("p[0]", "p[1]")
        }
        5 => {
            setup +=
                &format!("  int *in = nullptr;\n  auto set = [&] {{ in = {other}; }};\n  set();\n");
            ("d", "in")
        }
        6 => {
            before += "int *chosen(int *p) { return p; }\n";
            setup += &format!("  int *in = chosen({other});\n");
            ("d", "in")
        }
        7 => {
            before += "void give(int *&to, int *from) { to = from; }\n";
            setup += &format!("  int *in;\n  give(in, {other});\n");
            ("d", "in")
        }
        8 => {
            before += "class Box {\n  int *p;\n public:\n  void set(int *q) { p = q; }\n  int *get() const { return p; }\n};\n";
            setup += &format!("  Box in;\n  in.set({other});\n");
            ("d", "in.get()")
        }
        9 => {
            before += "namespace state { int *in, *out; }\n";
            setup += &format!("  state::in = {other};\n  state::out = d;\n");
            ("state::out", "state::in")
        }
        10 => {
            before += "struct State { int *in, *out; } state;\nState *now = &state;\n";
            setup += &format!("  state.in = {other};\n  state.out = d;\n");
            ("now->out", "now->in")
        }
        11 => {
            setup += &format!("  struct Local {{ int *in, *out; }};\n  Local f{{{other}, d}};\n");
            ("f.out", "f.in")
        }
        12 => {
            setup += &format!(
                "  int *in = nullptr;\n  int round = 0;\nagain:\n  in = {other};\n  if (++round < 2) goto again;\n"
            );
            ("d", "in")
        }
        13 => {
            setup += &format!(
                "  int *in = nullptr;\n  std::function<void()> set = [&] {{ in = {other}; }};\n  set();\n"
            );
            ("d", "in")
        }
        14 => {
            setup += &format!("  int *in = d, *out = {other};\n  std::swap(in, out);\n");
            ("out", "in")
        }
        15 => {
            setup += &format!("  void *raw = {other};\n");
            ("d", "(int *)raw")
        }
        16 => {
            before += "struct Fields { int *in, *out; };\n";
            setup += &format!("  Fields *f = new Fields{{{other}, d}};\n");
            ("f->out", "f->in")
        }
        17 => {
            before += "template <class T> struct Buffer {\n  T *p;\n  explicit Buffer(T *q) : p(q) {}\n  T *data() { return p; }\n};\n";
            setup += &format!("  Buffer<int> in({other}), out(d);\n");
            ("out.data()", "in.data()")
        }
        18 => {
            setup += &format!("  int *in = {other};\n  int *&name = in;\n");
            ("d", "name")
        }
        19 => {
            setup += &format!(
                "  int *table[2][2] = {{{{d, d}}, {{{other}, {other}}}}};\n  int row = 1;\n"
            );
            ("table[0][1]", "table[row][0]")
        }
        20 => {
            before += "struct Fields { int *in, *out; };\nFields make(int *in, int *out) { Fields f = {in, out}; return f; }\n";
            setup += &format!("  auto f = make({other}, d);\n");
            ("f.out", "f.in")
        }
        _ => ("d", other),
    };
    (before, setup, first.to_owned(), second.to_owned())
}
