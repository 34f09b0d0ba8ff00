//! Records, the keys that sign them, and the ledger's audit: what anyone may check.

use axum::Json;
use axum::extract::State;
use farside_proto::ledger::v1::GetAuditRequest;
use farside_proto::matches::v1::{ListKeysRequest, SigningKey};
use farside_proto::rules::v1::{PublicKey, VerifyRecordRequest};

use super::extract::{LARGE_BODY_BYTES, RawBody};
use super::json::ledger::AuditJson;
use super::json::list::SigningKeyList;
use super::json::table::{SigningKeyJson, Verification};
use crate::app::{App, SharedApp};
use crate::problem::Problem;

/// Replays a record and says exactly what does not hold.
#[utoipa::path(post, path = "/records/verify", tag = "records", request_body(content = serde_json::Value, description = "A record"),
    responses((status = 200, description = "What was found", body = Verification)))]
pub(crate) async fn verify(
    State(app): State<SharedApp>,
    RawBody(record): RawBody<LARGE_BODY_BYTES>,
) -> Result<Json<Verification>, Problem> {
    let keys = app.upstream.matches.list_keys(ListKeysRequest {}).await?.keys;
    let public = |key: SigningKey| PublicKey { id: key.id, ed25519: key.ed25519 };
    let request =
        VerifyRecordRequest { record_json: record.get().to_owned(), keys: keys.into_iter().map(public).collect() };
    Ok(Json(app.upstream.rules.verify_record(request).await?.into()))
}

/// Lists the public keys that sign records, newest first.
#[utoipa::path(get, path = "/keys", tag = "records",
    responses((status = 200, description = "The keys", body = SigningKeyList)))]
pub(crate) async fn keys(State(app): State<SharedApp>) -> Result<Json<SigningKeyList>, Problem> {
    let answer = app.upstream.matches.list_keys(ListKeysRequest {}).await?;
    let keys = answer.keys.into_iter().map(SigningKeyJson::from).collect();
    Ok(Json(SigningKeyList { keys, next_cursor: None }))
}

/// Returns what the ledger's standing audit found last.
#[utoipa::path(get, path = "/ledger/audit", tag = "tables",
    responses((status = 200, description = "The audit", body = AuditJson)))]
pub(crate) async fn audit(State(app): State<SharedApp>) -> Result<Json<AuditJson>, Problem> {
    app.audit().await.map(Json)
}

impl App {
    /// What the ledger's standing audit found last.
    ///
    /// # Errors
    ///
    /// What ledger-svc says.
    pub(crate) async fn audit(&self) -> Result<AuditJson, Problem> {
        let answer = self.upstream.ledger.get_audit(GetAuditRequest {}).await?;
        Ok(answer.audit.unwrap_or_default().into())
    }
}
