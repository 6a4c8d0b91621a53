//! A fault: what is wrong with one value, as data. Its words are in `message.rs`.

use super::remark::Remark;
use schema::Hundredths;
use schema::format::{BooleanWords, DateShape, MomentShape, TimeFormat};
use std::sync::Arc;

/// One fault of one value. It never holds the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub(crate) field: Arc<str>,
    pub(crate) index: u32,
    pub(crate) position: Option<u32>,
    pub(crate) rule: Rule,
    pub(crate) offset: Option<u32>,
    pub(crate) remark: Option<Remark>,
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

/// Declares the rules: each with its parameters, its code and when it is broken.
macro_rules! rules {
    ($($variant:ident $(($parameter:ty))? = $code:literal, $when:literal;)*) => {
        /// The rules that a value can break, with the parameters of their messages.
        /// `runtime/docs/messages.md` lists each with its message.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = $when] $variant $(($parameter))?,)*
        }

        impl Rule {
            /// Every rule's code, and when it is broken.
            pub const CODES: &'static [(&'static str, &'static str)] = &[$(($code, $when)),*];

            /// The rule's code: stable, for programs.
            pub fn code(&self) -> &'static str {
                match self {
                    $(rules!(@pattern $variant $($parameter)?) => $code,)*
                }
            }
        }
    };
    (@pattern $variant:ident) => { Rule::$variant };
    (@pattern $variant:ident $parameter:ty) => { Rule::$variant(_) };
}

rules! {
    Required = "required", "a required field has no value";
    Single = "single", "a field of one value got an array";
    ElementMissing = "element_missing", "an element of a multivalue is missing among others";
    String = "string", "a `string` got another kind of value";
    Integer = "integer", "an `integer` got no number, or one with a fraction";
    Float = "float", "a `float`, `latitude`, `longitude` or `currency` got no number";
    Finite = "finite", "a `float`, `latitude` or `longitude` got a number beyond every double";
    Decimals = "decimals", "a `currency` got more than two decimals";
    Boolean(Option<BooleanWords>) = "boolean", "a `boolean` got neither true, false nor one of its words";
    Date(DateShape) = "date", "a `date` is written in another way";
    Time(TimeFormat) = "time", "a `time` is written in another way";
    Datetime(MomentShape) = "datetime", "a `datetime` is written in another way";
    Calendar = "calendar", "a date is written well, but the calendar does not have it";
    YearHeld(DateShape) = "year_held", "a format with two digits of the year can't hold the year";
    SecondsHeld(TimeFormat) = "seconds_held", "a format without seconds can't hold seconds";
    FractionHeld(TimeFormat) = "fraction_held", "no format can hold a fraction of a second";
    Year = "year", "a `date-year` is written in another way";
    Month = "month", "a `date-month` is written in another way";
    Day = "day", "a `date-day` is written in another way";
    Min(Limit) = "min", "a number is below its bound";
    Max(Limit) = "max", "a number is above its bound";
    NotBefore(String) = "not_before", "a date or time is before its bound";
    NotAfter(String) = "not_after", "a date or time is after its bound";
    MinLength(u64) = "min_length", "a text has fewer characters than its bound";
    MaxLength(u64) = "max_length", "a text has more characters than its bound";
    Alphanumeric = "alphanumeric", "a `string` with the rule `alphanumeric` has other characters";
    Email = "email", "an `email` is no e-mail address";
    Url = "url", "a `url` is no web address";
    Phone = "phone", "a `phone` is no phone number";
    Latlng = "latlng", "a `latlng` is written in another way";
    LatitudeRange = "latitude_range", "the latitude of a `latlng` is out of range";
    LongitudeRange = "longitude_range", "the longitude of a `latlng` is out of range";
    Picklist(Arc<[Box<str>]>) = "picklist", "a static `picklist` does not have the code";
    Domain(Arc<str>) = "domain", "a dynamic `picklist`'s data domain does not have the code";
    DomainMissing(Arc<str>) = "domain_missing", "a dynamic `picklist`'s data domain does not exist";
    File = "file", "a file field does not refer to a file of this dataset";
    Image = "image", "an `image`'s content is none";
    Video = "video", "a `video`'s content is none";
    MaxSize(u64) = "max_size", "a file has more bytes than its bound";
    MaxWidth(u64) = "max_width", "an image is wider than its bound";
    MaxHeight(u64) = "max_height", "an image is higher than its bound";
    Unmeasured = "unmeasured", "an image with a pixel bound can't be measured";
}
