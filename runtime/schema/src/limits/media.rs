//! Limits of files: their size, and the pixels of images.

use super::fault::LimitFault;
use super::number::count;
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
        let mut one =
            |property, bound: &Option<Bound>, help| match bound.as_ref().map(|b| count(b, help)) {
                None => None,
                Some(Ok(value)) => Some(value),
                Some(Err((message, help))) => {
                    faults.push(LimitFault {
                        property,
                        message,
                        help: help.to_owned(),
                    });
                    None
                }
            };
        let has_pixels = field.data_type.has(Setting::Pixels);
        let absent = None;
        let pixels = |bound| if has_pixels { bound } else { &absent };
        let media = Media {
            size: one("maxSize", &field.max_size, "write a whole number of bytes"),
            width: one(
                "maxWidth",
                pixels(&field.max_width),
                "write a whole number of pixels",
            ),
            height: one(
                "maxHeight",
                pixels(&field.max_height),
                "write a whole number of pixels",
            ),
        };
        if faults.is_empty() {
            Ok(media)
        } else {
            Err(faults)
        }
    }
}
