//! `idle_bound`: a bound that says what its type says anyway, such as 12 for a month. `no_value`: bounds between which
//! there is nothing, such as an e-mail address of four characters.

use super::found::Found;
use schema::{Bound, Bounds, DataType, Field, Limits, Path};

/// The shortest and the longest texts of a type that has such.
fn lengths(data_type: DataType) -> Option<(u64, u64)> {
    match data_type {
        // a@b.c; at most as many bytes
        DataType::Email => Some((5, 254)),
        // http://a
        DataType::Url => Some((8, u64::MAX)),
        _ => None,
    }
}

pub(super) fn look(index: usize, field: &Field, found: &mut Found) {
    if !field.active {
        return;
    }
    let at = |property: &str| Path::field(index).key(property);
    if let (Some((shortest, longest)), Ok(Limits::Text(Bounds { min, max }))) =
        (lengths(field.data_type), Limits::of(field))
    {
        let data_type = field.data_type;
        if max < shortest {
            let message = format!("no {data_type} has less than {shortest} characters");
            return found.add(
                "no_value",
                at("max"),
                message,
                "write a larger bound, or remove it",
            );
        }
        if min > longest {
            let message = format!("no {data_type} has more than {longest} characters");
            return found.add(
                "no_value",
                at("min"),
                message,
                "write a smaller bound, or remove it",
            );
        }
        if field.min.is_some() && min > 0 && min <= shortest {
            idle(at("min"), field.min.as_ref(), found);
        }
        if field.max.is_some() && longest < u64::MAX && max >= longest {
            idle(at("max"), field.max.as_ref(), found);
        }
    }
    if field.data_type == DataType::String
        && matches!(Limits::of(field), Ok(Limits::Text(Bounds { max: 0, .. })))
    {
        let help = "write a larger bound, or remove it";
        found.add("no_value", at("max"), "no text has 0 characters", help);
    }
    let bare = |field: &Field| {
        let (mut low, mut high) = (field.clone(), field.clone());
        low.min = None;
        high.max = None;
        (low, high)
    };
    let (low, high) = bare(field);
    let limits = Limits::of(field).ok();
    if field.min.is_some() && limits.is_some() && limits == Limits::of(&low).ok() {
        idle(at("min"), field.min.as_ref(), found);
    }
    if field.max.is_some() && limits.is_some() && limits == Limits::of(&high).ok() {
        idle(at("max"), field.max.as_ref(), found);
    }
}

fn idle(path: Path, bound: Option<&Bound>, found: &mut Found) {
    let text = bound.map_or("", Bound::as_str);
    let message = format!("the bound {text} says what the type says anyway");
    found.add("idle_bound", path, message, "remove it, or narrow it");
}
