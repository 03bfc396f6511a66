//! Launches that were met, as lowering takes them: symbols named, allocations told apart, equal
//! launches once, and those beyond a number made into one that stands for them all.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use warplog_facts::CType;
use warplog_facts::words::LaunchSource;

use super::alias::Objects;
use super::inherit::{class_of, last};
use super::launch::{Found, FoundArgument};
use super::template::{argument_text, substitute};
use super::term::{SymbolId, Term};
use super::value::*;
use super::{Argument, Contents, Host, Known, Launch, LaunchArgument, Overlap, Overlapped, Passed};
use crate::lower::types::{Extent, Ty};
use crate::lower::walk;
use crate::syntax::ast::*;

/// Most launches of one instance of a kernel that are checked apart.
const MAX_LAUNCHES: usize = 16;

/// Most choices of pointers that are taken apart in a launch.
const MAX_SPLITS: u32 = 3;

/// Most elements of an array that are passed one by one.
const MAX_ELEMENTS: u64 = 32;

/// Most conditions on the way to a launch that are kept.
const MAX_CONDITIONS: usize = 12;

/// Names of the symbols of one launch.
#[derive(Default)]
struct Names {
    of: BTreeMap<SymbolId, String>,
    taken: BTreeSet<String>,
}

impl Names {
    fn name(&mut self, objects: &Objects, symbol: SymbolId) -> String {
        if let Some(name) = self.of.get(&symbol) {
            return name.clone();
        }
        let wanted = objects.symbol_name(symbol);
        let mut name = wanted.to_owned();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted} ({number})");
        }
        self.of.insert(symbol, name.clone());
        name
    }
}

