//! The 22 data types and what each allows: the one table of the house. docs/rules.md, "Data types".

use std::fmt;

/// A data type of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum DataType {
    /// `integer`
    Integer,
    /// `float`
    Float,
    /// `string`
    String,
    /// `boolean`
    Boolean,
    /// `datetime`
    Datetime,
    /// `date`
    Date,
    /// `time`
    Time,
    /// `date-year`
    DateYear,
    /// `date-month`
    DateMonth,
    /// `date-day`
    DateDay,
    /// `currency`
    Currency,
    /// `picklist`
    Picklist,
    /// `email`
    Email,
    /// `url`
    Url,
    /// `phone`
    Phone,
    /// `latlng`
    Latlng,
    /// `latitude`
    Latitude,
    /// `longitude`
    Longitude,
    /// `attachment`
    Attachment,
    /// `image`
    Image,
    /// `document`
    Document,
    /// `video`
    Video,
}

/// What `min` and `max` mean for a data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// The type has no bounds.
    None,
    /// They bound the value.
    Value,
    /// They bound the length in Unicode scalar values.
    Length,
}

/// A setting of a field that only some data types have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `min` and `max`
    Bounds,
    /// The rule `alphanumeric` of `validationRules`.
    Alphanumeric,
    /// `allowedBooleanValues`
    BooleanWords,
    /// `picklistType`, `staticPicklist` and `dataDomainId`
    Picklist,
    /// `dateFormat` and `dateSeparator`
    DateFormat,
    /// `timeFormat`
    TimeFormat,
    /// `maxWidth` and `maxHeight`
    Pixels,
    /// `maxSize`
    Size,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The data type.
    pub data_type: DataType,
    /// Its name in the interface.
    pub name: &'static str,
    /// What it is, for people.
    pub phrase: &'static str,
    /// The Rust type of its values in generated code (a static picklist has an enum of its own).
    pub rust: &'static str,
    /// The meaning of its bounds.
    pub bounds: BoundKind,
    /// The settings it has.
    pub settings: &'static [Setting],
}

const fn row(
    data_type: DataType,
    name: &'static str,
    phrase: &'static str,
    rust: &'static str,
    bounds: BoundKind,
    settings: &'static [Setting],
) -> Facts {
    Facts {
        data_type,
        name,
        phrase,
        rust,
        bounds,
        settings,
    }
}

use BoundKind::{Length, None, Value};
use DataType as T;
use Setting as S;

const DATE: &[Setting] = &[S::Bounds, S::DateFormat];
const TIME: &[Setting] = &[S::Bounds, S::TimeFormat];
const MOMENT: &[Setting] = &[S::Bounds, S::DateFormat, S::TimeFormat];
const BOUNDS: &[Setting] = &[S::Bounds];

#[rustfmt::skip]
static TABLE: [Facts; 22] = [
    row(T::Integer,    "integer",    "whole number",          "i64",           Value,  BOUNDS),
    row(T::Float,      "float",      "number",                "f64",           Value,  BOUNDS),
    row(T::String,     "string",     "text",                  "String",        Length, &[S::Bounds, S::Alphanumeric]),
    row(T::Boolean,    "boolean",    "true or false",         "bool",          None,   &[S::BooleanWords]),
    row(T::Datetime,   "datetime",   "date and time",         "NaiveDateTime", Value,  MOMENT),
    row(T::Date,       "date",       "date",                  "NaiveDate",     Value,  DATE),
    row(T::Time,       "time",       "time",                  "NaiveTime",     Value,  TIME),
    row(T::DateYear,   "date-year",  "year",                  "i32",           Value,  BOUNDS),
    row(T::DateMonth,  "date-month", "month",                 "u8",            Value,  BOUNDS),
    row(T::DateDay,    "date-day",   "day of the month",      "u8",            Value,  BOUNDS),
    row(T::Currency,   "currency",   "amount of money",       "Decimal",       Value,  BOUNDS),
    row(T::Picklist,   "picklist",   "code of a picklist",    "String",        None,   &[S::Picklist]),
    row(T::Email,      "email",      "e-mail address",        "Email",         Length, BOUNDS),
    row(T::Url,        "url",        "web address",           "Url",           Length, BOUNDS),
    row(T::Phone,      "phone",      "phone number",          "Phone",         None,   &[]),
    row(T::Latlng,     "latlng",     "latitude,longitude",    "LatLng",        None,   &[]),
    row(T::Latitude,   "latitude",   "latitude in degrees",   "Latitude",      Value,  BOUNDS),
    row(T::Longitude,  "longitude",  "longitude in degrees",  "Longitude",     Value,  BOUNDS),
    row(T::Attachment, "attachment", "file",                  "FileRef",       None,   &[S::Size, S::Pixels]),
    row(T::Image,      "image",      "image file",            "FileRef",       None,   &[S::Size, S::Pixels]),
    row(T::Document,   "document",   "document file",         "FileRef",       None,   &[S::Size]),
    row(T::Video,      "video",      "video file",            "FileRef",       None,   &[S::Size]),
];

impl DataType {
    /// The whole table, in the order of the interface.
    pub fn table() -> &'static [Facts] {
        &TABLE
    }

    /// This type's row of the table.
    pub fn facts(self) -> &'static Facts {
        &TABLE[self as usize]
    }

    /// The type with this name in the interface.
    pub fn named(name: &str) -> Option<Self> {
        TABLE
            .iter()
            .find(|facts| facts.name == name)
            .map(|facts| facts.data_type)
    }

    /// The name in the interface.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Whether values are references to uploaded files.
    pub fn is_file(self) -> bool {
        matches!(self, T::Attachment | T::Image | T::Document | T::Video)
    }

    /// Whether values are whole numbers.
    pub fn is_whole(self) -> bool {
        matches!(self, T::Integer | T::DateYear | T::DateMonth | T::DateDay)
    }

    /// Whether values are numbers.
    pub fn is_number(self) -> bool {
        self.is_whole() || matches!(self, T::Float | T::Currency | T::Latitude | T::Longitude)
    }

    /// Whether values have an order, by which hits of a search may be sorted.
    pub fn has_order(self) -> bool {
        !self.is_file() && self != T::Latlng
    }

    /// Whether fields of this type have the setting.
    pub fn has(self, setting: Setting) -> bool {
        self.facts().settings.contains(&setting)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, facts) in TABLE.iter().enumerate() {
            assert_eq!(facts.data_type as usize, index);
            assert_eq!(DataType::named(facts.name), Some(facts.data_type));
        }
    }
}
