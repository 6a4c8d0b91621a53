//! One field's value, whatever its type: what generic code sees of a typed record.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use rust_decimal::Decimal;

/// A view of one value. Borrowed from the record it belongs to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// No value.
    Null,
    /// Text of any kind whose form is not proven by its type.
    Text(&'a str),
    /// An e-mail address.
    Email(&'a str),
    /// A web address.
    Url(&'a str),
    /// A phone number in its stored form.
    Phone(&'a str),
    /// A place as `latitude,longitude`.
    LatLng(&'a str),
    /// A code of a static picklist.
    Code(&'static str),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// An amount of money.
    Decimal(Decimal),
    /// True or false.
    Bool(bool),
    /// A date.
    Date(NaiveDate),
    /// A time of day.
    Time(NaiveTime),
    /// A date and time.
    DateTime(NaiveDateTime),
    /// Several values.
    List(Vec<Value<'a>>),
}

impl Value<'_> {
    /// Whether this counts as no value: nothing, blank text, or a list of only such.
    pub fn is_missing(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Text(text) => text.chars().all(char::is_whitespace),
            Value::List(items) => items.iter().all(Value::is_missing),
            _ => false,
        }
    }
}
