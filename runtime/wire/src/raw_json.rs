//! JSON within JSON, as it was written: what is a value of a record to someone is kept by its text.

use schema::json::compact;
use serde::de::{Error as _, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;

/// A JSON value by its text without white space, as far as that can be a value of a record (a text with U+0000 stays as it was). Its numbers keep the very characters of their tokens, which a [`Value`] would
/// make doubles of. Two are the same where their texts are.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// `null`
    pub fn null() -> Self {
        RawJson(RawValue::NULL.to_owned())
    }

    /// What something is as JSON.
    ///
    /// # Errors
    /// It can't be written as JSON.
    pub fn of(value: &impl Serialize) -> serde_json::Result<Self> {
        serde_json::from_str(&serde_json::to_string(value)?)
    }

    /// The text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.get() == "null"
    }

    /// What a string says, where this is one.
    pub fn as_string(&self) -> Option<String> {
        let is_string = self.get().starts_with('"');
        is_string.then(|| serde_json::from_str(self.get()).ok())?
    }

    /// The elements, where this is an array.
    pub fn elements(&self) -> Option<Vec<RawJson>> {
        serde_json::from_str(self.get()).ok()
    }

    /// The members by their names, where this is an object.
    pub fn members(&self) -> Option<BTreeMap<String, RawJson>> {
        serde_json::from_str(self.get()).ok()
    }

    /// The member of a name, where this is an object that has one.
    pub fn member(&self, name: &str) -> Option<RawJson> {
        self.members()?.remove(name)
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl From<Value> for RawJson {
    fn from(value: Value) -> Self {
        // INVARIANT: a value is JSON
        RawJson::of(&value).unwrap_or_else(|_| RawJson::null())
    }
}

/// A text, as a JSON string.
impl From<&str> for RawJson {
    fn from(text: &str) -> Self {
        Value::from(text).into()
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let mut text = String::with_capacity(raw.get().len());
        compact(&mut text, raw.get());
        let raw = RawValue::from_string(text).map_err(D::Error::custom)?;
        Ok(RawJson(raw))
    }
}

/// What it holds is read from its text.
impl<'de> IntoDeserializer<'de, serde_json::Error> for &'de RawJson {
    type Deserializer = &'de RawValue;

    fn into_deserializer(self) -> Self::Deserializer {
        &self.0
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for RawJson {
    fn inline_schema() -> bool {
        <Value as schemars::JsonSchema>::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        <Value as schemars::JsonSchema>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <Value as schemars::JsonSchema>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_characters_and_white_space_goes() {
        for token in ["900719925474099.13", "5.00000000000000000001", "1e400"] {
            let text = format!(r#"{{ "a" : [ {token}, "x y" ] }}"#);
            let read: RawJson = serde_json::from_str(&text).unwrap();
            assert_eq!(read.get(), format!(r#"{{"a":[{token},"x y"]}}"#));
            let held: BTreeMap<String, Vec<RawJson>> =
                BTreeMap::deserialize(read.into_deserializer()).unwrap();
            assert_eq!(held["a"][0].get(), token);
            assert_eq!(RawJson::of(&held).unwrap(), read);
        }
    }

    #[test]
    fn what_it_is_is_read_from_its_text() {
        let read = |text| serde_json::from_str::<RawJson>(text).unwrap();
        assert!(read(" null ").is_null());
        assert_eq!(read(r#""\u0041""#).as_string().as_deref(), Some("A"));
        assert_eq!(read("5").as_string(), None);
        assert_eq!(read("[1]").members(), None);
        assert_eq!(read("{\"a\":1.0}").member("a"), Some(read("1.0")));
        assert_ne!(read("1.0"), read("1"));
    }
}