impl<'u> Host<'_, 'u> {
    /// The launches of each kernel.
    pub(super) fn finished(mut self) -> BTreeMap<usize, Vec<Launch>> {
        if self.labels {
            self.objects.round(0);
        }
        self.objects.settle();
        let mut all: BTreeMap<usize, Vec<Launch>> = BTreeMap::new();
        // Where a launch stands among those of its kernel.
        let mut known: BTreeMap<(usize, String), usize> = BTreeMap::new();
        let mut work: Vec<(Found<'u>, u32)> = std::mem::take(&mut self.found)
            .into_iter()
            .map(|found| (found, 0))
            .rev()
            .collect();
        while let Some((found, splits)) = work.pop() {
            let kernel = found.kernel;
            let launch = self.launch(&found);
            // Pointers that are chosen: one launch for each choice.
            if launch.overlaps.iter().any(|overlap| overlap.may_be_one)
                && splits < MAX_SPLITS
                && let Some(condition) = found.arguments.iter().find_map(chosen)
            {
                work.push((decided(&found, &condition, false), splits + 1));
                work.push((decided(&found, &condition, true), splits + 1));
                continue;
            }
            let launches = all.entry(kernel).or_default();
            let key = (kernel, key(&launch));
            match known.get(&key).and_then(|&at| launches.get_mut(at)) {
                Some(old) => {
                    old.contents.retain(|one| {
                        launch.contents.iter().any(|other| {
                            one.position == other.position
                                && one.property == other.property
                                && one.count == other.count
                        })
                    });
                    // What holds on the way to each of them.
                    old.conditions
                        .retain(|condition| launch.conditions.contains(condition));
                    for text in launch.assumptions {
                        if !old.assumptions.contains(&text) {
                            old.assumptions.push(text);
                        }
                    }
                    // One of them is known to be made.
                    if launch.doubts.is_empty() {
                        old.doubts.clear();
                    }
                }
                None => {
                    known.insert(key, launches.len());
                    launches.push(launch);
                }
            }
        }
        for launches in all.values_mut() {
            // CUDA refuses a launch of no threads: what stands there is not meant to be reached, if others are.
            if launches.iter().any(|launch| !has_no_threads(launch)) {
                launches.retain(|launch| !has_no_threads(launch));
            }
            launches.sort_by_key(|launch| launch.range);
            *launches = few(std::mem::take(launches));
        }
        let unknown = self.as_values.iter().filter(|_| self.launches_unknown);
        let mut arbitrary = self.arbitrary.clone();
        for kernel in unknown {
            let reason = "which kernel a launch means is not followed".to_owned();
            arbitrary.entry(*kernel).or_insert(reason);
        }
        // A text that includes itself has its kernels more than once.
        let functions = &self.index.unit.functions;
        let names: BTreeSet<&str> = all
            .keys()
            .map(|&kernel| functions[kernel].qualified.as_str())
            .collect();
        for (kernel, reason) in self.never_reached() {
            if !names.contains(functions[kernel].qualified.as_str()) {
                arbitrary.entry(kernel).or_insert(reason);
            }
        }
        let passes_variables = self.passes_variables();
        for (kernel, reason) in arbitrary {
            let launches = all.entry(kernel).or_default();
            let mut launch = Launch {
                doubts: vec![reason],
                passes_variables,
                ..Launch::symbolic()
            };
            along_the_same_axes(&mut launch, launches);
            launches.push(launch);
        }
        all
    }

    /// Kernels that functions of the host launch by their names, with a word on which: those that are met nowhere stand where
    /// host code does not come, as behind `if (0)`.
    fn never_reached(&self) -> BTreeMap<usize, String> {
        let mut named = BTreeMap::new();
        let unit = self.index.unit;
        for function in unit.functions.iter().filter(|one| !one.quals.global) {
            let Some(body) = &function.body else { continue };
            for stmt in &body.stmts {
                walk::each_expr(stmt, &mut |expr| {
                    let ExprKind::Launch { kernel, .. } = &expr.kind else {
                        return;
                    };
                    let ExprKind::Name(name) = &kernel.kind else {
                        return;
                    };
                    for one in self.index.functions(&name.base) {
                        let is_defined = one.quals.global && one.body.is_some();
                        if let Some(position) = self.index.named.position_at(one.range)
                            && is_defined
                        {
                            let text = format!(
                                "host code does not come to its launch in `{}`, as far as it is followed",
                                function.name
                            );
                            named.entry(position).or_insert(text);
                        }
                    }
                });
            }
        }
        named
    }

    fn launch(&mut self, found: &Found<'u>) -> Launch {
        let mut names = Names::default();
        let objects = &self.objects;
        let mut sizes = |sizes: &[Option<Term>; 3]| {
            sizes.each_ref().map(|size| {
                size.as_ref()
                    .map(|size| argument(objects, &mut names, &found.value(size)))
            })
        };
        let grid = sizes(&found.grid);
        let block = sizes(&found.block);
        let function = &self.index.unit.functions[found.kernel];
        let function = self.index.launched_with(function, found.arguments.len());
        let mut pointers: Vec<(Passed, Pointer)> = Vec::new();
        let mut arguments = Vec::new();
        let types = types_given(function, &found.template_args);
        for (position, given) in found.arguments.iter().enumerate() {
            let ty = match function.params.get(position) {
                Some(param) => self.resolve(&substitute(&param.ty, &types)),
                None => Ty::Void,
            };
            let slot = (position, Vec::new());
            // A constructor or a conversion function of the host makes the parameter of an object of another class.
            let made = class_of(&ty).zip(given.class.as_ref());
            if made.is_some_and(|(class, own)| {
                last(own) != last(&class) && !self.hierarchy.inherits_plainly(own, &class)
            }) {
                arguments.push(LaunchArgument {
                    text: given.text.clone(),
                    value: Argument::Unknown(given.text.clone()),
                });
                continue;
            }
            if let Some(closure) = &given.closure {
                let members = self.passed_members(
                    &given.value,
                    &closure.members,
                    slot,
                    found,
                    &mut names,
                    &mut pointers,
                );
                let Argument::Record(members) = members else {
                    continue;
                };
                arguments.push(LaunchArgument {
                    text: given.text.clone(),
                    value: Argument::Closure(Rc::clone(closure), members),
                });
                continue;
            }
            if let Some(fields) = function
                .params
                .get(position)
                .and_then(|param| self.pair_fields(&param.ty))
                && let Value::Tree(..) | Value::Initial(..) = given.value
            {
                let value = self.passed_members(
                    &given.value,
                    &fields,
                    slot,
                    found,
                    &mut names,
                    &mut pointers,
                );
                arguments.push(LaunchArgument {
                    text: given.text.clone(),
                    value,
                });
                continue;
            }
            let value =
                self.passed_value(&given.value, &ty, slot, found, &mut names, &mut pointers);
            arguments.push(LaunchArgument {
                text: given.text.clone(),
                value: value.unwrap_or_else(|| Argument::Unknown(given.text.clone())),
            });
        }
        let overlaps = self.overlaps(&pointers);
        let doubts = self.doubts(found, &pointers);
        let conditions = self.conditions(found, &mut names);
        let contents = self.contents(found, &mut names);
        let mut assumptions = found.assumptions.clone();
        let is_counter = |symbol: &SymbolId| self.objects.is_assumed_counter(*symbol);
        if names.of.keys().any(is_counter) {
            assumptions.push("loop counters do not wrap".to_owned());
        }
        Launch {
            source: LaunchSource::Code,
            range: Some(found.range),
            block,
            grid,
            arguments,
            template_args: found.template_args.clone(),
            rest_is_open: found.rest_is_open,
            stand_in: None,
            overlaps,
            doubts,
            passes_variables: self.passes_variables(),
            conditions,
            assumptions,
            contents,
            elsewhere: None,
            is_open: false,
        }
    }

    /// What is known of the elements of arrays that are passed from their first element on.
    fn contents(&self, found: &Found<'u>, names: &mut Names) -> Vec<Contents> {
        let is_whole = |position: usize| {
            let given = found.arguments.get(position).map(|given| &given.value);
            match given {
                Some(Value::Pointer(Pointer::At(_, offset), _)) => offset.as_constant() == Some(0),
                // Which of several allocations it is matters to none of them.
                Some(Value::Pointer(..) | Value::Unknown(_) | Value::Initial(..)) => true,
                _ => false,
            }
        };
        let told = found.told.iter().filter(|told| is_whole(told.position));
        told.map(|told| Contents {
            position: told.position,
            property: told.property,
            count: argument(&self.objects, names, &found.value(&told.count)),
            from: format!(
                "line {}: `{}`",
                self.sources.line(told.from),
                self.snippet(told.from)
            ),
            sums: told.sums,
        })
        .collect()
    }

    /// Whether pointers to device variables may be among the arguments.
    fn passes_variables(&self) -> bool {
        let globals = &self.index.unit.globals;
        self.text.contains("GetSymbolAddress") || globals.iter().any(|one| one.storage.managed)
    }

    /// Why two arguments that are one allocation may never be passed together: what chooses them is not followed.
    fn doubts(&self, found: &Found<'u>, pointers: &[(Passed, Pointer)]) -> Vec<String> {
        let mut on_the_way = Vec::new();
        for (term, holds) in found.path.iter() {
            conjuncts(term, *holds, &mut on_the_way);
        }
        let is_denied = |term: &Term| self.null_checks.iter().any(|one| denies(term, *one));
        if on_the_way.iter().any(is_denied) {
            let text = "host code launches it only where a pointer is not null that is null as far as it is followed";
            return vec![text.to_owned()];
        }
        let is_open = |(term, _): &&(Term, bool)| !self.is_input(&term.with(&found.known));
        let Some((term, _)) = found.choices.iter().find(is_open) else {
            return Vec::new();
        };
        let own: Vec<Option<(Place, Term)>> = pointers.iter().map(|(_, one)| shape(one)).collect();
        let places: Vec<&Place> = own.iter().flatten().map(|(place, _)| place).collect();
        let meets = |(position, place): (usize, &&Place)| places[..position].contains(place);
        if !places.iter().enumerate().any(meets) {
            return Vec::new();
        }
        let mut symbols = BTreeSet::new();
        term.symbols(&mut symbols);
        let names = symbols.iter().map(|one| self.objects.symbol_name(*one));
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        vec![format!(
            "which of several pointers is passed depends on {}, which host code computes",
            names.join(", ")
        )]
    }

    /// Whether a condition is about what comes from outside alone, so that each way it may go is taken.
    fn is_input(&self, term: &Term) -> bool {
        let mut symbols = BTreeSet::new();
        term.symbols(&mut symbols);
        let mut known = symbols.iter().map(|one| self.objects.symbol_known(*one));
        is_plain(term) && known.all(|known| known == Known::Input)
    }

    /// What the way to a launch tells of the values that it has, and what chooses its arguments.
    fn conditions(&self, found: &Found<'u>, names: &mut Names) -> Vec<Argument> {
        let mut open: Vec<Term> = Vec::new();
        let mut chosen = Vec::new();
        for (term, holds) in &found.choices {
            let term = term.with(&found.known);
            if self.is_input(&term) {
                let mut parts = Vec::new();
                conjuncts(&term, *holds, &mut parts);
                let parts = parts.iter().filter(|part| part.as_constant() != Some(1));
                chosen.extend(parts.map(|part| argument(&self.objects, names, part)));
            }
        }
        for (term, holds) in found.path.iter() {
            conjuncts(term, *holds, &mut open);
        }
        for term in open {
            let term = term.with(&found.known);
            let mut symbols = BTreeSet::new();
            term.symbols(&mut symbols);
            // Of other values there is too much that says nothing of the launch.
            let of_launch = symbols.iter().all(|symbol| names.of.contains_key(symbol));
            if symbols.is_empty() || !of_launch || !is_plain(&term) {
                continue;
            }
            let condition = argument(&self.objects, names, &term);
            if !chosen.contains(&condition) {
                chosen.push(condition);
            }
            if chosen.len() >= MAX_CONDITIONS {
                break;
            }
        }
        chosen
    }

    /// A value as an argument of a type; `None` when it is not known.
    fn passed_value(
        &mut self,
        value: &Value<'u>,
        ty: &Ty,
        slot: Passed,
        found: &Found<'u>,
        names: &mut Names,
        pointers: &mut Vec<(Passed, Pointer)>,
    ) -> Option<Argument> {
        // `k<<<…>>>({{a, b}, 1})`: a list is one of the parameter's type.
        let listed;
        let value = match value {
            Value::Tree(_, None) => {
                listed = self.list_as(ty, value.clone());
                &listed
            }
            value => value,
        };
        let value = match (value, ty) {
            (Value::Pointer(..), _) => value.clone(),
            // An array that is a member is passed with all its elements.
            (_, Ty::Array(element, Extent::Constant(count))) if !slot.1.is_empty() => {
                return self.passed_elements(
                    value,
                    (element, *count),
                    &slot,
                    found,
                    names,
                    pointers,
                );
            }
            (_, Ty::Pointer(_) | Ty::Array(..)) => {
                let ty = Ty::Void.pointer_to();
                match self.converted(value.clone(), &ty, "pointer") {
                    value @ Value::Pointer(..) => value,
                    // An integer, or a value that nothing is known of.
                    _ => Value::Pointer(Pointer::OneOf(Default::default()), Ty::Void),
                }
            }
            (_, Ty::Scalar(ctype)) if ctype.is_integer() => {
                self.number(value.clone(), ty, &slot, found)
            }
            (_, Ty::Scalar(_)) => self.typed(value.clone(), ty),
            (value, _) => value.clone(),
        };
        let value = match value {
            Value::Tree(parts, base) => Value::Tree(Rc::new(flat(&parts)), base),
            value => value,
        };
        match (&value, ty) {
            (Value::Pointer(pointer, _), _) => {
                let (allocation, bytes) = allocation(pointer, pointers);
                pointers.push((slot, pointer.clone()));
                let bytes = bytes
                    .map(|bytes| argument(&self.objects, names, &found.value(&bytes)))
                    .map(Box::new);
                Some(Argument::Pointer { allocation, bytes })
            }
            (Value::Scalar(term), _) => Some(argument(&self.objects, names, &found.value(term))),
            (_, Ty::Struct(layout)) => {
                let fields = layout.fields().into_iter();
                let fields: Vec<(String, Ty)> = fields.map(|(name, ty, _)| (name, ty)).collect();
                Some(self.passed_members(&value, &fields, slot, found, names, pointers))
            }
            (_, Ty::Opaque { name, .. }) if !name.is_empty() => {
                let fields = self.hierarchy.inherited_fields(name)?.into_iter();
                let fields: Vec<(String, Ty)> = fields
                    .map(|field| (field.name.clone(), self.resolve(&field.ty)))
                    .collect();
                Some(self.passed_members(&value, &fields, slot, found, names, pointers))
            }
            _ => None,
        }
    }

    /// The members of an object that is passed.
    fn passed_members(
        &mut self,
        value: &Value<'u>,
        members: &[(String, Ty)],
        slot: Passed,
        found: &Found<'u>,
        names: &mut Names,
        pointers: &mut Vec<(Passed, Pointer)>,
    ) -> Argument {
        let mut fields = Vec::new();
        for (field, field_ty) in members {
            let first = Step::Field(field.clone());
            let below = |path: &[Step]| {
                let rest = path.strip_prefix(std::slice::from_ref(&first))?;
                Some(rest.to_vec())
            };
            let is_array = matches!(field_ty, Ty::Array(..));
            let Some(inner) = part(value, is_array, &below, &|at| at.field(field)) else {
                continue;
            };
            let mut slot = slot.clone();
            slot.1.push(field.clone());
            if let Some(value) = self.passed_value(&inner, field_ty, slot, found, names, pointers) {
                fields.push((field.clone(), value));
            }
        }
        Argument::Record(fields)
    }

    /// The members of a pair of the standard library.
    fn pair_fields(&mut self, ty: &Type) -> Option<Vec<(String, Ty)>> {
        let TypeKind::Named(name) = &ty.kind else {
            return None;
        };
        let [TemplateArg::Type(first), TemplateArg::Type(second)] = name.args.as_deref()? else {
            return None;
        };
        super::library::is_pair(name).then(|| {
            let mut field = |name: &str, ty: &Type| (name.to_owned(), self.resolve(ty));
            vec![field("first", first), field("second", second)]
        })
    }

    /// A value that is passed as an integer. One that is not known is computed, unless it comes from outside; its name is what is written
    /// there, unless that could be the name of something else.
    fn number(&mut self, value: Value<'u>, ty: &Ty, slot: &Passed, found: &Found<'u>) -> Value<'u> {
        let is_name = |text: &str| {
            text.chars()
                .all(|sign| sign.is_alphanumeric() || sign == '_')
        };
        let written = found.arguments.get(slot.0).map(|given| &given.text);
        let name = match written.filter(|text| !is_name(text)) {
            Some(text) => {
                let path = std::iter::once(text).chain(&slot.1);
                path.cloned().collect::<Vec<_>>().join(".")
            }
            None => self.text_of(found.range),
        };
        match self.converted(value, ty, &name) {
            value @ Value::Scalar(_) => value,
            _ => self.converted(Value::unknown(), ty, &name),
        }
    }

    /// The elements of an array that is a member of what is passed.
    fn passed_elements(
        &mut self,
        value: &Value<'u>,
        (element, count): (&Ty, u64),
        slot: &Passed,
        found: &Found<'u>,
        names: &mut Names,
        pointers: &mut Vec<(Passed, Pointer)>,
    ) -> Option<Argument> {
        let bytes = i128::from(element.bytes()?);
        if count > MAX_ELEMENTS {
            return None;
        }
        let value = &match value {
            Value::Tree(parts, base) => Value::Tree(Rc::new(flat(parts)), base.clone()),
            value => value.clone(),
        };
        let is_known = match value {
            Value::Tree(parts, _) => parts.iter().all(|(path, _)| match path.first() {
                Some(Step::At(at)) => at.as_constant().is_some_and(|at| at % bytes == 0),
                _ => true,
            }),
            // Of what was copied there by code that is not followed, the elements may be one.
            Value::Initial(_, version) => *version == Version(0),
            _ => false,
        };
        let unknown = Value::Unknown(Rc::new(self.roots_of(value)));
        let mut items = Vec::new();
        for index in 0..count {
            let at = Term::bytes(i128::from(index) * bytes);
            let below = |path: &[Step]| match path.first() {
                Some(Step::At(here)) if *here == at => Some(path[1..].to_vec()),
                Some(Step::At(_)) => None,
                // The first element stands where the array does.
                _ => (index == 0).then(|| path.to_vec()),
            };
            let is_array = matches!(element, Ty::Array(..));
            let inner = match is_known {
                true => part(value, is_array, &below, &|place| place.at(&at)),
                false => None,
            };
            let inner = inner.unwrap_or_else(|| unknown.clone());
            let mut slot = slot.clone();
            slot.1.push(index.to_string());
            if let Some(value) = self.passed_value(&inner, element, slot, found, names, pointers) {
                items.push((index.to_string(), value));
            }
        }
        Some(Argument::Record(items))
    }

    /// The pairs that are neither shown to be one allocation nor to be two.
    fn overlaps(&self, pointers: &[(Passed, Pointer)]) -> Vec<Overlap> {
        let mut overlaps = Vec::new();
        let mut add = |slot: &Passed, other: Overlapped, may_be_one: bool| {
            overlaps.push(Overlap {
                passed: slot.clone(),
                other,
                may_be_one,
            });
        };
        let is_shown = |pointer: &Pointer| self.objects.is_shown(pointer, &self.wanted);
        let shown: Vec<bool> = pointers.iter().map(|(_, one)| is_shown(one)).collect();
        for (position, (slot, pointer)) in pointers.iter().enumerate() {
            let mine = shape(pointer);
            for (before, (other_slot, other)) in pointers[..position].iter().enumerate() {
                let one = match (&mine, &shape(other)) {
                    (Some((a, _)), Some((b, _))) => a == b,
                    _ => pointer == other && is_one(pointer),
                };
                if one || *pointer == Pointer::Null || *other == Pointer::Null {
                    continue;
                }
                let may_be_one = self.objects.pointers(pointer, other) != Relation::Distinct;
                // Parts of one object: a kernel that goes on behind the one comes to the other.
                let of_one = match (&mine, &shape(other)) {
                    (Some((a, _)), Some((b, _))) => a.root == b.root,
                    _ => false,
                };
                if may_be_one || of_one || !shown[position] || !shown[before] {
                    add(slot, Overlapped::Argument(other_slot.clone()), may_be_one);
                }
            }
            for (name, global) in &self.globals {
                if !self.objects.get(global.root).on_device {
                    continue;
                }
                let address = Pointer::At(Place::of(global.root), Term::bytes(0));
                if self.objects.pointers(pointer, &address) != Relation::Distinct {
                    add(slot, Overlapped::Global((*name).to_owned()), true);
                }
            }
        }
        overlaps
    }
}

