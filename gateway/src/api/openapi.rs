//! The OpenAPI 3.1 document: what the handlers do not say by themselves.
//!
//! Every operation may end in problems that follow from its form (a key, a body, parameters); they are added here, once.

use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ContactBuilder, Content, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder,
    ServerBuilder,
};
use utoipa::{PartialSchema, ToSchema};

use super::frames::Frame;
use crate::problem::{Code, ErrorItem, ProblemBody};
use crate::streams::{Event, EventData};

const PROBLEM: &str = "Problem";

const DESCRIPTION: &str = "Bots and people play Breakthrough, its variants and Maker and Breaker for points and ratings. \
JSON in UTF-8, times in RFC 3339 UTC with milliseconds, durations in the unit that their name says. Errors are \
`application/problem+json` with a stable `code`. POSTs that create take an `Idempotency-Key`; a move is safe to repeat by \
its `ply`. Guides: `/docs` for people, `/agents.md` for agents.";

/// The document before the handlers are added.
#[must_use]
pub fn document() -> OpenApi {
    let license = LicenseBuilder::new().name("Apache-2.0").identifier(Some("Apache-2.0")).build();
    let info = InfoBuilder::new()
        .title("farside")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .contact(Some(ContactBuilder::new().name(Some("The operator of this platform")).build()))
        .license(Some(license));
    let server = ServerBuilder::new().url("/").description(Some("This platform")).build();
    OpenApiBuilder::new().info(info.build()).servers(Some([server])).build()
}

/// Adds the key, the problems of every operation, and the schemas that no operation names.
pub fn complete(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A player key manages and plays in person; a bot key plays."));
    components.add_security_scheme("key", SecurityScheme::Http(bearer.build()));
    let mut schemas = vec![
        (PROBLEM.to_owned(), ProblemBody::schema()),
        (ErrorItem::name().into_owned(), ErrorItem::schema()),
        (Event::name().into_owned(), Event::schema()),
        (EventData::name().into_owned(), EventData::schema()),
        (Frame::name().into_owned(), Frame::schema()),
    ];
    EventData::schemas(&mut schemas);
    for (name, schema) in schemas {
        components.schemas.entry(name).or_insert(schema);
    }
    for (path, item) in &mut document.paths.paths {
        let is_of_the_api = path.starts_with("/v1/");
        for (method, operation) in operations(item) {
            operation.operation_id = Some(operation_id(method, path));
            if is_of_the_api {
                add_problems(operation, path, method != "get");
            }
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    [
        ("get", item.get.as_mut()),
        ("post", item.post.as_mut()),
        ("patch", item.patch.as_mut()),
        ("delete", item.delete.as_mut()),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation?)))
}

/// Method and path in one word, for generated clients: `post_sets_id_moves`.
fn operation_id(method: &str, path: &str) -> String {
    let parts = path.trim_start_matches("/v1").split('/').filter(|part| !part.is_empty());
    let words: Vec<_> = parts.map(|part| part.trim_matches(['{', '}'])).collect();
    format!("{method}_{}", words.join("_"))
}

fn add_problems(operation: &mut Operation, path: &str, is_change: bool) {
    let has_body = operation.request_body.is_some();
    let has_parameters = operation.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty());
    let mut codes =
        vec![(429, "A limit is reached"), (503, "Not available at the moment"), (500, "A fault of the platform")];
    // A key that is shown must count, even where none is needed.
    codes.push((401, "No key, or none that counts"));
    if operation.security.is_some() {
        codes.push((403, "The key may not do this"));
    }
    if has_body {
        codes.extend([(400, "Not JSON"), (408, "The body took too long"), (413, "The body is too large")]);
    }
    if has_body || has_parameters || is_change {
        codes.push((422, "Content that can never be right"));
    }
    if path.contains('{') || has_body || has_parameters {
        codes.push((404, "There is no such thing"));
    }
    if is_change || path.ends_with("/record") {
        codes.push((409, "The state of things does not allow it now"));
    }
    codes.push((414, "The address is too long"));
    for (status, description) in codes {
        let responses = &mut operation.responses.responses;
        responses.entry(status.to_string()).or_insert_with(|| problem(description));
    }
}

fn problem(description: &str) -> RefOr<utoipa::openapi::Response> {
    let content = Content::new(Some(Ref::from_schema_name(PROBLEM)));
    ResponseBuilder::new().description(description).content("application/problem+json", content).build().into()
}

/// The table of codes for documentation: code, status, title, advice.
pub fn codes() -> impl Iterator<Item = (&'static str, u16, &'static str, &'static str)> {
    Code::ALL.iter().map(|code| (code.as_str(), code.status().as_u16(), code.title(), code.advice()))
}
