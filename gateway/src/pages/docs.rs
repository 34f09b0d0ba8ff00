//! The reference: a readable page made of the OpenAPI document, complete without any other host.
//!
//! Not here: what the API does; the page says what the document says.

use std::collections::BTreeMap;

use askama::Template;
use axum::response::Response;
use serde_json::Value;
use utoipa::openapi::OpenApi;

use super::frame::{Frame, show};
use crate::api::openapi;

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    frame: Frame,
    docs: &'a Docs,
}

/// What the page says; the document does not change while the process lives.
pub(super) struct Docs {
    description: String,
    groups: Vec<Group>,
    schemas: Vec<Schema>,
    codes: Vec<(&'static str, u16, &'static str, &'static str)>,
}

struct Group {
    name: String,
    operations: Vec<Operation>,
}

struct Operation {
    method: String,
    path: String,
    anchor: String,
    summary: String,
    needs_key: bool,
    parameters: Vec<Field>,
    body: Option<String>,
    answers: Vec<Answer>,
}

struct Answer {
    status: String,
    description: String,
    schema: Option<String>,
}

struct Schema {
    name: String,
    description: String,
    fields: Vec<Field>,
    values: Vec<String>,
}

struct Field {
    name: String,
    kind: String,
    required: bool,
    description: String,
}

impl Docs {
    /// Reads the document.
    pub(super) fn new(document: &OpenApi) -> Self {
        let document = serde_json::to_value(document).unwrap_or_default();
        Self {
            description: text(&document["info"]["description"]),
            groups: groups(&document),
            schemas: schemas(&document),
            codes: openapi::codes().collect(),
        }
    }

    /// The page.
    pub(super) fn show(&self, frame: Frame) -> Response {
        show(&DocsPage { frame, docs: self })
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn groups(document: &Value) -> Vec<Group> {
    let mut groups: BTreeMap<String, Vec<Operation>> = BTreeMap::new();
    for (path, item) in members(&document["paths"]) {
        for (method, operation) in members(item).filter(|(_, operation)| operation.is_object()) {
            let tag = text(&operation["tags"][0]);
            groups.entry(tag).or_default().push(read_operation(method, path, operation));
        }
    }
    groups.into_iter().map(|(name, operations)| Group { name, operations }).collect()
}

fn read_operation(method: &str, path: &str, operation: &Value) -> Operation {
    let answers = members(&operation["responses"]).filter(|(status, _)| !status.starts_with(['4', '5']));
    let answer = |(status, answer): (&String, &Value)| Answer {
        status: status.clone(),
        description: text(&answer["description"]),
        schema: content(answer).as_ref().and_then(reference),
    };
    let summary = [text(&operation["summary"]), text(&operation["description"])];
    Operation {
        method: method.to_uppercase(),
        path: path.to_owned(),
        anchor: format!("{method}{}", path.replace(['/', '{', '}'], "-")),
        summary: summary.into_iter().find(|text| !text.is_empty()).unwrap_or_default(),
        needs_key: operation["security"].is_array(),
        parameters: items(&operation["parameters"]).map(parameter).collect(),
        body: content(&operation["requestBody"]).as_ref().and_then(reference),
        answers: answers.map(answer).collect(),
    }
}

/// The schema of the first content type.
fn content(of: &Value) -> Option<Value> {
    members(&of["content"]).next().map(|(_, content)| content["schema"].clone())
}

/// The name of the schema that is referred to, also as an alternative to null.
fn reference(schema: &Value) -> Option<String> {
    let direct = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()).map(str::to_owned);
    direct.or_else(|| items(&schema["oneOf"]).chain(items(&schema["anyOf"])).find_map(reference))
}

fn parameter(parameter: &Value) -> Field {
    Field {
        name: text(&parameter["name"]),
        kind: format!("{}, {}", text(&parameter["in"]), kind(&parameter["schema"])),
        required: parameter["required"].as_bool().unwrap_or(false),
        description: text(&parameter["description"]),
    }
}

fn schemas(document: &Value) -> Vec<Schema> {
    let read = |(name, schema): (&String, &Value)| Schema {
        name: name.clone(),
        description: text(&schema["description"]),
        fields: fields(schema),
        values: items(&schema["enum"]).map(text).collect(),
    };
    members(&document["components"]["schemas"]).map(read).collect()
}

fn fields(schema: &Value) -> Vec<Field> {
    let required: Vec<&str> = items(&schema["required"]).filter_map(Value::as_str).collect();
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        kind: kind(schema),
        required: required.contains(&name.as_str()),
        description: text(&schema["description"]),
    };
    members(&schema["properties"]).map(field).collect()
}

/// A schema in a few words: its types, the schema that it refers to, its bounds.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or(name).to_owned();
    }
    let alternatives: Vec<String> = items(&schema["oneOf"]).chain(items(&schema["anyOf"])).map(kind).collect();
    if !alternatives.is_empty() {
        return alternatives.join(" or ");
    }
    let types: Vec<String> = match &schema["type"] {
        Value::String(one) => vec![one.clone()],
        Value::Array(several) => several.iter().map(text).collect(),
        _ => vec!["any JSON".to_owned()],
    };
    let types: Vec<String> = types.into_iter().map(|name| if name == "array" { array(schema) } else { name }).collect();
    format!("{}{}", types.join(" or "), bounds(schema))
}

fn array(schema: &Value) -> String {
    format!("array of {}", kind(&schema["items"]))
}

fn bounds(schema: &Value) -> String {
    match (&schema["minimum"], &schema["maximum"]) {
        (Value::Number(min), Value::Number(max)) => format!(", {min} to {max}"),
        (Value::Number(min), _) => format!(", from {min}"),
        (_, Value::Number(max)) => format!(", to {max}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_shows_every_operation_and_every_code() {
        let (_, document) = crate::api::routes();
        let page = DocsPage { frame: Frame::default(), docs: &Docs::new(&document) }.render().unwrap();
        for (path, _) in members(&serde_json::to_value(&document).unwrap()["paths"]) {
            assert!(page.contains(path.as_str()), "{path}");
        }
        for (code, ..) in openapi::codes() {
            assert!(page.contains(&format!("id=\"{code}\"")), "{code}");
        }
        assert!(!page.contains("https://"), "nothing is loaded from elsewhere");
    }
}
