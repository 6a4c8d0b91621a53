//! Things of a manifest that may be written in two forms, a short and a long one: how each is read. What they mean
//! is told in `model`. What fits neither form is told as what was expected, where it stands.

use crate::model::{RecordMode, Records};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use std::fmt;

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
