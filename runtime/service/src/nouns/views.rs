//! What views have in common. What is not in a view (hashes, above all) is never shown.

use store::catalog::Stamp;
use wire::manage::StampView;

/// Who made something and changed it last, and when.
pub(crate) fn stamp_view(stamp: Stamp) -> StampView {
    StampView {
        created_by: stamp.created_by.name,
        updated_by: stamp.updated_by.name,
        created_date: stamp.created_at,
        updated_date: stamp.updated_at,
    }
}

/// What stands in the trail for what is personal.
pub const MASK: &str = "***";

/// A text of which the trail tells only that it is there.
pub(crate) fn masked(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        MASK.to_owned()
    }
}
