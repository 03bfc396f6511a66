//! Clang's trees, from `-ast-dump=json`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use serde_json::Value;

use super::{Function, add, group};

/// The functions that clang finds in expanded text, with those in which it saw an error left out; also how many those are.
/// A name in capitals that nothing declares is declared as a number, as it is one to us.
///
/// # Errors
/// When clang cannot be run or gives no tree.
pub fn functions(text: &str, declarations: &Path) -> io::Result<(Vec<Function>, usize)> {
    let mut head = fs::read_to_string(declarations)?;
    let (mut tree, mut messages) = run(&head, text)?;
    let mut unknown: Vec<&str> = messages
        .iter()
        .filter_map(|(_, message)| undeclared(message))
        .collect();
    unknown.sort_unstable();
    unknown.dedup();
    if !unknown.is_empty() {
        for name in unknown {
            head.push_str(&format!("constexpr int {name} = 16;\n"));
        }
        (tree, messages) = run(&head, text)?;
    }
    let from = head.len();
    let wrong_at = messages
        .iter()
        .filter_map(|(offset, _)| offset.checked_sub(from))
        .collect();
    let mut finder = Finder {
        from,
        text,
        wrong_at,
        found: BTreeMap::new(),
    };
    finder.declarations(&tree);
    let (wrong, right): (Vec<Found>, Vec<Found>) =
        finder.found.into_values().partition(|found| found.wrong);
    Ok((
        right.into_iter().map(|found| found.function).collect(),
        wrong.len(),
    ))
}

/// The name in capitals that an error says is not declared.
fn undeclared(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("use of undeclared identifier '")?;
    let name = rest.split('\'').next()?;
    let capitals = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.chars().all(capitals).then_some(name)
}

/// Clang's tree of declarations and text, and its errors with their offsets.
fn run(head: &str, text: &str) -> io::Result<(Value, Vec<(usize, String)>)> {
    let mut file = tempfile::Builder::new().suffix(".cu").tempfile()?;
    write!(file, "{head}{text}")?;
    let output = Command::new("clang")
        .args([
            "-x",
            "cuda",
            "-nocudainc",
            "-nocudalib",
            "--cuda-host-only",
            "-std=c++17",
            "-fsyntax-only",
            "-w",
        ])
        .args([
            "-ferror-limit=0",
            "-fgnu-keywords",
            "-fno-caret-diagnostics",
            "-Xclang",
            "-ast-dump=json",
        ])
        .arg(file.path())
        .output()?;
    let whole = format!("{head}{text}");
    let mut starts = vec![0];
    starts.extend(whole.match_indices('\n').map(|(at, _)| at + 1));
    let mut messages = Vec::new();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let Some((place, message)) = line.split_once(": error: ") else {
            continue;
        };
        let mut numbers = place.rsplit(':').map(str::parse::<usize>);
        if let (Some(Ok(column)), Some(Ok(line))) = (numbers.next(), numbers.next())
            && let Some(start) = starts.get(line.saturating_sub(1))
        {
            messages.push((start + column - 1, message.to_owned()));
        }
    }
    Ok((serde_json::from_slice(&output.stdout)?, messages))
}

struct Finder<'t> {
    /// Where the text begins, behind the declarations.
    from: usize,
    text: &'t str,
    /// Where clang saw errors.
    wrong_at: Vec<usize>,
    /// By the places of their names.
    found: BTreeMap<usize, Found>,
}

impl Finder<'_> {
    fn declarations(&mut self, node: &Value) {
        for child in inner(node) {
            if kind(child).starts_with("Function")
                || matches!(
                    kind(child),
                    "CXXMethodDecl"
                        | "CXXConstructorDecl"
                        | "CXXConversionDecl"
                        | "CXXDestructorDecl"
                )
            {
                self.function(child);
            }
            if kind(child).ends_with("Decl") && kind(child) != "FunctionDecl" {
                self.declarations(child);
            }
        }
    }

    fn function(&mut self, node: &Value) {
        let Some(body) = inner(node).find(|child| kind(child) == "CompoundStmt") else {
            return;
        };
        let at = offset(&node["loc"]).and_then(|at| at.checked_sub(self.from));
        let end = offset(&body["range"]["end"]).and_then(|end| (end + 1).checked_sub(self.from));
        let (Some(at), Some(end)) = (at, end) else {
            return;
        };
        if node["isImplicit"].as_bool() == Some(true) {
            return;
        }
        let mut walk = Walk::default();
        walk.stmt(body);
        walk.wrong |= self.wrong_at.iter().any(|wrong| (at..end).contains(wrong));
        let found = Found {
            instance: walk.instance,
            wrong: walk.wrong,
            function: Function {
                name: text(node, "name").to_owned(),
                at,
                text: super::hash(self.text.get(at..end).unwrap_or_default()),
                expressions: walk.expressions,
            },
        };
        let known = self.found.entry(at).or_insert_with(|| found.clone());
        if known.instance && !found.instance {
            *known = found;
        }
    }
}

