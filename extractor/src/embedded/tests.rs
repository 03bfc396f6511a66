use super::{Host, Part, parts};

fn python(text: &str) -> Vec<Part> {
    parts(Host::Python, text.as_bytes())
}

fn texts(text: &str) -> Vec<String> {
    python(text).iter().map(Part::text).collect()
}

fn holes(part: &Part) -> Vec<&str> {
    part.holes.iter().map(|hole| hole.name.as_str()).collect()
}

const KERNEL: &str = "__global__ void k(int *p) { p[threadIdx.x] = N; }";

#[test]
fn texts_of_one_call_are_one_unit() {
    let file = format!(
        "a = 'int host();'\nm = load_inline(name='m', cpp_sources=a, cuda_sources=['''{KERNEL}''', \"// more\"], functions=['f'])\n"
    );
    let all = python(&file);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].text(), format!("{KERNEL}\n// more\nint host();\n"));
    assert!(!all[0].is_loose);
}

#[test]
fn constants_fill_what_is_formatted() {
    for made in [
        "W = 2 * 16\ns = f'__global__ void k(int *p) {{ p[{W}] = {W // 3}; }}'",
        "W = 32\ns = '__global__ void k(int *p) {{ p[{}] = {x}; }}'.format(W, x=W // 3)",
        "W = 32\ns = '__global__ void k(int *p) { p[%d] = %d; }' % (W, W // 3)",
        "W = 32\ns = '__global__ void k(int *p) { p[%(w)d] = 10; }' % {'w': W}",
        "t = Template('__global__ void k(int *p) { p[$w] = ${v}; }')\ns = t.substitute(w=32, v=10)",
        "s = '__global__ void k(int *p) { p[W] = 10; }'.replace('W', str(1 << 5))",
        "s = ''.join(['__global__ void k(int *p) ', '{ p[32] = 10; }'])",
        "s = '__global__ void k(int *p) '\ns += '{ p[32] = 10; }'",
        "s = ('__global__ void k(int *p) ' '{ p[32]'\n + ' = 10; }')",
    ] {
        let found = texts(made);
        assert_eq!(
            found,
            ["__global__ void k(int *p) { p[32] = 10; }"],
            "{made}"
        );
    }
}

#[test]
fn what_is_not_known_is_a_hole() {
    let file = "def make(w, t):\n    return RawKernel(f'__global__ void k_{w}({t} *p) {{ p[{w}] = {w + 1}; }}', 'k')\n";
    let all = python(file);
    assert_eq!(
        all[0].text(),
        "__global__ void k_hole_w(hole_t *p) { p[hole_w] = hole_w_1; }\n"
    );
    assert_eq!(holes(&all[0]), ["hole_w", "hole_t", "hole_w_1"]);
}

#[test]
fn a_name_that_is_assigned_twice_has_the_value_before_its_use() {
    let file = format!("N = 1\nN = 2\ns = f'#define N {{N}}\\n' + '{KERNEL}'\nN = 3\n");
    assert_eq!(texts(&file), [format!("#define N 2\n{KERNEL}")]);
    let branch = format!("N = 1\nif big:\n    N = 2\ns = f'#define N {{N}}\\n' + '{KERNEL}'\n");
    assert_eq!(texts(&branch), [format!("#define N hole_N\n{KERNEL}")]);
    let member = format!(
        "class T:\n    def f(self):\n        self.n = 2\n        s = f'#define N {{self.n}}\\n' + '{KERNEL}'\n"
    );
    assert_eq!(texts(&member), [format!("#define N hole_self_n\n{KERNEL}")]);
    let elsewhere = format!(
        "N = 1\ndef more():\n    global N\n    N = 2\ns = f'#define N {{N}}\\n' + '{KERNEL}'\n"
    );
    assert_eq!(texts(&elsewhere), [format!("#define N hole_N\n{KERNEL}")]);
}

