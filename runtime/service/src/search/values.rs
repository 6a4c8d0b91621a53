//! What a field's values are compared as: numbers, dates and times by what they mean, codes as they are, texts by
//! their words. The same for what is stored and for what a query asks.

use engine::validate::is_blank;
use schema::format::{DateShape, Day, FormatFault, Moment, MomentShape, TimeFormat, TimeOfDay};
use schema::json::{Node, Value, parse};
use schema::{DataType, Field, NotWhole, Number};
use store::search::{FactValue, Key, words};

/// How many characters of a text count in an order; texts that are alike so far are equals.
const TEXT_CHARS: usize = 64;

/// How many bytes of a code count; an engine keeps no longer ones in order.
pub(super) const CODE_BYTES: usize = 1024;

/// The last second of a day, and more than any.
const DAY_SECONDS: i64 = 100_000;

/// Whether the values of a field have an order that can be asked for: whether they are numbers, dates or times.
pub(super) fn is_measured(field: &Field) -> bool {
    let is_moment = matches!(
        field.data_type,
        DataType::Date | DataType::Time | DataType::Datetime
    );
    is_moment || field.data_type.is_number()
}

/// What the keys of a field count, where they are numbers: those of different measures say nothing of each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Number,
    Hundredths,
    Day,
    SecondOfDay,
    SecondOfDays,
}

/// What the keys of a field count; none where they are texts.
pub(super) fn measure(field: &Field) -> Option<Measure> {
    match field.data_type {
        DataType::Currency => Some(Measure::Hundredths),
        DataType::Date => Some(Measure::Day),
        DataType::Time => Some(Measure::SecondOfDay),
        DataType::Datetime => Some(Measure::SecondOfDays),
        own => own.is_number().then_some(Measure::Number),
    }
}

/// Whether the values of a field are few, and counted.
pub(super) fn is_counted(field: &Field) -> bool {
    matches!(field.data_type, DataType::Boolean | DataType::Picklist)
}

/// Whether the index keeps keys of a field.
fn has_keys(field: &Field) -> bool {
    is_measured(field) || is_counted(field) || is_sorted(field)
}

/// Whether pages can be sorted by a field.
pub(super) fn is_sorted(field: &Field) -> bool {
    field.sort_key && (is_measured(field) || is_counted(field) || is_text(field))
}

/// Whether the keys of a field are its words: kept only where pages are sorted by them.
pub(super) fn is_text(field: &Field) -> bool {
    matches!(
        field.data_type,
        DataType::String | DataType::Email | DataType::Url | DataType::Phone
    )
}

/// What a field's value is to ranges, sorted pages and counts.
pub(super) fn value_of(field: &Field, node: Option<&Node<'_>>) -> FactValue {
    // a text field keeps blank text as it came, as do lists, and it is no value all the same
    let is_value = |value: &&Value<'_>| match value {
        Value::Null => false,
        Value::String(text) => !is_blank(text),
        _ => true,
    };
    let items: Vec<&Value<'_>> = match node.map(|node| &node.value) {
        Some(Value::Array(items)) => {
            let items = items.iter().map(|item| &item.value);
            items.filter(is_value).collect()
        }
        value => value.into_iter().filter(is_value).collect(),
    };
    if items.is_empty() {
        return FactValue::Missing;
    }
    if !has_keys(field) {
        return FactValue::Plain;
    }
    let keys: Vec<Key> = items
        .into_iter()
        .filter_map(|value| key_of(field, value))
        .collect();
    if keys.is_empty() {
        FactValue::Unread
    } else {
        FactValue::Keys(keys)
    }
}

/// The key of a stored value; `None` for one that the field's type does not have.
fn key_of(field: &Field, value: &Value<'_>) -> Option<Key> {
    match (field.data_type, value) {
        (DataType::Boolean, Value::Bool(value)) => Some(Key::Int(i64::from(*value))),
        // a text that is none of its codes or words is told, and counted, as what it is
        (DataType::Picklist | DataType::Boolean, Value::String(code)) => Some(code_key(code)),
        (_, Value::String(text)) if is_text(field) => Some(text_key(text)),
        (_, Value::String(text)) => moment_key(field, text).map(|(from, _)| Key::Int(from)),
        (_, Value::Number(token)) => number_key(field, token),
        _ => None,
    }
}

fn code_key(code: &str) -> Key {
    let mut end = code.len().min(CODE_BYTES);
    while !code.is_char_boundary(end) {
        end -= 1;
    }
    Key::Text(code[..end].into())
}

fn text_key(text: &str) -> Key {
    let folded = words(text).join(" ");
    Key::Text(folded.chars().take(TEXT_CHARS).collect())
}

fn number_key(field: &Field, token: &str) -> Option<Key> {
    let number = || Number::of(token);
    match field.data_type {
        own if own.is_whole() => match number().to_i64() {
            Ok(value) => Some(Key::Int(value)),
            Err(NotWhole::Fraction | NotWhole::Below | NotWhole::Above) => {
                nearest(token).map(Key::Real)
            }
        },
        DataType::Currency => match number().to_hundredths().map(schema::Hundredths::get) {
            Ok(amount) => {
                Some(i64::try_from(amount).map_or_else(|_| Key::Real(real(amount)), Key::Int))
            }
            Err(_) => nearest(token).map(|amount| Key::Real(amount * 100.0)),
        },
        own if own.is_number() => nearest(token).map(Key::Real),
        _ => None,
    }
}

