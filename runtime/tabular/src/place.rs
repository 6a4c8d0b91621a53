//! Where something stands in a text: line, column and byte. It reads nothing.

/// A place in a text that was unpacked and turned into UTF-8, or in a sheet: its row is the line then, and column A
/// is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1. A line ends with `\n`, `\r\n` or `\r`.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// Bytes before it, from 0; a byte-order mark is not counted.
    pub offset: u64,
    /// Whether the character before it is `\r`, which a `\n` would belong to.
    after_return: bool,
}

impl Place {
    /// The beginning of a text.
    pub(crate) fn start() -> Self {
        Place {
            line: 1,
            column: 1,
            offset: 0,
            after_return: false,
        }
    }

    /// The beginning of a line, for what knows no more of a place; its byte is not known, and 0.
    pub fn of_line(line: u64) -> Self {
        Place {
            line,
            ..Place::start()
        }
    }

    /// A cell of a sheet, by the number of its row, from 1, and its column, from 0; its byte is not known, and 0.
    #[cfg(feature = "xlsx")]
    pub(crate) fn of_cell(row: u32, column: u32) -> Self {
        Place {
            column: u64::from(column) + 1,
            ..Place::of_line(row.into())
        }
    }

    /// The place behind `bytes`, which begin here.
    pub(crate) fn after(self, bytes: &[u8]) -> Self {
        let mut place = self;
        let mut line_start = None;
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let after_return = match at.checked_sub(1) {
                Some(before) => bytes[before] == b'\r',
                None => self.after_return,
            };
            if bytes[at] == b'\r' || !after_return {
                place.line += 1;
            }
            line_start = Some(at + 1);
        }
        if line_start.is_some() {
            place.column = 1;
        }
        let rest = &bytes[line_start.unwrap_or(0)..];
        // bytes that continue a character are none of their own
        let characters = rest.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        place.column += count(characters);
        place.offset += count(bytes.len());
        if let Some(last) = bytes.last() {
            place.after_return = *last == b'\r';
        }
        place
    }
}

fn count(bytes: usize) -> u64 {
    bytes as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways_and_columns_count_characters() {
        for (text, line, column) in [
            ("", 1, 1),
            ("äb", 1, 3),
            ("a\nb", 2, 2),
            ("a\r\nb", 2, 2),
            ("a\rb\r", 3, 1),
            ("a\n\r\n", 3, 1),
        ] {
            let place = Place::start().after(text.as_bytes());
            assert_eq!((place.line, place.column), (line, column), "{text:?}");
            assert_eq!(place.offset, count(text.len()));
        }
    }

    #[test]
    fn a_text_taken_in_parts_ends_at_the_same_place() {
        let text = "a\r\nä,\"b\r\nc\"\r\r\n\nd".as_bytes();
        let whole = Place::start().after(text);
        for cut in 0..=text.len() {
            let parts = Place::start().after(&text[..cut]).after(&text[cut..]);
            assert_eq!(parts, whole, "cut at {cut}");
        }
    }
}