/// A launch that is not followed is along the axes of those that are.
fn along_the_same_axes(launch: &mut Launch, others: &[Launch]) {
    let one = Argument::Constant(1, CType::U32);
    let sizes = |of: &Launch, is_block: bool, axis: usize| match is_block {
        true => of.block[axis].clone(),
        false => of.grid[axis].clone(),
    };
    let mut closed = Vec::new();
    for (is_block, name) in [(true, "blockDim"), (false, "gridDim")] {
        for (axis, letter) in [(1, "y"), (2, "z")] {
            let is_one = |other: &Launch| sizes(other, is_block, axis) == Some(one.clone());
            if others.is_empty() || !others.iter().all(is_one) {
                continue;
            }
            match is_block {
                true => launch.block[axis] = Some(one.clone()),
                false => launch.grid[axis] = Some(one.clone()),
            }
            closed.push(format!("{name}.{letter} = 1"));
        }
    }
    if !closed.is_empty() {
        let text = format!(
            "{} (as in every launch that was followed)",
            closed.join(", ")
        );
        launch.assumptions.push(text);
    }
}

/// The types that a launch gives for the template parameters of a kernel.
fn types_given(kernel: &Function, given: &[TemplateArg]) -> BTreeMap<String, Type> {
    let params = kernel.template.iter().flatten();
    let pairs = params.zip(given).filter_map(|(param, given)| {
        let name = param.name.clone()?;
        let ty = match given {
            _ if param.pack => return None,
            TemplateArg::Type(ty) => ty.clone(),
            TemplateArg::Name(name) => Type::new(TypeKind::Named(name.clone()), name.range),
            TemplateArg::Expr(_) => return None,
        };
        matches!(param.kind, TemplateParamKind::Type { .. }).then_some((name, ty))
    });
    pairs.collect()
}

