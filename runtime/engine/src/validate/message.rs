//! Every text of `_errors`, in one place. Lower case, no full stop; names the rule and its bound;
//! never the value.

use super::fault::{Fault, Limit, Rule};
use schema::format::{DateShape, TimeFormat};
use std::borrow::Borrow;
use std::fmt::{Display, Formatter, Result};

/// How many codes of a static picklist a message lists, and how many characters they may take.
const CODES_MAX: usize = 10;
const CODES_LENGTH_MAX: usize = 200;

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(position) = self.position {
            write!(f, "value {position} ")?;
        }
        write_rule(f, &self.rule)?;
        match self.remark {
            Some(remark) => write!(f, " ({remark})"),
            None => Ok(()),
        }
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write_rule(f, self)
    }
}

fn write_rule(f: &mut Formatter<'_>, rule: &Rule) -> Result {
    match rule {
        Rule::Required => f.write_str("is required"),
        Rule::Single => f.write_str("must be a single value"),
        Rule::ElementMissing => f.write_str("must not be empty"),
        Rule::String => f.write_str("must be a string"),
        Rule::Integer => f.write_str("must be a whole number"),
        Rule::Float => f.write_str("must be a number"),
        Rule::Finite => f.write_str("must be a number that a 64-bit float can hold"),
        Rule::Decimals => f.write_str("must have at most 2 decimals"),
        Rule::Boolean(None) => f.write_str("must be true or false"),
        Rule::Boolean(Some(words)) => {
            let (yes, no) = words.words();
            write!(f, "must be true, false, {yes} or {no}")
        }
        Rule::Min(limit) => write!(f, "must be at least {}", limit_text(*limit)),
        Rule::Max(limit) => write!(f, "must be at most {}", limit_text(*limit)),
        Rule::MinLength(length) => write!(f, "must have at least {}", characters(*length)),
        Rule::MaxLength(length) => write!(f, "must have at most {}", characters(*length)),
        Rule::Alphanumeric => {
            f.write_str("must have only letters A to Z, a to z and digits 0 to 9")
        }
        Rule::Email => f.write_str("must be an e-mail address"),
        Rule::Url => f.write_str("must be a web address that begins with http:// or https://"),
        Rule::Phone => f.write_str("must be a phone number: + and 7 to 15 digits"),
        Rule::Latlng => {
            f.write_str("must be latitude,longitude in decimal degrees, such as 48.1,11.6")
        }
        Rule::LatitudeRange => f.write_str("must have a latitude from -90 to 90"),
        Rule::LongitudeRange => f.write_str("must have a longitude from -180 to 180"),
        Rule::Picklist(codes) => write_codes(f, codes),
        Rule::Domain(id) => write!(f, "must be a code of the data domain {id}"),
        Rule::DomainMissing(id) => {
            write!(
                f,
                "must be a code of the data domain {id}, which does not exist"
            )
        }
        Rule::File => f.write_str("must be the id of a file uploaded to this dataset"),
        Rule::Image => f.write_str("must be an image"),
        Rule::Video => f.write_str("must be a video"),
        Rule::MaxSize(bytes) => write!(f, "must be at most {bytes} bytes"),
        Rule::MaxWidth(pixels) => write!(f, "must be at most {pixels} pixels wide"),
        Rule::MaxHeight(pixels) => write!(f, "must be at most {pixels} pixels high"),
        Rule::Unmeasured => f.write_str("must be an image whose size can be measured"),
        temporal => write_temporal(f, temporal),
    }
}

fn write_temporal(f: &mut Formatter<'_>, rule: &Rule) -> Result {
    match rule {
        Rule::Date(shape) => write_date(f, *shape),
        Rule::Time(format) => write_time(f, *format),
        Rule::Datetime(shape) => {
            write!(
                f,
                "must be a date and time as {} or YYYY-MM-DDTHH:mm:ss",
                shape.label()
            )
        }
        Rule::Calendar => f.write_str("must be a day that exists"),
        Rule::YearHeld(shape) => {
            let label = shape.label();
            write!(
                f,
                "must have a year from 1970 to 2069, the only ones that {label} can hold"
            )
        }
        Rule::SecondsHeld(format) => {
            write!(
                f,
                "must have no seconds, because {} cannot hold them",
                format.name()
            )
        }
        Rule::FractionHeld(format) => {
            write!(
                f,
                "must have no fraction of a second, because {} cannot hold it",
                format.name()
            )
        }
        Rule::Year => f.write_str("must be a year: a whole number or a string of 4 digits"),
        Rule::Month => f.write_str("must be a month: a whole number or a string of 1 or 2 digits"),
        Rule::Day => f.write_str("must be a day: a whole number or a string of 1 or 2 digits"),
        Rule::NotBefore(bound) => write!(f, "must be {bound} or later"),
        Rule::NotAfter(bound) => write!(f, "must be {bound} or earlier"),
        // INVARIANT: write_rule hands over only the rules above
        _ => Ok(()),
    }
}

fn limit_text(limit: Limit) -> String {
    match limit {
        Limit::Integer(value) => value.to_string(),
        Limit::Float(value) => {
            let mut buffer = zmij::Buffer::new();
            let text = buffer.format_finite(value);
            // a bound of 90 is read as 90, however its values are stored
            text.strip_suffix(".0").unwrap_or(text).to_owned()
        }
        Limit::Money(value) => {
            let mut text = String::new();
            value.write(&mut text);
            text
        }
    }
}

fn characters(length: u64) -> String {
    if length == 1 {
        "1 character".to_owned()
    } else {
        format!("{length} characters")
    }
}

fn write_date(f: &mut Formatter<'_>, shape: DateShape) -> Result {
    write!(f, "must be a date as {}", shape.label())?;
    if shape.is_iso() {
        Ok(())
    } else {
        f.write_str(" or YYYY-MM-DD")
    }
}

fn write_time(f: &mut Formatter<'_>, format: TimeFormat) -> Result {
    f.write_str("must be a time as ")?;
    match format {
        TimeFormat::Seconds => f.write_str("HH:mm:ss or HH:mm"),
        TimeFormat::Minutes => f.write_str("HH:mm or HH:mm:ss"),
        other => write!(f, "{}, HH:mm:ss or HH:mm", other.name()),
    }
}

/// What a value has to be that is one of these codes.
pub(crate) fn write_codes<C: Borrow<str> + Display>(f: &mut Formatter<'_>, codes: &[C]) -> Result {
    let Some((last, first)) = codes.split_last() else {
        return f.write_str("must be a code of its picklist, which is empty");
    };
    let text = if first.is_empty() {
        last.to_string()
    } else {
        format!("{} or {last}", first.join(", "))
    };
    if codes.len() <= CODES_MAX && text.chars().count() <= CODES_LENGTH_MAX {
        write!(f, "must be one of {text}")
    } else {
        write!(
            f,
            "must be one of the {} codes of its picklist",
            codes.len()
        )
    }
}
