//! Limits of files: their size, and the pixels of images.

use super::fault::LimitFault;
use super::number::count;
use crate::check::Contradiction as C;
use crate::data_type::Setting;
use crate::model::{Bound, Field};

/// The limits of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Media {
    /// Largest size in bytes.
    pub size: Option<u64>,
    /// Largest width in pixels.
    pub width: Option<u64>,
    /// Largest height in pixels.
    pub height: Option<u64>,
}

impl Media {
    /// The limits that a field names.
    pub(super) fn of(field: &Field) -> Result<Self, Vec<LimitFault>> {
        let mut faults = Vec::new();
        let mut one = |property, bound: &Option<Bound>, [not_number, not_count]: [C; 2]| {
            let found = count(bound.as_ref()?, not_number, not_count);
            found
                .map_err(|reason| faults.push(reason.of(property)))
                .ok()
        };
        let has_pixels = field.data_type.has(Setting::Pixels);
        let absent = None;
        let pixels = |bound| if has_pixels { bound } else { &absent };
        let in_pixels = [C::PixelsNotNumber, C::PixelsNotCount];
        let media = Media {
            size: one(
                "maxSize",
                &field.max_size,
                [C::BytesNotNumber, C::BytesNotCount],
            ),
            width: one("maxWidth", pixels(&field.max_width), in_pixels),
            height: one("maxHeight", pixels(&field.max_height), in_pixels),
        };
        if faults.is_empty() {
            Ok(media)
        } else {
            Err(faults)
        }
    }
}