/// A function of the text.
#[derive(Clone)]
struct Found {
    /// It is an instance of a template, with values in place of parameters: the template itself stands at the same place.
    instance: bool,
    /// There is an error in it.
    wrong: bool,
    function: Function,
}

#[derive(Default)]
struct Walk<'v> {
    expressions: Vec<String>,
    bodies: Vec<&'v Value>,
    /// There is an error in the function, or something that is not known here.
    wrong: bool,
    /// A value stands in place of a parameter.
    instance: bool,
}

impl<'v> Walk<'v> {
    fn all(&mut self, nodes: impl IntoIterator<Item = &'v Value>) {
        nodes.into_iter().for_each(|node| self.stmt(node));
    }

    fn whole(&mut self, node: &'v Value) {
        let form = self.form(node);
        add(&mut self.expressions, form);
        for body in std::mem::take(&mut self.bodies) {
            self.stmt(body);
        }
    }

    /// The elements of a list each by itself, however they are nested.
    fn elements(&mut self, node: &'v Value) {
        let node = bare(node);
        match kind(node) {
            "InitListExpr" | "ParenListExpr" | "CXXConstructExpr" => {
                arguments(node)
                    .into_iter()
                    .for_each(|element| self.elements(element));
            }
            _ => self.whole(node),
        }
    }

    fn variable(&mut self, node: &'v Value) {
        let place = offset(&node["loc"]);
        // The last child is the initialiser: attributes come before it.
        let Some(value) = node.get("init").and_then(|_| inner(node).last()) else {
            return;
        };
        match text(node, "init") {
            // A constructor that is not written stands at the name.
            "call"
                if kind(bare(value)) == "CXXConstructExpr" && arguments(bare(value)).is_empty() => {
            }
            "call" | "list" => self.elements(value),
            _ if offset(&value["range"]["begin"]) == place => {}
            _ => self.initial(value),
        }
    }

    /// `= value`, where the value may be a list.
    fn initial(&mut self, node: &'v Value) {
        let node = bare(node);
        let list = kind(node) == "InitListExpr"
            || kind(node) == "CXXConstructExpr" && arguments(node).len() != 1;
        if list {
            self.elements(node)
        } else {
            self.whole(node)
        }
    }

    fn stmt(&mut self, node: &'v Value) {
        let children: Vec<&Value> = inner(node).collect();
        match kind(node) {
            "" | "NullStmt" | "BreakStmt" | "ContinueStmt" | "GotoStmt" => {}
            "CompoundStmt" | "IfStmt" | "ForStmt" | "WhileStmt" | "DoStmt" | "SwitchStmt"
            | "CaseStmt" | "DefaultStmt" | "LabelStmt" | "GCCAsmStmt" | "DeclStmt" => {
                self.all(children)
            }
            "AttributedStmt" => self.all(
                children
                    .into_iter()
                    .filter(|child| !kind(child).ends_with("Attr")),
            ),
            "ReturnStmt" => children.into_iter().for_each(|child| self.initial(child)),
            "CXXForRangeStmt" => {
                // The range is the initialiser of a variable that is not written.
                let range = children.iter().find(|child| kind(child) == "DeclStmt");
                if let Some(range) = range
                    .and_then(|range| inner(range).next())
                    .and_then(|range| inner(range).last())
                {
                    self.whole(range);
                }
                self.all(children.last().copied());
            }
            "VarDecl" => self.variable(node),
            other if other.ends_with("Decl") => {}
            _ => self.whole(node),
        }
    }

    fn forms(&mut self, nodes: impl IntoIterator<Item = &'v Value>) -> Vec<String> {
        nodes.into_iter().map(|node| self.form(node)).collect()
    }

