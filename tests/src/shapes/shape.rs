//! Shapes of C++ as texts with holes: how one store, read, wait or condition is written.
//!
//! A hole is a dollar sign and a letter: `$n` is a number that no other name has, `$a` the array, `$o` the other array,
//! `$i` the index, `$v` the value. What a shape declares stands before the kernel.

/// A way to write something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Declarations before the kernel.
    pub before: &'static str,
    /// Statements, or an expression.
    pub text: &'static str,
}

const fn shape(before: &'static str, text: &'static str) -> Shape {
    Shape { before, text }
}

/// What stands in the holes of a shape.
pub(super) struct Holes<'t> {
    pub number: usize,
    pub array: &'t str,
    pub other: &'t str,
    pub index: &'t str,
    pub value: &'t str,
}

impl Holes<'_> {
    pub(super) fn fill(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text.chars();
        while let Some(letter) = rest.next() {
            if letter != '$' {
                out.push(letter);
                continue;
            }
            match rest.next() {
                Some('n') => out += &self.number.to_string(),
                Some('a') => out += self.array,
                Some('o') => out += self.other,
                Some('i') => out += self.index,
                Some('v') => out += self.value,
                letter => out.extend(letter),
            }
        }
        out
    }
}

/// Statements that store a value at an index of an array.
pub(super) const WRITES: &[Shape] = &[
    // Jumps.
    shape(
        "",
        "  for (int x$n = 0; x$n < 2; x$n++)\n    for (int y$n = 0; y$n < 2; y$n++) {\n      if (x$n + y$n == 1) goto out$n;\n      $a[$i] = $v;\n    }\nout$n:;\n",
    ),
    shape(
        "",
        "  switch (n >> 3) {\n  case 1: $a[0] = 5; break;\n  case 0:\n  case 2: $a[$i] = $v;\n  }\n",
    ),
    // Destructors.
    shape(
        "struct Late$n { int *p; int j, w; __device__ ~Late$n() { p[j] = w; } };\n",
        "  for (int k$n = 0; k$n < 2; k$n++) {\n    Late$n late{$a, (int)($i), $v};\n    if (k$n == 0) continue;\n    break;\n  }\n",
    ),
    shape(
        "struct Late$n { int *p; int j, w; __device__ ~Late$n() { p[j] = w; } };\n",
        "  { const Late$n &late = Late$n{$a, (int)($i), $v}; }\n",
    ),
    shape(
        "struct Late$n { int *p; int j, *w; __device__ ~Late$n() { p[j] = *w; } };\n",
        "  {\n    int w$n = 0;\n    Late$n late{$a, (int)($i), &w$n};\n    w$n = $v;\n  }\n",
    ),
    shape(
        "struct Once$n {\n  int *p;\n  __device__ Once$n(int *q) : p(q) {}\n  __device__ Once$n(Once$n &&from) : p(from.p) { from.p = nullptr; }\n  __device__ ~Once$n() { if (p) *p = 9; }\n};\n",
        "  {\n    Once$n x($a + ($i));\n    Once$n y(std::move(x));\n  }\n",
    ),
    // Closures.
    shape(
        "struct Kept$n { int *p; int w; };\n",
        "  Kept$n c$n{$a, $v};\n  auto f$n = [c$n](int j) { c$n.p[j] = c$n.w; };\n  f$n($i);\n",
    ),
    shape(
        "",
        "  int *p$n = $o;\n  auto f$n = [&](int *q) { p$n = q; };\n  f$n($a);\n  p$n[$i] = $v;\n",
    ),
    shape(
        "",
        "  auto make$n = [&](int *p) { return [p](int j, int w) { p[j] = w; }; };\n  make$n($a)($i, $v);\n",
    ),
    shape(
        "",
        "  int j$n = $i;\n  auto f$n = [j$n, &w = $a](int x) { w[j$n] = x; };\n  j$n = 0;\n  f$n($v);\n",
    ),
    // Arrays and pairs of the library.
    shape(
        "",
        "  std::pair<int *, int *> q$n($o, $a);\n  std::get<1>(q$n)[$i] = $v;\n",
    ),
    shape(
        "",
        "  std::pair<int *, int *> q$n($o, $a);\n  std::swap(q$n.first, q$n.second);\n  q$n.first[$i] = $v;\n",
    ),
    shape(
        "",
        "  int *p$n = $a;\n  int *q$n = std::exchange(p$n, (int *)$o);\n  q$n[$i] = $v;\n",
    ),
    // Bases.
    shape(
        "struct Low$n { int *p; };\nstruct Mid$n { int w; };\nstruct Top$n : Low$n, Mid$n { __device__ void put(int j) { p[j] = w; } };\n",
        "  Top$n o$n;\n  o$n.p = $a;\n  o$n.w = $v;\n  o$n.put($i);\n",
    ),
    shape(
        "struct Low$n { int *p; };\nstruct Top$n : Low$n { int w; };\n",
        "  Top$n o$n;\n  Low$n &l$n = o$n;\n  l$n.p = $a;\n  static_cast<Top$n &>(l$n).p[$i] = $v;\n",
    ),
    shape(
        "template <class D> struct Base$n { __device__ void put(int j, int w) { static_cast<D *>(this)->p[j] = w; } };\nstruct Top$n : Base$n<Top$n> { int *p; };\n",
        "  Top$n o$n;\n  o$n.p = $a;\n  o$n.put($i, $v);\n",
    ),
    // Pointers to members and functions.
    shape(
        "struct Two$n { int *x, *y; };\n",
        "  Two$n o$n{$a, $o};\n  int *Two$n::*m$n = &Two$n::x;\n  (o$n.*m$n)[$i] = $v;\n",
    ),
    shape(
        "struct Puts$n { int *p; __device__ void put(int j, int w) { p[j] = w; } };\n",
        "  Puts$n o$n{$a};\n  void (Puts$n::*m$n)(int, int) = &Puts$n::put;\n  (o$n.*m$n)($i, $v);\n",
    ),
    shape(
        "__device__ void put$n(int *p, int j, int w) { p[j] = w; }\n",
        "  void (*f$n)(int *, int, int) = put$n;\n  f$n($a, $i, $v);\n",
    ),
    shape(
        "template <void (*F)(int *, int)> __device__ void call$n(int *p, int w) { F(p, w); }\n__device__ void put$n(int *p, int w) { *p = w; }\n",
        "  call$n<put$n>($a + ($i), $v);\n",
    ),
    // Loops over what holds several.
    shape(
        "",
        "  int *all$n[] = {$a, $a};\n  for (int *p : all$n) p[$i] = $v;\n",
    ),
    shape(
        "struct Row$n {\n  int *p;\n  __device__ int *begin() const { return p; }\n  __device__ int *end() const { return p + 1; }\n};\n",
        "  for (int &r : Row$n{$a + ($i)}) r = $v;\n",
    ),
    shape("", "  for (int *p : {(int *)$a}) p[$i] = $v;\n"),
    // Operators and conversions.
    shape(
        "struct Out$n { int *p; __device__ Out$n &operator<<(int w) { *p = w; return *this; } };\n",
        "  Out$n o$n{$a + ($i)};\n  o$n << $v;\n",
    ),
    shape(
        "struct Ptr$n { int *p; __device__ operator int *() const { return p; } };\n",
        "  Ptr$n o$n{$a};\n  int *p$n = o$n;\n  p$n[$i] = $v;\n",
    ),
    shape(
        "struct Cell$n { int *p; __device__ Cell$n &operator+=(int w) { *p += w; return *this; } };\n",
        "  Cell$n o$n{$a + ($i)};\n  o$n += $v;\n",
    ),
    shape(
        "struct It$n {\n  int *p;\n  __device__ It$n &operator++() { p++; return *this; }\n  __device__ int &operator*() const { return *p; }\n};\n",
        "  It$n o$n{$a + ($i) - 1};\n  *++o$n = $v;\n",
    ),
    // Templates.
    shape(
        "template <class... T> __device__ void put$n(int *p, T... w) { ((*p = w), ...); }\n",
        "  put$n($a + ($i), 0, $v);\n",
    ),
    shape(
        "template <int K> struct Step$n { __device__ static void go(int *p, int w) { Step$n<K - 1>::go(p, w + K); } };\ntemplate <> struct Step$n<0> { __device__ static void go(int *p, int w) { *p = w; } };\n",
        "  Step$n<3>::go($a + ($i), $v);\n",
    ),
    shape(
        "template <class T, class = void> struct Puts$n { __device__ static void go(int *p, int w) { p[0] = w; } };\ntemplate <class T> struct Puts$n<T, std::void_t<typename T::index>> { __device__ static void go(int *p, int w) { p[T::at()] = w; } };\nstruct Place$n { typedef int index; __device__ static int at() { return 0; } };\n",
        "  Puts$n<Place$n>::go($a + ($i), $v);\n",
    ),
    shape(
        "template <class T> __device__ std::enable_if_t<std::is_pointer<T>::value> put$n(T p, int w) { *p = w; }\ntemplate <class T> __device__ std::enable_if_t<!std::is_pointer<T>::value> put$n(T &r, int w) { r = w; }\n",
        "  put$n($a + ($i), $v);\n  put$n($a[$i], $v);\n",
    ),
    // Objects.
    shape(
        "struct Made$n {\n  __device__ Made$n(int *p, int w) { *p = w; }\n  __device__ Made$n(int *p) : Made$n(p, 3) {}\n};\n",
        "  Made$n o$n($a + ($i));\n",
    ),
    shape(
        "struct Copied$n {\n  int *p;\n  __device__ explicit Copied$n(int *q) : p(q) {}\n  __device__ Copied$n(const Copied$n &from) : p(from.p) { *p = 4; }\n};\n",
        "  Copied$n x$n($a + ($i));\n  Copied$n y$n = x$n;\n",
    ),
    shape(
        "struct Two$n { int *p; int w; };\n",
        "  Two$n o$n{$a, $v};\n  auto &[p$n, w$n] = o$n;\n  p$n[$i] = w$n;\n",
    ),
    shape(
        "struct Two$n { int *p[2]; int w = 0; };\n__device__ Two$n make$n(int *x, int *y, int w) { Two$n two; two.p[0] = x; two.p[1] = y; two.w = w; return two; }\n",
        "  Two$n o$n = make$n($o, $a, $v);\n  o$n.p[1][$i] = o$n.w;\n",
    ),
    shape(
        "",
        "  struct Local$n {\n    int *p;\n    __device__ void put(int j, int w) { p[j] = w; }\n  };\n  Local$n o$n{$a};\n  o$n.put($i, $v);\n",
    ),
    shape(
        "union Word$n { int *p; unsigned long long bits; };\n",
        "  Word$n u$n;\n  u$n.p = $a;\n  u$n.p[$i] = $v;\n",
    ),
    shape(
        "struct Early$n {\n  int *p;\n  __device__ void put(int j, int w, int n) {\n    if (n < 0) return;\n    if (n > 100) { p[0] = w; return; }\n    p[j] = w;\n  }\n};\n",
        "  Early$n{$a}.put($i, $v, n);\n",
    ),
    // Values and places.
    shape("", "  (n > 100 ? $o : $a)[$i] = $v;\n"),
    shape(
        "__device__ int &at$n(int *p, int j) { return p[j]; }\n",
        "  at$n($a, $i) = $v;\n",
    ),
    shape("", "  *(int *)((char *)$a + 4 * ($i)) = $v;\n"),
    shape("", "  int w$n;\n  $a[$i] = w$n = $v;\n"),
    shape("", "  $a[$i] += $v;\n"),
    shape("", "  ($i)[$a] = $v;\n"),
    shape(
        "",
        "  int *p$n = $a;\n  for (int k$n = 0; k$n < 3; k$n++) p$n++;\n  p$n[($i) - 3] = $v;\n",
    ),
    shape(
        "",
        "  int **q$n;\n  int *p$n = $o;\n  q$n = &p$n;\n  *q$n = $a;\n  p$n[$i] = $v;\n",
    ),
    shape(
        "",
        "  int x$n = $i, y$n = 1 << 20;\n  $a[std::min(x$n, y$n)] = $v;\n",
    ),
    shape(
        "",
        "  int x$n = 0, y$n = 0;\n  std::max(x$n, y$n);\n  int &r$n = n < 100 ? x$n : y$n;\n  r$n = $i;\n  $a[x$n] = $v;\n",
    ),
    shape(
        "enum class Way$n : char { None, All };\n",
        "  Way$n way$n = n < 100 ? Way$n::All : Way$n::None;\n  if (way$n == Way$n::All) $a[$i] = $v;\n",
    ),
];

