//! A field's `min`, `max` and media limits, parsed once for its type. Decisions section 3, column
//! "bounds when `min`/`max` are absent".

use crate::data_type::DataType as T;
use crate::format::{Clock, Day, Moment};
use crate::json::Scanner;
use crate::model::{Bound, Field};
use crate::number::{Hundredths, NotHundredths, NotWhole, Number};

/// The largest whole number that every JSON reader keeps exact (2^53 − 1): the bound of `integer`
/// and `currency` where a schema names none.
pub const SAFE_INTEGER_MAX: i64 = 9_007_199_254_740_991;

/// The compiled limits of a field. Bounds are inclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(
    missing_docs,
    reason = "min and max are the bounds of the variant's kind"
)]
pub enum Limits {
    /// The type has none.
    None,
    /// Whole numbers and parts of dates.
    Whole { min: i64, max: i64 },
    /// Doubles; infinite where there is no bound.
    Float { min: f64, max: f64 },
    /// Amounts of money.
    Money { min: Hundredths, max: Hundredths },
    /// Length in Unicode scalar values.
    Length { min: u64, max: u64 },
    /// Days.
    Day { min: Option<Day>, max: Option<Day> },
    /// Times of day.
    Clock {
        min: Option<Clock>,
        max: Option<Clock>,
    },
    /// Moments.
    Moment {
        min: Option<Moment>,
        max: Option<Moment>,
    },
    /// Files.
    Media(Media),
}

/// The limits of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Media {
    /// Largest size in bytes.
    pub size: Option<u64>,
    /// Largest width in pixels.
    pub width: Option<u64>,
    /// Largest height in pixels.
    pub height: Option<u64>,
}

/// A limit that does not fit its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitFault {
    /// The property of the field: `min`, `max`, `maxSize`, `maxWidth` or `maxHeight`.
    pub property: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

