//! Python as far as it makes texts: names with what is assigned to them, literals, and the calls that put texts together.
//!
//! tree-sitter reads the file; what matters here is copied into a small tree of its own, so that nothing else sees
//! tree-sitter. Whatever has no meaning for a text is [`Expr::Other`] with its parts, in which texts may stand again.
//!
//! **Accuracy.** Scopes are Python's: functions, classes and the module; a name that is bound by anything but an assignment of one
//! value has a binding without a value. Literals are decoded by the rules of the language reference, section 2.4; `\N{…}` is kept
//! as it is written.

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::{Node, Parser};

/// Nesting up to which a file is read.
const MOST_DEPTH: usize = 200;

/// The name of an argument whose elements are arguments: `f(*a)`.
pub(crate) const SPREAD_LIST: &str = "*";
/// The name of an argument whose entries are arguments with names: `f(**a)`.
pub(crate) const SPREAD_DICTIONARY: &str = "**";

/// A run of characters of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Characters, and the bytes that they are written as.
    Text(String, Range<usize>),
    /// An expression in braces, with what follows `:` in them.
    Hole(Expr, String, Range<usize>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    /// String literals that stand side by side.
    Text(Vec<Part>, Range<usize>),
    /// An integer.
    Integer(i128, Range<usize>),
    /// A name, also one with dots.
    Name(String, Range<usize>),
    /// Operands with `+` between them.
    Sum(Vec<Expr>, Range<usize>),
    /// Another operator.
    Binary(String, Box<[Expr; 2]>, Range<usize>),
    /// A call: what is called, on what if it is a method, and arguments with their names; those that are spread have [`SPREAD_LIST`]
    /// or [`SPREAD_DICTIONARY`] for a name.
    Call {
        /// The last name of what is called; empty where that is what another expression gives.
        name: String,
        /// What stands before the dot, or gives what is called.
        of: Option<Box<Expr>>,
        /// Arguments, with their names.
        arguments: Vec<(Option<String>, Expr)>,
        /// Its bytes.
        range: Range<usize>,
    },
    /// A list or a tuple.
    List(Vec<Expr>, Range<usize>),
    /// A dictionary whose keys are literals.
    Dictionary(Vec<(String, Expr)>, Range<usize>),
    /// A `lambda` or a comprehension: it has names of its own, and may be evaluated later.
    Inner(Vec<Expr>, Range<usize>),
    /// Anything else.
    Other(Vec<Expr>, Range<usize>),
}

impl Expr {
    /// Its bytes.
    pub(crate) fn range(&self) -> &Range<usize> {
        match self {
            Expr::Text(_, range)
            | Expr::Integer(_, range)
            | Expr::Name(_, range)
            | Expr::Sum(_, range)
            | Expr::Binary(_, _, range)
            | Expr::Call { range, .. }
            | Expr::List(_, range)
            | Expr::Dictionary(_, range)
            | Expr::Inner(_, range)
            | Expr::Other(_, range) => range,
        }
    }

    /// The expressions that it is made of.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Text(parts, _) => {
                let hole = |part: &'_ Part| match part {
                    Part::Hole(..) => true,
                    Part::Text(..) => false,
                };
                let holes = parts.iter().filter(|part| hole(part));
                holes
                    .filter_map(|part| match part {
                        Part::Hole(expr, ..) => Some(expr),
                        Part::Text(..) => None,
                    })
                    .collect()
            }
            Expr::Integer(..) | Expr::Name(..) => Vec::new(),
            Expr::Sum(all, _) | Expr::List(all, _) | Expr::Inner(all, _) | Expr::Other(all, _) => {
                all.iter().collect()
            }
            Expr::Binary(_, both, _) => both.iter().collect(),
            Expr::Call { of, arguments, .. } => {
                let arguments = arguments.iter().map(|(_, argument)| argument);
                of.iter().map(|of| &**of).chain(arguments).collect()
            }
            Expr::Dictionary(entries, _) => entries.iter().map(|(_, value)| value).collect(),
        }
    }
}

