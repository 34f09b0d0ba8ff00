//! The JSON Schema of a tool's arguments, made of what the API's document says about the request: parameters and the
//! fields of the body side by side, and everything that they refer to under `$defs`.

use serde_json::{Map, Value, json};

/// Where the document keeps what is referred to, and where a schema does.
const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// What a tool for this operation takes.
pub(super) fn of_arguments(document: &Value, operation: &Value, takes_key: bool) -> Map<String, Value> {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for parameter in list(&operation["parameters"]).filter(|parameter| parameter["in"] != "header") {
        let mut schema = parameter["schema"].clone();
        schema["description"] = parameter["description"].clone();
        take(&mut properties, &mut required, &parameter["name"], schema, parameter["required"] == true);
    }
    let body = body(document, operation);
    for (name, schema) in body["properties"].as_object().into_iter().flatten() {
        let needed = list(&body["required"]).any(|field| field == name);
        take(&mut properties, &mut required, &json!(name), schema.clone(), needed);
    }
    required.sort_by_key(|name| !list(&operation["parameters"]).any(|parameter| parameter["name"] == *name));
    add_own(&mut properties, takes_key);
    whole(document, properties, required)
}

/// The arguments that are headers in the API.
fn add_own(properties: &mut Map<String, Value>, takes_key: bool) {
    let key = "Your key, only if your client cannot send it as `Authorization: Bearer KEY`.";
    properties.insert("key".to_owned(), json!({ "type": "string", "description": key }));
    if takes_key {
        let again = "Any text of yours: the same text with the same arguments makes nothing twice.";
        properties.insert("idempotency_key".to_owned(), json!({ "type": "string", "description": again }));
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn take(properties: &mut Map<String, Value>, required: &mut Vec<Value>, name: &Value, schema: Value, needed: bool) {
    if needed {
        required.push(name.clone());
    }
    properties.insert(name.as_str().unwrap_or_default().to_owned(), schema);
}

/// The schema of the body, also of one that may be left out.
fn body<'a>(document: &'a Value, operation: &'a Value) -> &'a Value {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let reference = schema["$ref"].as_str().or_else(|| list(&schema["oneOf"]).find_map(|one| one["$ref"].as_str()));
    let name = reference.and_then(|reference| reference.strip_prefix(COMPONENTS));
    name.map_or(schema, |name| &document["components"]["schemas"][name])
}

/// With everything that is referred to, directly or not.
fn whole(document: &Value, properties: Map<String, Value>, required: Vec<Value>) -> Map<String, Value> {
    let mut properties = Value::Object(properties);
    let (mut definitions, mut open) = (Map::new(), Vec::new());
    move_references(&mut properties, &mut open);
    while let Some(name) = open.pop() {
        if !definitions.contains_key(&name) {
            let mut schema = document["components"]["schemas"][&name].clone();
            move_references(&mut schema, &mut open);
            definitions.insert(name, schema);
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), Value::Array(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// Turns references into the document into references into the schema, and notes their names.
fn move_references(schema: &mut Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for (field, value) in fields {
                match value.as_str().filter(|_| field == "$ref").and_then(|text| text.strip_prefix(COMPONENTS)) {
                    Some(name) => {
                        names.push(name.to_owned());
                        *value = Value::String(format!("{DEFINITIONS}{name}"));
                    }
                    None => move_references(value, names),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| move_references(item, names)),
        _ => {}
    }
}
