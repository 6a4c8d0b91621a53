//! Encodings of text, by name, and what turns their bytes into UTF-8. What is not in an encoding becomes a byte that UTF-8 does not
//! have, so that its row is rejected. Which encoding a text is in, `survey.rs` finds.

use crate::code_page::{self, CodePage};
use encoding_rs::DecoderResult;

/// Stands in no UTF-8 text.
const NO_TEXT: u8 = 0xFF;

/// An encoding of text: one of the WHATWG's Encoding Standard, or a code page of DOS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    name: &'static str,
}

impl Encoding {
    /// UTF-8, with or without a byte-order mark.
    pub const UTF_8: Self = Encoding::of("utf-8");
    /// UTF-16 whose lower byte comes first.
    pub const UTF_16LE: Self = Encoding::of("utf-16le");
    /// UTF-16 whose higher byte comes first.
    pub const UTF_16BE: Self = Encoding::of("utf-16be");
    /// Windows-1252, which holds ISO-8859-1.
    pub const WINDOWS_1252: Self = Encoding::of("windows-1252");
    /// The code page of DOS in America.
    pub const CP437: Self = Encoding::of("cp437");
    /// The code page of DOS in Western Europe.
    pub const CP850: Self = Encoding::of("cp850");

    /// All encodings.
    pub const ALL: [Self; 40] = [
        Encoding::UTF_8,
        Encoding::UTF_16LE,
        Encoding::UTF_16BE,
        Encoding::WINDOWS_1252,
        Encoding::of("ibm866"),
        Encoding::of("iso-8859-2"),
        Encoding::of("iso-8859-3"),
        Encoding::of("iso-8859-4"),
        Encoding::of("iso-8859-5"),
        Encoding::of("iso-8859-6"),
        Encoding::of("iso-8859-7"),
        Encoding::of("iso-8859-8"),
        Encoding::of("iso-8859-8-i"),
        Encoding::of("iso-8859-10"),
        Encoding::of("iso-8859-13"),
        Encoding::of("iso-8859-14"),
        Encoding::of("iso-8859-15"),
        Encoding::of("iso-8859-16"),
        Encoding::of("koi8-r"),
        Encoding::of("koi8-u"),
        Encoding::of("macintosh"),
        Encoding::of("windows-874"),
        Encoding::of("windows-1250"),
        Encoding::of("windows-1251"),
        Encoding::of("windows-1253"),
        Encoding::of("windows-1254"),
        Encoding::of("windows-1255"),
        Encoding::of("windows-1256"),
        Encoding::of("windows-1257"),
        Encoding::of("windows-1258"),
        Encoding::of("x-mac-cyrillic"),
        Encoding::of("gbk"),
        Encoding::of("gb18030"),
        Encoding::of("big5"),
        Encoding::of("euc-jp"),
        Encoding::of("iso-2022-jp"),
        Encoding::of("shift_jis"),
        Encoding::of("euc-kr"),
        Encoding::CP437,
        Encoding::CP850,
    ];

    const fn of(name: &'static str) -> Self {
        Encoding { name }
    }

    /// Its name, such as `utf-16le`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The encoding with this name, or with a label that the Encoding Standard has for it, such as `latin1`.
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |own: &Self, name: &str| own.name.eq_ignore_ascii_case(name);
        let code_pages = [Encoding::CP437, Encoding::CP850];
        let alias = name.trim().to_ascii_lowercase().replace("ibm", "cp");
        if let Some(code_page) = code_pages.into_iter().find(|own| is_named(own, &alias)) {
            return Some(code_page);
        }
        let standard = encoding_rs::Encoding::for_label(name.as_bytes())?;
        Self::of_standard(standard)
    }

    /// The encoding that the Encoding Standard has; none where text is only replaced, or is no text.
    pub(crate) fn of_standard(standard: &'static encoding_rs::Encoding) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|own| own.name.eq_ignore_ascii_case(standard.name()))
    }

    /// Whether it is a form of Unicode, in which each character is one that was meant.
    pub(crate) fn is_unicode(self) -> bool {
        self.name.starts_with("utf-")
    }

    /// The way from it to UTF-8; `None` where it is that.
    pub(crate) fn decoder(self) -> Option<Decoder> {
        if self == Encoding::UTF_8 {
            return None;
        }
        let upper = match self {
            Encoding::CP437 => Some(code_page::CP437),
            Encoding::CP850 => Some(code_page::CP850),
            _ => None,
        };
        if let Some(upper) = upper {
            return Some(Decoder::CodePage(CodePage::new(upper)));
        }
        let standard = encoding_rs::Encoding::for_label(self.name.as_bytes())
            .expect("each name is a label of the standard");
        let decoder = standard.new_decoder_without_bom_handling();
        Some(Decoder::Standard {
            decoder,
            has_controls: self.is_unicode(),
        })
    }
}

/// What turns bytes of an encoding into UTF-8.
pub(crate) enum Decoder {
    Standard {
        decoder: encoding_rs::Decoder,
        /// Whether controls above ASCII are characters; in any other encoding they stand for bytes that it does not define.
        has_controls: bool,
    },
    CodePage(CodePage),
}

impl Decoder {
    /// Decodes what there is room for. Yields whether more is to come, how much was read, and how much was written.
    pub(crate) fn decode(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        is_last: bool,
    ) -> (bool, usize, usize) {
        match self {
            Decoder::CodePage(code_page) => {
                let (read, wrote) = code_page.decode(input, output);
                (read < input.len() || !is_last, read, wrote)
            }
            Decoder::Standard {
                decoder,
                has_controls,
            } => {
                let room = output.len() - 1;
                let (result, read, mut wrote) =
                    decoder.decode_to_utf8_without_replacement(input, &mut output[..room], is_last);
                if !*has_controls {
                    wrote = without_controls(&mut output[..wrote]);
                }
                let goes_on = match result {
                    DecoderResult::Malformed(..) => {
                        output[wrote] = NO_TEXT;
                        wrote += 1;
                        true
                    }
                    DecoderResult::InputEmpty => !is_last,
                    DecoderResult::OutputFull => true,
                };
                (goes_on, read, wrote)
            }
        }
    }
}

/// Puts a byte that is no text in the place of each control above ASCII; yields how much text is left.
fn without_controls(text: &mut [u8]) -> usize {
    let Some(first) = memchr::memchr(0xC2, text) else {
        return text.len();
    };
    let (mut from, mut to) = (first, first);
    while from < text.len() {
        let is_control = text[from] == 0xC2 && matches!(text.get(from + 1), Some(0x80..=0x9F));
        text[to] = if is_control { NO_TEXT } else { text[from] };
        from += if is_control { 2 } else { 1 };
        to += 1;
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_encodings_are_one_to_one() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::named(encoding.name()), Some(encoding));
        }
        for none in ["", "replacement", "x-user-defined", "utf-7", "cp"] {
            assert_eq!(Encoding::named(none), None, "{none}");
        }
    }
}
