//! Bounds of numbers and lengths, read from their tokens.

use super::bounds::Bounds;
use super::fault::{LimitFault, Reason};
use crate::check::Contradiction as C;
use crate::json::Scanner;
use crate::model::{Bound, Field};
use crate::number::{Hundredths, NotHundredths, NotWhole, Number};

/// A bound's number token: a JSON number, or a string that holds one.
fn number(bound: &Bound, otherwise: C) -> Result<Number<'_>, Reason> {
    let text = bound.as_str();
    let mut scanner = Scanner::new(text);
    match scanner.number() {
        Ok(token) if token.len() == text.len() => Ok(Number::of(token)),
        _ => Err(Reason::new(otherwise, &[&format_args!("{text:?}")])),
    }
}

/// A whole number that fits into 64 bits.
pub(super) fn whole(bound: &Bound) -> Result<i64, Reason> {
    let found = number(bound, C::BoundNotNumber)?.to_i64();
    found.map_err(|fault| {
        let what = match fault {
            NotWhole::Fraction => C::BoundNotWhole,
            NotWhole::Below | NotWhole::Above => C::BoundTooWide,
        };
        Reason::new(what, &[&bound.as_str()])
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
            let values: [&dyn std::fmt::Display; 3] = [&bound.as_str(), &own.min, &own.max];
            Err(Reason::new(C::BoundOutside, &values))
        }
    })
}

/// A finite double.
pub(super) fn float(bound: &Bound) -> Result<f64, Reason> {
    let found = number(bound, C::BoundNotNumber)?.to_f64();
    found.ok_or_else(|| Reason::new(C::BoundNotDouble, &[&bound.as_str()]))
}

/// An amount of money.
pub(super) fn money(bound: &Bound) -> Result<Hundredths, Reason> {
    let found = number(bound, C::BoundNotNumber)?.to_hundredths();
    found.map_err(|fault| {
        let what = match fault {
            NotHundredths::Decimals => C::BoundDecimals,
            NotHundredths::Below | NotHundredths::Above => C::BoundNotDecimal,
        };
        Reason::new(what, &[&bound.as_str()])
    })
}

/// A length in characters.
pub(super) fn length(bound: &Bound) -> Result<u64, Reason> {
    count(bound, C::LengthNotNumber, C::LengthNotCount)
}

/// A whole number of 0 or more; what is told of a bound that is no number, and of one that is another.
pub(super) fn count(bound: &Bound, not_number: C, not_count: C) -> Result<u64, Reason> {
    let told = |what| Reason::new(what, &[&bound.as_str()]);
    match number(bound, not_number)?.to_i64() {
        Err(NotWhole::Above) => Err(told(C::CountTooWide)),
        Err(_) => Err(told(not_count)),
        Ok(value) => u64::try_from(value).map_err(|_| told(not_count)),
    }
}