#[test]
fn a_hole_for_statements_is_no_declaration() {
    let file = "s = f'__global__ void k(int *p) {{\\n  {body}\\n  p[0] = 1; }}'\n";
    let all = python(file);
    assert_eq!(
        all[0].text(),
        "__global__ void k(int *p) {\n  hole_body();\n  p[0] = 1; }"
    );
    let before = format!("s = HEADER + '{KERNEL}'\n");
    let all = python(&before);
    assert_eq!(all[0].text(), KERNEL);
    assert_eq!(holes(&all[0]), [""]);
}

#[test]
fn strings_that_reach_no_call_stand_for_themselves() {
    let file = format!("import sources\ns = '{KERNEL}'\nrun(sources.wrap(s))\n");
    let all = python(&file);
    assert_eq!(all.len(), 1);
    assert!(all[0].is_loose);
    assert!(python("\"\"\"A text on __global__ functions (kernels).\"\"\"\n").is_empty());
    assert!(python("assert '__global__' in text\n").is_empty());
}

#[test]
fn two_calls_on_one_text_are_one_unit() {
    let file = format!("s = '{KERNEL}'\na = RawKernel(s, 'k')\nb = RawKernel(s, 'k')\n");
    assert_eq!(python(&file).len(), 1);
    let two = format!(
        "s = '{KERNEL}'\na = RawModule(code='#define N 1\\n' + s)\nb = RawModule(code=s, options=('-DN=2',))\n"
    );
    let found = texts(&two);
    assert_eq!(found.len(), 2);
    assert!(found.contains(&format!("#define N 2\n{KERNEL}\n")));
}

/// The directives in front of the text that is compiled in these lines, where the source is `s`, and what of the options is not known.
fn options_of(lines: &str) -> (String, Option<String>) {
    let all = python(&format!("s = '{KERNEL}'\n{lines}\n"));
    assert_eq!(all.len(), 1, "{lines}");
    let text = all[0].text();
    let directives = text.split(KERNEL).next().unwrap_or_default();
    let open = all[0].open_options.as_ref();
    (
        directives.replace('\n', ";"),
        open.map(|open| open.written.clone()),
    )
}

#[test]
fn options_under_names_are_followed() {
    for (lines, directives) in [
        ("RawKernel(s, 'k', ('-DN=2',))", "#define N 2;"),
        (
            "RawKernel(s, 'k', options=('-std=c++17', '-DN'))",
            "#define N 1;",
        ),
        (
            "o = ['-DN=2']\nload_inline('m', '', s, extra_cuda_cflags=o)",
            "#define N 2;",
        ),
        (
            "B = ['-O3']\no = B + ['-DN=2']\no.append('-DM')\no.extend(['-UK'])\no += ['-DL=' + str(3)]\nload_inline('m', '', s, extra_cuda_cflags=o)",
            "#define N 2;#define M 1;#undef K;#define L 3;",
        ),
        (
            "B = ['-O3', '-DN=2']\nload_inline('m', '', s, extra_cuda_cflags=[*B, '-lineinfo'])",
            "#define N 2;",
        ),
        (
            "load_inline('m', '', s, extra_cuda_cflags=['-DN=2 -O3'])",
            "#define N 2;",
        ),
        (
            "load_inline('m', '', s, extra_cuda_cflags='-O3 -D N=2'.split())",
            "#define N 2;",
        ),
        ("load_inline('m', '', s, extra_cuda_cflags=None)", ""),
        ("SourceModule(s, options=['-D', 'N=2'])", "#define N 2;"),
        (
            "SourceModule(s, options=['--define-macro=N=2', '--undefine-macro', 'M'])",
            "#define N 2;#undef M;",
        ),
        ("compile_with_cache(s, ('-DN=2',))", "#define N 2;"),
        (
            "_compile_kernel(s, 'k', header_code='#define N 2')",
            "#define N 2;",
        ),
        (
            "p = nvrtcCreateProgram(s, b'k', 0, [], [])\nnvrtcCompileProgram(p, 1, [b'-DN=2', bytes(f'-arch=sm_{cc}', 'ascii')])",
            "#define N 2;",
        ),
        (
            "p = Program(s, code_type='c++', options=ProgramOptions(std='c++17', arch=f'sm_{a}'))",
            "",
        ),
        (
            "o = ProgramOptions(std='c++17')\np = Program(s, 'c++', o)\np.compile('cubin', logs=out)",
            "",
        ),
        (
            "f = ['-O3', f'-gencode=arch=compute_{cc},code=sm_{cc}']\nprint(f, len(f))\nload_inline('m', '', s, extra_cuda_cflags=f)",
            "",
        ),
        (
            "o = globals()['more']\nload_inline('m', '', s, extra_cuda_cflags=['-DN=2'])",
            "#define N 2;",
        ),
    ] {
        assert_eq!(options_of(lines), (directives.to_owned(), None), "{lines}");
    }
    let (directives, open) = options_of("RawKernel(s, 'k', options=(f'-DN={n}',))");
    assert_eq!((directives.as_str(), open), ("#define N hole_n;", None));
}

