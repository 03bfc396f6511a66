//! Ways in which host code brings two pointers to a launch, as texts: `@` stands for where the second one leads, `d` for the first.
//!
//! The ways that need more than a text are in `host.rs`.

/// Declarations, statements of `main`, and the expressions of the two pointers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub before: &'static str,
    pub setup: &'static str,
    pub first: &'static str,
    pub second: &'static str,
}

const fn way(
    before: &'static str,
    setup: &'static str,
    first: &'static str,
    second: &'static str,
) -> Way {
    Way {
        before,
        setup,
        first,
        second,
    }
}

impl Way {
    /// The way for a second pointer of this text.
    pub(super) fn of(self, other: &str) -> [String; 4] {
        [self.before, self.setup, self.first, self.second].map(|text| text.replace('@', other))
    }
}

pub(super) const WAYS: &[Way] = &[
    // Closures.
    way(
        "",
        "  int *in = nullptr;\n  auto set = [&](int *p) { in = p; };\n  set(@);\n",
        "d",
        "in",
    ),
    way(
        "",
        "  auto pick = [&](bool first) { return first ? d : @; };\n",
        "pick(true)",
        "pick(false)",
    ),
    way(
        "struct Two { int *to, *from; };\n",
        "  auto make = [&] { return Two{d, @}; };\n  auto two = make();\n",
        "two.to",
        "two.from",
    ),
    way(
        "template <class G> void run_it(G &&go) { go(); }\n",
        "  int *in = nullptr;\n  run_it([&] { in = @; });\n",
        "d",
        "in",
    ),
    way(
        "",
        "  int *in = nullptr;\n  std::function<void(int *)> set = [&](int *p) { in = p; };\n  set(@);\n",
        "d",
        "in",
    ),
    way(
        "struct Job { std::function<int *()> give; };\n",
        "  Job job;\n  job.give = [=] { return @; };\n",
        "d",
        "job.give()",
    ),
    way(
        "",
        "  int *in = d;\n  auto late = [&in] { return in; };\n  in = @;\n",
        "d",
        "late()",
    ),
    way(
        "",
        "  int *in = @;\n  auto early = [in] { return in; };\n  in = nullptr;\n",
        "d",
        "early()",
    ),
    // Pairs, tuples, arrays, containers.
    way(
        "",
        "  auto [to, from] = std::make_pair(d, @);\n",
        "to",
        "from",
    ),
    way(
        "",
        "  auto p = std::make_pair(d, @);\n",
        "std::get<0>(p)",
        "std::get<1>(p)",
    ),
    way(
        "std::pair<int *, int *> two(int *to, int *from) { return {to, from}; }\n",
        "  auto p = two(d, @);\n",
        "p.first",
        "p.second",
    ),
    way(
        "",
        "  auto [count, to, from] = std::make_tuple(64, d, @);\n",
        "to",
        "from",
    ),
    way(
        "",
        "  int *to, *from;\n  std::tie(to, from) = std::make_tuple(d, @);\n",
        "to",
        "from",
    ),
    way(
        "",
        "  std::array<int *, 2> p{{d, @}};\n",
        "p.front()",
        "p.back()",
    ),
    way(
        "",
        "  std::array<int *, 2> p;\n  p.fill(d);\n  p[1] = @;\n",
        "p[0]",
        "p[1]",
    ),
    way(
        "",
        "  int *p[2] = {d, @};\n  auto [to, from] = p;\n",
        "to",
        "from",
    ),
    way("", "  std::vector<int *> p{d, @};\n", "p[0]", "p[1]"),
    way(
        "",
        "  std::vector<int *> p(2);\n  p[0] = d;\n  p[1] = @;\n",
        "p.front()",
        "p.back()",
    ),
    way(
        "struct Two { int *to, *from; };\n",
        "  std::vector<Two> all;\n  all.push_back({d, @});\n",
        "all[0].to",
        "all[0].from",
    ),
    way(
        "",
        "  std::vector<int *> p{d, @};\n  auto it = p.begin();\n  int *to = *it++;\n",
        "to",
        "*it",
    ),
    way(
        "",
        "  std::map<std::string, int *> p;\n  p[\"to\"] = d;\n  p[\"from\"] = @;\n",
        "p[\"to\"]",
        "p[\"from\"]",
    ),
    way(
        "",
        "  int *in = nullptr;\n  for (int *p : {d, @}) in = p;\n",
        "d",
        "in",
    ),
    way(
        "",
        "  int *in = nullptr;\n  std::vector<int *> all{@};\n  std::for_each(all.begin(), all.end(), [&](int *p) { in = p; });\n",
        "d",
        "in",
    ),
    way("", "  std::optional<int *> in = @;\n", "d", "*in"),
    way(
        "",
        "  int *in = @;\n  int *old = std::exchange(in, nullptr);\n",
        "d",
        "old",
    ),
    way(
        "struct Two { int *to, *from; };\n",
        "  auto two = std::make_unique<Two>();\n  two->to = d;\n  two->from = @;\n",
        "two->to",
        "two->from",
    ),
    // Classes.
    way(
        "struct Device {\n  int *p;\n  operator int *() const { return p; }\n};\n",
        "  Device in{@};\n",
        "d",
        "in",
    ),
    way(
        "struct Low {\n  int *p = nullptr;\n  virtual int *get() { return p; }\n};\nstruct High : Low {\n  int *q = nullptr;\n  int *get() override { return q; }\n};\n",
        "  High high;\n  high.q = @;\n  high.p = d;\n  Low &low = high;\n",
        "low.p",
        "low.get()",
    ),
    way(
        "template <class D> struct Low { int *get() { return static_cast<D *>(this)->p; } };\nstruct High : Low<High> { int *p; };\n",
        "  High high;\n  high.p = @;\n",
        "d",
        "high.get()",
    ),
    way(
        "struct Late {\n  int **to;\n  int *value;\n  ~Late() { *to = value; }\n};\n",
        "  int *in = nullptr;\n  {\n    Late late{&in, @};\n  }\n",
        "d",
        "in",
    ),
    way(
        "struct Name {\n  int *p = nullptr;\n  Name &operator=(int *q) { p = q; return *this; }\n};\n",
        "  Name name;\n  name = @;\n",
        "d",
        "name.p",
    ),
    way(
        "struct Table {\n  int *p[2];\n  int *&operator[](int i) { return p[i]; }\n};\n",
        "  Table table;\n  table[0] = d;\n  table[1] = @;\n",
        "table[0]",
        "table[1]",
    ),
    way(
        "struct Name {\n  int *&p;\n  void set(int *q) { p = q; }\n};\n",
        "  int *in = nullptr;\n  Name name{in};\n  name.set(@);\n",
        "d",
        "in",
    ),
    way(
        "struct Kept { static int *p; };\nint *Kept::p = nullptr;\n",
        "  Kept::p = @;\n",
        "d",
        "Kept::p",
    ),
    way(
        "struct Low { int *p; Low(int *q) : p(q) {} };\nstruct High : Low { int *q; High(int *x, int *y) : Low(x), q(y) {} };\n",
        "  High high(@, d);\n  Low low = high;\n",
        "high.q",
        "low.p",
    ),
    way(
        "struct Owner {\n  int *p;\n  Owner(int *q) : p(q) {}\n  Owner(const Owner &from) : p(from.p) {}\n  Owner &operator=(const Owner &from) { p = from.p; return *this; }\n};\n",
        "  Owner x(d), y(x);\n  y = Owner(@);\n",
        "x.p",
        "y.p",
    ),
    // Pointers to members and functions.
    way(
        "struct Two { int *to, *from; };\n",
        "  Two two{d, nullptr};\n  int *Two::*which = &Two::from;\n  two.*which = @;\n",
        "two.to",
        "two.from",
    ),
    way(
        "struct One {\n  int *p;\n  void set(int *q) { p = q; }\n};\n",
        "  One one{nullptr};\n  void (One::*set)(int *) = &One::set;\n  (one.*set)(@);\n",
        "d",
        "one.p",
    ),
    way(
        "int *same(int *p) { return p; }\n",
        "  int *(*pick)(int *) = same;\n",
        "d",
        "pick(@)",
    ),
    way(
        "int *walk(int *p, int n) { return n == 0 ? p : walk(p, n - 1); }\n",
        "",
        "d",
        "walk(@, 3)",
    ),
    // Places.
    way(
        "int *&place() {\n  static int *kept = nullptr;\n  return kept;\n}\n",
        "  place() = @;\n",
        "d",
        "place()",
    ),
    way(
        "namespace {\nint *kept = nullptr;\nvoid keep(int *p) { kept = p; }\n}\n",
        "  keep(@);\n",
        "d",
        "kept",
    ),
    way(
        "",
        "  unsigned long number = reinterpret_cast<unsigned long>(@);\n",
        "d",
        "reinterpret_cast<int *>(number)",
    ),
    way(
        "",
        "  int *p[3] = {nullptr, d, @};\n  memmove(p, p + 1, 2 * sizeof(int *));\n",
        "p[0]",
        "p[1]",
    ),
    way(
        "",
        "  int **p = new int *[2];\n  p[0] = d;\n  p[1] = @;\n",
        "p[0]",
        "p[1]",
    ),
    way(
        "struct Node { int *p; Node *next; };\n",
        "  Node last{@, nullptr}, first{d, &last};\n",
        "first.p",
        "first.next->p",
    ),
    way(
        "union Either { int *p; unsigned long bits; };\n",
        "  Either x, y;\n  x.p = @;\n  y.bits = x.bits;\n",
        "d",
        "y.p",
    ),
    // Control.
    way(
        "",
        "  int *in = d;\n  int round = 0;\n  if (round == 0) goto set;\n  in = nullptr;\nset:\n  in = @;\n",
        "d",
        "in",
    ),
    way(
        "",
        "  int *all[3] = {nullptr, nullptr, @};\n  int *in = nullptr;\n  for (int i = 0; i < 3; i++) in = all[i];\n",
        "d",
        "in",
    ),
    way(
        "",
        "  int *in = nullptr;\n  try {\n    throw 1;\n  } catch (int) {\n    in = @;\n  }\n",
        "d",
        "in",
    ),
    way(
        "",
        "  int *in = nullptr;\n  switch (2) {\n  case 2:\n    in = @;\n  case 1:\n    break;\n  default:\n    in = nullptr;\n  }\n",
        "d",
        "in",
    ),
    way(
        "",
        "  int *in = @;\n  int *x = d;\n  for (int i = 0; i < 2; i++) std::swap(x, in);\n",
        "x",
        "in",
    ),
];