/// What a statement does to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    /// The name.
    pub name: String,
    /// What it gets; none if that is no expression.
    pub value: Option<Expr>,
    /// Whether the value is added to what it was: `+=`.
    pub adds: bool,
    /// Whether it stands in a branch or a loop.
    pub conditional: bool,
    /// Where the statement ends.
    pub end: usize,
}

/// The module, a class or a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The scope around it.
    pub parent: Option<usize>,
    /// Whether functions in it do not see its names.
    pub is_class: bool,
    /// What is bound in it, in order.
    pub bindings: Vec<Binding>,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Module {
    /// Its scopes, the module's first.
    pub scopes: Vec<Scope>,
    /// Expressions that are part of no other, with their scopes, in order. Statements that are a literal only are left out.
    pub roots: Vec<(usize, Expr)>,
    /// Whether names of the module may be set by their text, as `globals()["n"] = 1` and `exec` do.
    pub names_by_text: bool,
    /// Where values are found by the text of their names, as `globals()["n"]` does: the first such place.
    pub found_by_text: Option<Range<usize>>,
}

/// Reads a file. Never fails: what is not understood is left out.
pub(crate) fn read(text: &str) -> Module {
    let mut module = Module {
        scopes: vec![Scope::default()],
        roots: Vec::new(),
        names_by_text: false,
        found_by_text: None,
    };
    let mut parser = Parser::new();
    let language = tree_sitter_python::LANGUAGE.into();
    if parser.set_language(&language).is_err() {
        return module;
    }
    if let Some(tree) = parser.parse(text, None) {
        let mut reader = Reader {
            text,
            module: &mut module,
        };
        reader.walk(tree.root_node(), 0, false, 0);
        names_by_text(text, tree.root_node(), &mut module);
    }
    module
}