type Parsed<V> = Result<V, (String, &'static str)>;

impl Limits {
    /// Compiles the limits of a field.
    ///
    /// # Errors
    /// Every bound that does not parse for the type, and a lower bound above the upper one.
    pub fn of(field: &Field) -> Result<Limits, Vec<LimitFault>> {
        match field.data_type {
            T::Integer => whole(field, -SAFE_INTEGER_MAX, SAFE_INTEGER_MAX, None),
            T::DateYear => whole(field, 1, 9999, Some((1, 9999))),
            T::DateMonth => whole(field, 1, 12, Some((1, 12))),
            T::DateDay => whole(field, 1, 31, Some((1, 31))),
            T::Float => float(field, f64::NEG_INFINITY, f64::INFINITY),
            T::Latitude => float(field, -90.0, 90.0),
            T::Longitude => float(field, -180.0, 180.0),
            T::Currency => {
                let widest = Hundredths::whole(SAFE_INTEGER_MAX);
                let lowest = Hundredths::whole(-SAFE_INTEGER_MAX);
                let (min, max) = pair(field, money)?;
                let (min, max) = (min.unwrap_or(lowest), max.unwrap_or(widest));
                ordered(field, min <= max)?;
                Ok(Limits::Money { min, max })
            }
            T::String | T::Email | T::Url => {
                let (min, max) = pair(field, length)?;
                let (min, max) = (min.unwrap_or(0), max.unwrap_or(u64::MAX));
                ordered(field, min <= max)?;
                Ok(Limits::Length { min, max })
            }
            T::Date => {
                let shape = field.date_shape();
                let (min, max) = pair(field, |bound| {
                    temporal(bound, &shape.label(), |text| shape.read(text))
                })?;
                ordered(field, !out_of_order(min, max))?;
                Ok(Limits::Day { min, max })
            }
            T::Time => {
                let shape = field.time_shape();
                let (min, max) = pair(field, |bound| {
                    temporal(bound, shape.name(), |text| shape.read(text))
                })?;
                ordered(field, !out_of_order(min, max))?;
                Ok(Limits::Clock { min, max })
            }
            T::Datetime => {
                let shape = field.moment_shape();
                let (min, max) = pair(field, |bound| {
                    temporal(bound, &shape.label(), |text| shape.read(text))
                })?;
                ordered(field, !out_of_order(min, max))?;
                Ok(Limits::Moment { min, max })
            }
            T::Attachment | T::Image | T::Document | T::Video => media(field),
            T::Boolean | T::Picklist | T::Phone | T::Latlng => Ok(Limits::None),
        }
    }
}

fn out_of_order<V: PartialOrd>(min: Option<V>, max: Option<V>) -> bool {
    matches!((min, max), (Some(min), Some(max)) if min > max)
}

/// Parses both bounds, so that both are reported.
fn pair<V>(
    field: &Field,
    parse: impl Fn(&Bound) -> Parsed<V>,
) -> Result<(Option<V>, Option<V>), Vec<LimitFault>> {
    let mut faults = Vec::new();
    let mut one = |property, bound: &Option<Bound>| match bound.as_ref().map(&parse) {
        None => None,
        Some(Ok(value)) => Some(value),
        Some(Err((message, help))) => {
            faults.push(LimitFault {
                property,
                message,
                help: help.to_owned(),
            });
            None
        }
    };
    let bounds = (one("min", &field.min), one("max", &field.max));
    if faults.is_empty() {
        Ok(bounds)
    } else {
        Err(faults)
    }
}

fn ordered(field: &Field, in_order: bool) -> Result<(), Vec<LimitFault>> {
    if in_order {
        return Ok(());
    }
    let text = |bound: &Option<Bound>, own: &str| match bound {
        Some(bound) => bound.as_str().to_owned(),
        None => format!("the type's own bound, {own}"),
    };
    let (low, high) = match field.data_type {
        T::String | T::Email | T::Url => ("0".to_owned(), u64::MAX.to_string()),
        T::Latitude => ("-90".to_owned(), "90".to_owned()),
        T::Longitude => ("-180".to_owned(), "180".to_owned()),
        T::DateYear => ("1".to_owned(), "9999".to_owned()),
        T::DateMonth => ("1".to_owned(), "12".to_owned()),
        T::DateDay => ("1".to_owned(), "31".to_owned()),
        _ => (format!("-{SAFE_INTEGER_MAX}"), SAFE_INTEGER_MAX.to_string()),
    };
    let (min, max) = (text(&field.min, &low), text(&field.max, &high));
    Err(vec![LimitFault {
        property: if field.min.is_some() { "min" } else { "max" },
        message: format!("`min` ({min}) is above `max` ({max})"),
        help: "exchange the bounds or remove one of them".to_owned(),
    }])
}

/// A bound's number token: a JSON number, or a string that holds one.
fn number(bound: &Bound) -> Parsed<Number<'_>> {
    let text = bound.as_str();
    let mut scanner = Scanner::new(text);
    match scanner.number() {
        Ok(token) if token.len() == text.len() => Ok(Number::of(token)),
        _ => Err((
            format!("the bound {text:?} is not a number"),
            "write a JSON number",
        )),
    }
}

fn whole(
    field: &Field,
    low: i64,
    high: i64,
    narrow: Option<(i64, i64)>,
) -> Result<Limits, Vec<LimitFault>> {
    let (min, max) = pair(field, |bound| {
        let value = number(bound)?.to_i64().map_err(|fault| match fault {
            NotWhole::Fraction => (
                format!("the bound {} is not a whole number", bound.as_str()),
                "write a whole number",
            ),
            NotWhole::Below | NotWhole::Above => (
                format!("the bound {} does not fit into 64 bits", bound.as_str()),
                "write a bound from -9223372036854775808 to 9223372036854775807",
            ),
        })?;
        match narrow {
            Some((low, high)) if !(low..=high).contains(&value) => Err(outside(bound, low, high)),
            _ => Ok(value),
        }
    })?;
    let (min, max) = (min.unwrap_or(low), max.unwrap_or(high));
    ordered(field, min <= max)?;
    Ok(Limits::Whole { min, max })
}