/// The same, in ways that leave most kernels undecided: they are chosen less often.
pub(super) const RARE_WRITES: &[Shape] = &[
    shape(
        "",
        "  goto over$n;\nback$n:\n  $a[$i] = $v;\n  goto done$n;\nover$n:\n  goto back$n;\ndone$n:;\n",
    ),
    shape(
        "template <class F> struct End$n { F f; __device__ ~End$n() { f(); } };\ntemplate <class F> __device__ End$n<F> end$n(F f) { return {f}; }\n",
        "  { auto e$n = end$n([&] { $a[$i] = $v; }); }\n",
    ),
    shape(
        "",
        "  auto f$n = [p = (int *)$a, c = 0](int j, int w) mutable { if (c++ == 0) p[j] = w; };\n  f$n($i, $v);\n  f$n(0, 1);\n",
    ),
    shape(
        "",
        "  auto f$n = [&](auto &&self, int c) -> void {\n    if (c > 0) { self(self, c - 1); return; }\n    $a[$i] = $v;\n  };\n  f$n(f$n, 2);\n",
    ),
    shape(
        "template <class F> struct Holder$n {\n  F f;\n  __device__ void run(int j) { f(j); }\n};\n",
        "  auto g$n = [&](int j) { $a[j] = $v; };\n  Holder$n<decltype(g$n)> h$n{g$n};\n  h$n.run($i);\n",
    ),
    shape(
        "",
        "  std::array<int *, 2> q$n = {$a, $o};\n  q$n[0][$i] = $v;\n",
    ),
    shape(
        "",
        "  std::array<int, 2> q$n = {0, (int)($i)};\n  $a[q$n[1]] = $v;\n",
    ),
    shape(
        "",
        "  std::array<int *, 2> q$n = {$o, $a};\n  for (int *p : q$n) if (p == $a) p[$i] = $v;\n",
    ),
    shape(
        "",
        "  auto [p$n, w$n] = std::make_pair((int *)$a, (int)($v));\n  p$n[$i] = w$n;\n",
    ),
    shape(
        "struct Low$n { int *p; __device__ Low$n(int *q) : p(q) {} };\nstruct Top$n : Low$n { using Low$n::Low$n; __device__ int &at(int j) { return p[j]; } };\n",
        "  Top$n o$n($a);\n  o$n.at($i) = $v;\n",
    ),
    shape(
        "struct Does$n { int *p; __device__ virtual int *at(int j) { return p; } };\nstruct Puts$n : Does$n { __device__ int *at(int j) override { return p + j; } };\n",
        "  Puts$n o$n;\n  o$n.p = $a;\n  Does$n *d$n = &o$n;\n  *d$n->at($i) = $v;\n",
    ),
];