/// A member or an element of a value: what stands below it, by the rest of the way there.
fn part<'u>(
    value: &Value<'u>,
    is_array: bool,
    below: &dyn Fn(&[Step]) -> Option<Vec<Step>>,
    at: &dyn Fn(&Place) -> Place,
) -> Option<Value<'u>> {
    match value {
        Value::Tree(parts, base) => {
            let mut found: Vec<(Vec<Step>, Value<'u>)> = parts
                .iter()
                .filter_map(|(path, value)| Some((below(path)?, value.clone())))
                .collect();
            let whole = found.iter().position(|(path, _)| path.is_empty());
            let mut base = base.as_ref().map(|(place, version)| (at(place), *version));
            match whole.map(|whole| found[whole].1.clone()) {
                // Members that were written since.
                Some(Value::Initial(place, version)) if found.len() > 1 => {
                    found.retain(|(path, _)| !path.is_empty());
                    base = Some((place, version));
                }
                // The first element of an array stands where the array does.
                Some(value) if !is_array || matches!(value, Value::Initial(..)) => {
                    return Some(value);
                }
                _ => {}
            }
            match base {
                base if !found.is_empty() => Some(Value::Tree(Rc::new(found), base)),
                Some((place, version)) => Some(Value::Initial(place, version)),
                None => None,
            }
        }
        Value::Initial(place, version) => Some(Value::Initial(at(place), *version)),
        value @ Value::Unknown(_) => Some(value.clone()),
        _ => None,
    }
}

