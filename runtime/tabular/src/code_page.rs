//! Code pages 437 and 850, as DOS programs still write them. The Encoding Standard does not have them; two tables are less than a
//! crate of all code pages.

/// The characters of the bytes from 0x80 on: of the code page of DOS in America, and of that in Western Europe.
pub(crate) const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
pub(crate) const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// The most bytes that one of them has in UTF-8.
const CHARACTER_BYTES_MAX: usize = 3;

/// A code page: what the upper half of its bytes stands for.
pub(crate) struct CodePage(Vec<char>);

impl CodePage {
    /// A code page of these 128 characters.
    pub(crate) fn new(upper: &str) -> Self {
        CodePage(upper.chars().collect())
    }

    /// Decodes what there is room for. Yields how much was read, and how much was written.
    pub(crate) fn decode(&self, input: &[u8], output: &mut [u8]) -> (usize, usize) {
        let (mut read, mut wrote) = (0, 0);
        for byte in input {
            if output.len() - wrote < CHARACTER_BYTES_MAX {
                break;
            }
            let upper = byte.checked_sub(0x80).map(|at| self.0[usize::from(at)]);
            let character = upper.unwrap_or(char::from(*byte));
            wrote += character.encode_utf8(&mut output[wrote..]).len();
            read += 1;
        }
        (read, wrote)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_its_character() {
        for upper in [CP437, CP850] {
            let code_page = CodePage::new(upper);
            assert_eq!(code_page.0.len(), 128);
            let longest = code_page.0.iter().map(|it| it.len_utf8()).max();
            assert_eq!(longest, Some(CHARACTER_BYTES_MAX));
        }
    }
}