fn outside(
    bound: &Bound,
    low: impl std::fmt::Display,
    high: impl std::fmt::Display,
) -> (String, &'static str) {
    let text = bound.as_str();
    (
        format!("the bound {text} is outside {low} to {high}"),
        "the bounds of this type can only be narrowed; write one inside or remove it",
    )
}

fn float(field: &Field, low: f64, high: f64) -> Result<Limits, Vec<LimitFault>> {
    let (min, max) = pair(field, |bound| {
        let value = number(bound)?.to_f64().ok_or_else(|| {
            (
                format!(
                    "the bound {} is too large for a 64-bit float",
                    bound.as_str()
                ),
                "write a smaller bound",
            )
        })?;
        if (low..=high).contains(&value) {
            Ok(value)
        } else {
            Err(outside(bound, low, high))
        }
    })?;
    let (min, max) = (min.unwrap_or(low), max.unwrap_or(high));
    ordered(field, min <= max)?;
    Ok(Limits::Float { min, max })
}

fn money(bound: &Bound) -> Parsed<Hundredths> {
    number(bound)?.to_hundredths().map_err(|fault| match fault {
        NotHundredths::Decimals => (
            format!("the bound {} has more than 2 decimals", bound.as_str()),
            "write a bound that is an amount of money",
        ),
        NotHundredths::Below | NotHundredths::Above => (
            format!(
                "the bound {} is beyond what a 96-bit decimal can hold",
                bound.as_str()
            ),
            "write a bound of at most 27 digits before the point",
        ),
    })
}

fn length(bound: &Bound) -> Parsed<u64> {
    count(bound, "a length is a whole number of characters, 0 or more")
}

fn count(bound: &Bound, help: &'static str) -> Parsed<u64> {
    let text = bound.as_str();
    number(bound)
        .map_err(|(message, _)| (message, help))?
        .to_i64()
        .ok()
        .and_then(|value| u64::try_from(value).ok())
        .ok_or_else(|| {
            (
                format!("the bound {text} is not a whole number of 0 or more"),
                help,
            )
        })
}

fn temporal<V, E>(bound: &Bound, label: &str, read: impl Fn(&str) -> Result<V, E>) -> Parsed<V> {
    let help =
        "write a string that the field would accept as a value, in its format or in ISO form";
    match bound {
        Bound::Number(token) => Err((
            format!("the bound {token} is a number, not a string like {label}"),
            help,
        )),
        Bound::Text(text) => read(text).map_err(|_| {
            (
                format!("the bound {text:?} is not written as {label}"),
                help,
            )
        }),
    }
}

fn media(field: &Field) -> Result<Limits, Vec<LimitFault>> {
    let mut faults = Vec::new();
    let mut one =
        |property, bound: &Option<Bound>, help| match bound.as_ref().map(|b| count(b, help)) {
            None => None,
            Some(Ok(value)) => Some(value),
            Some(Err((message, help))) => {
                faults.push(LimitFault {
                    property,
                    message,
                    help: help.to_owned(),
                });
                None
            }
        };
    let has_pixels = field.data_type.has(crate::Setting::Pixels);
    let absent = None;
    let pixels = |bound| if has_pixels { bound } else { &absent };
    let media = Media {
        size: one("maxSize", &field.max_size, "write a whole number of bytes"),
        width: one(
            "maxWidth",
            pixels(&field.max_width),
            "write a whole number of pixels",
        ),
        height: one(
            "maxHeight",
            pixels(&field.max_height),
            "write a whole number of pixels",
        ),
    };
    if faults.is_empty() {
        Ok(Limits::Media(media))
    } else {
        Err(faults)
    }
}
