//! The rules that a value of a field may break, before there is a value: what a person is told who asks what a field
//! wants. It judges nothing; a test holds it to the judgement: no fault is of a rule that is not told here.

use super::fault::{Limit, Rule};
use schema::{Bounds, DataType, Field, Limits, Media, PicklistType};

/// Every rule that a value of this field may break, in the order in which they are judged. The bounds that a type has on
/// its own are told where the field names none. Empty for a field whose bounds contradict themselves.
pub fn rules_of(field: &Field) -> Vec<Rule> {
    let Ok(limits) = Limits::of(field) else {
        return Vec::new();
    };
    let mut rules = Vec::new();
    if field.required {
        rules.push(Rule::Required);
    }
    if field.is_multivalue() {
        rules.push(Rule::ElementMissing);
    } else {
        rules.push(Rule::Single);
    }
    of_type(field, &mut rules);
    of_limits(field, limits, &mut rules);
    if field.is_alphanumeric() {
        rules.push(Rule::Alphanumeric);
    }
    rules
}

/// What a value of the type is.
fn of_type(field: &Field, rules: &mut Vec<Rule>) {
    let own = match field.data_type {
        DataType::Integer => vec![Rule::Integer],
        DataType::Float | DataType::Latitude | DataType::Longitude => {
            vec![Rule::Float, Rule::Finite]
        }
        DataType::Currency => vec![Rule::Float, Rule::Decimals],
        DataType::String => vec![Rule::String],
        DataType::Boolean => vec![Rule::Boolean(field.boolean_words)],
        DataType::Date => vec![Rule::Date(field.date_shape()), Rule::Calendar],
        DataType::Time => vec![Rule::Time(field.time_shape())],
        DataType::Datetime => vec![
            Rule::Datetime(field.moment_shape()),
            Rule::Calendar,
            Rule::FractionHeld(field.time_shape()),
        ],
        DataType::DateYear => vec![Rule::Year],
        DataType::DateMonth => vec![Rule::Month],
        DataType::DateDay => vec![Rule::Day],
        DataType::Picklist => of_codes(field),
        DataType::Email => vec![Rule::Email],
        DataType::Url => vec![Rule::Url],
        DataType::Phone => vec![Rule::Phone],
        DataType::Latlng => vec![Rule::Latlng, Rule::LatitudeRange, Rule::LongitudeRange],
        DataType::Attachment | DataType::Document => vec![Rule::File],
        DataType::Image => vec![Rule::File, Rule::Image],
        DataType::Video => vec![Rule::File, Rule::Video],
    };
    rules.extend(own);
    let has_date = matches!(field.data_type, DataType::Date | DataType::Datetime);
    if has_date && field.date_shape().format.is_short() {
        rules.push(Rule::YearHeld(field.date_shape()));
    }
    let has_time = matches!(field.data_type, DataType::Time | DataType::Datetime);
    if has_time && !field.time_shape().has_seconds() {
        rules.push(Rule::SecondsHeld(field.time_shape()));
    }
}

fn of_codes(field: &Field) -> Vec<Rule> {
    let domain = || field.data_domain_id.as_deref().unwrap_or_default().into();
    if field.picklist_type == Some(PicklistType::Dynamic) {
        return vec![Rule::Domain(domain()), Rule::DomainMissing(domain())];
    }
    let codes = field.static_picklist.iter().flatten();
    let codes = codes.map(|entry| entry.code.as_str().into());
    vec![Rule::Picklist(codes.collect())]
}

/// What bounds it, where something does.
fn of_limits(field: &Field, limits: Limits, rules: &mut Vec<Rule>) {
    match limits {
        Limits::Text(Bounds { min, max }) => {
            if min > 0 {
                rules.push(Rule::MinLength(min));
            }
            if max < u64::MAX {
                rules.push(Rule::MaxLength(max));
            }
        }
        Limits::Whole(bounds) | Limits::DatePart(bounds) => {
            let Bounds { min, max } = bounds;
            rules.extend([
                Rule::Min(Limit::Integer(min)),
                Rule::Max(Limit::Integer(max)),
            ]);
        }
        Limits::Float(Bounds { min, max }) => {
            if min.is_finite() {
                rules.push(Rule::Min(Limit::Float(min)));
            }
            if max.is_finite() {
                rules.push(Rule::Max(Limit::Float(max)));
            }
        }
        Limits::Money(Bounds { min, max }) => {
            rules.extend([Rule::Min(Limit::Money(min)), Rule::Max(Limit::Money(max))]);
        }
        Limits::Date(bounds) => moments(bounds, rules, |day, out| {
            field.date_shape().write(day, out);
        }),
        Limits::Time(bounds) => moments(bounds, rules, |time, out| {
            field.time_shape().write(time, out);
        }),
        Limits::Datetime(bounds) => moments(bounds, rules, |moment, out| {
            field.moment_shape().write(moment, out);
        }),
        Limits::File(media) => of_file(media, rules),
        Limits::Boolean | Limits::Picklist | Limits::Phone | Limits::Latlng => {}
    }
}

fn moments<V>(bounds: Bounds<Option<V>>, rules: &mut Vec<Rule>, write: impl Fn(V, &mut String)) {
    let text = |bound| {
        let mut text = String::new();
        write(bound, &mut text);
        text
    };
    rules.extend(bounds.min.map(|min| Rule::NotBefore(text(min))));
    rules.extend(bounds.max.map(|max| Rule::NotAfter(text(max))));
}

fn of_file(media: Media, rules: &mut Vec<Rule>) {
    let Media {
        size,
        width,
        height,
    } = media;
    rules.extend(size.map(Rule::MaxSize));
    if width.is_some() || height.is_some() {
        rules.push(Rule::Unmeasured);
    }
    rules.extend(width.map(Rule::MaxWidth));
    rules.extend(height.map(Rule::MaxHeight));
}