    fn form(&mut self, node: &'v Value) -> String {
        let node = bare(node);
        if kind(node) == "SubstNonTypeTemplateParmExpr" {
            self.instance = true;
            return inner(node)
                .last()
                .map_or_else(String::new, |value| self.form(value));
        }
        let children: Vec<&Value> = inner(node).collect();
        match kind(node) {
            "IntegerLiteral" => text(node, "value").to_owned(),
            "FloatingLiteral" => "float".to_owned(),
            "CharacterLiteral" => "char".to_owned(),
            "StringLiteral" => "string".to_owned(),
            "CXXBoolLiteralExpr" => node["value"].as_bool().unwrap_or_default().to_string(),
            "CXXNullPtrLiteralExpr" => "nullptr".to_owned(),
            "CXXThisExpr" => "this".to_owned(),
            "DeclRefExpr" => text(&node["referencedDecl"], "name").to_owned(),
            "UnresolvedLookupExpr" => text(node, "name").to_owned(),
            "UnaryOperator" => {
                let operator = text(node, "opcode");
                let operator = match (operator, node["isPostfix"].as_bool()) {
                    ("++" | "--", Some(true)) => format!("_{operator}"),
                    ("++" | "--", _) => format!("{operator}_"),
                    _ => operator.to_owned(),
                };
                let operands = self.forms(children);
                group(&operator, operands)
            }
            "BinaryOperator" | "CompoundAssignOperator" => {
                let operands = self.forms(children);
                group(text(node, "opcode"), operands)
            }
            "ConditionalOperator" => {
                let operands = self.forms(children);
                group("?", operands)
            }
            "CStyleCastExpr"
            | "CXXStaticCastExpr"
            | "CXXReinterpretCastExpr"
            | "CXXConstCastExpr"
            | "CXXDynamicCastExpr" => {
                let operands = self.forms(children);
                group("cast", operands)
            }
            "CXXFunctionalCastExpr" => {
                let value = children.first().map(|child| bare(child));
                let args = match value {
                    Some(list) if matches!(kind(list), "InitListExpr" | "CXXConstructExpr") => {
                        arguments(list)
                    }
                    other => other.into_iter().collect(),
                };
                let args = self.forms(args);
                group("call", [type_name(node)].into_iter().chain(args))
            }
            "CXXTemporaryObjectExpr" | "CXXUnresolvedConstructExpr" | "CXXScalarValueInitExpr" => {
                let args = match &arguments(node)[..] {
                    // `T{a, b}` of a type that is a parameter.
                    [list] if kind(list) == "InitListExpr" => arguments(list),
                    args => args.to_vec(),
                };
                let args = self.forms(args);
                group("call", [type_name(node)].into_iter().chain(args))
            }
            "CallExpr" | "CXXMemberCallExpr" => {
                let parts = self.forms(
                    children
                        .into_iter()
                        .filter(|child| kind(child) != "CXXDefaultArgExpr"),
                );
                group("call", parts)
            }
            "CXXOperatorCallExpr" => self.operator_call(&children),
            "CUDAKernelCallExpr" => {
                let written = |child: &&&Value| kind(child) != "CXXDefaultArgExpr";
                let mut parts = children.iter().filter(written).copied();
                let kernel = parts
                    .next()
                    .map_or_else(String::new, |kernel| self.form(kernel));
                let config = parts.next().map_or_else(Vec::new, |config| {
                    let config: Vec<&Value> = inner(bare(config))
                        .skip(1)
                        .filter(|child| kind(child) != "CXXDefaultArgExpr")
                        .collect();
                    self.forms(config)
                });
                let args = self.forms(parts);
                group(
                    "launch",
                    [kernel, group("config", config)].into_iter().chain(args),
                )
            }
            "MemberExpr" | "CXXDependentScopeMemberExpr" | "UnresolvedMemberExpr" => {
                let name = [text(node, "name"), text(node, "member")].concat();
                let name = name.trim_start_matches(['-', '>', '.']).to_owned();
                // A member of an anonymous union has no other base than that of the union.
                let mut arrow = node["isArrow"].as_bool() == Some(true);
                let base = children.first().map(|base| named(base, &mut arrow));
                // Its name is not in the tree.
                self.wrong |= name.is_empty();
                match base {
                    Some(base) if !unwritten(base) => {
                        let base = self.form(base);
                        group(if arrow { "->" } else { "." }, [base, name])
                    }
                    _ => name,
                }
            }
            "ArraySubscriptExpr" => {
                let operands = self.forms(children);
                group("[]", operands)
            }
            "UnaryExprOrTypeTraitExpr" => {
                let name = text(node, "name").to_owned();
                let operands = self.forms(children);
                group(&name, operands)
            }
            "InitListExpr" | "CXXConstructExpr" | "ParenListExpr" => {
                let elements = self.forms(arguments(node));
                group("list", elements)
            }
            "LambdaExpr" => {
                self.bodies.extend(children.last());
                "(lambda)".to_owned()
            }
            "StmtExpr" => {
                self.bodies.extend(children.last());
                "(statements)".to_owned()
            }
            other => {
                // An error, or what is not known here.
                self.wrong = true;
                format!("({other})")
            }
        }
    }