#[test]
fn options_that_are_not_followed_are_told() {
    for lines in [
        "load_inline('m', '', s, extra_cuda_cflags=flags())",
        "load_inline('m', '', s, extra_cuda_cflags=['-O3'] + flags())",
        "load_inline('m', '', s, extra_cuda_cflags=['-DN'] if fast else [])",
        "load_inline('m', '', s, **more)",
        "load_inline('m', '', s, extra_cuda_cflags=['-DN=\"a b\"'])",
        "load_inline('m', '', s, extra_cuda_cflags=['-Xcompiler=-DN'])",
        "o = ['-O3']\nif fast:\n    o.append('-DN')\nload_inline('m', '', s, extra_cuda_cflags=o)",
        "o = ['-O3']\no.insert(0, '-DN')\nload_inline('m', '', s, extra_cuda_cflags=o)",
        "o = ['-O3']\no[0] = '-DN'\nload_inline('m', '', s, extra_cuda_cflags=o)",
        "o = ['-O3']\nmore(o)\nload_inline('m', '', s, extra_cuda_cflags=o)",
        "o = ['-O3']\np = o\np.append('-DN')\nload_inline('m', '', s, extra_cuda_cflags=o)",
        "o = ['-O3']\n_ = [o.append(x) for x in all]\nload_inline('m', '', s, extra_cuda_cflags=o)",
        "o = ['-O3']\n_ = o.append('-DN')\nload_inline('m', '', s, extra_cuda_cflags=o)",
        "o = ['-O3']\ndef f():\n    o.append('-DN')\nf()\nload_inline('m', '', s, extra_cuda_cflags=o)",
        "class T:\n    def __init__(self):\n        self.o = ['-O3']\n    def f(self):\n        return load_inline('m', '', s, extra_cuda_cflags=self.o)",
        "RawKernel(s, 'k', options)",
        "RawKernel(s, 'k', options=('-D' + name,))",
        "RawKernel(s, 'k', options=(f'{flag}',))",
        "RawKernel(s, 'k', options=('-include', 'a.h'))",
        "RawKernel(s, 'k', options=('--options-file', 'a'))",
        "p = nvrtcCreateProgram(s, b'k', 0, [], [])",
        "p = nvrtcCreateProgram(s, b'k', 0, [], [])\nnvrtcCompileProgram(p, 1, [b'-DN=2'])\nnvrtcCompileProgram(p, 0, [])",
        "p = Program(s)\np.compile(flags)",
        "p = Program(s, 'c++', ProgramOptions(define_macro='N'))",
        "o = ProgramOptions()\no.define_macro = 'N'\np = Program(s, 'c++', o)",
    ] {
        assert!(options_of(lines).1.is_some(), "{lines}");
    }
}

