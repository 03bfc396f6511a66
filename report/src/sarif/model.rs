//! The parts of SARIF 2.1.0 that we write, under its names. Empty lists and absent values are left out.

use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub tool: Tool,
    pub column_kind: &'static str,
    pub original_uri_base_ids: BTreeMap<&'static str, ArtifactLocation>,
    pub invocations: [Invocation; 1],
    pub results: Vec<SarifResult>,
}

impl Run {
    /// All files that it names, but for the folder that they are named from.
    pub(super) fn files(&mut self) -> impl Iterator<Item = &mut ArtifactLocation> {
        let (mut changes, mut results) = (Vec::new(), Vec::new());
        for result in &mut self.results {
            let fixes = result.fixes.iter_mut();
            changes.extend(fixes.flat_map(|fix| &mut fix.artifact_changes));
            results.push((
                &mut result.code_flows,
                &mut result.locations,
                &mut result.related_locations,
            ));
        }
        let of_fixes = changes
            .into_iter()
            .map(|change| &mut change.artifact_location);
        let of_results = results.into_iter().flat_map(|(flows, locations, related)| {
            let flows = flows.iter_mut();
            let steps = flows
                .flat_map(|flow| &mut flow.thread_flows)
                .flat_map(|flow| &mut flow.locations)
                .map(|step| &mut step.location);
            let locations = locations.iter_mut();
            locations.chain(related).chain(steps)
        });
        let invocations = self.invocations.iter_mut();
        let of_notifications = invocations
            .flat_map(|invocation| &mut invocation.tool_execution_notifications)
            .flat_map(|notification| &mut notification.locations);
        let located = of_results
            .chain(of_notifications)
            .map(|location| &mut location.physical_location.artifact_location);
        located.chain(of_fixes)
    }
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub name: &'static str,
    pub full_name: &'static str,
    pub version: &'static str,
    pub semantic_version: &'static str,
    pub rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub id: &'static str,
    pub name: &'static str,
    pub short_description: Message,
    pub full_description: Message,
    pub help: Help,
    pub default_configuration: Configuration,
    pub properties: RuleProperties,
}

#[derive(Serialize)]
pub(super) struct Help {
    pub text: String,
    pub markdown: String,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub level: &'static str,
}

#[derive(Serialize)]
pub(super) struct RuleProperties {
    pub tags: &'static [&'static str],
    pub precision: &'static str,
}

#[derive(Serialize)]
pub(super) struct Message {
    pub text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    pub exit_code: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub level: &'static str,
    pub message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub rule_id: &'static str,
    pub rule_index: usize,
    pub level: &'static str,
    pub kind: &'static str,
    pub message: Message,
    pub locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix>,
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<SarifSuppression>,
    pub properties: ResultProperties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix {
    pub description: Message,
    pub artifact_changes: Vec<ArtifactChange>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange {
    pub artifact_location: ArtifactLocation,
    pub replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement {
    pub deleted_region: Region,
    pub inserted_content: Message,
}

#[derive(Serialize)]
pub(super) struct SarifSuppression {
    pub kind: &'static str,
    pub justification: String,
}

#[derive(Serialize)]
pub(super) struct ResultProperties {
    pub id: String,
    /// The id of the finding that stands for all of one cause.
    pub cause: String,
    pub certainty: &'static str,
    pub harm: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    pub kernel: String,
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    pub physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logical_locations: Option<[LogicalLocation; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    pub region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    pub fully_qualified_name: String,
    pub kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow {
    pub message: Message,
    pub thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadFlow {
    pub id: String,
    pub immutable_state: BTreeMap<&'static str, Message>,
    pub locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
pub(super) struct ThreadFlowLocation {
    pub location: Location,
    pub importance: &'static str,
}