/// Expressions that read at an index of an array.
pub(super) const READS: &[Shape] = &[
    shape("", "std::array<const int *, 2>{$a, $a}[1][$i]"),
    shape("", "std::make_pair((const int *)$a, 3).first[$i]"),
    shape(
        "struct Low$n { const int *p; };\nstruct Top$n : Low$n { __device__ int at(int j) const { return p[j]; } };\n__device__ Top$n top$n(const int *p) { Top$n top; top.p = p; return top; }\n",
        "top$n($a).at($i)",
    ),
    shape(
        "struct See$n { const int *p; };\n__device__ int see$n(const int *q, int j) { See$n see{q}; const int *See$n::*m = &See$n::p; return (see.*m)[j]; }\n",
        "see$n($a, $i)",
    ),
    shape(
        "__device__ int see$n(const int *q, int j) { for (const int *p : {q}) return p[j]; return 0; }\n",
        "see$n($a, $i)",
    ),
    shape(
        "__device__ int see$n(const int *q, int j) {\n  int c = 0, sum = 0;\nagain:\n  sum += q[j];\n  if (++c < 2) goto again;\n  return sum;\n}\n",
        "see$n($a, $i)",
    ),
    shape(
        "struct See$n { const int *p; int *to; int j; __device__ ~See$n() { *to = p[j]; } };\n__device__ int see$n(const int *q, int j) { int x = 0; { See$n see{q, &x, j}; } return x; }\n",
        "see$n($a, $i)",
    ),
    shape(
        "template <class F> __device__ int see$n(F f, int j) { return f(j); }\n",
        "see$n([p = (const int *)$a](int j) { return p[j]; }, $i)",
    ),
    shape(
        "struct See$n { const int *p; __device__ operator int() const { return *p; } };\n",
        "(int)See$n{$a + ($i)}",
    ),
    shape(
        "template <class... T> __device__ int see$n(const int *p, T... j) { return (p[j] + ...); }\n",
        "see$n($a, $i, $i)",
    ),
    shape("", "(n < 100 ? $a[$i] : 0)"),
    shape("", "(n > 100 || $a[$i] > 3 ? 1 : 2)"),
];