/// Notes what sets names of the module, or finds their values, by their text.
fn names_by_text(text: &str, root: Node<'_>, module: &mut Module) {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let (sets, finds) = by_text(text, node);
        module.names_by_text |= sets;
        if finds {
            module.found_by_text.get_or_insert(node.byte_range());
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// Whether a node is a name by which names of the module may be set, and whether it is one by which values are found.
fn by_text(text: &str, node: Node<'_>) -> (bool, bool) {
    if node.kind() != "identifier" {
        return (false, false);
    }
    let word = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let parent = node.parent();
    let member = parent.filter(|parent| parent.kind() == "attribute");
    if member.is_some_and(|member| member.child_by_field_name("object") != Some(node)) {
        // A method of such a name is another thing; the table of a module is asked for by its member.
        let of = member.and_then(|member| member.child_by_field_name("object"));
        let is_table =
            word(node) == "__dict__" && of.is_some_and(|of| word(of).contains("modules"));
        return (is_table, is_table);
    }
    let of_module = || parent.is_none_or(|call| word(call).contains("modules"));
    match word(node) {
        "exec" | "eval" => (true, true),
        "globals" | "locals" | "vars" => {
            let call = parent.filter(|parent| parent.kind() == "call");
            call.map_or((true, true), |call| of_table(text, call))
        }
        // A module that is found by its name is this one, or may be.
        "setattr" => (of_module(), false),
        "getattr" => (false, of_module()),
        _ => (false, false),
    }
}

/// Whether names are set in the table that a call gives, and whether values are found in it.
fn of_table(text: &str, call: Node<'_>) -> (bool, bool) {
    let Some(parent) = call.parent() else {
        return (true, true);
    };
    match parent.kind() {
        "comparison_operator" => (false, false),
        "attribute" => {
            let name = parent.child_by_field_name("attribute");
            let name = name.and_then(|name| text.get(name.byte_range()));
            match name {
                Some("keys") => (false, false),
                Some("get" | "values" | "items" | "copy") => (false, true),
                _ => (true, true),
            }
        }
        "subscript" => {
            let sets = parent.parent().is_none_or(|around| {
                let is_target = around.child_by_field_name("left") == Some(parent);
                let is_list = matches!(
                    around.kind(),
                    "pattern_list" | "tuple_pattern" | "list_pattern" | "delete_statement"
                );
                is_target || is_list
            });
            (sets, true)
        }
        _ => (true, true),
    }
}

/// Methods that change the list that they are called on.
const CHANGING: &[&str] = &[
    "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort",
];

struct Reader<'t, 'm> {
    text: &'t str,
    module: &'m mut Module,
}

impl<'t> Reader<'t, '_> {
    fn word(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Reads a statement, or what holds statements.
    fn walk(&mut self, node: Node<'_>, scope: usize, conditional: bool, depth: usize) {
        if depth > MOST_DEPTH {
            return;
        }
        let below = |reader: &mut Self, node: Node<'_>, scope: usize, conditional: bool| {
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                reader.walk(child, scope, conditional, depth + 1);
            }
        };
        match node.kind() {
            "comment" => {}
            "expression_statement" => {
                let only = node
                    .named_child(0)
                    .filter(|_| node.named_child_count() == 1);
                let is_literal = only
                    .is_some_and(|only| matches!(only.kind(), "string" | "concatenated_string"));
                if let Some(call) = only.filter(|only| only.kind() == "call") {
                    self.change(call, scope, conditional, depth);
                }
                if !is_literal {
                    below(self, node, scope, conditional);
                }
            }
            "function_definition" | "lambda" => {
                let inner = self.scope(scope, false);
                self.bind_child(node, "name", scope, conditional);
                if let Some(parameters) = node.child_by_field_name("parameters") {
                    self.bind_all(parameters, inner, false, depth);
                    below(self, parameters, scope, conditional);
                }
                if let Some(body) = node.child_by_field_name("body") {
                    self.walk(body, inner, false, depth + 1);
                }
            }
            "class_definition" => {
                let inner = self.scope(scope, true);
                self.bind_child(node, "name", scope, conditional);
                if let Some(body) = node.child_by_field_name("body") {
                    self.walk(body, inner, false, depth + 1);
                }
            }
            "assignment" | "augmented_assignment" => {
                self.assignment(node, scope, conditional, depth);
            }
            "for_statement" => {
                if let Some(left) = node.child_by_field_name("left") {
                    self.bind_all(left, scope, true, depth);
                }
                below(self, node, scope, true);
            }
            "if_statement" | "while_statement" | "try_statement" | "match_statement" => {
                below(self, node, scope, true);
            }
            "with_statement" => below(self, node, scope, conditional),
            "as_pattern" => {
                if let Some(alias) = node.child_by_field_name("alias") {
                    self.bind_all(alias, scope, conditional, depth);
                }
                below(self, node, scope, conditional);
            }
            "wildcard_import" => {
                // It may bring a name that has been bound before.
                let bound = self.module.scopes[scope].bindings.iter();
                let names: BTreeSet<String> = bound.map(|one| one.name.clone()).collect();
                for name in names {
                    self.bind(scope, &name, None, (false, true, node.end_byte()));
                }
            }
            "import_from_statement" if has_wildcard(node) => below(self, node, scope, conditional),
            "import_statement"
            | "import_from_statement"
            | "delete_statement"
            | "future_import_statement" => self.bind_all(node, scope, conditional, depth),
            "global_statement" | "nonlocal_statement" => {
                // Whoever may assign to a name of another scope may do it at any time.
                for scope in 0..self.module.scopes.len() {
                    self.bind_all(node, scope, true, depth);
                }
            }
            _ if is_expression(node) => {
                let expr = self.expression(node, depth);
                self.bind_walrus(node, scope, depth);
                self.module.roots.push((scope, expr));
            }
            _ => below(self, node, scope, conditional),
        }
    }

    fn scope(&mut self, parent: usize, is_class: bool) -> usize {
        self.module.scopes.push(Scope {
            parent: Some(parent),
            is_class,
            bindings: Vec::new(),
        });
        self.module.scopes.len() - 1
    }

    fn bind(&mut self, scope: usize, name: &str, value: Option<Expr>, how: (bool, bool, usize)) {
        let (adds, conditional, end) = how;
        self.module.scopes[scope].bindings.push(Binding {
            name: name.to_owned(),
            value,
            adds,
            conditional,
            end,
        });
    }

    /// Binds the name in a field of a node to something that is no expression.
    fn bind_child(&mut self, node: Node<'_>, field: &str, scope: usize, conditional: bool) {
        if let Some(name) = node.child_by_field_name(field) {
            let how = (false, conditional, node.end_byte());
            self.bind(scope, self.word(name), None, how);
        }
    }

    /// Binds all names below a node to something that is not known.
    fn bind_all(&mut self, node: Node<'_>, scope: usize, conditional: bool, depth: usize) {
        if depth > MOST_DEPTH {
            return;
        }
        if node.kind() == "identifier" {
            let how = (false, conditional, node.end_byte());
            self.bind(scope, self.word(node), None, how);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.bind_all(child, scope, conditional, depth + 1);
        }
    }

    /// Names that are assigned to within an expression.
    fn bind_walrus(&mut self, node: Node<'_>, scope: usize, depth: usize) {
        if depth > MOST_DEPTH {
            return;
        }
        if node.kind() == "named_expression" {
            self.bind_child(node, "name", scope, true);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.bind_walrus(child, scope, depth + 1);
        }
    }

    /// A statement that calls a method which changes a list: `a.append(b)` is `a += [b]`, `a.extend(b)` is `a += b`.
    fn change(&mut self, call: Node<'_>, scope: usize, conditional: bool, depth: usize) {
        let Expr::Call {
            name,
            of: Some(of),
            arguments,
            range,
        } = self.expression(call, depth)
        else {
            return;
        };
        let Expr::Name(list, _) = &*of else {
            return;
        };
        if !CHANGING.contains(&name.as_str()) {
            return;
        }
        let value = match (name.as_str(), arguments.as_slice()) {
            ("append", [(None, value)]) => Some(Expr::List(vec![value.clone()], range)),
            ("extend", [(None, value)]) => Some(value.clone()),
            _ => None,
        };
        let is_own = |scope: usize| {
            let mut bindings = self.module.scopes[scope].bindings.iter();
            bindings.any(|binding| binding.name == *list)
        };
        if !list.contains('.') && is_own(scope) {
            self.bind(scope, list, value, (true, conditional, call.end_byte()));
            return;
        }
        // It is one of a scope around this one, or of an object, and changes whenever this runs.
        let mut at = Some(scope);
        while let Some(scope) = at {
            self.bind(scope, list, None, (false, true, call.end_byte()));
            at = self.module.scopes[scope].parent;
        }
    }

    fn assignment(&mut self, node: Node<'_>, scope: usize, conditional: bool, depth: usize) {
        let (Some(left), right) = (
            node.child_by_field_name("left"),
            node.child_by_field_name("right"),
        ) else {
            return;
        };
        let Some(right) = right else {
            return;
        };
        // `a = b = "…"`: the inner one is read for itself.
        let mut source = right;
        while source.kind() == "assignment" {
            match source.child_by_field_name("right") {
                Some(inner) => source = inner,
                None => return,
            }
        }
        let operator = node.child_by_field_name("operator");
        let adds = operator.is_some_and(|operator| self.word(operator) == "+=");
        let value = self.expression(source, depth);
        let how = (adds, conditional, node.end_byte());
        let known = operator.is_none() || adds;
        match (left.kind(), &value) {
            ("identifier", _) => {
                self.bind(scope, self.word(left), known.then(|| value.clone()), how);
            }
            // A member is a name of the class for all its functions, as far as nothing else is assigned to it.
            ("attribute", _) => {
                let name = self.word(left).to_owned();
                let class = self.class_of(scope);
                self.bind(class, &name, known.then(|| value.clone()), how);
            }
            ("pattern_list" | "tuple_pattern", Expr::List(values, _))
                if left.named_child_count() == values.len() && known =>
            {
                let mut cursor = left.walk();
                let targets: Vec<Node<'_>> = left.named_children(&mut cursor).collect();
                for (target, value) in targets.into_iter().zip(values) {
                    match target.kind() {
                        "identifier" => {
                            self.bind(scope, self.word(target), Some(value.clone()), how);
                        }
                        _ => self.bind_all(target, scope, conditional, depth),
                    }
                }
            }
            ("subscript", _) => {
                if let Some(of) = left.child_by_field_name("value") {
                    self.bind_all(of, scope, conditional, depth);
                }
            }
            _ => self.bind_all(left, scope, conditional, depth),
        }
        self.bind_walrus(right, scope, depth);
        if source.id() == right.id() {
            self.module.roots.push((scope, value));
        } else {
            self.walk(right, scope, conditional, depth + 1);
        }
    }

    /// The class around a scope, or the scope itself.
    fn class_of(&self, scope: usize) -> usize {
        let mut at = scope;
        loop {
            if self.module.scopes[at].is_class {
                return at;
            }
            match self.module.scopes[at].parent {
                Some(parent) => at = parent,
                None => return scope,
            }
        }
    }

    fn expressions(&self, node: Node<'_>, depth: usize) -> Vec<Expr> {
        let mut cursor = node.walk();
        let children = node.named_children(&mut cursor);
        children
            .filter(|child| child.kind() != "comment")
            .map(|child| self.expression(child, depth + 1))
            .collect()
    }

    fn expression(&self, node: Node<'_>, depth: usize) -> Expr {
        let range = node.byte_range();
        if depth > MOST_DEPTH {
            return Expr::Other(Vec::new(), range);
        }
        match node.kind() {
            "string" => Expr::Text(self.literal(node, depth), range),
            "concatenated_string" => {
                let mut cursor = node.walk();
                let strings = node.named_children(&mut cursor);
                let strings = strings.filter(|child| child.kind() == "string");
                let parts = strings.flat_map(|string| self.literal(string, depth));
                Expr::Text(parts.collect(), range)
            }
            "integer" => match integer(self.word(node)) {
                Some(value) => Expr::Integer(value, range),
                None => Expr::Other(Vec::new(), range),
            },
            "identifier" => Expr::Name(self.word(node).to_owned(), range),
            "attribute" if is_dotted(node) => Expr::Name(self.word(node).to_owned(), range),
            "parenthesized_expression" => match node.named_child(0) {
                Some(inner) if node.named_child_count() == 1 => self.expression(inner, depth + 1),
                _ => Expr::Other(self.expressions(node, depth), range),
            },
            "binary_operator" => self.binary(node, depth),
            "call" => self.call(node, depth),
            "list" | "tuple" | "expression_list" => {
                Expr::List(self.expressions(node, depth), range)
            }
            "dictionary" => self.dictionary(node, depth),
            "lambda"
            | "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression" => Expr::Inner(self.expressions(node, depth), range),
            _ => Expr::Other(self.expressions(node, depth), range),
        }
    }

    /// A sum is as long as its lines: its left side is followed by a loop.
    fn binary(&self, node: Node<'_>, depth: usize) -> Expr {
        let operator = |node: Node<'_>| {
            let operator = node.child_by_field_name("operator");
            operator
                .map(|operator| self.word(operator))
                .unwrap_or_default()
        };
        let side = |node: Node<'_>, field: &str| match node.child_by_field_name(field) {
            Some(side) => self.expression(side, depth + 1),
            None => Expr::Other(Vec::new(), node.byte_range()),
        };
        let range = node.byte_range();
        if operator(node) != "+" {
            let both = Box::new([side(node, "left"), side(node, "right")]);
            return Expr::Binary(operator(node).to_owned(), both, range);
        }
        let mut terms = Vec::new();
        let mut at = node;
        loop {
            terms.push(side(at, "right"));
            match at.child_by_field_name("left") {
                Some(left) if left.kind() == "binary_operator" && operator(left) == "+" => {
                    at = left;
                }
                _ => break,
            }
        }
        terms.push(side(at, "left"));
        terms.reverse();
        Expr::Sum(terms, range)
    }

    fn call(&self, node: Node<'_>, depth: usize) -> Expr {
        let range = node.byte_range();
        let (Some(function), Some(list)) = (
            node.child_by_field_name("function"),
            node.child_by_field_name("arguments"),
        ) else {
            return Expr::Other(self.expressions(node, depth), range);
        };
        let (name, of) = match function.kind() {
            "identifier" => (self.word(function).to_owned(), None),
            "attribute" => {
                let name = function.child_by_field_name("attribute");
                let of = function.child_by_field_name("object");
                (
                    name.map(|name| self.word(name))
                        .unwrap_or_default()
                        .to_owned(),
                    of.map(|of| Box::new(self.expression(of, depth + 1))),
                )
            }
            _ => {
                let callee = self.expression(function, depth + 1);
                (String::new(), Some(Box::new(callee)))
            }
        };
        let mut cursor = list.walk();
        let mut arguments = Vec::new();
        for argument in list.named_children(&mut cursor) {
            let value = argument.child_by_field_name("value");
            match (argument.kind(), argument.child_by_field_name("name"), value) {
                ("comment", ..) => {}
                ("keyword_argument", Some(name), Some(value)) => {
                    let name = self.word(name).to_owned();
                    arguments.push((Some(name), self.expression(value, depth + 1)));
                }
                ("list_splat" | "dictionary_splat", ..) => {
                    let name = match argument.kind() {
                        "list_splat" => SPREAD_LIST,
                        _ => SPREAD_DICTIONARY,
                    };
                    let value = self.expression(argument, depth + 1);
                    arguments.push((Some(name.to_owned()), value));
                }
                _ => arguments.push((None, self.expression(argument, depth + 1))),
            }
        }
        Expr::Call {
            name,
            of,
            arguments,
            range,
        }
    }

    fn dictionary(&self, node: Node<'_>, depth: usize) -> Expr {
        let range = node.byte_range();
        let mut entries = Vec::new();
        let mut cursor = node.walk();
        for pair in node.named_children(&mut cursor) {
            let (key, value) = (
                pair.child_by_field_name("key"),
                pair.child_by_field_name("value"),
            );
            let (Some(key), Some(value)) = (key, value) else {
                return Expr::Other(self.expressions(node, depth), range);
            };
            match self.expression(key, depth + 1) {
                Expr::Text(parts, _) => match parts.as_slice() {
                    [Part::Text(text, _)] => {
                        entries.push((text.clone(), self.expression(value, depth + 1)));
                    }
                    _ => return Expr::Other(self.expressions(node, depth), range),
                },
                _ => return Expr::Other(self.expressions(node, depth), range),
            }
        }
        Expr::Dictionary(entries, range)
    }

    /// The parts of one literal.
    fn literal(&self, node: Node<'_>, depth: usize) -> Vec<Part> {
        let (mut start, mut end) = (node.start_byte(), node.end_byte());
        let (mut prefix, mut holes) = ("", Vec::new());
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "string_start" => {
                    prefix = self.word(child);
                    start = child.end_byte();
                }
                "string_end" => end = child.start_byte(),
                "interpolation" => holes.push(child),
                _ => {}
            }
        }
        let has = |letter: char| {
            let letters = prefix.chars().take_while(char::is_ascii_alphabetic);
            letters.map(|c| c.to_ascii_lowercase()).any(|c| c == letter)
        };
        let style = Style {
            is_raw: has('r'),
            is_format: has('f'),
        };
        let mut parts = Vec::new();
        for hole in holes {
            decode(self.text, start..hole.start_byte(), style, &mut parts);
            let inner = hole.child_by_field_name("expression");
            let inner = inner.or_else(|| hole.named_child(0));
            let format = hole.child_by_field_name("format_specifier").or_else(|| {
                let mut cursor = hole.walk();
                hole.named_children(&mut cursor)
                    .find(|child| child.kind() == "format_specifier")
            });
            let format = format.map(|format| self.word(format)).unwrap_or_default();
            let expr = match inner {
                Some(inner) => self.expression(inner, depth + 1),
                None => Expr::Other(Vec::new(), hole.byte_range()),
            };
            let format = format.trim_start_matches(':').to_owned();
            parts.push(Part::Hole(expr, format, hole.byte_range()));
            start = hole.end_byte();
        }
        decode(self.text, start..end, style, &mut parts);
        parts
    }
}

