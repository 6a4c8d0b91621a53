//! Bounds of numbers and lengths, read from their tokens.

use super::bounds::Bounds;
use super::fault::{LimitFault, Reason};
use crate::json::Scanner;
use crate::model::{Bound, Field};
use crate::number::{Hundredths, NotHundredths, NotWhole, Number};

/// A bound's number token: a JSON number, or a string that holds one.
fn number(bound: &Bound) -> Result<Number<'_>, Reason> {
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

/// A whole number that fits into 64 bits.
pub(super) fn whole(bound: &Bound) -> Result<i64, Reason> {
    number(bound)?.to_i64().map_err(|fault| match fault {
        NotWhole::Fraction => (
            format!("the bound {} is not a whole number", bound.as_str()),
            "write a whole number",
        ),
        NotWhole::Below | NotWhole::Above => (
            format!("the bound {} does not fit into 64 bits", bound.as_str()),
            "write a bound from -9223372036854775808 to 9223372036854775807",
        ),
    })
}

/// The bounds of a type that only lets its own be narrowed.
pub(super) fn narrowed<V: PartialOrd + Copy + std::fmt::Display>(
    field: &Field,
    own: Bounds<V>,
    parse: impl Fn(&Bound) -> Result<V, Reason>,
) -> Result<Bounds<V>, Vec<LimitFault>> {
    Bounds::of(field, own, |bound| {
        let value = parse(bound)?;
        if own.min <= value && value <= own.max {
            Ok(value)
        } else {
            Err(outside(bound, own.min, own.max))
        }
    })
}

fn outside(bound: &Bound, low: impl std::fmt::Display, high: impl std::fmt::Display) -> Reason {
    let text = bound.as_str();
    (
        format!("the bound {text} is outside {low} to {high}"),
        "the bounds of this type can only be narrowed; write one inside or remove it",
    )
}

/// A finite double.
pub(super) fn float(bound: &Bound) -> Result<f64, Reason> {
    number(bound)?.to_f64().ok_or_else(|| {
        (
            format!(
                "the bound {} is too large for a 64-bit float",
                bound.as_str()
            ),
            "write a smaller bound",
        )
    })
}

/// An amount of money.
pub(super) fn money(bound: &Bound) -> Result<Hundredths, Reason> {
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

/// A length in characters.
pub(super) fn length(bound: &Bound) -> Result<u64, Reason> {
    count(bound, "a length is a whole number of characters, 0 or more")
}

/// A whole number of 0 or more; `help` says of what.
pub(super) fn count(bound: &Bound, help: &'static str) -> Result<u64, Reason> {
    let text = bound.as_str();
    let number = number(bound).map_err(|(message, _)| (message, help))?;
    match number.to_i64() {
        Err(NotWhole::Above) => Err((
            format!("the bound {text} does not fit into 64 bits"),
            "write a bound of at most 9223372036854775807, or remove it",
        )),
        found => found
            .ok()
            .and_then(|value| u64::try_from(value).ok())
            .ok_or_else(|| {
                let message = format!("the bound {text} is not a whole number of 0 or more");
                (message, help)
            }),
    }
}