/// The first condition that decides what an argument points to.
fn chosen(argument: &FoundArgument<'_>) -> Option<Term> {
    match &argument.value {
        Value::Pointer(pointer, _) => condition(pointer),
        Value::Tree(parts, _) => parts.iter().find_map(|(_, value)| match value {
            Value::Pointer(pointer, _) => condition(pointer),
            _ => None,
        }),
        _ => None,
    }
}

fn condition(pointer: &Pointer) -> Option<Term> {
    match pointer {
        Pointer::Select(condition, ..) => Some(condition.clone()),
        _ => None,
    }
}

/// The launch where a condition is decided.
fn decided<'u>(found: &Found<'u>, condition: &Term, holds: bool) -> Found<'u> {
    let mut found = found.clone();
    found.choices.push((condition.clone(), holds));
    for argument in &mut found.arguments {
        argument.value = match &argument.value {
            Value::Pointer(pointer, ty) => {
                Value::Pointer(of_choice(pointer, condition, holds), ty.clone())
            }
            Value::Tree(parts, base) => {
                let parts = parts.iter().map(|(path, value)| {
                    let value = match value {
                        Value::Pointer(pointer, ty) => {
                            Value::Pointer(of_choice(pointer, condition, holds), ty.clone())
                        }
                        value => value.clone(),
                    };
                    (path.clone(), value)
                });
                Value::Tree(Rc::new(parts.collect()), base.clone())
            }
            value => value.clone(),
        };
    }
    found
}

