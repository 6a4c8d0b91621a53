//! A text as a code that cameras read (a QR code), as the path of an SVG: dark modules in one path, so that it takes its
//! colours from the page.

use qrcode::{Color, QrCode};
use std::fmt::Write as _;

/// Modules of rest around a code, which cameras need to find it.
const REST: usize = 4;

/// A code as a square picture.
#[derive(Debug)]
pub(super) struct CodePicture {
    /// Modules of a side, the rest around included.
    pub(super) side: usize,
    /// The dark modules, a run of a row at a time.
    pub(super) path: String,
}

impl CodePicture {
    /// The code of a text; `None` for one that is empty, or longer than a code can be (about 2,300 bytes).
    pub(super) fn of(text: &str) -> Option<Self> {
        let code = QrCode::new(text).ok().filter(|_| !text.is_empty())?;
        let width = code.width();
        let modules = code.into_colors();
        let mut path = String::new();
        for (y, row) in modules.chunks(width).enumerate() {
            let mut x = 0;
            for run in row.chunk_by(|one, other| one == other) {
                if run[0] == Color::Dark {
                    let (left, top, length) = (x + REST, y + REST, run.len());
                    // INVARIANT: writing to a String cannot fail
                    let _ = write!(path, "M{left} {top}h{length}v1h-{length}z");
                }
                x += run.len();
            }
        }
        Some(CodePicture {
            side: width + 2 * REST,
            path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_has_each_dark_module_of_the_code_and_no_other() {
        let text = "otpauth://totp/Fieldstone:ada?secret=JBSWY3DPEHPK3PXP&issuer=Fieldstone";
        let picture = CodePicture::of(text).unwrap();
        let code = QrCode::new(text).unwrap();
        assert_eq!(picture.side, code.width() + 8);
        let mut drawn = vec![Color::Light; code.width() * code.width()];
        for run in picture.path.split('M').skip(1) {
            let (place, rest) = run.split_once('h').unwrap();
            let (x, y) = place.split_once(' ').unwrap();
            let length: usize = rest.split_once('v').unwrap().0.parse().unwrap();
            let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
            for module in 0..length {
                drawn[(y - REST) * code.width() + x - REST + module] = Color::Dark;
            }
        }
        assert!(drawn == code.to_colors());
    }

    #[test]
    fn nothing_and_what_is_too_long_have_no_code() {
        assert!(CodePicture::of("").is_none());
        assert!(CodePicture::of(&"x".repeat(5000)).is_none());
    }
}