/// How a literal is written.
#[derive(Clone, Copy)]
struct Style {
    is_raw: bool,
    is_format: bool,
}

/// Adds the characters that are written in some bytes of a literal.
fn decode(text: &str, range: Range<usize>, style: Style, parts: &mut Vec<Part>) {
    let Some(written) = text.get(range.clone()) else {
        return;
    };
    let mut plain = 0;
    let mut at = 0;
    let bytes = written.as_bytes();
    while at < bytes.len() {
        let escape = match bytes[at] {
            b'\\' if !style.is_raw => escape(&written[at..]),
            brace @ (b'{' | b'}') if style.is_format && bytes.get(at + 1) == Some(&brace) => {
                Some((char::from(brace).to_string(), 2))
            }
            _ => None,
        };
        let Some((value, length)) = escape else {
            at += 1;
            continue;
        };
        push(written, plain..at, range.start, parts);
        let place = range.start + at..range.start + at + length;
        parts.push(Part::Text(value, place));
        at += length;
        plain = at;
    }
    push(written, plain..bytes.len(), range.start, parts);
}

/// Adds characters that stand for themselves.
fn push(written: &str, range: Range<usize>, start: usize, parts: &mut Vec<Part>) {
    if let Some(text) = written.get(range.clone())
        && !text.is_empty()
    {
        let place = start + range.start..start + range.end;
        parts.push(Part::Text(text.to_owned(), place));
    }
}

