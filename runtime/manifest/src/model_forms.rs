//! Things of a manifest that may be written in two forms, a short and a long one: how each is read. What they mean
//! is told in `model`. What fits neither form is told as what was expected, where it stands.

use crate::document_form::DocumentPart;
use crate::model::{AllAreas, Areas, Codes, CodesFrom, Document, RecordMode, Records, Text};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use store::catalog::Verb;

impl<'de> Deserialize<'de> for Records {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(RecordsForms)
    }
}

struct RecordsForms;

impl<'de> Visitor<'de> for RecordsForms {
    type Value = Records;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the path of a record file, or `file` with a `mode`")
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<Records, E> {
        Ok(Records {
            file: path.to_owned(),
            mode: None,
            text: None,
        })
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Records, M::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Long {
            file: String,
            #[serde(default)]
            mode: Option<RecordMode>,
            #[serde(default)]
            text: Option<String>,
        }
        let Long { file, mode, text } = Long::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Records { file, mode, text })
    }
}

impl<'de> Deserialize<'de> for Codes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(CodesForms)
    }
}

struct CodesForms;

impl<'de> Visitor<'de> for CodesForms {
    type Value = Codes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of codes, or the `file` that has them with its field `code`")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Codes, S::Error> {
        let mut codes = Vec::new();
        while let Some(code) = list.next_element()? {
            codes.push(code);
        }
        Ok(Codes::Written(codes))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Codes, M::Error> {
        CodesFrom::deserialize(MapAccessDeserializer::new(map)).map(Codes::From)
    }
}

impl<'de> Deserialize<'de> for Areas {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut named = BTreeMap::<String, Vec<Verb>>::deserialize(from)?;
        match named.remove("all") {
            Some(all) if named.is_empty() => Ok(Areas::All(AllAreas { all })),
            Some(verbs) => {
                // an area that is called so, among others
                named.insert("all".to_owned(), verbs);
                Ok(Areas::Named(named))
            }
            None => Ok(Areas::Named(named)),
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(DocumentForms)
    }
}

struct DocumentForms;

impl<'de> Visitor<'de> for DocumentForms {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the path of a schema document, or the document itself")
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<Document, E> {
        Ok(Document::File(path.to_owned()))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Document, M::Error> {
        let members = DocumentPart::members(map)?;
        if let (2, Some(Value::String(path)), Some(Value::String(text))) =
            (members.len(), members.get("path"), members.get("text"))
        {
            let (path, text) = (path.clone(), text.clone());
            return Ok(Document::Text(Text { path, text }));
        }
        Ok(Document::Inline(Value::Object(members)))
    }
}
