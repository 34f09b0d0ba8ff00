//! `farside admin audit-log`: what operators did and were refused, from the logs of all services together.

use anyhow::{Context as _, Result};
use clap::Args;
use farside_kit::{
    config::{ConfigFault, Validate},
    time::UnixMs,
};
use farside_proto::operator::v1::{
    ListOperationsRequest, Operation, OperationOutcome, operator_service_client::OperatorServiceClient,
};
use serde_json::{Value, json};

use super::reach::{Reach, call};
use crate::output::{moment, say};

/// Each keeps the log of its own operations.
const SERVICES: [&str; 3] = [farside_ledger::NAME, farside_match::NAME, farside_rating::NAME];

/// Which part of the log.
#[derive(Debug, Clone, Args)]
pub struct AuditLogArgs {
    /// Lines at most
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reach: Reach,
}

impl Validate for AuditLogArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.reach.validate()
    }
}

/// A line, and the service that keeps it.
type Line = (&'static str, Operation);

pub(super) async fn run(args: AuditLogArgs) -> Result<()> {
    let mut lines: Vec<Line> = Vec::new();
    for service in SERVICES {
        let found = list(&args.reach, service, args.limit).await.with_context(|| format!("the log of {service}"))?;
        lines.extend(found.into_iter().map(|operation| (service, operation)));
    }
    lines.sort_by(|(_, one), (_, other)| other.id.cmp(&one.id));
    lines.truncate(args.limit as usize);
    for line in &lines {
        if args.json { say(format_args!("{}", as_json(line))) } else { say(format_args!("{}", as_text(line))) }
    }
    Ok(())
}

async fn list(reach: &Reach, service: &str, limit: u32) -> Result<Vec<Operation>> {
    let client = OperatorServiceClient::new(reach.channel(service)?);
    let request = ListOperationsRequest { limit, cursor: String::new() };
    Ok(call(|| async { client.clone().list_operations(request.clone()).await }).await?.operations)
}

fn outcome(operation: &Operation) -> &'static str {
    match operation.outcome() {
        OperationOutcome::Done => "done",
        OperationOutcome::Refused => "refused",
        OperationOutcome::Unspecified => "unknown",
    }
}

fn as_json((service, operation): &Line) -> Value {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_else(|_| json!(text));
    json!({
        "at": moment(UnixMs(operation.at_ms)),
        "service": service,
        "operator": operation.operator,
        "operation": operation.operation,
        "step": operation.step,
        "arguments": parsed(&operation.arguments_json),
        "reason": operation.reason,
        "outcome": outcome(operation),
        "detail": parsed(&operation.detail_json),
        "request_id": operation.request_id,
    })
}

fn as_text((service, operation): &Line) -> String {
    let Operation { at_ms, operator, operation: name, arguments_json, reason, detail_json, request_id, .. } = operation;
    format!(
        "{}  {service}  {operator}  {name} {arguments_json}  {}  {detail_json}  {request_id}  \"{reason}\"",
        moment(UnixMs(*at_ms)),
        outcome(operation)
    )
}
