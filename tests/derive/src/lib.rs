//! The records that the tests of the derives are about: one struct with every data type and every
//! setting, written by hand as a user would. It tests nothing itself.

#![deny(warnings)]
#![allow(
    missing_docs,
    reason = "docs become descriptions, and most of these fields shall have none"
)]

use runtime::{
    Decimal, Email, FileRef, LatLng, Latitude, Longitude, NaiveDate, NaiveDateTime, NaiveTime,
    Phone, Picklist, Record, Url,
};

/// Everything a record
/// can hold.
///
/// This paragraph is for readers of the code.
#[derive(Clone, PartialEq, Record)]
#[allow(
    clippy::duplicated_attributes,
    reason = "the settings of one inactive field are no duplicates of another's"
)]
#[record(
    name = "Every Type",
    id = "s-1",
    area = "area-1",
    version = 3,
    patch,
    extra = r#"{"state": "draft", "later": [1.50, null]}"#,
    inactive(
        at = 1,
        name = "Old Kind",
        id = "f-old",
        description = "Replaced by Kind",
        picklist,
        code("x", description = "Ex", extra = r#"{"order": 1}"#),
        code("y"),
        required,
        multivalue = false
    ),
    inactive(
        at = 4,
        name = "Kind",
        id = "f-kind-2019",
        type = "string",
        max = 10,
        multivalue
    )
)]
pub struct EveryType {
    /// Counts the rows.
    #[field(name = "Row", primary_key, sort_key, min = 1, max = 1_000)]
    pub row: i64,
    #[field(name = "Kind", picklist)]
    pub kind: Kind,
    #[field(name = "Kinds", picklist)]
    pub kinds: Vec<Kind>,
    #[field(name = "Colour", domain = "d-colours")]
    pub colour: Option<String>,
    #[field(name = "Text", alphanumeric, min = 2, max = 8)]
    pub text: Option<String>,
    #[field(
        name = "Texts",
        required,
        tag(id = "t1", name = "Tag", extra = r#"{"x":1}"#)
    )]
    pub texts: Vec<String>,
    #[field(name = "Float", min = -1.50, max = 2e6)]
    pub float: Option<f64>,
    #[field(name = "Money", min = 0.50)]
    pub money: Option<Decimal>,
    #[field(name = "Yes", booleans = "Y/N")]
    pub yes: Option<bool>,
    #[field(
        name = "Date",
        date_format = "DD$MMM$YYYY",
        date_separator = " ",
        min = "2000-01-01"
    )]
    pub date: Option<NaiveDate>,
    #[field(name = "Time", time_format = "hh:mm A", max = "10:00 PM")]
    pub time: Option<NaiveTime>,
    #[field(name = "Moment", date_format = "YYYYMMDD", time_format = "HH:mm")]
    pub moment: Option<NaiveDateTime>,
    pub year: Option<i32>,
    #[field(type = "date-month")]
    pub month: Option<u8>,
    #[field(type = "date-day", max = 28)]
    pub day: Option<u8>,
    #[field(name = "E-mail", pii)]
    pub email: Option<Email>,
    #[field(name = "Web", pii = false)]
    pub web: Option<Url>,
    #[field(pii)]
    pub phone: Option<Phone>,
    #[field(name = "Place")]
    pub place: Option<LatLng>,
    pub latitude: Option<Latitude>,
    pub longitude: Option<Longitude>,
    #[field(
        type = "image",
        max_width = 640,
        max_height = 480,
        max_size = 1_000_000
    )]
    pub picture: Option<FileRef>,
    #[field(type = "attachment")]
    pub files: Vec<FileRef>,
    #[field(name = "type", type = "email")]
    pub r#type: Option<String>,
    #[field(extra = r#"{"min": 3, "validationRules": ["unknown"], "dateFormat": ""}"#)]
    pub odd: Option<bool>,
}

/// What kind of row it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Picklist)]
pub enum Kind {
    /// As it should be.
    #[code("N", extra = r#"{"order": 1.50}"#)]
    Normal,
    #[code("S", description = "By request")]
    Special,
    Other,
}
