//! Scalars of the API: moments, points of a set, and JSON that is passed on as it is.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use time::macros::format_description;
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{KnownFormat, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A moment as RFC 3339 in UTC with milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The moment as text.
    #[must_use]
    pub fn text(self) -> String {
        let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
        let nanos = i128::from(self.0) * 1_000_000;
        let moment = OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        moment.format(&format).unwrap_or_default()
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("RFC 3339, UTC, with milliseconds"))
            .examples(["2026-11-30T01:02:03.456Z"])
            .into()
    }
}

impl ToSchema for Timestamp {}

/// Points of a set, kept in halves: `1`, `0.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfPoints(pub u32);

impl Serialize for HalfPoints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(2) {
            serializer.serialize_u32(self.0 / 2)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 2.0)
        }
    }
}

impl PartialSchema for HalfPoints {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .multiple_of(Some(0.5))
            .minimum(Some(0))
            .description(Some("A won game is 1 point, a drawn game 0.5"))
            .into()
    }
}

impl ToSchema for HalfPoints {}

/// JSON that is passed on as it is.
#[derive(Clone, Debug)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// JSON from another service; `null` for text that is none.
    #[must_use]
    pub fn from_json(text: String) -> Self {
        Self(RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

impl PartialSchema for Raw {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::AnyValue)
            .description(Some("JSON whose schema is in the game's contract"))
            .into()
    }
}

impl ToSchema for Raw {}

/// A type of integers whose range is checked by whoever knows it.
pub(in crate::api) trait Ranged: Copy + TryFrom<i64> {
    /// Outside of every range.
    const BEYOND: Self;
}

impl Ranged for u32 {
    const BEYOND: Self = Self::MAX;
}

impl Ranged for i64 {
    const BEYOND: Self = Self::MAX;
}

/// Any integer. One that the type cannot hold is [`Ranged::BEYOND`], so that it is refused like others out of range.
struct Whole<T>(T);

impl<'de, T: Ranged> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor(PhantomData))
    }
}

struct WholeVisitor<T>(PhantomData<T>);

impl<T: Ranged> Visitor<'_> for WholeVisitor<T> {
    type Value = Whole<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer")
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Whole<T>, E> {
        Ok(Whole(T::try_from(value).unwrap_or(T::BEYOND)))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Whole<T>, E> {
        Ok(Whole(i64::try_from(value).ok().and_then(|value| T::try_from(value).ok()).unwrap_or(T::BEYOND)))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Whole<T>, E> {
        // Integers of more digits than 64 bits hold come as floating point.
        let is_huge = value.abs() >= 9_223_372_036_854_775_808.0;
        if is_huge { Ok(Whole(T::BEYOND)) } else { Err(E::invalid_type(Unexpected::Float(value), &self)) }
    }
}

/// An integer whose range is checked later.
pub(in crate::api) fn whole<'de, T: Ranged, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Whole::deserialize(deserializer).map(|Whole(value)| value)
}

/// An integer whose range is checked later, or `null`.
pub(in crate::api) fn maybe_whole<'de, T: Ranged, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Whole<T>>::deserialize(deserializer)?.map(|Whole(value)| value))
}

/// Something that comes as an object. Serde would take an array of the fields in their order as well.
pub(in crate::api) struct Object<T>(pub(in crate::api) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// An object, or `null`.
pub(in crate::api) fn maybe_object<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let object = Option::<Object<T>>::deserialize(deserializer)?;
    Ok(object.map(|Object(value)| value))
}

/// Tells an absent object (`None`) from one that is `null` (`Some(None)`).
pub(in crate::api) fn present<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    maybe_object(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_milliseconds_and_ends_in_z() {
        assert_eq!(Timestamp(1_764_464_523_007).text(), "2025-11-30T01:02:03.007Z");
        assert_eq!(Timestamp(i64::MAX).text(), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn whole_points_are_integers_and_halves_are_not() {
        let text = |halves| serde_json::to_string(&HalfPoints(halves)).unwrap();
        assert_eq!([text(0), text(1), text(2), text(3)], ["0", "0.5", "1", "1.5"]);
    }

    #[test]
    fn raw_json_is_passed_on_byte_for_byte() {
        let raw: Raw = serde_json::from_str(r#"{ "b":1,"a" : [1.0e2] }"#).unwrap();
        assert_eq!(serde_json::to_string(&raw).unwrap(), r#"{ "b":1,"a" : [1.0e2] }"#);
        assert_eq!(Raw::from_json("no json".to_owned()).get(), "null");
    }
}
