//! Both bounds of a field together: each parsed by itself, so that both are reported, and then held
//! against each other.

use super::fault::{LimitFault, Reason};
use crate::check::Contradiction;
use crate::data_type::DataType as T;
use crate::model::{Bound, Field};

/// The largest whole number that every JSON reader keeps exact (2^53 − 1): the bound of `integer`
/// and `currency` where a schema names none.
pub const SAFE_INTEGER_MAX: i64 = 9_007_199_254_740_991;

/// The bounds of a field's values; both are inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds<V> {
    /// The lowest value.
    pub min: V,
    /// The highest value.
    pub max: V,
}

impl<V: PartialOrd + Copy> Bounds<V> {
    /// The bounds that a field names, and its type's own where it names none.
    pub(super) fn of(
        field: &Field,
        own: Bounds<V>,
        parse: impl Fn(&Bound) -> Result<V, Reason>,
    ) -> Result<Self, Vec<LimitFault>> {
        let (min, max) = pair(field, parse)?;
        let (min, max) = (min.unwrap_or(own.min), max.unwrap_or(own.max));
        ordered(field, min <= max)?;
        Ok(Bounds { min, max })
    }
}

impl<V: PartialOrd + Copy> Bounds<Option<V>> {
    /// The bounds that a field names; its type has none of its own.
    pub(super) fn named(
        field: &Field,
        parse: impl Fn(&Bound) -> Result<V, Reason>,
    ) -> Result<Self, Vec<LimitFault>> {
        let (min, max) = pair(field, parse)?;
        ordered(field, min.zip(max).is_none_or(|(min, max)| min <= max))?;
        Ok(Bounds { min, max })
    }
}

/// Parses both bounds, so that both are reported.
fn pair<V>(
    field: &Field,
    parse: impl Fn(&Bound) -> Result<V, Reason>,
) -> Result<(Option<V>, Option<V>), Vec<LimitFault>> {
    let mut faults = Vec::new();
    let mut one = |property, bound: &Option<Bound>| {
        let found = parse(bound.as_ref()?);
        found
            .map_err(|reason| faults.push(reason.of(property)))
            .ok()
    };
    let bounds = (one("min", &field.min), one("max", &field.max));
    if faults.is_empty() {
        Ok(bounds)
    } else {
        Err(faults)
    }
}

/// Whether the bounds are in order; the fault names the type's own bound where the field has one only.
fn ordered(field: &Field, in_order: bool) -> Result<(), Vec<LimitFault>> {
    if in_order {
        return Ok(());
    }
    let (low, high) = match field.data_type {
        T::String | T::Email | T::Url => ("0".to_owned(), u64::MAX.to_string()),
        T::Latitude => ("-90".to_owned(), "90".to_owned()),
        T::Longitude => ("-180".to_owned(), "180".to_owned()),
        T::DateYear => ("1".to_owned(), "9999".to_owned()),
        T::DateMonth => ("1".to_owned(), "12".to_owned()),
        T::DateDay => ("1".to_owned(), "31".to_owned()),
        _ => (format!("-{SAFE_INTEGER_MAX}"), SAFE_INTEGER_MAX.to_string()),
    };
    let text = |bound: &Option<Bound>, own| bound.as_ref().map_or(own, |it| it.as_str().to_owned());
    let (property, what) = match (&field.min, &field.max) {
        (Some(_), Some(_)) => ("min", Contradiction::BoundsCrossed),
        (Some(_), None) => ("min", Contradiction::MinAboveType),
        (None, _) => ("max", Contradiction::MaxBelowType),
    };
    let reason = Reason::new(what, &[&text(&field.min, low), &text(&field.max, high)]);
    Err(vec![reason.of(property)])
}
