//! What a file is, told from its first bytes alone.

use std::io::Cursor;

/// How much of a file's beginning is read; of an image, whose size may stand after a preview and a color profile.
const HEAD_BYTES_MAX: usize = 64 << 10;
const IMAGE_HEAD_BYTES_MAX: usize = 1 << 20;

/// How long the beginning of a file may become, by as much of it as there is.
pub(super) fn head_bytes_max(head: &[u8]) -> usize {
    let is_image = head.len() >= HEAD_BYTES_MAX && media_type(head).starts_with("image/");
    if is_image {
        IMAGE_HEAD_BYTES_MAX
    } else {
        HEAD_BYTES_MAX
    }
}

/// Images whose EXIF orientation counts. HEIF and AVIF have a property of their own for it.
const HAVE_EXIF: [&str; 4] = ["image/jpeg", "image/png", "image/webp", "image/tiff"];

/// The media type of a content.
pub(super) fn media_type(head: &[u8]) -> &'static str {
    match infer::get(head) {
        Some(kind) => kind.mime_type(),
        None if is_text(head) => "text/plain",
        None => "application/octet-stream",
    }
}

/// Width and height of an image as it is shown, from its header.
pub(super) fn pixels(head: &[u8]) -> Option<(u64, u64)> {
    let size = imagesize::blob_size(head).ok()?;
    let width = u64::try_from(size.width).ok()?;
    let height = u64::try_from(size.height).ok()?;
    Some(if is_turned(head) {
        (height, width)
    } else {
        (width, height)
    })
}

/// Whether an image is shown turned by a quarter, as phones store upright photos: by its EXIF orientation, where viewers heed that.
fn is_turned(head: &[u8]) -> bool {
    let has_exif = infer::get(head).is_some_and(|it| HAVE_EXIF.contains(&it.mime_type()));
    if !has_exif {
        return false;
    }
    let read = exif::Reader::new().read_from_container(&mut Cursor::new(head));
    let orientation = read.ok().and_then(|exif| {
        let field = exif.get_field(exif::Tag::Orientation, exif::In::PRIMARY)?;
        field.value.get_uint(0)
    });
    matches!(orientation, Some(5..=8))
}

/// Text in UTF-8, as far as it was read, without control characters.
fn is_text(head: &[u8]) -> bool {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // the last character may be cut
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.is_empty()
        && !text
            .chars()
            .any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{C}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_tells_what_a_file_is() {
        assert_eq!(media_type(b"\x89PNG\r\n\x1a\n"), "image/png");
        assert_eq!(media_type(b"%PDF-1.7"), "application/pdf");
        assert_eq!(media_type("Gr\u{fc}\u{df}e\n".as_bytes()), "text/plain");
        assert_eq!(media_type(b"cut in a letter \xC3"), "text/plain");
        assert_eq!(media_type(b"\x00\x01\x02"), "application/octet-stream");
        assert_eq!(media_type(b"\xFF\xFE\xFD"), "application/octet-stream");
    }

    /// The header of a JPEG of 60 × 120 pixels, as a phone writes it.
    fn photo(orientation: u8) -> Vec<u8> {
        let directory = [
            &b"MM\0\x2A\0\0\0\x08\0\x01"[..],
            &[1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
            &[0; 4],
        ];
        let exif = [&b"Exif\0\0"[..], &directory.concat()].concat();
        let length = u8::try_from(exif.len() + 2).unwrap();
        let frame = [0xFF, 0xC0, 0, 11, 8, 0, 120, 0, 60, 1, 1, 0x11, 0];
        [&[0xFF, 0xD8, 0xFF, 0xE1, 0, length][..], &exif, &frame].concat()
    }

    #[test]
    fn a_photo_that_is_shown_turned_has_its_sides_swapped() {
        for orientation in 0..=9 {
            let turned = (5..=8).contains(&orientation);
            let expected = if turned { (120, 60) } else { (60, 120) };
            assert_eq!(pixels(&photo(orientation)), Some(expected), "{orientation}");
        }
        // half an entry of EXIF says nothing
        let mut cut = photo(6);
        cut[5] -= 10;
        cut.drain(26..36);
        assert_eq!(pixels(&cut), Some((60, 120)));
    }

    #[test]
    fn an_image_without_its_header_has_no_pixels() {
        assert_eq!(pixels(b"\x89PNG\r\n\x1a\n"), None);
        assert_eq!(pixels(b"GIF89a\x03\x00\x02\x00\x00\x00\x00;"), Some((3, 2)));
    }
}
