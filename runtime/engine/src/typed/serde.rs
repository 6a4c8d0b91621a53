//! Records in any serde format: JSON text in between, so that one judgement holds for all. Serde
//! carries numbers as 64-bit integers and doubles: an amount of money that no double holds to the cent
//! is refused in writing, and has lost its digits in reading before this room sees it, unless `serde_json`
//! has been told to keep every token. `from_json` and `to_json` carry every amount.

use super::error::FromJsonError;
use super::patch::Patch;
use super::record::Record;
use schema::json::Scanner;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserializer, Serialize, Serializer};
use std::fmt;

/// Serializes a record as a map from display names to values, in the fields' formats.
///
/// # Errors
/// The serializer's; and for a number that a double can't hold, because nothing is rounded in silence.
pub fn serialize<R: Record, S: Serializer>(record: &R, serializer: S) -> Result<S::Ok, S::Error> {
    let json = record.to_json();
    let root = schema::json::parse(&json).map_err(S::Error::custom)?;
    Json(&root).serialize(serializer)
}

/// Serializes a patch as the map that an update's body is.
///
/// # Errors
/// As [`serialize`].
pub fn serialize_patch<P: Patch, S: Serializer>(
    patch: &P,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let json = patch.to_json();
    let root = schema::json::parse(&json).map_err(S::Error::custom)?;
    Json(&root).serialize(serializer)
}

/// A JSON tree that serializes into any format.
struct Json<'a>(&'a schema::json::Node<'a>);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use schema::json::Value as V;
        match &self.0.value {
            V::Null => serializer.serialize_unit(),
            V::Bool(value) => serializer.serialize_bool(*value),
            V::Number(token) => match token.parse::<i64>() {
                Ok(whole) => serializer.serialize_i64(whole),
                Err(_) => match token.parse::<f64>() {
                    // `to_json` writes doubles so, and money without zeros at the end
                    Ok(double) if zmij::Buffer::new().format(double) == &**token => {
                        serializer.serialize_f64(double)
                    }
                    _ => Err(S::Error::custom(
                        "a number has more digits than a double can hold; write the record with to_json",
                    )),
                },
            },
            V::String(text) => serializer.serialize_str(text),
            V::Array(items) => serializer.collect_seq(items.iter().map(Json)),
            V::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for member in members {
                    map.serialize_entry(&member.key, &Json(&member.value))?;
                }
                map.end()
            }
        }
    }
}

/// Deserializes a record from a map; the error tells all faults and no value.
///
/// # Errors
/// The deserializer's, and every fault.
pub fn deserialize<'de, R: Record, D: Deserializer<'de>>(deserializer: D) -> Result<R, D::Error> {
    let mut json = String::new();
    // not `deserialize_map`: its errors would repeat what stands there instead of a map
    deserializer.deserialize_any(Transcribe(&mut json))?;
    R::from_json(json.as_bytes()).map_err(|error| match error {
        // places in the text of here are nowhere in what was read
        FromJsonError::Rejected(rejected) => D::Error::custom(rejected.without_places()),
        faulty @ FromJsonError::Faulty(_) => D::Error::custom(faulty),
    })
}

/// Writes whatever a deserializer yields as JSON text.
struct Transcribe<'o>(&'o mut String);

impl<'de> DeserializeSeed<'de> for Transcribe<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Transcribe<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record: a map from field names to values")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.0.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.0.push_str(itoa::Buffer::new().format(value));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.0.push_str(itoa::Buffer::new().format(value));
        Ok(())
    }

    fn visit_i128<E>(self, value: i128) -> Result<(), E> {
        self.0.push_str(itoa::Buffer::new().format(value));
        Ok(())
    }

    fn visit_u128<E>(self, value: u128) -> Result<(), E> {
        self.0.push_str(itoa::Buffer::new().format(value));
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        if !value.is_finite() {
            return Err(E::custom("a number that is not finite"));
        }
        self.0.push_str(zmij::Buffer::new().format_finite(value));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        schema::json::write_string(self.0, value);
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.push_str("null");
        Ok(())
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.0.push('[');
        let mut at = self.0.len();
        while items.next_element_seed(Transcribe(self.0))?.is_some() {
            at = self.0.len();
            self.0.push(',');
        }
        self.0.truncate(at);
        self.0.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut key = members.next_key::<String>()?;
        if key.as_deref() == Some(NUMBER_KEY) {
            return number(self.0, members);
        }
        self.0.push('{');
        let mut at = self.0.len();
        while let Some(name) = key {
            schema::json::write_string(self.0, &name);
            self.0.push(':');
            members.next_value_seed(Transcribe(self.0))?;
            at = self.0.len();
            self.0.push(',');
            key = members.next_key()?;
        }
        self.0.truncate(at);
        self.0.push('}');
        Ok(())
    }
}

/// `serde_json` hands over a number as a map of one text under this key, its token, as soon as any crate of a
/// program turns on its feature `arbitrary_precision`.
const NUMBER_KEY: &str = "$serde_json::private::Number";

/// Appends the token of a number that came as a map; whether it is one is not taken on trust.
fn number<'de, A: MapAccess<'de>>(out: &mut String, mut members: A) -> Result<(), A::Error> {
    // the deserializer's own error would repeat a value of another type
    let refused = || A::Error::custom("a number that is none");
    let token: String = members.next_value().map_err(|_| refused())?;
    let is_number = Scanner::new(&token)
        .number()
        .is_ok_and(|whole| whole.len() == token.len());
    if !is_number || members.next_key::<String>()?.is_some() {
        return Err(refused());
    }
    out.push_str(&token);
    Ok(())
}
