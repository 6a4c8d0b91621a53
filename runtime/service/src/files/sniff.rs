//! What a file is, told from its first bytes alone.

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

/// The media type of a content.
pub(super) fn media_type(head: &[u8]) -> &'static str {
    match infer::get(head) {
        Some(kind) => kind.mime_type(),
        None if is_text(head) => "text/plain",
        None => "application/octet-stream",
    }
}

/// Width and height of an image, from its header.
pub(super) fn pixels(head: &[u8]) -> Option<(u64, u64)> {
    let size = imagesize::blob_size(head).ok()?;
    Some((
        u64::try_from(size.width).ok()?,
        u64::try_from(size.height).ok()?,
    ))
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

    #[test]
    fn an_image_without_its_header_has_no_pixels() {
        assert_eq!(pixels(b"\x89PNG\r\n\x1a\n"), None);
        assert_eq!(pixels(b"GIF89a\x03\x00\x02\x00\x00\x00\x00;"), Some((3, 2)));
    }
}