/// The double next to a number. One beyond all doubles is infinite, and stands behind all other numbers or before them.
fn nearest(token: &str) -> Option<f64> {
    // both zeros are one
    token.parse().ok().map(|near: f64| near + 0.0)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "amounts beyond 92 quadrillions stand near their place"
)]
fn real(amount: i128) -> f64 {
    amount as f64
}

/// The first and the last whole number that a text of a date, a time or both stands for: of a date and time, the
/// date alone is all of the day.
fn moment_key(field: &Field, text: &str) -> Option<(i64, i64)> {
    let only = |key| (key, key);
    match field.data_type {
        DataType::Date => field.date_shape().read(text).ok().map(day).map(only),
        DataType::Time => field.time_shape().read(text).ok().map(second).map(only),
        DataType::Datetime => {
            if let Ok(moment) = field.moment_shape().read(text) {
                return Some(only(second_of_days(moment)));
            }
            field.date_shape().read(text).ok().map(whole_day)
        }
        _ => None,
    }
}

/// The same of a text in ISO form, whether or not the field's own form has room for it: what a query asks for is compared,
/// never written. A moment within a second stands between two that are kept, so its last is the one before it, and its first
/// the one behind.
fn iso_key(field: &Field, text: &str) -> Option<(i64, i64)> {
    let only = |key| (key, key);
    let date = DateShape::new(None, None);
    let moment = MomentShape::new(date, None);
    match field.data_type {
        DataType::Date => date.read(text).ok().map(day).map(only),
        DataType::Time => TimeFormat::Seconds.read(text).ok().map(second).map(only),
        DataType::Datetime => match moment.read(text) {
            Ok(at) => Some(only(second_of_days(at))),
            Err(FormatFault::Fraction) => {
                let before = moment.read(&without_fraction(text)?).ok()?;
                let before = second_of_days(before);
                Some((before + 1, before))
            }
            Err(_) => date.read(text).ok().map(whole_day),
        },
        _ => None,
    }
}

/// A date and time in ISO form without the fraction of its second.
fn without_fraction(text: &str) -> Option<String> {
    let (before, rest) = text.split_once('.')?;
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(format!("{before}{behind}"))
}

fn second_of_days(Moment { day: on, time }: Moment) -> i64 {
    day(on) * DAY_SECONDS + second(time)
}

/// The first and the last second of a day.
fn whole_day(on: Day) -> (i64, i64) {
    let on = day(on);
    (on * DAY_SECONDS, (on + 1) * DAY_SECONDS - 1)
}

fn day(day: Day) -> i64 {
    (i64::from(day.year()) * 100 + i64::from(day.month())) * 100 + i64::from(day.day())
}

fn second(time: TimeOfDay) -> i64 {
    (i64::from(time.hour()) * 60 + i64::from(time.minute())) * 60 + i64::from(time.second())
}

/// The first and the last key that a text of a query stands for, in a field whose values are measured.
pub(super) fn asked(field: &Field, text: &str) -> Option<(Key, Key)> {
    let text = text.trim();
    if let Some((from, to)) = moment_key(field, text).or_else(|| iso_key(field, text)) {
        return Some((Key::Int(from), Key::Int(to)));
    }
    let tree = parse(without_zeros(field, text)).ok()?;
    let Value::Number(token) = &tree.value else {
        return None;
    };
    let decimals = match field.data_type {
        own if own.is_whole() => 0,
        DataType::Currency => 2,
        own if own.is_number() => usize::MAX,
        _ => return None,
    };
    match number_key(field, token)? {
        Key::Real(near) if near.fract() == 0.0 && decimals <= 2 => {
            Some(between(token, decimals).unwrap_or((Key::Real(near), Key::Real(near))))
        }
        key => Some((key.clone(), key)),
    }
}

/// A year, month or day without the zeros before it, with which a record may have it, too.
fn without_zeros<'t>(field: &Field, text: &'t str) -> &'t str {
    let is_part = matches!(
        field.data_type,
        DataType::DateYear | DataType::DateMonth | DataType::DateDay
    );
    let digits = text.trim_start_matches('0');
    if is_part && digits.starts_with(|c: char| c.is_ascii_digit()) {
        digits
    } else {
        text
    }
}

/// The first key behind a number and the last before it, where it has more decimals than those that are kept, and so many
/// that its double has none.
fn between(token: &str, decimals: usize) -> Option<(Key, Key)> {
    let negative = token.strip_prefix('-');
    let (whole, part) = negative.unwrap_or(token).split_once('.')?;
    let (kept, rest) = part.split_at_checked(decimals)?;
    let is_between = rest.contains(|c: char| matches!(c, '1'..='9')) && !rest.contains(['e', 'E']);
    let towards_zero: i64 = format!("{whole}{kept}").parse().ok()?;
    let before = if negative.is_some() {
        -towards_zero - 1
    } else {
        towards_zero
    };
    is_between.then_some((Key::Int(before.checked_add(1)?), Key::Int(before)))
}

#[cfg(test)]
mod tests;
