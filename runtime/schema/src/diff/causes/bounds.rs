//! `min` and `max`: of values and of lengths, each compared as what it bounds, so that `3` and `"3"` are the same and a
//! bound that says what its type says anyway is none.

use super::cause::{Causes, Way};
use crate::data_type::DataType;
use crate::diff::reason::Reason;
use crate::limits::{Bounds, Limits};
use crate::model::{Field, PicklistEntry, PicklistType};
use crate::number::{Hundredths, Number};

/// An e-mail address has at most as many bytes, and so characters. docs/rules.md, "Text forms".
const EMAIL_LENGTH_MAX: u64 = 254;
/// A phone number as it is stored: `+` and 7 to 15 digits.
const PHONE_LENGTHS: Bounds<u64> = Bounds { min: 8, max: 16 };
/// Nothing is known of how long the texts are.
const ANY_LENGTH: Bounds<u64> = Bounds {
    min: 0,
    max: u64::MAX,
};

pub(super) fn judge(from: &Field, to: &Field, way: Way, found: &mut Causes) {
    let (Ok(has), Ok(wants)) = (Limits::of(from), Limits::of(to)) else {
        let is_same = from.data_type == to.data_type
            && (&from.min, &from.max) == (&to.min, &to.max)
            && from.moment_shape() == to.moment_shape();
        found.add_if(!is_same, "min", Reason::Bound);
        return;
    };
    match wants {
        Limits::Text(wants) => {
            let has = lengths(from, has, way);
            found.add_if(has.min < wants.min, "min", Reason::MinLength);
            found.add_if(has.max > wants.max, "max", Reason::MaxLength);
        }
        Limits::Whole(wants) | Limits::DatePart(wants) => {
            let (low, high) = match has {
                Limits::Whole(has) | Limits::DatePart(has) => {
                    (has.min < wants.min, has.max > wants.max)
                }
                _ => (true, true),
            };
            values(low, high, found);
        }
        Limits::Float(wants) => {
            let has = floats(has);
            values(has.min < wants.min, has.max > wants.max, found);
        }
        Limits::Money(wants) => {
            let (low, high) = match has {
                Limits::Money(has) => (has.min < wants.min, has.max > wants.max),
                Limits::Whole(has) | Limits::DatePart(has) => (
                    Hundredths::whole(has.min) < wants.min,
                    Hundredths::whole(has.max) > wants.max,
                ),
                _ => (true, true),
            };
            values(low, high, found);
        }
        Limits::Date(wants) => match has {
            Limits::Date(has) => moments(has, wants, found),
            _ => moments(unbounded(), wants, found),
        },
        Limits::Time(wants) => match has {
            Limits::Time(has) => moments(has, wants, found),
            _ => moments(unbounded(), wants, found),
        },
        Limits::Datetime(wants) => match has {
            Limits::Datetime(has) => moments(has, wants, found),
            _ => moments(unbounded(), wants, found),
        },
        Limits::Boolean | Limits::Picklist | Limits::Phone | Limits::Latlng | Limits::File(_) => {}
    }
}

fn unbounded<V>() -> Bounds<Option<V>> {
    Bounds {
        min: None,
        max: None,
    }
}

fn values(is_low: bool, is_high: bool, found: &mut Causes) {
    found.add_if(is_low, "min", Reason::Min);
    found.add_if(is_high, "max", Reason::Max);
}

fn moments<V: PartialOrd>(has: Bounds<Option<V>>, wants: Bounds<Option<V>>, found: &mut Causes) {
    let is_before = wants
        .min
        .is_some_and(|wants| has.min.is_none_or(|has| has < wants));
    let is_after = wants
        .max
        .is_some_and(|wants| has.max.is_none_or(|has| has > wants));
    found.add_if(is_before, "min", Reason::NotBefore);
    found.add_if(is_after, "max", Reason::NotAfter);
}

/// The bounds of numbers as doubles; rounding keeps their order.
fn floats(has: Limits) -> Bounds<f64> {
    const ANY: Bounds<f64> = Bounds {
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
    };
    let of_tokens = |min: String, max: String| {
        let [min, max] = [min, max].map(|token| Number::of(&token).to_f64());
        Bounds {
            min: min.unwrap_or(ANY.min),
            max: max.unwrap_or(ANY.max),
        }
    };
    match has {
        Limits::Float(has) => has,
        Limits::Whole(has) | Limits::DatePart(has) => {
            of_tokens(has.min.to_string(), has.max.to_string())
        }
        Limits::Money(has) => {
            let token = |amount: Hundredths| {
                let mut token = String::new();
                amount.write(&mut token);
                token
            };
            of_tokens(token(has.min), token(has.max))
        }
        _ => ANY,
    }
}

/// How long the texts of a field are, in characters.
fn lengths(from: &Field, has: Limits, way: Way) -> Bounds<u64> {
    match has {
        Limits::Text(has) if from.data_type == DataType::Email => Bounds {
            max: has.max.min(EMAIL_LENGTH_MAX),
            ..has
        },
        Limits::Text(has) => has,
        // what is sent for one may have signs in between
        Limits::Phone if way != Way::Sent => PHONE_LENGTHS,
        Limits::Picklist if from.picklist_type == Some(PicklistType::Static) => {
            of_codes(from.static_picklist.as_deref().unwrap_or_default())
        }
        _ => ANY_LENGTH,
    }
}

fn of_codes(codes: &[PicklistEntry]) -> Bounds<u64> {
    let length = |entry: &PicklistEntry| u64::try_from(entry.code.chars().count());
    let lengths = codes.iter().map(|entry| length(entry).unwrap_or(u64::MAX));
    // no value is faultless where there is no code
    Bounds {
        min: lengths.clone().min().unwrap_or(u64::MAX),
        max: lengths.max().unwrap_or(0),
    }
}