/// Statements with a barrier for all; of each the twin without one.
pub(super) const WAITS: &[(Shape, Shape)] = &[
    (
        shape("", "  for (int k$n = 0; k$n < 1; k$n++) __syncthreads();\n"),
        shape("", "  for (int k$n = 0; k$n < 0; k$n++) __syncthreads();\n"),
    ),
    (
        shape("", "  if (n < 100) __syncthreads();\n"),
        shape("", "  if (n > 100) __syncthreads();\n"),
    ),
    (
        shape(
            "template <class F> struct End$n { F f; __device__ ~End$n() { f(); } };\ntemplate <class F> __device__ End$n<F> end$n(F f) { return {f}; }\n",
            "  { auto e$n = end$n([] { __syncthreads(); }); }\n",
        ),
        shape(
            "template <class F> struct End$n { F f; __device__ ~End$n() {} };\ntemplate <class F> __device__ End$n<F> end$n(F f) { return {f}; }\n",
            "  { auto e$n = end$n([] { __syncthreads(); }); }\n",
        ),
    ),
    (
        shape(
            "struct Wait$n { __device__ Wait$n() { __syncthreads(); } };\n",
            "  Wait$n wait$n;\n",
        ),
        shape(
            "struct Wait$n { __device__ Wait$n() = default; __device__ Wait$n(int) { __syncthreads(); } };\n",
            "  Wait$n wait$n;\n",
        ),
    ),
    (
        shape(
            "struct Waits$n { __device__ void wait() { __syncthreads(); } __device__ void none() {} };\n",
            "  void (Waits$n::*m$n)() = &Waits$n::wait;\n  (Waits$n().*m$n)();\n",
        ),
        shape(
            "struct Waits$n { __device__ void wait() { __syncthreads(); } __device__ void none() {} };\n",
            "  void (Waits$n::*m$n)() = &Waits$n::none;\n  (Waits$n().*m$n)();\n",
        ),
    ),
    (
        shape(
            "",
            "  if (n > 100) goto past$n;\n  __syncthreads();\npast$n:;\n",
        ),
        shape(
            "",
            "  if (n < 100) goto past$n;\n  __syncthreads();\npast$n:;\n",
        ),
    ),
    (
        shape(
            "",
            "  int two$n[] = {1};\n  for (int x : two$n) if (x == 1) __syncthreads();\n",
        ),
        shape(
            "",
            "  int two$n[] = {2};\n  for (int x : two$n) if (x == 1) __syncthreads();\n",
        ),
    ),
    (
        shape(
            "template <class F> __device__ void all$n(F f) { f(); }\n",
            "  all$n([] { __syncthreads(); });\n",
        ),
        shape(
            "template <class F> __device__ void all$n(F f) { if (false) f(); }\n",
            "  all$n([] { __syncthreads(); });\n",
        ),
    ),
    (
        shape(
            "__device__ bool wait$n() { __syncthreads(); return true; }\n",
            "  bool b$n = n < 100 && wait$n();\n",
        ),
        shape(
            "__device__ bool wait$n() { __syncthreads(); return true; }\n",
            "  bool b$n = n < 100 || wait$n();\n",
        ),
    ),
    (
        shape(
            "template <class T, class = void> struct Wait$n { __device__ static void go() {} };\ntemplate <class T> struct Wait$n<T, std::void_t<decltype(std::declval<T>().sync())>> { __device__ static void go() { __syncthreads(); } };\nstruct With$n { void sync(); };\n",
            "  Wait$n<With$n>::go();\n",
        ),
        shape(
            "template <class T, class = void> struct Wait$n { __device__ static void go() {} };\ntemplate <class T> struct Wait$n<T, std::void_t<decltype(std::declval<T>().sync())>> { __device__ static void go() { __syncthreads(); } };\nstruct With$n { void wait(); };\n",
            "  Wait$n<With$n>::go();\n",
        ),
    ),
    (
        shape(
            "__device__ void wait$n(long) {}\n__device__ void wait$n(int) { __syncthreads(); }\n",
            "  wait$n('a');\n",
        ),
        shape(
            "__device__ void wait$n(long) {}\n__device__ void wait$n(int) { __syncthreads(); }\n",
            "  wait$n(1L);\n",
        ),
    ),
    (
        shape(
            "struct Low$n { __device__ virtual void wait() { __syncthreads(); } };\nstruct Top$n : Low$n { __device__ void wait() override {} };\n",
            "  Top$n o$n;\n  o$n.Low$n::wait();\n",
        ),
        shape(
            "struct Low$n { __device__ virtual void wait() { __syncthreads(); } };\nstruct Top$n : Low$n { __device__ void wait() override {} };\n",
            "  Top$n o$n;\n  Low$n *l$n = &o$n;\n  l$n->wait();\n",
        ),
    ),
    (
        shape(
            "__device__ void wait$n(int c) { if (c == 0) { __syncthreads(); return; } wait$n(c - 1); }\n",
            "  wait$n(2);\n",
        ),
        shape(
            "__device__ void wait$n(int c) { if (c < 0) { __syncthreads(); return; } if (c > 0) wait$n(c - 1); }\n",
            "  wait$n(2);\n",
        ),
    ),
];

/// A statement under a condition on the thread; `$v` is the statement, `$i` the bound.
pub(super) const GUARDS: &[&str] = &[
    "  [&] {\n    if (t >= $i) return;\n$v  }();\n",
    "  for (int g$n = t; g$n < $i; g$n += 64) {\n$v  }\n",
    "  switch (t >> 5) {\n  case 0: {\n$v    break;\n  }\n  case 1:\n    break;\n  }\n",
    "  for (;;) {\n    if (t < $i) break;\n$v    break;\n  }\n",
    "  if (bool odd$n = t & 1; !odd$n) {\n$v  }\n",
    "  if (!(t >= $i && n < 100)) {\n$v  } else if (t == $i) {\n    (void)t;\n  }\n",
    "  int k$n = 0;\nagain$n:\n  if (k$n < 2 && t < $i) {\n    {\n$v    }\n    k$n++;\n    goto again$n;\n  }\n",
];