#[test]
fn names_that_are_set_by_their_text_are_not_known() {
    let open = |lines: &str| {
        let kernel = "__global__ void k(int *p) {}";
        let file = format!(
            "o = ['-O3']\n{lines}\nload_inline('m', '', '{kernel}', extra_cuda_cflags=o)\n"
        );
        python(&file)[0].open_options.is_some()
    };
    for lines in [
        "globals()['o'] = ['-DN']",
        "globals()['o'] += ['-DN']",
        "globals().update(o=['-DN'])",
        "g = globals()\ng['o'] = ['-DN']",
        "exec('o = [1]')",
        "from other import *",
        "vars()['o'], b = ['-DN'], 1",
        "setattr(sys.modules[__name__], 'o', ['-DN'])",
        "sys.modules[__name__].__dict__['o'] = ['-DN']",
    ] {
        assert!(open(lines), "{lines}");
    }
    for lines in [
        "n = globals()['m']",
        "n = globals().get('m')",
        "if 'm' in globals():\n    pass",
        "model.eval()",
        "setattr(self, 'o', 1)",
        "self.__dict__.update(o=1)",
    ] {
        assert!(!open(lines), "{lines}");
    }
}

#[test]
fn one_text_under_known_and_unknown_options_is_under_unknown_ones() {
    let file =
        format!("s = '{KERNEL}'\na = RawKernel(s, 'k')\nb = RawKernel(s, 'k', options=o())\n");
    let all = python(&file);
    assert_eq!(all.len(), 1);
    let open = all[0].open_options.as_ref().expect("open options");
    assert_eq!(
        (open.written.as_str(), &file[open.start..open.start + 3]),
        ("o()", "o()")
    );
}

#[test]
fn a_string_that_is_filled_is_one_unit_wherever_its_fields_stand() {
    let kernel = "__global__ void k(int *p) { p[0] = N; }";
    let doubled = kernel.replace('{', "{{").replace('}', "}}");
    for (text, filled) in [
        (
            format!("Template('''#define N ${{n}}\n{kernel}''')"),
            "t.substitute(n=n)",
        ),
        (format!("'''#define N %(n)d\n{kernel}'''"), "t % {'n': n}"),
        (format!("'''#define N {{n}}\n{doubled}'''"), "t.format(n=n)"),
    ] {
        let all = python(&format!("t = {text}\nm = SourceModule({filled})\n"));
        assert_eq!(all.len(), 1, "{text}");
        let expected = format!("#define N hole_n\n{kernel}");
        assert_eq!(all[0].text().trim_end(), expected);
        assert!(!all[0].is_loose);
    }
}

#[test]
fn a_template_that_another_module_fills_has_holes() {
    let file = "TEXT = Template('__global__ void k($REAL *p) { p[$N * threadIdx.x] = ${N}; }')\n";
    let all = python(file);
    assert_eq!(
        all[0].text(),
        "__global__ void k(hole_REAL *p) { p[hole_N * threadIdx.x] = hole_N; }"
    );
    assert!(all[0].is_loose);
}

#[test]
fn what_is_seen_of_a_file_is_as_long_as_the_file() {
    let file = format!("# ä\ns = f'{KERNEL}' # {{}}\n")
        .replace("{ p", "{{ p")
        .replace("; }'", "; }}'");
    let all = python(&file);
    let visible = String::from_utf8(all[0].visible(file.as_bytes())).expect("text");
    assert_eq!(visible.len(), file.len());
    assert!(visible.starts_with("  ä\n"));
    assert!(visible.contains("__global__ void k(int *p) {{ p[threadIdx.x] = N; }}"));
    assert!(!visible.contains('f') && !visible.contains('#'));
    assert_eq!(all[0].line(1, file.as_bytes()), 2);
}

#[test]
fn cells_of_a_notebook() {
    let file = r##"{"cells": [
 {"cell_type": "markdown", "source": ["__global__ void no(int *p) {}"]},
 {"cell_type": "code", "source": ["%load_ext nvcc\n", "!ls\n", "W = 4\n"]},
 {"cell_type": "code", "source": [
  "%%cu\n",
  "__global__ void a(int *p) { p[0] = '\"'; }"
 ]},
 {"cell_type": "code", "source": "s = f\"__global__ void b(int *p) {{ p[{W}] = 1; }}\"\nRawKernel(s, 'b')"}
]}"##;
    let all = parts(Host::Notebook, file.as_bytes());
    let found: Vec<String> = all.iter().map(Part::text).collect();
    assert_eq!(
        found,
        [
            "\n__global__ void a(int *p) { p[0] = '\"'; }",
            "__global__ void b(int *p) { p[4] = 1; }\n"
        ]
    );
    assert_eq!([all[0].cell, all[1].cell], [Some(3), Some(4)]);
    assert_eq!(all[0].line(2, file.as_bytes()), 6);
    assert_eq!(all[1].line(1, file.as_bytes()), 8);
}

