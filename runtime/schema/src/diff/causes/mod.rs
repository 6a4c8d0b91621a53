//! Whether every value that one field takes is one that another takes, too; where not, why. One file for each concern.
//! It may say "perhaps not" of values that are all fine, and never "all fine" of values that are not.

mod alphanumeric;
mod boolean_words;
mod bounds;
mod cause;
mod conversion;
mod files;
mod formats;
mod picklist;
mod presence;

pub(super) use cause::{Cause, Way};

use super::reason::Reason;
use crate::data_type::Setting;
use crate::model::Field;
use cause::Causes;

/// Why values of `from` may be refused by `to`; empty when none is. Both are fields that records have.
pub(super) fn causes(from: &Field, to: &Field, way: Way) -> Vec<Cause> {
    let mut found = Causes::default();
    presence::judge(from, to, way, &mut found);
    if conversion::is_taken(from.data_type, to.data_type, way) {
        for setting in to.data_type.facts().settings {
            of_setting(*setting, from, to, way, &mut found);
        }
    } else {
        found.add("dataType", Reason::DataType);
    }
    found.0
}

/// The table: which setting is whose concern.
fn of_setting(setting: Setting, from: &Field, to: &Field, way: Way, found: &mut Causes) {
    match setting {
        Setting::Bounds => bounds::judge(from, to, way, found),
        Setting::Alphanumeric => alphanumeric::judge(from, to, found),
        Setting::BooleanWords => boolean_words::judge(from, to, way, found),
        Setting::Picklist => picklist::judge(from, to, found),
        Setting::DateFormat => formats::judge_dates(from, to, way, found),
        Setting::TimeFormat => formats::judge_times(from, to, way, found),
        Setting::Pixels => files::judge_pixels(from, to, found),
        Setting::Size => files::judge_size(from, to, found),
    }
}
