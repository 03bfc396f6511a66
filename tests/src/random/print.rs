//! Random kernels as CUDA text.

use std::fmt::Write as _;

use super::tree::*;

/// The name of the kernel.
pub const KERNEL: &str = "k";

const AXES: [&str; 3] = ["x", "y", "z"];

/// The text of a program, with the launch in its first line unless it is symbolic.
#[must_use]
pub fn print(program: &Program) -> String {
    let mut printer = Printer {
        program,
        text: String::new(),
        depth: 0,
    };
    printer.program();
    printer.text
}

struct Printer<'p> {
    program: &'p Program,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.depth);
    }

    fn program(&mut self) {
        let program = self.program;
        let mut options = Vec::new();
        if !program.symbolic {
            let Launch { block, grid } = program.launch;
            let list = |of: [u32; 3]| format!("[{},{},{}]", of[0], of[1], of[2]);
            options.push(format!("--blockDim={}", list(block)));
            options.push(format!("--gridDim={}", list(grid)));
        }
        if let Some(lanes) = program.warp_sync {
            options.push(format!("--warp-sync={lanes}"));
        }
        if !options.is_empty() {
            self.line(&format!("//{}", options.join(" ")));
        }
        for function in &program.functions {
            self.function(function);
        }
        let used = program.used_arrays();
        let global = |array: &&Array| program.arrays[**array].space == Space::Global;
        let globals = used.iter().filter(global);
        let arrays = globals.map(|array| self.pointer(*array));
        let scalars = program.scalars.iter().map(|var| self.declared(*var));
        let parameters: Vec<String> = arrays.chain(scalars).collect();
        self.line(&format!(
            "__global__ void {KERNEL}({})",
            parameters.join(", ")
        ));
        self.line("{");
        self.depth += 1;
        for array in used.iter().map(|array| &program.arrays[*array]) {
            let ArrayDecl {
                name,
                ty,
                space,
                extents,
            } = array;
            let extents: String = extents.iter().map(|extent| format!("[{extent}]")).collect();
            match space {
                Space::Shared => self.line(&format!("__shared__ {} {name}{extents};", ty.name())),
                Space::Dynamic => self.line(&format!("extern __shared__ {} {name}[];", ty.name())),
                Space::Global | Space::Passed => {}
            }
        }
        self.block(&program.body);
        self.depth -= 1;
        self.line("}");
    }

    fn function(&mut self, function: &Function) {
        let name = &function.name;
        if function.is_macro {
            let names: Vec<&str> = function
                .scalars
                .iter()
                .map(|var| self.program.vars[*var].name.as_str())
                .collect();
            if let Some((ty, result)) = &function.result {
                let result = self.expr(result);
                let names = names.join(", ");
                // The cast stands for the conversion on return.
                self.line(&format!(
                    "#define {name}({names}) ({})({result})",
                    ty.name()
                ));
            }
            return;
        }
        let arrays = function.arrays.iter().map(|array| self.pointer(*array));
        let scalars = function.scalars.iter().map(|var| self.declared(*var));
        let parameters: Vec<String> = arrays.chain(scalars).collect();
        let returns = match &function.result {
            Some((ty, _)) => ty.name(),
            None => "void",
        };
        self.line(&format!(
            "__device__ {returns} {name}({})",
            parameters.join(", ")
        ));
        self.line("{");
        self.depth += 1;
        self.block(&function.body);
        if let Some((_, result)) = &function.result {
            let result = self.expr(result);
            self.line(&format!("return {result};"));
        }
        self.depth -= 1;
        self.line("}");
        self.line("");
    }

    fn pointer(&self, array: Array) -> String {
        let ArrayDecl { name, ty, .. } = &self.program.arrays[array];
        format!("{} *{name}", ty.name())
    }

    fn declared(&self, var: Var) -> String {
        let VarDecl { name, ty } = &self.program.vars[var];
        format!("{} {name}", ty.name())
    }

    fn var(&self, var: Var) -> &str {
        &self.program.vars[var].name
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn braced(&mut self, head: &str, block: &[Stmt], tail: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
        self.line(&format!("}}{tail}"));
    }

    fn assignment(&self, target: &str, op: Option<Bin>, value: &Expr) -> String {
        match (op, value) {
            (Some(Bin::Add), Expr::Int(1, Ty::I32)) => format!("{target}++"),
            (Some(Bin::Sub), Expr::Int(1, Ty::I32)) => format!("--{target}"),
            _ => {
                let sign = op.map_or("", Bin::sign);
                format!("{target} {sign}= {}", self.expr(value))
            }
        }
    }

    fn place(&self, array: Array, index: &[Expr]) -> String {
        let index: String = index
            .iter()
            .map(|index| format!("[{}]", self.expr(index)))
            .collect();
        format!("{}{index}", self.program.arrays[array].name)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(var, value) => {
                let line = format!("{} = {};", self.declared(*var), self.expr(value));
                self.line(&line);
            }
            Stmt::Set(var, op, value) => {
                let line = format!("{};", self.assignment(self.var(*var), *op, value));
                self.line(&line);
            }
            Stmt::Store(array, index, op, value) => {
                let place = self.place(*array, index);
                let line = format!("{};", self.assignment(&place, *op, value));
                self.line(&line);
            }
            Stmt::Atomic(op, array, index, value, result) => {
                let name = match op {
                    AtomicOp::Add => "atomicAdd",
                    AtomicOp::Max => "atomicMax",
                    AtomicOp::Or => "atomicOr",
                    AtomicOp::Exch => "atomicExch",
                    AtomicOp::Claim => "atomicCAS",
                };
                let expected = match op {
                    AtomicOp::Claim => "0, ",
                    _ => "",
                };
                let result = result.map_or(String::new(), |var| self.declared(var) + " = ");
                let place = self.place(*array, index);
                let value = self.expr(value);
                self.line(&format!("{result}{name}(&{place}, {expected}{value});"));
            }
            Stmt::If(condition, then, other) => {
                let head = format!("if ({})", self.expr(condition));
                if other.is_empty() {
                    self.braced(&head, then, "");
                } else {
                    self.braced(&head, then, " else {");
                    self.depth += 1;
                    self.block(other);
                    self.depth -= 1;
                    self.line("}");
                }
            }
            Stmt::Loop(loop_) => self.a_loop(loop_),
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return => self.line("return;"),
            Stmt::Barrier => self.line("__syncthreads();"),
            Stmt::Lanes(32) => self.line("__syncwarp();"),
            Stmt::Lanes(lanes) => {
                let ones = (1u64 << lanes) - 1;
                let first = 32 - lanes;
                let rank = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))";
                let line = format!("__syncwarp({ones:#x}u << ({rank} & {first}u));");
                self.line(&line);
            }
            Stmt::Call(function, scalars, arrays) => {
                let arrays = arrays
                    .iter()
                    .map(|array| self.program.arrays[*array].name.clone());
                let scalars = scalars.iter().map(|scalar| self.expr(scalar));
                let arguments: Vec<String> = arrays.chain(scalars).collect();
                let name = &self.program.functions[*function].name;
                let line = format!("{name}({});", arguments.join(", "));
                self.line(&line);
            }
        }
    }

    fn a_loop(&mut self, loop_: &Loop) {
        let start = if loop_.declares {
            format!("{} = {}", self.declared(loop_.var), self.expr(&loop_.start))
        } else {
            format!("{} = {}", self.var(loop_.var), self.expr(&loop_.start))
        };
        let condition = self.expr(&loop_.condition);
        let step = self.assignment(self.var(loop_.var), Some(loop_.step), &loop_.amount);
        match loop_.form {
            Form::For => self.braced(
                &format!("for ({start}; {condition}; {step})"),
                &loop_.body,
                "",
            ),
            Form::While | Form::Do => {
                self.line(&format!("{start};"));
                let (head, tail) = match loop_.form {
                    Form::Do => ("do".to_owned(), format!(" while ({condition});")),
                    _ => (format!("while ({condition})"), String::new()),
                };
                self.line(&format!("{head} {{"));
                self.depth += 1;
                self.block(&loop_.body);
                self.line(&format!("{step};"));
                self.depth -= 1;
                self.line(&format!("}}{tail}"));
            }
        }
    }

    /// An expression in parentheses wherever they could matter.
    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Un(op, a) => {
                let sign = match op {
                    Un::Neg => "-",
                    Un::Inv => "~",
                    Un::Not => "!",
                };
                format!("{sign}{}", self.operand(a))
            }
            Expr::Bin(op, a, b) => {
                format!("{} {} {}", self.operand(a), op.sign(), self.operand(b))
            }
            Expr::Cond(c, a, b) => format!(
                "{} ? {} : {}",
                self.operand(c),
                self.operand(a),
                self.operand(b)
            ),
            Expr::Cast(ty, a) => format!("({}){}", ty.name(), self.operand(a)),
            _ => self.operand(expr),
        }
    }

    fn operand(&self, expr: &Expr) -> String {
        match expr {
            Expr::Int(value, ty) => {
                let suffix = if *ty == Ty::U32 { "u" } else { "" };
                if *value < 0 {
                    format!("({value}{suffix})")
                } else {
                    format!("{value}{suffix}")
                }
            }
            Expr::Builtin(builtin) => match builtin {
                Builtin::Thread(axis) => format!("threadIdx.{}", AXES[*axis]),
                Builtin::Block(axis) => format!("blockIdx.{}", AXES[*axis]),
                Builtin::BlockDim(axis) => format!("blockDim.{}", AXES[*axis]),
                Builtin::GridDim(axis) => format!("gridDim.{}", AXES[*axis]),
            },
            Expr::Var(var) => self.var(*var).to_owned(),
            Expr::Load(array, index) => self.place(*array, index),
            Expr::Call(function, arguments) => {
                let function = &self.program.functions[*function];
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|argument| {
                        let text = self.expr(argument);
                        if function.is_macro {
                            format!("({text})")
                        } else {
                            text
                        }
                    })
                    .collect();
                let call = format!("{}({})", function.name, arguments.join(", "));
                if function.is_macro {
                    format!("({call})")
                } else {
                    call
                }
            }
            _ => format!("({})", self.expr(expr)),
        }
    }
}
