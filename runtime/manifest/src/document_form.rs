//! Schema documents that are written inside a manifest: each property is asked for as what it is, so that `NO`, `on`
//! and `1.10` are texts where a schema has texts, as in YAML they may be anything. Properties that are not known are
//! taken as they come. Whether the document is sound, the schema's own reader judges.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Properties that are texts, wherever they stand.
const TEXTS: &[&str] = &[
    "allowedBooleanValues",
    "businessAreaId",
    "businessAreaName",
    "code",
    "createdBy",
    "createdDate",
    "dataDomainId",
    "dataType",
    "dateFormat",
    "dateSeparator",
    "description",
    "fieldId",
    "name",
    "path",
    "picklistType",
    "renamedFrom",
    "schemaId",
    "tagId",
    "tagName",
    "text",
    "timeFormat",
    "updatedBy",
    "updatedDate",
];

/// Properties that are true or false.
const FLAGS: &[&str] = &[
    "active",
    "isMultivalue",
    "isPII",
    "isPrimaryKey",
    "isRequired",
    "isSearched",
    "isSortKey",
];

/// A part of a document.
#[derive(Clone, Copy)]
pub(crate) enum DocumentPart {
    /// The whole, a field, or an entry of a list in a field.
    Schema,
    /// A list of such.
    List,
    /// A list of texts.
    Texts,
    Text,
    Flag,
    /// What may be anything.
    Any,
}

impl DocumentPart {
    fn of(property: &str) -> Self {
        match property {
            "fields" | "staticPicklist" | "classifiers" => DocumentPart::List,
            "validationRules" => DocumentPart::Texts,
            text if TEXTS.contains(&text) => DocumentPart::Text,
            flag if FLAGS.contains(&flag) => DocumentPart::Flag,
            _ => DocumentPart::Any,
        }
    }

    /// The properties of an object.
    pub(crate) fn members<'de, M: MapAccess<'de>>(
        mut map: M,
    ) -> Result<Map<String, Value>, M::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value_seed(Self::of(&name))?;
            if members.insert(name.clone(), value).is_some() {
                return Err(serde::de::Error::custom(format!(
                    "`{name}` stands here twice"
                )));
            }
        }
        Ok(members)
    }
}

impl<'de> DeserializeSeed<'de> for DocumentPart {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        match self {
            DocumentPart::Text => {
                let text = Option::<String>::deserialize(from)?;
                Ok(text.map_or(Value::Null, Value::String))
            }
            DocumentPart::Flag => {
                let flag = Option::<bool>::deserialize(from)?;
                Ok(flag.map_or(Value::Null, Value::Bool))
            }
            DocumentPart::Any => Value::deserialize(from),
            DocumentPart::Texts => {
                let texts = Option::<Vec<String>>::deserialize(from)?;
                Ok(texts.map_or(Value::Null, Value::from))
            }
            DocumentPart::Schema => from.deserialize_map(self),
            DocumentPart::List => from.deserialize_option(self),
        }
    }
}

impl<'de> Visitor<'de> for DocumentPart {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DocumentPart::List => "a list",
            _ => "properties of a schema",
        })
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_seq(self)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Value, S::Error> {
        let mut all = Vec::new();
        while let Some(one) = list.next_element_seed(DocumentPart::Schema)? {
            all.push(one);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Value, M::Error> {
        Self::members(map).map(Value::Object)
    }
}