/// The characters that an escape stands for, and its length; none where the backslash stands for itself.
fn escape(text: &str) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let one = |c: char| Some((c.to_string(), 2));
    let coded = |from: usize, digits: usize, radix: u32| {
        let code = u32::from_str_radix(text.get(from..from + digits)?, radix).ok()?;
        Some((char::from_u32(code)?.to_string(), from + digits))
    };
    match bytes.get(1)? {
        b'\n' => Some((String::new(), 2)),
        b'\r' if bytes.get(2) == Some(&b'\n') => Some((String::new(), 3)),
        b'\r' => Some((String::new(), 2)),
        b'\\' => one('\\'),
        b'\'' => one('\''),
        b'"' => one('"'),
        b'n' => one('\n'),
        b'r' => one('\r'),
        b't' => one('\t'),
        b'a' => one('\u{7}'),
        b'b' => one('\u{8}'),
        b'f' => one('\u{c}'),
        b'v' => one('\u{b}'),
        b'x' => coded(2, 2, 16),
        b'u' => coded(2, 4, 16),
        b'U' => coded(2, 8, 16),
        b'0'..=b'7' => {
            let digits = bytes[1..].iter().take(3);
            let digits = digits
                .take_while(|byte| matches!(byte, b'0'..=b'7'))
                .count();
            coded(1, digits, 8)
        }
        _ => None,
    }
}

