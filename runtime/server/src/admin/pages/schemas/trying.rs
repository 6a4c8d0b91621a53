//! The try-it box: values for each field, judged under a schema as it stands, before anyone made it.

use super::document::{Draft, raw};
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::original::{mark_of, plain};
use crate::admin::pages::values::{fault_text, value_of};
use crate::admin::pages::visit::{Form, Visit};
use crate::http::error::Failure;
use schema::json::write_string;
use schema::{Field, Schema};
use serde_json::value::RawValue;
use service::Refusal;
use service::manage::SchemaTrial;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The box, and what came of what is in it.
#[derive(Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is asked for by the template"
)]
pub(super) struct Tried {
    pub(super) values: Vec<Value>,
    /// The mark of which inputs these are, whatever is in them; the page says it in its form.
    pub(super) shown: String,
    /// Whether the page that asks shows just these: it keeps them, with what was typed meanwhile.
    pub(super) is_shown: bool,
    /// What was filled in for fields that are not shown: of many some, and none while the schema contradicts itself.
    pub(super) kept: Vec<(String, String)>,
    /// Whether the schema holds, so that records can be tried.
    pub(super) is_ready: bool,
    /// What is wrong with it, field by field; and how much more there is, in words.
    pub(super) faults: Vec<(String, String)>,
    pub(super) more_faults: Option<String>,
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
}

/// Faults that are told, at most.
const FAULTS_MAX: usize = 200;

/// Judges what was filled in, if the schema holds; has the inputs of those of its fields that are shown.
pub(super) fn tried<P>(
    visit: &Visit<P>,
    draft: &Draft,
    (holds, in_view): (bool, &[usize]),
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
    let texts = texts_of(&fields, form);
    let is_tried = texts.iter().any(|text| !text.is_empty());
    let body = body_of(&fields, &texts);
    let trial = SchemaTrial {
        document: RawValue::from_string(document).unwrap_or_else(|_| raw(&())),
        record: RawValue::from_string(body).ok().filter(|_| is_tried),
    };
    let mut all = Tried {
        is_ready: true,
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
    for ((index, field), text) in fields.iter().zip(texts) {
        if in_view.contains(index) {
            all.values.push(Value {
                index: *index,
                label: field.name.clone(),
                kind: visit.texts.schemas.of_type(field.data_type.name()),
                text,
                is_several: field.is_multivalue(),
            });
        } else if !text.is_empty() {
            all.kept.push((format!("t-{index}"), text));
        }
    }
    let more = errors.len().saturating_sub(FAULTS_MAX) as u64;
    all.more_faults = (more > 0).then(|| (visit.texts.and_more)(&grouped(more, visit.texts)));
    let by_field = fields.iter().filter_map(|(_, field)| {
        let own = errors.iter().find(|error| error.name == field.name)?;
        Some((field.name.clone(), fault_text(&own.errors, visit.texts)))
    });
    all.faults = by_field.take(FAULTS_MAX).collect();
    all.shown = shown(&all.values);
    all.is_shown = form.text("tried") == all.shown;
    Ok(all)
}

/// What was filled in for each of the fields.
fn texts_of(fields: &[(usize, &Field)], form: &Form) -> Vec<String> {
    let filled = form.pairs().iter();
    let filled: HashMap<&str, &str> = filled
        .filter_map(|(name, text)| Some((name.strip_prefix("t-")?, &**text)))
        .collect();
    let texts = fields.iter().map(|(index, _)| {
        let text = filled.get(&*index.to_string()).copied();
        plain(text.unwrap_or_default())
    });
    texts.collect()
}

/// The record that they are.
fn body_of(fields: &[(usize, &Field)], texts: &[String]) -> String {
    let mut body = String::from("{");
    for ((_, field), text) in fields.iter().zip(texts) {
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
    body
}

/// The mark of the inputs of these values.
fn shown(values: &[Value]) -> String {
    let mut told = String::new();
    for value in values {
        let Value {
            index,
            label,
            kind,
            is_several,
            ..
        } = value;
        let _ = writeln!(told, "{index} {label:?} {kind} {is_several}");
    }
    mark_of(&told)
}
