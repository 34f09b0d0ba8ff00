//! A tool's arguments become the request that they stand for. Pure: nothing is sent here.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, Request};
use serde_json::{Map, Value};

use super::tools::ApiTool;
use crate::api::extract::is_plain;
use crate::problem::Problem;

/// A request with the key that came as an argument.
#[derive(Debug)]
pub(super) struct Call {
    /// What the API is asked.
    pub request: Request<Body>,
    /// In whose name, when it is not said by the header.
    pub key: Option<String>,
}

/// The request that a tool called with these arguments stands for.
///
/// # Errors
///
/// `not_found` for an id that can be none, `malformed_request` for what can be in no request.
pub(super) fn request(tool: &ApiTool, mut arguments: Map<String, Value>) -> Result<Call, Problem> {
    let key = text(&mut arguments, "key")?;
    let idempotency_key = if tool.takes_key { text(&mut arguments, "idempotency_key")? } else { None };
    let mut address = path(tool, &mut arguments)?;
    let mut builder = Request::builder().method(tool.method.clone());
    if let Some(idempotency_key) = idempotency_key {
        builder = builder.header("idempotency-key", idempotency_key);
    }
    let body = if tool.method == Method::GET {
        address.push_str(&query(&arguments));
        Body::empty()
    } else {
        builder = builder.header(CONTENT_TYPE, "application/json");
        Body::from(Value::Object(arguments).to_string())
    };
    let request = builder.uri(address).body(body);
    let request = request.map_err(|_| Problem::malformed("", "an argument holds what can be in no request"))?;
    Ok(Call { request, key })
}

/// Takes an argument that is a text or left out.
fn text(arguments: &mut Map<String, Value>, name: &str) -> Result<Option<String>, Problem> {
    match arguments.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Problem::malformed(format!("/{name}"), "a text")),
    }
}

/// The path, with what stands in braces taken from the arguments.
fn path(tool: &ApiTool, arguments: &mut Map<String, Value>) -> Result<String, Problem> {
    let mut path = String::new();
    for part in tool.path.split('/').skip(1) {
        path.push('/');
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            None => path.push_str(part),
            Some(name) => {
                let id = text(arguments, name)?.ok_or_else(|| Problem::malformed(format!("/{name}"), "is missing"))?;
                path.push_str(Some(id.as_str()).filter(|id| is_plain(id)).ok_or_else(|| Problem::not_found(name))?);
            }
        }
    }
    Ok(path)
}

fn query(arguments: &Map<String, Value>) -> String {
    let mut query = form_urlencoded::Serializer::for_suffix("?".to_owned(), 1);
    for (name, value) in arguments.iter().filter(|(_, value)| !value.is_null()) {
        match value {
            Value::String(text) => query.append_pair(name, text),
            other => query.append_pair(name, &other.to_string()),
        };
    }
    query.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::mcp::tools;

    fn tool(name: &str) -> ApiTool {
        let document = serde_json::to_value(crate::api::routes().1).unwrap();
        tools::all(&document).iter().find(|tool| tool.listed.name == name).unwrap().clone()
    }

    fn asked(name: &str, arguments: Value) -> Result<Call, Problem> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object: {arguments}") };
        request(&tool(name), arguments)
    }

    #[test]
    fn arguments_go_where_the_request_has_them() {
        let call = asked("turns", json!({ "wait": 20, "after": "a b", "key": "fsk_x" })).unwrap();
        assert_eq!(call.request.uri(), "/v1/me/turns?after=a+b&wait=20");
        assert_eq!(call.key.as_deref(), Some("fsk_x"));
        let call = asked("accept_challenge", json!({ "id": "chal_1", "idempotency_key": "k" })).unwrap();
        assert_eq!(call.request.uri(), "/v1/challenges/chal_1/accept");
        assert_eq!(call.request.headers()["idempotency-key"], "k");
    }

    #[test]
    fn an_id_cannot_lead_elsewhere() {
        for id in ["../players", "a/b", "a?b", "", "a b"] {
            let problem = asked("set", json!({ "id": id })).unwrap_err();
            assert_eq!(problem.code().as_str(), "not_found", "{id}");
        }
        assert_eq!(asked("set", json!({})).unwrap_err().code().as_str(), "malformed_request");
        let broken = asked("create_bot", json!({ "idempotency_key": "a\nb" })).unwrap_err();
        assert_eq!(broken.code().as_str(), "malformed_request");
    }

    proptest! {
        #[test]
        fn no_argument_makes_it_panic(name in "[a-z_]{0,8}", text in any::<String>()) {
            let _ = asked("turns", json!({ (name.clone()): text }));
            let _ = asked("move", json!({ "id": "set_1", (name): text }));
        }
    }
}
