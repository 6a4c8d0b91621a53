//! One entry of `_errors` (docs/rules.md, "Messages").

use schema::json::write_string;
use serde::ser::SerializeStruct;

/// What is wrong with one field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field's display name.
    pub name: String,
    /// The texts of its faults, joined with `; `.
    pub errors: String,
}

impl FieldError {
    /// Appends `{"name":…,"errors":…}`.
    pub fn write_json(&self, out: &mut String) {
        out.push_str("{\"name\":");
        write_string(out, &self.name);
        out.push_str(",\"errors\":");
        write_string(out, &self.errors);
        out.push('}');
    }
}

impl serde::Serialize for FieldError {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("FieldError", 2)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("errors", &self.errors)?;
        object.end()
    }
}

impl<'de> serde::Deserialize<'de> for FieldError {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldErrorVisitor;

        impl<'de> serde::de::Visitor<'de> for FieldErrorVisitor {
            type Value = FieldError;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object with `name` and `errors`")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<FieldError, A::Error> {
                let (mut name, mut errors) = (None, None);
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "name" => name = Some(map.next_value()?),
                        "errors" => errors = Some(map.next_value()?),
                        _ => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                let missing = <A::Error as serde::de::Error>::missing_field;
                Ok(FieldError {
                    name: name.ok_or_else(|| missing("name"))?,
                    errors: errors.ok_or_else(|| missing("errors"))?,
                })
            }
        }

        deserializer.deserialize_map(FieldErrorVisitor)
    }
}
