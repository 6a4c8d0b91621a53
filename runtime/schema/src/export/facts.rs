//! What a field's settings mean, in words for its doc comment. The words are for people: nothing
//! reads them back.
//!
//! ```text
//! /// Several values: day of the month. Personally identifiable. Tag: Feasts.
//! ```

use super::markdown::{code, paragraph};
use crate::{Bound, BoundKind, DataType, Field, Setting};

/// The facts of a field as one paragraph.
pub fn of_field(field: &Field) -> String {
    let mut sentences = vec![main(field)];
    if field.primary_key {
        sentences.push("The primary key.".to_owned());
    }
    if field.is_alphanumeric() {
        sentences.push("Only letters A to Z, a to z and digits.".to_owned());
    }
    sentences.extend(media(field));
    if let Some(id) = field
        .data_domain_id
        .as_deref()
        .filter(|_| field.data_type == DataType::Picklist)
    {
        sentences.push(format!(
            "The codes are those of the data domain {}.",
            code(id)
        ));
    }
    if field.is_pii() {
        sentences.push("Personally identifiable.".to_owned());
    }
    let tags: Vec<_> = field
        .classifiers
        .iter()
        .flatten()
        .map(|tag| paragraph(&tag.tag_name))
        .collect();
    let tags: Vec<_> = tags
        .iter()
        .map(String::as_str)
        .filter(|tag| !tag.is_empty())
        .collect();
    match tags.len() {
        0 => {}
        1 => sentences.push(format!("Tag: {}.", tags[0])),
        _ => sentences.push(format!("Tags: {}.", tags.join(", "))),
    }
    sentences.join(" ")
}

/// What it is, its bounds and its format: `Date from 01/01/1900, as DD/MM/YYYY.`
fn main(field: &Field) -> String {
    let phrase = field.data_type.facts().phrase;
    let many = if field.is_multivalue() {
        "several values: "
    } else {
        ""
    };
    let mut text = format!("{many}{phrase}");
    text[..1].make_ascii_uppercase();
    text.push_str(&bounds(field));
    if let Some(format) = format(field) {
        text.extend([", as ", &format]);
    }
    if let Some(words) = field
        .boolean_words
        .filter(|_| field.data_type == DataType::Boolean)
    {
        text.extend([", also written ", words.name()]);
    }
    text.push('.');
    text
}

fn bounds(field: &Field) -> String {
    let ends = (field.min.as_ref(), field.max.as_ref());
    let is = |kind| field.data_type.facts().bounds == kind;
    if is(BoundKind::Length) {
        let characters = |bound: &Bound| match bound.as_str() {
            "1" => "1 character".to_owned(),
            _ => format!("{} characters", paragraph(bound.as_str())),
        };
        match ends {
            (Some(min), Some(max)) if min == max => format!(" of exactly {}", characters(max)),
            (Some(min), Some(max)) => {
                format!(" of {} to {}", paragraph(min.as_str()), characters(max))
            }
            (Some(min), None) => format!(" of at least {}", characters(min)),
            (None, Some(max)) => format!(" of at most {}", characters(max)),
            (None, None) => String::new(),
        }
    } else if is(BoundKind::Value) {
        let value = |bound: &Bound| paragraph(bound.as_str());
        match ends {
            (Some(min), Some(max)) => format!(" from {} to {}", value(min), value(max)),
            (Some(min), None) => format!(" from {}", value(min)),
            (None, Some(max)) => format!(" up to {}", value(max)),
            (None, None) => String::new(),
        }
    } else {
        String::new()
    }
}

/// The format, where the field sets one.
fn format(field: &Field) -> Option<String> {
    let has_date = field.date_format.is_some() || field.date_separator.is_some();
    let has_time = field.time_format.is_some();
    match field.data_type {
        DataType::Date if has_date => Some(field.date_shape().label()),
        DataType::Time if has_time => Some(field.time_shape().name().to_owned()),
        DataType::Datetime if has_date || has_time => Some(field.moment_shape().label()),
        _ => None,
    }
}

fn media(field: &Field) -> Option<String> {
    let pixels = field.data_type.has(Setting::Pixels);
    let limits = [
        (field.data_type.has(Setting::Size), &field.max_size, "bytes"),
        (pixels, &field.max_width, "pixels wide"),
        (pixels, &field.max_height, "pixels high"),
    ];
    let sentences: Vec<_> = limits
        .into_iter()
        .filter(|(has, ..)| *has)
        .filter_map(|(_, bound, unit)| {
            Some(format!("{} {unit}", paragraph(bound.as_ref()?.as_str())))
        })
        .collect();
    (!sentences.is_empty()).then(|| format!("At most {}.", sentences.join(", ")))
}