fn of_choice(pointer: &Pointer, condition: &Term, holds: bool) -> Pointer {
    match pointer {
        Pointer::Select(cond, then, els) if cond == condition => {
            of_choice(if holds { then } else { els }, condition, holds)
        }
        Pointer::Select(cond, then, els) => Pointer::Select(
            cond.clone(),
            Rc::new(of_choice(then, condition, holds)),
            Rc::new(of_choice(els, condition, holds)),
        ),
        other => other.clone(),
    }
}

/// The object that a pointer points into, and how many bytes in.
fn shape(pointer: &Pointer) -> Option<(Place, Term)> {
    let Pointer::At(place, offset) = pointer else {
        return None;
    };
    let mut place = place.clone();
    let mut offset = offset.clone();
    if let Some(Step::At(bytes)) = place.path.last() {
        offset = super::term::binary(BinaryOp::Add, bytes.clone(), offset);
        place.path.pop();
    }
    Some((place, offset))
}

/// Whether an equal pointer leads to the same memory: one of several objects need not be the same one, and null leads to none.
fn is_one(pointer: &Pointer) -> bool {
    !matches!(pointer, Pointer::OneOf(_) | Pointer::Null)
}

/// The name of the allocation that a pointer points into, the same for certainly the same one.
fn allocation(pointer: &Pointer, before: &[(Passed, Pointer)]) -> (String, Option<Term>) {
    let number = |found: Option<usize>| format!("#{}", found.unwrap_or(before.len()));
    match shape(pointer) {
        Some((place, bytes)) => {
            let same = before
                .iter()
                .position(|(_, other)| shape(other).is_some_and(|(other, _)| other == place));
            (
                number(same),
                (bytes.as_constant() != Some(0)).then_some(bytes),
            )
        }
        None => {
            let same = before
                .iter()
                .position(|(_, other)| other == pointer && is_one(pointer));
            (number(same), None)
        }
    }
}

