//! `dateFormat`, `dateSeparator` and `timeFormat`: how dates and times are written. What is stored is shown in the
//! current format where that can hold it; what is sent is read in it, or in ISO form. docs/rules.md, "Formats".

use super::cause::{Causes, Way};
use crate::data_type::DataType;
use crate::diff::reason::Reason;
use crate::format::TimeFormat;
use crate::limits::{Bounds, Limits};
use crate::model::Field;

pub(super) fn judge_dates(from: &Field, to: &Field, way: Way, found: &mut Causes) {
    let (has, wants) = (from.date_shape(), to.date_shape());
    if has.label() == wants.label() {
        return;
    }
    let is_same_format = has.format == wants.format;
    let property = if is_same_format {
        "dateSeparator"
    } else {
        "dateFormat"
    };
    // a date in ISO form is read by every field, in a datetime it is not without the time
    let is_read = to.data_type == DataType::Date && has.is_iso();
    if way == Way::Shown || (way == Way::Sent && !is_read) {
        found.add(property, Reason::Format);
    } else if wants.format.is_short() && !has.format.is_short() && !is_of_the_century(from) {
        found.add(property, Reason::YearHeld);
    }
}

pub(super) fn judge_times(from: &Field, to: &Field, way: Way, found: &mut Causes) {
    let (has, wants) = (from.time_shape(), to.time_shape());
    if has == wants {
        return;
    }
    let is_iso = matches!(has, TimeFormat::Seconds | TimeFormat::Minutes);
    let is_read = to.data_type == DataType::Time && is_iso;
    if way == Way::Shown || (way == Way::Sent && !is_read) {
        found.add("timeFormat", Reason::Format);
    } else if has.has_seconds() && !wants.has_seconds() {
        found.add("timeFormat", Reason::SecondsHeld);
    }
}

/// Whether its bounds leave only years that two digits can hold.
fn is_of_the_century(field: &Field) -> bool {
    const YEARS: std::ops::RangeInclusive<u16> = 1970..=2069;
    let holds = |min: u16, max: u16| YEARS.contains(&min) && YEARS.contains(&max);
    match Limits::of(field) {
        Ok(Limits::Date(Bounds {
            min: Some(min),
            max: Some(max),
        })) => holds(min.year(), max.year()),
        Ok(Limits::Datetime(Bounds {
            min: Some(min),
            max: Some(max),
        })) => holds(min.day.year(), max.day.year()),
        _ => false,
    }
}
