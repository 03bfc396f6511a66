//! Costs as rules and results of level *note*, behind those of findings.

use std::collections::BTreeMap;

use super::model::*;
use super::{FINGERPRINT, at};
use crate::cost::Cost;
use crate::finding::{Kernel, Report};
use crate::findings::kind::CostKind;
use crate::findings::{COST_KINDS, KINDS};

/// The rules, if costs were asked for.
pub(super) fn rules(report: &Report) -> Vec<Rule> {
    let asked = report.kernels.iter().any(|kernel| kernel.costs.is_some());
    let kinds = COST_KINDS.into_iter().filter(|_| asked);
    kinds.map(rule).collect()
}

fn rule(kind: &'static CostKind) -> Rule {
    let text = |text: &str| Message {
        text: text.to_owned(),
    };
    Rule {
        id: kind.id,
        name: kind.name,
        short_description: text(kind.summary),
        full_description: text(kind.summary),
        help: Help {
            text: kind.page.to_owned(),
            markdown: kind.page.to_owned(),
        },
        default_configuration: Configuration { level: "note" },
        properties: RuleProperties {
            tags: &["performance", "cuda"],
            precision: "high",
        },
    }
}

/// The costs of a kernel as results.
pub(super) fn results(kernel: &Kernel) -> impl Iterator<Item = SarifResult> {
    let found = kernel.costs.iter().flat_map(|costs| &costs.found);
    found.filter_map(|cost| result(kernel, cost))
}

fn result(kernel: &Kernel, cost: &Cost) -> Option<SarifResult> {
    let nth = COST_KINDS.iter().position(|kind| kind.id == cost.rule)?;
    let mut first = at(&cost.place);
    first.logical_locations = Some([LogicalLocation {
        fully_qualified_name: kernel.name.clone(),
        kind: "function",
    }]);
    Some(SarifResult {
        rule_id: COST_KINDS[nth].id,
        rule_index: KINDS.len() + nth,
        level: "note",
        kind: "fail",
        message: Message {
            text: super::plain(&format!("{}.", cost.line())),
        },
        locations: vec![first],
        related_locations: Vec::new(),
        code_flows: Vec::new(),
        fixes: Vec::new(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, cost.id.clone())]),
        suppressions: super::suppressions(cost.suppressed.as_ref()),
        properties: ResultProperties {
            id: cost.id.clone(),
            cause: cost.id.clone(),
            certainty: "confirmed",
            harm: "performance",
            question: None,
            kernel: kernel.name.clone(),
            verdict: kernel.verdict().as_str(),
            scope: None,
            array: cost.measure.array().map(str::to_owned),
        },
    })
}
