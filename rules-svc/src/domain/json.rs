//! Reading JSON so that every refusal names its place, and writing it so that equal values have equal bytes.
//!
//! Schemas and parsers come from the same types; what a value means is deliberately not decided here.

use std::borrow::Cow;
use std::fmt;

use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error as _, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

/// Most characters of a pointer or a detail.
const MAX_CHARS: usize = 400;

/// What does not fit, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail} (at `{pointer}`)")]
pub struct Violation {
    /// A JSON pointer (RFC 6901); empty for the value as a whole.
    pub pointer: String,
    /// One sentence.
    pub detail: String,
}

impl Violation {
    /// A violation at a pointer. Both texts may quote what was sent, so both are cut to a length that fits anywhere.
    #[must_use]
    pub fn new(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: shortened(pointer.into()), detail: shortened(detail.into()) }
    }

    /// The same violation seen from a document that holds the value at `prefix`.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.pointer.insert_str(0, prefix);
        self
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Reads an object from text.
///
/// # Errors
/// The first thing that does not fit, with its pointer.
pub fn parse_object<T: DeserializeOwned>(text: &str) -> Result<T, Violation> {
    if !text.trim_start().starts_with('{') {
        return Err(not_an_object(text));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| match error.inner().classify() {
        serde_json::error::Category::Data => violation(&error),
        _ => reread::<T>(text),
    })?;
    reader.end().map_err(|_| Violation::new("", "there is text after the end of the JSON value"))?;
    Ok(value)
}

/// What is wrong with text that broke the reader: it is no JSON, or a value of the wrong kind was met where a name was
/// expected, which the reader takes for bad syntax.
fn reread<T: DeserializeOwned>(text: &str) -> Violation {
    match serde_json::from_str::<Value>(text) {
        Err(error) => Violation::new("", format!("is not JSON: {error}")),
        Ok(value) => {
            let fault = object_from_value::<T>(&value).err();
            fault.unwrap_or_else(|| Violation::new("", "does not fit"))
        }
    }
}

/// Reads an object from a value that has been parsed already.
///
/// # Errors
/// The first thing that does not fit, with its pointer.
pub fn object_from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Violation> {
    if !value.is_object() {
        return Err(Violation::new("", "must be a JSON object"));
    }
    serde_path_to_error::deserialize(value).map_err(|error| violation(&error))
}

fn not_an_object(text: &str) -> Violation {
    let detail = match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => "must be a JSON object".to_owned(),
        Err(error) => format!("is not JSON: {error}"),
    };
    Violation::new("", detail)
}

fn violation(error: &serde_path_to_error::Error<serde_json::Error>) -> Violation {
    Violation::new(pointer(error.path()), without_place(error.inner()))
}

/// The message without serde's place, which the pointer gives better.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        let part = match segment {
            Segment::Seq { index } => index.to_string(),
            Segment::Map { key } => escaped(key),
            Segment::Enum { .. } | Segment::Unknown => continue,
        };
        pointer.push('/');
        pointer.push_str(&part);
    }
    pointer
}

/// A member's name as a part of a JSON pointer.
#[must_use]
pub fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A value as canonical JSON: members sorted by the bytes of their names, no space, shortest escapes.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_canonical(value, &mut out);
    out
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by(|one, two| one.0.as_bytes().cmp(two.0.as_bytes()));
            write_list(out, '{', '}', sorted, |(key, member), out| {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_canonical(member, out);
            });
        }
        Value::Array(items) => write_list(out, '[', ']', items, write_canonical),
        plain => out.push_str(&plain.to_string()),
    }
}

fn write_list<T>(
    out: &mut String,
    open: char,
    close: char,
    items: impl IntoIterator<Item = T>,
    write: impl Fn(T, &mut String),
) {
    out.push(open);
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(close);
}

/// A value of our own types as JSON. They have string keys and no floats, so nothing can go wrong.
///
/// # Panics
/// Never with the types of this crate; a map with keys that are no strings would.
#[must_use]
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).expect("types of this crate have string keys and no floats")
}

/// A value of our own types as JSON in the order of its members.
///
/// # Panics
/// Never with the types of this crate; a map with keys that are no strings would.
#[must_use]
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("types of this crate have string keys and no floats")
}

/// A value of our own types as canonical JSON.
#[must_use]
pub fn to_canonical<T: Serialize + ?Sized>(value: &T) -> String {
    canonical(&to_value(value))
}

/// JSON Schema 2020-12 of a type that is read from JSON, as text.
#[must_use]
pub fn schema_text<T: JsonSchema>() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.transforms.push(Box::new(RecursiveTransform(forget_null_default)));
    });
    to_canonical(settings.into_generator().into_root_schema_for::<T>().as_value())
}

/// A member that may be left out is `None` in our types, and yet `null` is no value of it.
fn forget_null_default(schema: &mut Schema) {
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
}

/// A whole number from `MIN` to `MAX`, as parser and as schema. Like JSON Schema it takes `3.0` for 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Whole<const MIN: u8, const MAX: u8>(u8);

impl<const MIN: u8, const MAX: u8> Whole<MIN, MAX> {
    /// The number when it is in the range.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (MIN..=MAX).contains(&number).then_some(Self(number))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u8 {
        self.0
    }
}

impl<const MIN: u8, const MAX: u8> JsonSchema for Whole<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Whole_{MIN}_to_{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

impl<'de, const MIN: u8, const MAX: u8> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor)
    }
}

struct WholeVisitor<const MIN: u8, const MAX: u8>;

impl<const MIN: u8, const MAX: u8> Visitor<'_> for WholeVisitor<MIN, MAX> {
    type Value = Whole<MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {MIN} to {MAX}")
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Self::Value, E> {
        let small = u8::try_from(number).ok().and_then(Whole::new);
        small.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Self::Value, E> {
        let whole = (MIN..=MAX).find(|&whole| f64::from(whole) == number);
        whole.map(Whole).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }
}

/// 32 bytes, written as 64 lowercase hex digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hex<const N: usize>(pub [u8; N]);

impl<const N: usize> fmt::Debug for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl<const N: usize> Serialize for Hex<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.0))
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let mut bytes = [0; N];
        let lowercase = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        match hex::decode_to_slice(text.as_bytes(), &mut bytes) {
            Ok(()) if lowercase => Ok(Self(bytes)),
            _ => Err(D::Error::custom(format!("must be {} lowercase hex digits", 2 * N))),
        }
    }
}
