//! Which characters a reader of source or a document sees as they are. Texts with others are escaped by those who write them.

/// Whether a character may stand in source as it is: no lint looks at it, and a reader sees it.
/// Other characters (controls, directions, marks that combine, forms that are not NFC) are escaped.
pub fn is_readable(c: char) -> bool {
    matches!(c,
        ' '..='~'
        | '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{24F}' // Latin
        | '\u{391}'..='\u{3CE}' | '\u{410}'..='\u{44F}' | 'Ё' | 'ё' | 'Є' | 'є' | 'І' | 'і' | 'Ї' | 'ї'
        | '\u{5D0}'..='\u{5EA}' // Hebrew
        | '\u{621}'..='\u{63A}' | '\u{641}'..='\u{64A}' // Arabic
        | '\u{E01}'..='\u{E30}' // Thai
        | '\u{1E00}'..='\u{1E99}' | '\u{1EA0}'..='\u{1EF9}' // Latin again
        | '\u{2010}' | '\u{2012}'..='\u{2015}' | '\u{2018}'..='\u{201F}' | '…' | '‰' | '€' | '№' | '™'
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FC}' // kana
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' // Han, Hangul
        | '\u{1F300}'..='\u{1F3FA}' | '\u{1F910}'..='\u{1F9FF}' | '\u{1F400}'..='\u{1F64F}' | '\u{1F680}'..='\u{1F6C5}'
    )
}
