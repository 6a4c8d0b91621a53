//! A fault: what is wrong with one value, as data. Its words are in [`message`](super::message).

use super::message;
use schema::Hundredths;
use schema::format::{BooleanWords, DateShape, MomentShape, TimeFormat};
use std::fmt;
use std::sync::Arc;

/// One fault of one value. It never holds the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub(crate) field: Arc<str>,
    pub(crate) index: u32,
    pub(crate) position: Option<u32>,
    pub(crate) rule: Rule,
    pub(crate) offset: Option<u32>,
}

impl Fault {
    /// The field's display name.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// The position of the faulty element in a multivalue, from 1.
    pub fn position(&self) -> Option<usize> {
        self.position.map(|position| position as usize)
    }

    /// The rule that was broken, with its parameters.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The byte offset of the value in the input; `None` for a value that is absent, and for one that
    /// did not come from the input (a stored value in an update, a struct built by hand).
    pub fn offset(&self) -> Option<usize> {
        self.offset.map(|offset| offset as usize)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        message::write_fault(f, self)
    }
}

/// A bound in the stored form of its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Of a whole number.
    Integer(i64),
    /// Of a double.
    Float(f64),
    /// Of an amount of money.
    Money(Hundredths),
}

/// The rules of decisions section 3, with the parameters of their messages.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    missing_docs,
    reason = "the catalogue of messages tells what each says and when"
)]
#[non_exhaustive]
pub enum Rule {
    Required,
    Single,
    ElementMissing,
    String,
    Integer,
    Float,
    Finite,
    Decimals,
    Boolean(Option<BooleanWords>),
    Date(DateShape),
    Time(TimeFormat),
    Datetime(MomentShape),
    Calendar,
    YearHeld(DateShape),
    SecondsHeld(TimeFormat),
    FractionHeld(TimeFormat),
    Year,
    Month,
    Day,
    Min(Limit),
    Max(Limit),
    NotBefore(String),
    NotAfter(String),
    MinLength(u64),
    MaxLength(u64),
    Alphanumeric,
    Email,
    Url,
    Phone,
    Latlng,
    LatitudeRange,
    LongitudeRange,
    Picklist(Arc<[Box<str>]>),
    Domain(Arc<str>),
    DomainMissing(Arc<str>),
    File,
    Image,
    Video,
    MaxSize(u64),
    MaxWidth(u64),
    MaxHeight(u64),
    Unmeasured,
}

impl Rule {
    /// The rule's code: stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Rule::Required => "required",
            Rule::Single => "single",
            Rule::ElementMissing => "element_missing",
            Rule::String => "string",
            Rule::Integer => "integer",
            Rule::Float => "float",
            Rule::Finite => "finite",
            Rule::Decimals => "decimals",
            Rule::Boolean(_) => "boolean",
            Rule::Date(_) => "date",
            Rule::Time(_) => "time",
            Rule::Datetime(_) => "datetime",
            Rule::Calendar => "calendar",
            Rule::YearHeld(_) => "year_held",
            Rule::SecondsHeld(_) => "seconds_held",
            Rule::FractionHeld(_) => "fraction_held",
            Rule::Year => "year",
            Rule::Month => "month",
            Rule::Day => "day",
            Rule::Min(_) => "min",
            Rule::Max(_) => "max",
            Rule::NotBefore(_) => "not_before",
            Rule::NotAfter(_) => "not_after",
            Rule::MinLength(_) => "min_length",
            Rule::MaxLength(_) => "max_length",
            Rule::Alphanumeric => "alphanumeric",
            Rule::Email => "email",
            Rule::Url => "url",
            Rule::Phone => "phone",
            Rule::Latlng => "latlng",
            Rule::LatitudeRange => "latitude_range",
            Rule::LongitudeRange => "longitude_range",
            Rule::Picklist(_) => "picklist",
            Rule::Domain(_) => "domain",
            Rule::DomainMissing(_) => "domain_missing",
            Rule::File => "file",
            Rule::Image => "image",
            Rule::Video => "video",
            Rule::MaxSize(_) => "max_size",
            Rule::MaxWidth(_) => "max_width",
            Rule::MaxHeight(_) => "max_height",
            Rule::Unmeasured => "unmeasured",
        }
    }
}
