//! Two records whose every field holds personal information: one value of each type, and several.
//! Both name their fields alike, so that one body can be tried on both.

use runtime::{
    Decimal, Email, FileRef, LatLng, Latitude, Longitude, NaiveDate, NaiveDateTime, NaiveTime,
    Phone, Picklist, Record, Url,
};

/// What a picklist allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Picklist)]
pub(crate) enum Kind {
    A,
    B,
}

/// The fields of a struct, whose types come as `Option` or `Vec`.
macro_rules! secret {
    ($(#[$docs:meta])* $name:ident, $many:ident, $($key:ident)?) => {
        $(#[$docs])*
        #[derive(Record)]
        pub(crate) struct $name {
            #[field(pii, min = 3, max = 9, alphanumeric $(, $key)?)]
            pub(crate) string: $many<String>,
            #[field(pii, min = 1, max = 9)]
            pub(crate) integer: $many<i64>,
            #[field(pii, min = -1.5, max = 9)]
            pub(crate) float: $many<f64>,
            #[field(pii, max = 9)]
            pub(crate) money: $many<Decimal>,
            #[field(pii, booleans = "Y/N")]
            pub(crate) flag: $many<bool>,
            #[field(pii, date_format = "DD$MM$YYYY", date_separator = "/", min = "2000-01-01")]
            pub(crate) date: $many<NaiveDate>,
            #[field(pii, date_format = "MM$DD$YY", max = "2030-01-01")]
            pub(crate) short_date: $many<NaiveDate>,
            #[field(pii, time_format = "HH:mm", max = "12:00")]
            pub(crate) time: $many<NaiveTime>,
            #[field(pii, time_format = "hh:mm a", min = "2000-01-01T00:00")]
            pub(crate) moment: $many<NaiveDateTime>,
            #[field(pii, max = 9000)]
            pub(crate) year: $many<i32>,
            #[field(pii, type = "date-month")]
            pub(crate) month: $many<u8>,
            #[field(pii, type = "date-day", max = 20)]
            pub(crate) day: $many<u8>,
            #[field(pii, picklist)]
            pub(crate) kinds: $many<Kind>,
            #[field(pii, type = "picklist", domain = "domain-1")]
            pub(crate) dynamic: $many<String>,
            #[field(pii, max = 25)]
            pub(crate) mail: $many<Email>,
            #[field(pii, max = 30)]
            pub(crate) page: $many<Url>,
            #[field(pii, type = "url", min = 5)]
            pub(crate) link: $many<String>,
            #[field(pii)]
            pub(crate) phone: $many<Phone>,
            #[field(pii)]
            pub(crate) place: $many<LatLng>,
            #[field(pii, max = 80)]
            pub(crate) latitude: $many<Latitude>,
            #[field(pii, min = -80)]
            pub(crate) longitude: $many<Longitude>,
            #[field(pii, type = "attachment", max_size = 5, max_width = 5)]
            pub(crate) file: $many<String>,
            #[field(pii, type = "image", max_height = 5)]
            pub(crate) image: $many<FileRef>,
            #[field(pii, type = "document")]
            pub(crate) document: $many<FileRef>,
            #[field(pii, type = "video")]
            pub(crate) video: $many<FileRef>,
        }
    };
}

secret!(
    /// One value of each.
    One, Option, primary_key
);
secret!(
    /// Several values of each.
    Many, Vec,
);
