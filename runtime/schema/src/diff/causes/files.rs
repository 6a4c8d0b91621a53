//! `maxSize`, `maxWidth` and `maxHeight`: what a file may be at most. docs/rules.md, "File values".

use super::cause::Causes;
use crate::diff::reason::Reason;
use crate::limits::{Limits, Media};
use crate::model::Field;

pub(super) fn judge_size(from: &Field, to: &Field, found: &mut Causes) {
    let Some((has, wants)) = media(from, to, "maxSize", found) else {
        return;
    };
    judge(has.size, wants.size, "maxSize", Reason::MaxSize, found);
}

pub(super) fn judge_pixels(from: &Field, to: &Field, found: &mut Causes) {
    let Some((has, wants)) = media(from, to, "maxWidth", found) else {
        return;
    };
    judge(has.width, wants.width, "maxWidth", Reason::MaxWidth, found);
    judge(
        has.height,
        wants.height,
        "maxHeight",
        Reason::MaxHeight,
        found,
    );
}

fn judge(
    has: Option<u64>,
    wants: Option<u64>,
    property: &'static str,
    reason: Reason,
    found: &mut Causes,
) {
    let is_met = wants.is_some_and(|wants| has.is_none_or(|has| has > wants));
    found.add_if(is_met, property, reason);
}

/// The limits of both, where they can be read.
fn media(
    from: &Field,
    to: &Field,
    property: &'static str,
    found: &mut Causes,
) -> Option<(Media, Media)> {
    if let (Ok(Limits::File(has)), Ok(Limits::File(wants))) = (Limits::of(from), Limits::of(to)) {
        return Some((has, wants));
    }
    let written = |field: &Field| {
        let Field {
            max_size,
            max_width,
            max_height,
            ..
        } = field.clone();
        (max_size, max_width, max_height)
    };
    let is_same = from.data_type == to.data_type && written(from) == written(to);
    found.add_if(!is_same, property, Reason::Bound);
    None
}
