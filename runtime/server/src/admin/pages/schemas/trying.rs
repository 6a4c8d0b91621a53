//! The try-it box: values for each field, judged under a schema as it stands, before anyone made it.

use super::document::{Draft, raw};
use crate::admin::pages::original::plain;
use crate::admin::pages::values::{fault_text, value_of};
use crate::admin::pages::visit::{Form, Visit};
use crate::http::error::Failure;
use schema::Schema;
use schema::json::write_string;
use serde_json::value::RawValue;
use service::Refusal;
use service::manage::SchemaTrial;

/// The box, and what came of what is in it.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) values: Vec<Value>,
    /// What was filled in, while the schema contradicts itself and there are no fields to show it in.
    pub(super) kept: Vec<(String, String)>,
    /// Whether anything was filled in.
    pub(super) has_values: bool,
    /// The record as it would be stored.
    pub(super) stored: String,
    /// Why it is no record at all.
    pub(super) refusal: String,
    pub(super) is_clean: bool,
}

/// A field of it.
pub(super) struct Value {
    pub(super) index: usize,
    pub(super) label: String,
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) is_several: bool,
    pub(super) fault: String,
}

/// Judges what was filled in, if the schema holds.
pub(super) fn tried<P>(
    visit: &Visit<P>,
    draft: &Draft,
    holds: bool,
    form: &Form,
) -> Result<Tried, Failure> {
    let document = draft.to_json();
    let schema = Schema::read_unchecked(&document).filter(|_| holds);
    let Some(schema) = schema else {
        let filled = form.pairs().iter();
        let kept = filled.filter(|(name, text)| name.starts_with("t-") && !text.is_empty());
        return Ok(Tried {
            kept: kept.cloned().collect(),
            ..Tried::default()
        });
    };
    let fields = schema.fields.iter().enumerate();
    let fields: Vec<_> = fields.filter(|(_, field)| field.active).collect();
    let texts: Vec<String> = fields
        .iter()
        .map(|(index, _)| plain(form.text(&format!("t-{index}"))))
        .collect();
    let is_tried = texts.iter().any(|text| !text.is_empty());
    let mut body = String::from("{");
    for ((_, field), text) in fields.iter().zip(&texts) {
        if text.is_empty() {
            continue;
        }
        if body.len() > 1 {
            body.push(',');
        }
        write_string(&mut body, &field.name);
        body.push(':');
        body.push_str(&value_of(field, text));
    }
    body.push('}');
    let trial = SchemaTrial {
        document: RawValue::from_string(document).unwrap_or_else(|_| raw(&())),
        record: RawValue::from_string(body).ok().filter(|_| is_tried),
    };
    let mut all = Tried {
        has_values: is_tried,
        ..Tried::default()
    };
    let errors = match visit.site.service.try_schema(&visit.caller, &trial) {
        Ok(judged) => {
            all.is_clean = is_tried && judged.errors.is_empty();
            all.stored = judged
                .record
                .map_or_else(String::new, |it| it.get().to_owned());
            judged.errors
        }
        Err(refusal @ (Refusal::Invalid(_) | Refusal::InvalidBody { .. })) => {
            all.refusal = visit.texts.refusal(&refusal);
            Vec::new()
        }
        Err(refusal) => return Err(refusal.into()),
    };
    let values = fields.iter().zip(texts).map(|((index, field), text)| {
        let own = errors.iter().find(|error| error.name == field.name);
        Value {
            index: *index,
            label: field.name.clone(),
            kind: visit.texts.schemas.of_type(field.data_type.name()),
            text,
            is_several: field.is_multivalue(),
            fault: own.map_or_else(String::new, |own| fault_text(&own.errors, visit.texts)),
        }
    });
    all.values = values.collect();
    Ok(all)
}
