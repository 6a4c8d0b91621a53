//! Numbers within bounds: whole ones, doubles, money, parts of dates.

use super::quoted;
use crate::at::At;
use crate::chance::Chance;
use schema::{Bounds, Hundredths};

/// How far a random number is from a plain one, where the bounds allow it.
const RANDOM_MORE: i128 = 100_000;

/// The numbers of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers {
    Whole(Bounds<i64>),
    /// A part of a date, which may be written as a text of up to so many digits.
    Part {
        bounds: Bounds<i64>,
        width: usize,
    },
    Float(Bounds<f64>),
    Money(Bounds<Hundredths>),
}

impl Numbers {
    pub(super) fn one(&self, at: At, chance: &mut dyn Chance) -> String {
        match self {
            Numbers::Whole(bounds) => whole(*bounds, at, chance).to_string(),
            Numbers::Part { bounds, width } => {
                let value = whole(*bounds, at, chance);
                if at == At::Random && chance.below(4) == 3 {
                    quoted(&format!("{value:0width$}"))
                } else {
                    value.to_string()
                }
            }
            Numbers::Float(bounds) => float(at, *bounds, chance),
            Numbers::Money(Bounds { min, max }) => {
                let (min, max) = (min.get(), max.get());
                let amount = within(Bounds { min, max }, at, chance);
                let mut out = String::new();
                // INVARIANT: what lies between two amounts is one
                Hundredths::new(amount)
                    .unwrap_or(Hundredths::whole(0))
                    .write(&mut out);
                out
            }
        }
    }
}

fn whole(bounds: Bounds<i64>, at: At, chance: &mut dyn Chance) -> i64 {
    let (min, max) = (bounds.min.into(), bounds.max.into());
    let value = within(Bounds { min, max }, at, chance);
    // INVARIANT: what lies between two of 64 bits has 64 bits
    i64::try_from(value).unwrap_or(bounds.min)
}

/// A number within; a random one is near the number nearest to zero.
fn within(Bounds { min, max }: Bounds<i128>, at: At, chance: &mut dyn Chance) -> i128 {
    match at {
        At::Lowest => min,
        At::Highest => max,
        At::Random => {
            let plain = 0.clamp(min, max);
            let low = (plain - RANDOM_MORE).max(min);
            let high = (plain + RANDOM_MORE).min(max);
            let count = u64::try_from(high - low + 1).unwrap_or(u64::MAX);
            let steps = i128::from(chance.below(count));
            // upwards first, so that the plainest is chosen by 0
            if plain + steps <= high {
                plain + steps
            } else {
                low + (plain + steps - high - 1)
            }
        }
    }
}

/// The largest double is the bound where there is none.
fn float(at: At, bounds: Bounds<f64>, chance: &mut dyn Chance) -> String {
    let (min, max) = (bounds.min.max(f64::MIN), bounds.max.min(f64::MAX));
    let value = match at {
        At::Lowest => min,
        At::Highest => max,
        At::Random => {
            let plain = 0.0_f64.clamp(min, max);
            let wide = plain.abs().max(1000.0);
            let (low, high) = (min.max(plain - wide), max.min(plain + wide));
            let part = u32::try_from(chance.below(1 << 20)).unwrap_or_default();
            let part = f64::from(part) / f64::from(1_u32 << 20);
            (plain + part * (high - low)).clamp(min, max)
        }
    };
    format!("{value:?}")
}
