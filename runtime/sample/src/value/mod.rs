//! A value of a field, by the kind of its limits. Each file opens with what it makes.

mod moment;
mod number;
mod text;

pub(crate) use moment::Moments;
pub(crate) use number::Numbers;
pub(crate) use text::{Form, Texts};

use crate::at::At;
use crate::chance::{Chance, pick};
use schema::format::BooleanWords;
use schema::json::write_string;
use schema::{DataType, Field, Limits, PicklistType};

/// The code of a domain, and the id of a file, that nobody told.
const UNKNOWN: &str = "sample";

/// What the values of a field are.
#[derive(Debug)]
pub(crate) enum Values {
    Text(Texts),
    Number(Numbers),
    Moment(Moments),
    Boolean(Option<BooleanWords>),
    /// Any of these texts; there is one.
    Codes(Vec<String>),
    Phone,
    Latlng,
    /// Something that only a service knows.
    Unknown,
}

impl Values {
    /// The values of a field; `None` where all are faulty.
    pub(crate) fn of(field: &Field, codes: &dyn Fn(&str) -> Vec<String>) -> Option<Self> {
        let limits = Limits::of(field).ok()?;
        Some(match limits {
            Limits::Text(length) => Values::Text(Texts::of(field, length)?),
            Limits::Whole(bounds) => Values::Number(Numbers::Whole(bounds)),
            Limits::DatePart(bounds) => Values::Number(Numbers::Part {
                bounds,
                width: if field.data_type == DataType::DateYear {
                    4
                } else {
                    2
                },
            }),
            Limits::Float(bounds) => Values::Number(Numbers::Float(bounds)),
            Limits::Money(bounds) => Values::Number(Numbers::Money(bounds)),
            Limits::Boolean => Values::Boolean(field.boolean_words),
            Limits::Date(bounds) => Values::Moment(Moments::Date(field.date_shape(), bounds)),
            Limits::Time(bounds) => Values::Moment(Moments::Time(field.time_shape(), bounds)),
            Limits::Datetime(bounds) => Values::Moment(Moments::Both(field.moment_shape(), bounds)),
            Limits::Picklist => of_picklist(field, codes)?,
            Limits::Phone => Values::Phone,
            Limits::Latlng => Values::Latlng,
            Limits::File(_) => Values::Unknown,
        })
    }

    /// Whether a service that knows more of the world would say the same of them.
    pub(crate) fn is_real(&self) -> bool {
        !matches!(self, Values::Unknown)
    }

    /// One of them, as JSON text.
    pub(crate) fn one(&self, at: At, chance: &mut dyn Chance) -> String {
        match self {
            Values::Text(texts) => texts.one(at, chance),
            Values::Number(numbers) => numbers.one(at, chance),
            Values::Moment(moments) => moments.one(at, chance),
            Values::Boolean(words) => boolean(*words, at, chance),
            Values::Codes(codes) => {
                let code = match at {
                    At::Random => pick(chance, codes),
                    At::Lowest => codes.first(),
                    At::Highest => codes.last(),
                };
                quoted(code.map_or("", String::as_str))
            }
            Values::Phone => phone(at, chance),
            Values::Latlng => latlng(at, chance),
            Values::Unknown => quoted(UNKNOWN),
        }
    }
}

/// The codes that can be sent: a blank one counts as missing, and a primary key loses the space around it.
fn of_picklist(field: &Field, codes: &dyn Fn(&str) -> Vec<String>) -> Option<Values> {
    let mut all = if field.picklist_type == Some(PicklistType::Dynamic) {
        codes(field.data_domain_id.as_deref().unwrap_or_default())
    } else {
        let entries = field.static_picklist.iter().flatten();
        entries.map(|entry| entry.code.clone()).collect()
    };
    if all.is_empty() && field.picklist_type == Some(PicklistType::Dynamic) {
        return Some(Values::Unknown);
    }
    all.retain(|code| {
        let trimmed = code.trim();
        !trimmed.is_empty() && !code.contains('\0') && (!field.primary_key || trimmed == code)
    });
    (!all.is_empty()).then_some(Values::Codes(all))
}

fn boolean(words: Option<BooleanWords>, at: At, chance: &mut dyn Chance) -> String {
    let value = match at {
        At::Random => chance.below(2) == 1,
        At::Lowest => false,
        At::Highest => true,
    };
    match words.filter(|_| at == At::Random && chance.below(2) == 1) {
        None => value.to_string(),
        Some(words) => {
            let (yes, no) = words.words();
            quoted(if value { yes } else { no })
        }
    }
}

fn phone(at: At, chance: &mut dyn Chance) -> String {
    let (count, digit) = match at {
        At::Random => (7 + chance.below(9), None),
        At::Lowest => (7, Some(1)),
        At::Highest => (15, Some(9)),
    };
    let mut text = String::from("+");
    for place in 0..count {
        let digit = digit.unwrap_or_else(|| match place {
            0 => 1 + chance.below(9),
            _ => chance.below(10),
        });
        text.push_str(&digit.to_string());
    }
    quoted(&text)
}

fn latlng(at: At, chance: &mut dyn Chance) -> String {
    let mut degrees = |most: u64| match at {
        At::Lowest => format!("-{most}"),
        At::Highest => most.to_string(),
        At::Random => {
            let sign = if chance.below(2) == 1 { "-" } else { "" };
            format!("{sign}{}.{}", chance.below(most), chance.below(100_000))
        }
    };
    quoted(&format!("{},{}", degrees(90), degrees(180)))
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_string(&mut out, text);
    out
}