#[test]
fn raw_strings_of_cpp() {
    let file = "// R\"(__global__ void no(int *p) {})\"\nauto s = R\"x(__global__ void k(int *p) { p[0] = ')'; })x\";\nint __global__1();\n";
    let all = parts(Host::Cpp, file.as_bytes());
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].text(), "__global__ void k(int *p) { p[0] = ')'; }");
    assert!(parts(Host::Cpp, b"R\"(__global__ void").is_empty());
}

#[test]
fn nothing_breaks_it() {
    for text in [
        "__global__ (\nf'{",
        "s = '''__global__ void k(",
        "s = '__global__ (' % (",
        "a = b\nb = a\ns = a + '__global__ ('",
        "s = '__global__ ('\ns = s + s\ns += s\n",
    ] {
        let _ = python(text);
        let _ = parts(Host::Notebook, text.as_bytes());
        let _ = parts(Host::Cpp, text.as_bytes());
    }
}

#[test]
fn launches_that_python_makes() {
    let file = "
W = 4
m = SourceModule('__global__ void a(int *p) {} __global__ void b(int *p) {} __global__ void c(int *p) {}')
a = m.get_function('a')
a(x, block=(W, W, 1), grid=(n, 2))
a(x, block=(8 * W, 1, 1))
m.get_function('b')(x, block=(n, 1, 1))
k = RawKernel('__global__ void k(int *p) {}', 'k')
k((n // 4,), (256,), (x,))
class T:
    def __init__(self):
        self.c = m.get_function('c')
    def run(self):
        self.c.prepared_call((2, 2), (W, 1, 1), 3)
";
    let all = python(file);
    let module = &all[0];
    let launches: Vec<_> = module
        .launches
        .iter()
        .map(|launch| {
            (
                launch.kernel.as_deref().unwrap_or("?"),
                launch.block,
                launch.grid,
            )
        })
        .collect();
    assert_eq!(
        launches,
        [
            ("a", Some([4, 4, 1]), None),
            ("a", Some([32, 1, 1]), Some([1, 1, 1])),
            ("b", None, Some([1, 1, 1])),
            ("k", Some([256, 1, 1]), None),
            ("c", Some([4, 1, 1]), Some([2, 2, 1])),
        ]
    );
    assert_eq!(module.rounds(), 2);
    let block = |kernel: &str, round: usize| {
        module
            .launch_in(kernel, round)
            .and_then(|launch| launch.block)
    };
    assert_eq!(block("a", 0), Some([4, 4, 1]));
    assert_eq!(block("a<int>", 1), Some([32, 1, 1]));
    assert_eq!(block("c", 1), Some([4, 1, 1]));
    assert_eq!(block("b", 0), None);
    assert!(module.unread_launch("b").is_some());
}

/// The block of the launch of `k` that is known of a module with one, and these lines behind it.
fn block_behind(lines: &str) -> Option<[u64; 3]> {
    let file = format!(
        "import cupy\nk = cupy.RawKernel('__global__ void k(int *p) {{}}', 'k')\n\
         m = cupy.RawModule(code='__global__ void l(int *p) {{}}')\n{lines}\nk((1,), (32,), (x,))\n"
    );
    let all = python(&file);
    let launch = all[0].launch_in("k", 0)?;
    launch.block
}

#[test]
fn launches_with_arguments_that_are_spread_are_told() {
    let blocks = |call: &str| {
        let file = format!(
            "k = RawKernel('__global__ void k(int *p) {{}}', 'k')\nw = ((1,), (64,), (x,))\n{call}\n"
        );
        let all = python(&file);
        let launches = all[0].launches.iter();
        launches
            .map(|launch| (launch.kernel.clone(), launch.block, launch.grid))
            .collect::<Vec<_>>()
    };
    let open = |grid| vec![(Some("k".to_owned()), None, grid)];
    assert_eq!(blocks("k(*w)"), open(None));
    assert_eq!(blocks("k(**d)"), open(None));
    assert_eq!(blocks("k(x, 1, **d)"), open(None));
    assert_eq!(blocks("k(*w[:1], (64,), (x,))"), open(None));
    let known = |grid| vec![(Some("k".to_owned()), Some([32, 1, 1]), grid)];
    assert_eq!(
        blocks("k(*w, block=(32, 1, 1), grid=(2, 1))"),
        known(Some([2, 1, 1]))
    );
    assert_eq!(blocks("k(*w, block=(32, 1, 1))"), known(Some([1, 1, 1])));
    assert_eq!(blocks("k(x, block=(32, 1, 1), **d)"), known(None));
    assert_eq!(blocks("k((2,), (32,), (x,), **d)"), open(None));
}

#[test]
fn kernels_that_are_handed_on_may_have_any_launch() {
    for lines in [
        "def run(f):\n    f((1,), (64,), (x,))\nrun(k)",
        "again = k\nagain((1,), (64,), (x,))",
        "all = [k]\nall[0]((1,), (64,), (x,))",
        "other.run(k)",
        "other.run(kernel=k)",
        "f = functools.partial(k, (1,), (64,))",
        "f = k.__call__",
        "def made():\n    return k",
        "class T:\n    def __init__(self):\n        self.f = cupy.RawKernel('', 'k')\nt = T()\nt.f((1,), (64,), (x,))",
        "class T:\n    def __init__(self):\n        self.f = cupy.RawKernel('', 'k')\nmade().f((1,), (64,), (x,))",
        "def made():\n    return cupy.RawKernel('', 'k')",
        "f = getattr(m, 'get_function')('k')",
        "take(m)",
        "f = m.get_function(name)\nf((1,), (64,), (x,))",
        "b = 32\nf = lambda: k((1,), (b,), (x,))\nb = 64\nf()",
        "b = 32\n[k((1,), (b,), (x,)) for b in (32, 64)]",
        "b = 32\nf = lambda b: k((1,), (b,), (x,))",
        "globals()['k']((1,), (64,), (x,))",
        "globals().get('k')((1,), (64,), (x,))",
        "exec(\"k((1,), (64,), (x,))\")",
        "getattr(sys.modules[__name__], 'k')((1,), (64,), (x,))",
    ] {
        // Through a member the other launch is known, and comes first.
        let known = block_behind(lines);
        assert_ne!(known, Some([32, 1, 1]), "{lines}");
    }
    for lines in [
        "print(k.attributes, k.num_regs)",
        "k.set_attribute('max_dynamic_shared_size_bytes', 1024)",
        "l = m.get_function('l')\nl((1,), (64,), (x,))",
        "other.run(x, block=4)",
        "f = lambda: k((1,), (32,), (x,))",
        "k.compile()",
        "if 'k' in globals():\n    pass",
        "print(globals().keys(), getattr(x, 'k'))",
        "model.eval()",
    ] {
        assert_eq!(block_behind(lines), Some([32, 1, 1]), "{lines}");
    }
}

#[test]
fn a_kernel_that_is_chosen_is_not_known() {
    let file = "
m = SourceModule('__global__ void a(int *p) {} __global__ void b(int *p) {}')
f = m.get_function('a')
if big:
    f = m.get_function('b')
f(x, block=(4, 1, 1))
g = m.get_function(name)
g(x, block=(4, 1, 1))
";
    let all = python(file);
    assert!(all[0].launch_in("a", 0).is_none());
    assert!(all[0].unread_launch("a").is_some());
    assert!(all[0].unread_launch("b").is_some());
    let other = all[0]
        .launches
        .last()
        .and_then(|launch| launch.kernel.clone());
    assert_eq!(other, None);
}
