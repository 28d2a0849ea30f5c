//! JSON trees and serde: a tree is read from text with its keys in order, and is itself read by typed views, which borrow
//! from it, so that a large file is not copied for being looked at.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{
    BorrowedStrDeserializer, Error as ValueError, MapAccessDeserializer, MapDeserializer, SeqDeserializer,
};
use serde::de::{Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use crate::registry::{Json, Key};

/// Objects with more fields than this are looked through with a set.
const FEW: usize = 32;

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(serde_json::Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some((Name(key), value)) = map.next_entry()? {
            fields.push((key, value));
        }
        Ok(Json::Object(fields))
    }
}

/// A key as it is read.
struct Name(Key);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor)
    }
}

struct NameVisitor;

impl Visitor<'_> for NameVisitor {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E>(self, value: &str) -> Result<Name, E> {
        Ok(Name(known(value).map_or_else(|| Key::Owned(value.to_owned()), Key::Borrowed)))
    }
}

/// The names of the format (`registry.md#provider-files`, `registry.md#module-files`).
fn known(name: &str) -> Option<&'static str> {
    Some(match name {
        "os" => "os",
        "arch" => "arch",
        "filename" => "filename",
        "download_url" => "download_url",
        "shasum" => "shasum",
        "h1" => "h1",
        "size" => "size",
        "version" => "version",
        "versions" => "versions",
        "protocols" => "protocols",
        "shasums_url" => "shasums_url",
        "shasums_signature_url" => "shasums_signature_url",
        "targets" => "targets",
        "discovered" => "discovered",
        "commit" => "commit",
        _ => return None,
    })
}

impl<'de> IntoDeserializer<'de, ValueError> for &'de Json {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for &'de Json {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Number(number) => number.deserialize_any(visitor).map_err(ValueError::custom),
            Json::String(text) => visitor.visit_borrowed_str(text),
            Json::Array(items) => {
                let mut items = SeqDeserializer::new(items.iter());
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Json::Object(fields) => {
                let fields = last_of_each(fields).into_iter();
                let mut fields = MapDeserializer::new(
                    fields.map(|(key, value)| (BorrowedStrDeserializer::new(key), value)),
                );
                let value = visitor.visit_map(&mut fields)?;
                fields.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A struct that is written as an object: a derived one reads an array too, field by field, and Go does not.
pub(super) struct Object<T>(pub(super) T);

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

/// A list of objects. Go writes an empty list as `[]` and a nil one as `null`; both are no items.
pub(super) fn objects<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let items: Option<Vec<Object<T>>> = Option::deserialize(deserializer)?;
    Ok(items.unwrap_or_default().into_iter().map(|Object(item)| item).collect())
}

/// The fields, each once: of a key that stands twice the last value counts, as Go's decoder has it.
fn last_of_each(fields: &[(Key, Json)]) -> Vec<&(Key, Json)> {
    let mut seen = HashSet::new();
    let mut is_new = |at: usize, key: &'_ str| {
        if fields.len() <= FEW {
            return !fields[at + 1..].iter().any(|(later, _)| later == key);
        }
        seen.insert(key.to_owned())
    };
    let mut kept: Vec<&(Key, Json)> = fields
        .iter()
        .enumerate()
        .rev()
        .filter(|(at, (key, _))| is_new(*at, key))
        .map(|(_, field)| field)
        .collect();
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Document;

    #[derive(Debug, PartialEq, Deserialize)]
    struct View {
        #[serde(default)]
        size: Option<u64>,
        #[serde(default)]
        names: Vec<String>,
    }

    fn view(text: &str) -> Result<View, String> {
        let document = Document::parse(text.as_bytes()).unwrap();
        View::deserialize(document.root()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_view_reads_the_tree_as_go_would() {
        let cases = [
            (r#"{"size":null,"other":{"a":[1.5,true]}}"#, None, vec![]),
            (r#"{"size":1,"names":["a","b"],"size":2}"#, Some(2), vec!["a", "b"]),
            (r#"{"names":["c"],"names":["d"]}"#, None, vec!["d"]),
        ];
        for (text, size, names) in cases {
            let names = names.into_iter().map(String::from).collect();
            assert_eq!(view(text), Ok(View { size, names }), "{text}");
        }
        let many: Vec<String> = (0..100).map(|at| format!("\"k{}\":0", at % 50)).collect();
        assert_eq!(view(&format!("{{\"size\":1,{},\"size\":3}}", many.join(","))).unwrap().size, Some(3));
    }

    #[test]
    fn what_has_another_type_is_named() {
        assert_eq!(view(r#"{"names":"x"}"#).unwrap_err(), "invalid type: string \"x\", expected a sequence");
        assert_eq!(view(r#"{"size":-1}"#).unwrap_err(), "invalid value: integer `-1`, expected u64");
    }
}