/// Whether a node is an expression.
fn is_expression(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "string"
            | "concatenated_string"
            | "binary_operator"
            | "boolean_operator"
            | "comparison_operator"
            | "not_operator"
            | "unary_operator"
            | "call"
            | "identifier"
            | "attribute"
            | "subscript"
            | "list"
            | "tuple"
            | "set"
            | "dictionary"
            | "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression"
            | "parenthesized_expression"
            | "conditional_expression"
            | "expression_list"
            | "await"
            | "yield"
            | "named_expression"
            | "integer"
            | "float"
    )
}

/// Whether an import is one of all names.
fn has_wildcard(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .any(|child| child.kind() == "wildcard_import")
}

/// Whether an attribute is made of names only.
fn is_dotted(node: Node<'_>) -> bool {
    let mut at = node;
    while at.kind() == "attribute" {
        match at.child_by_field_name("object") {
            Some(object) => at = object,
            None => return false,
        }
    }
    at.kind() == "identifier"
}

/// The value of an integer literal.
fn integer(text: &str) -> Option<i128> {
    let text: String = text.chars().filter(|c| *c != '_').collect();
    let lower = text.to_ascii_lowercase();
    let of = |prefix: &str, radix: u32| {
        let digits = lower.strip_prefix(prefix)?;
        Some(i128::from_str_radix(digits, radix).ok())
    };
    of("0x", 16)
        .or_else(|| of("0o", 8))
        .or_else(|| of("0b", 2))
        .unwrap_or_else(|| lower.parse().ok())
}