/// Whether a condition says that a truth value is false.
fn denies(term: &Term, symbol: SymbolId) -> bool {
    *term == super::term::not(Term::Symbol(symbol, CType::Bool))
}

/// What a condition that holds or does not is made of.
fn conjuncts(term: &Term, holds: bool, into: &mut Vec<Term>) {
    match (term, holds) {
        (Term::Binary(BinaryOp::And, left, right), true)
        | (Term::Binary(BinaryOp::Or, left, right), false) => {
            conjuncts(left, holds, into);
            conjuncts(right, holds, into);
        }
        (Term::Binary(BinaryOp::Eq, inner, zero), _)
            if inner.ty() == CType::Bool && zero.as_constant() == Some(0) =>
        {
            conjuncts(inner, !holds, into);
        }
        (_, true) => into.push(term.clone()),
        (Term::Binary(op, left, right), false) => {
            let negated = match op {
                BinaryOp::Lt => BinaryOp::Ge,
                BinaryOp::Le => BinaryOp::Gt,
                BinaryOp::Gt => BinaryOp::Le,
                BinaryOp::Ge => BinaryOp::Lt,
                BinaryOp::Eq => BinaryOp::Ne,
                BinaryOp::Ne => BinaryOp::Eq,
                _ => return into.push(super::term::not(term.clone())),
            };
            into.push(super::term::binary(
                negated,
                (**left).clone(),
                (**right).clone(),
            ));
        }
        (_, false) => into.push(super::term::not(term.clone())),
    }
}

/// Whether a condition is worth its cost: sums, multiples, quotients and remainders by constants, and what is made of them.
fn is_plain(term: &Term) -> bool {
    match term {
        Term::Constant(..) | Term::Symbol(..) => true,
        Term::Cast(_, inner) => is_plain(inner),
        Term::Select(cond, then, els) => is_plain(cond) && is_plain(then) && is_plain(els),
        Term::Binary(op, left, right) => {
            let constant = |term: &Term| term.as_constant().is_some();
            let admitted = match op {
                BinaryOp::Mul => constant(left) || constant(right),
                // `1 << exponent`: the size of a block that is a power of two.
                BinaryOp::Shl if constant(left) => true,
                BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => {
                    right.as_constant().is_some_and(|by| by > 0)
                }
                // `s & (s - 1)`: a power of two.
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => term.nodes() <= 8,
                _ => true,
            };
            admitted && is_plain(left) && is_plain(right)
        }
    }
}

