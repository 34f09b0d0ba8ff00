//! The contract `farside.operator.v1`: reads a service's log.
//!
//! Not here: who may read it; every service's allow list gives it to operators.

use farside_proto::operator::v1 as proto;
use proto::operator_service_server::{OperatorService, OperatorServiceServer};
use tonic::{Request, Response, Status};

use super::log::{Line, OperatorLog, Outcome};
use crate::fault::status;

/// Lines of a page unless it says so, and at most.
const PAGE_LINES: u32 = 100;
const PAGE_LINES_MAX: u32 = 1_000;

impl OperatorLog {
    /// The service that reads this log, for the routes of its service.
    #[must_use]
    pub fn service(&self) -> OperatorServiceServer<Self> {
        OperatorServiceServer::new(self.clone())
    }
}

#[tonic::async_trait]
impl OperatorService for OperatorLog {
    async fn list_operations(
        &self,
        request: Request<proto::ListOperationsRequest>,
    ) -> Result<Response<proto::ListOperationsResponse>, Status> {
        let proto::ListOperationsRequest { limit, cursor } = request.into_inner();
        let limit = if limit == 0 { PAGE_LINES } else { limit.min(PAGE_LINES_MAX) };
        let before = Some(cursor.as_str()).filter(|cursor| !cursor.is_empty());
        let lines = self.page(before, limit.into()).await.map_err(|fault| status(&fault))?;
        let is_full = u32::try_from(lines.len()).is_ok_and(|found| found == limit);
        let next_cursor = lines.last().filter(|_| is_full).map(|line| line.id.clone()).unwrap_or_default();
        let operations = lines.into_iter().map(proto::Operation::from).collect();
        Ok(Response::new(proto::ListOperationsResponse { operations, next_cursor }))
    }
}

impl From<Line> for proto::Operation {
    fn from(line: Line) -> Self {
        let outcome = match line.outcome {
            Outcome::Done => proto::OperationOutcome::Done,
            Outcome::Refused => proto::OperationOutcome::Refused,
        };
        Self {
            id: line.id,
            at_ms: line.at.0,
            operator: line.operator,
            operation: line.operation,
            arguments_json: line.arguments,
            reason: line.reason,
            outcome: outcome.into(),
            detail_json: line.detail,
            request_id: line.request_id,
            step: line.step,
        }
    }
}
