//! One field's value, whatever its type: what generic code sees of a typed record.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use rust_decimal::Decimal;

/// A view of one value. Borrowed from the record it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    List(Items<'a>),
}

/// The elements of a multivalue, looked at one by one.
#[derive(Clone, Copy)]
pub struct Items<'a>(pub(crate) &'a dyn Elements);

/// What a list of values is made of.
pub(crate) trait Elements {
    fn count(&self) -> usize;

    fn at(&self, index: usize) -> Value<'_>;
}

impl<'a> Items<'a> {
    /// How many there are, missing ones included.
    pub fn len(self) -> usize {
        self.0.count()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0.count() == 0
    }

    /// One by one.
    pub fn iter(self) -> impl Iterator<Item = Value<'a>> {
        let Items(elements) = self;
        (0..elements.count()).map(move |index| elements.at(index))
    }
}

impl PartialEq for Items<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl std::fmt::Debug for Items<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Value<'_> {
    /// Whether this counts as no value: nothing, blank text, or a list of only such.
    #[inline]
    pub fn is_missing(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Text(text) => {
                !text
                    .as_bytes()
                    .first()
                    .is_some_and(|byte| (0x21..0x7F).contains(byte))
                    && text.chars().all(char::is_whitespace)
            }
            Value::List(items) => items.iter().all(|item| item.is_missing()),
            _ => false,
        }
    }
}