fn argument(objects: &Objects, names: &mut Names, term: &Term) -> Argument {
    let mut part = |term: &Term| Box::new(argument(objects, names, term));
    match term {
        Term::Constant(value, ty) => Argument::Constant(*value, *ty),
        Term::Symbol(symbol, ty) => {
            let known = objects.symbol_known(*symbol);
            Argument::Symbol(known, names.name(objects, *symbol), *ty)
        }
        Term::Binary(op, left, right) => Argument::Binary(*op, part(left), part(right)),
        Term::Cast(ty, inner) => Argument::Cast(*ty, part(inner)),
        Term::Select(cond, then, els) => Argument::Select(part(cond), part(then), part(els)),
    }
}

/// Whether a size of a launch is 0.
fn has_no_threads(launch: &Launch) -> bool {
    let mut sizes = launch.block.iter().chain(&launch.grid).flatten();
    sizes.any(|size| matches!(size, Argument::Constant(0, _)))
}

/// What makes launches of a kernel different.
fn key(launch: &Launch) -> String {
    let values: Vec<&Argument> = launch
        .arguments
        .iter()
        .map(|argument| &argument.value)
        .collect();
    format!(
        "{}|{:?}{:?}{values:?}{:?}",
        instance(launch),
        launch.block,
        launch.grid,
        launch.overlaps
    )
}

fn instance(launch: &Launch) -> String {
    let args: Vec<String> = launch
        .template_args
        .iter()
        .map(|arg| argument_text(arg).unwrap_or_else(|| format!("{arg:?}")))
        .chain(launch.rest_is_open.then(|| "…".to_owned()))
        .collect();
    args.join(", ")
}

/// The launches, those of one instance that are too many as one that stands for them all.
fn few(launches: Vec<Launch>) -> Vec<Launch> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut merged: BTreeMap<String, Launch> = BTreeMap::new();
    let mut kept = Vec::new();
    for launch in launches {
        let instance = instance(&launch);
        let count = counts.entry(instance.clone()).or_default();
        *count += 1;
        if *count < MAX_LAUNCHES {
            kept.push(launch);
            continue;
        }
        match merged.get_mut(&instance) {
            Some(all) => merge(all, launch),
            None => {
                merged.insert(instance, launch);
            }
        }
    }
    kept.extend(merged.into_values());
    kept
}

/// Makes a launch stand for another one too.
fn merge(all: &mut Launch, launch: Launch) {
    all.contents.clear();
    let sizes =
        all.block
            .iter_mut()
            .zip(&launch.block)
            .zip(["blockDim.x", "blockDim.y", "blockDim.z"]);
    let grids = all
        .grid
        .iter_mut()
        .zip(&launch.grid)
        .zip(["gridDim.x", "gridDim.y", "gridDim.z"]);
    for ((mine, other), name) in sizes.chain(grids) {
        if mine != other {
            *mine = Some(Argument::Symbol(
                Known::Computed,
                name.to_owned(),
                CType::U32,
            ));
        }
    }
    all.conditions
        .retain(|condition| launch.conditions.contains(condition));
    let mut pointers = BTreeSet::new();
    for arguments in [&all.arguments, &launch.arguments] {
        for (position, argument) in arguments.iter().enumerate() {
            pointers_in(&argument.value, &(position, Vec::new()), &mut pointers);
        }
    }
    for (position, other) in launch.arguments.into_iter().enumerate() {
        let Some(mine) = all.arguments.get_mut(position) else {
            break;
        };
        if mine.value != other.value {
            let moved = pointers.iter().filter(|slot| slot.0 == position);
            for slot in moved {
                for fixed in pointers.iter().filter(|fixed| *fixed != slot) {
                    let pair = Overlap {
                        passed: slot.clone(),
                        other: Overlapped::Argument(fixed.clone()),
                        may_be_one: true,
                    };
                    if !all.overlaps.contains(&pair) {
                        all.overlaps.push(pair);
                    }
                }
            }
            mine.value = Argument::Unknown(mine.text.clone());
        }
    }
    for pair in launch.overlaps {
        if !all.overlaps.contains(&pair) {
            all.overlaps.push(pair);
        }
    }
    for text in launch.assumptions {
        if !all.assumptions.contains(&text) {
            all.assumptions.push(text);
        }
    }
    for reason in launch.doubts {
        if !all.doubts.contains(&reason) {
            all.doubts.push(reason);
        }
    }
}

/// The pointers among the parts of an argument.
fn pointers_in(value: &Argument, slot: &Passed, into: &mut BTreeSet<Passed>) {
    match value {
        Argument::Pointer { .. } => {
            into.insert(slot.clone());
        }
        Argument::Record(fields) | Argument::Closure(_, fields) => {
            for (field, value) in fields {
                let mut path = slot.1.clone();
                path.push(field.clone());
                pointers_in(value, &(slot.0, path), into);
            }
        }
        _ => {}
    }
}