    /// An operator that a class defines, written as operators are.
    fn operator_call(&mut self, children: &[&'v Value]) -> String {
        let Some((callee, operands)) = children.split_first() else {
            return String::new();
        };
        let name = self.form(callee);
        let operator = name.strip_prefix("operator").unwrap_or(&name).to_owned();
        let written: Vec<&Value> = operands
            .iter()
            .copied()
            .filter(|child| kind(child) != "CXXDefaultArgExpr")
            .collect();
        match (operator.as_str(), &written[..]) {
            ("()", _) => {
                let parts = self.forms(written);
                group("call", parts)
            }
            // The member that follows writes the arrow.
            ("->", [object]) => self.form(object),
            // The second operand is the zero that tells the postfix form.
            ("++" | "--", [object, _]) => {
                let object = self.form(object);
                group(&format!("_{operator}"), [object])
            }
            ("++" | "--", [object]) => {
                let object = self.form(object);
                group(&format!("{operator}_"), [object])
            }
            _ => {
                let operands = self.forms(written);
                group(&operator, operands)
            }
        }
    }
}

/// The object that a member is of: what stands before the anonymous unions that hold it, whose arrow is the one written.
fn named<'v>(node: &'v Value, arrow: &mut bool) -> &'v Value {
    let node = bare(node);
    match (kind(node), inner(node).next()) {
        ("MemberExpr", Some(base)) if matches!(text(node, "name"), "" | "." | "->") => {
            *arrow = node["isArrow"].as_bool() == Some(true);
            named(base, arrow)
        }
        _ => node,
    }
}

/// Whether an object is not written: `this`, or a variable that is an anonymous union.
fn unwritten(node: &Value) -> bool {
    match kind(node) {
        "CXXThisExpr" => node["implicit"].as_bool() == Some(true),
        "DeclRefExpr" => text(&node["referencedDecl"], "name").is_empty(),
        _ => false,
    }
}

/// The node inside of what is not written: conversions, temporaries, parentheses.
fn bare(node: &Value) -> &Value {
    let mut node = node;
    loop {
        let child = match kind(node) {
            "ImplicitCastExpr" if text(node, "castKind") == "UserDefinedConversion" => {
                // `object.operator T()`, or a constructor.
                let call = inner(node).next().map_or(node, bare);
                match kind(call) {
                    "CXXMemberCallExpr" => {
                        inner(call).next().and_then(|member| inner(member).next())
                    }
                    _ => Some(call),
                }
            }
            "ImplicitCastExpr"
            | "ParenExpr"
            | "ExprWithCleanups"
            | "MaterializeTemporaryExpr"
            | "CXXBindTemporaryExpr"
            | "ConstantExpr"
            | "CXXRewrittenBinaryOperator"
            | "PackExpansionExpr"
            | "CXXStdInitializerListExpr" => inner(node).last(),
            // A constructor that is not written.
            "CXXConstructExpr" if arguments(node).len() == 1 => arguments(node).into_iter().next(),
            _ => None,
        };
        match child {
            Some(child) if !std::ptr::eq(child, node) => node = child,
            _ => return node,
        }
    }
}

/// The written arguments or elements.
fn arguments(node: &Value) -> Vec<&Value> {
    let filler = node["array_filler"].as_array();
    let elements = filler.map_or_else(
        || inner(node).collect::<Vec<_>>(),
        |elements| elements.iter().collect(),
    );
    let written = |child: &&Value| {
        !matches!(
            kind(child),
            "CXXDefaultArgExpr" | "ImplicitValueInitExpr" | "CXXDefaultInitExpr"
        )
    };
    elements.into_iter().filter(written).collect()
}

/// The last component of the type's name as written, without template arguments; as a word for a built-in type.
fn type_name(node: &Value) -> String {
    let written = [&node["typeAsWritten"], &node["type"]]
        .into_iter()
        .find_map(|ty| ty["qualType"].as_str());
    let written = written.unwrap_or_default();
    // `Around<64>::Inner`: the arguments of the classes around go as well.
    let mut depth = 0;
    let outside = |letter: &char| {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => return depth == 0,
        }
        false
    };
    let plain: String = written.chars().filter(outside).collect();
    plain.rsplit("::").next().unwrap_or_default().to_owned()
}

fn kind(node: &Value) -> &str {
    text(node, "kind")
}

fn text<'v>(node: &'v Value, field: &str) -> &'v str {
    node[field].as_str().unwrap_or_default()
}

fn inner(node: &Value) -> impl DoubleEndedIterator<Item = &Value> {
    node["inner"].as_array().into_iter().flatten()
}

/// The place in the file, that of the outermost macro call for what a macro of the declarations made.
fn offset(place: &Value) -> Option<usize> {
    let place = place.get("expansionLoc").unwrap_or(place);
    place["offset"]
        .as_u64()
        .and_then(|at| usize::try_from(at).ok())
}
