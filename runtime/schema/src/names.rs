//! Characters that no name may hold because nobody sees them: controls, marks of writing direction, and what
//! shows nothing at all. With one of them a name passes for another. Lengths and doubles are not judged here.

/// Joins two letters or emoji into one sign.
const JOINER: char = '\u{200D}';
/// Keeps two letters apart that would be joined.
const NON_JOINER: char = '\u{200C}';

/// The first character of a name that nobody sees. A joiner between two letters or emoji is part of how a name
/// is written, and so is the sign that an emoji is shown in colour.
///
/// ```
/// use schema::unseen_in;
///
/// assert_eq!(unseen_in("admin\u{200B}"), Some('\u{200B}'));
/// assert_eq!(unseen_in("\u{202E}nimda"), Some('\u{202E}'));
/// assert_eq!(unseen_in("می\u{200C}خواهم"), None);
/// assert_eq!(unseen_in("👩\u{200D}🔬 ❤\u{FE0F}"), None);
/// ```
pub fn unseen_in(name: &str) -> Option<char> {
    let mut before = None;
    let mut rest = name.chars();
    while let Some(this) = rest.next() {
        let after = rest.clone().next();
        let belongs = match this {
            JOINER | NON_JOINER => before.is_some_and(is_joined) && after.is_some_and(is_joined),
            '\u{FE0E}' | '\u{FE0F}' => before.is_some_and(has_styles),
            _ => !is_unseen(this),
        };
        if !belongs {
            return Some(this);
        }
        before = Some(this);
    }
    None
}

/// Whether nobody sees the character: controls, ends of lines, and what Unicode has every renderer leave out
/// (`Default_Ignorable_Code_Point`), beside the one blank that is drawn as a sign.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a joiner beside it changes what is seen: letters that are joined, and emoji, none of them ASCII.
fn is_joined(c: char) -> bool {
    !c.is_ascii() && !c.is_whitespace() && (!is_unseen(c) || c == '\u{FE0F}')
}

/// Whether it is shown in more than one style.
fn has_styles(c: char) -> bool {
    matches!(c, '0'..='9' | '#' | '*') || (!c.is_alphanumeric() && is_joined(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_found_wherever_it_stands() {
        for hidden in [
            '\u{0}',
            '\u{7F}',
            '\u{85}',
            '\u{AD}',
            '\u{200B}',
            '\u{200C}',
            '\u{200D}',
            '\u{200E}',
            '\u{2028}',
            '\u{202A}',
            '\u{2066}',
            '\u{2800}',
            '\u{3164}',
            '\u{FE0F}',
            '\u{FEFF}',
            '\u{E0041}',
        ] {
            for name in [
                format!("{hidden}admin"),
                format!("ad{hidden}min"),
                format!("admin{hidden}"),
            ] {
                assert_eq!(unseen_in(&name), Some(hidden), "{name:?}");
            }
        }
    }

    #[test]
    fn names_as_people_write_them_hold_nothing_unseen() {
        for name in [
            "Kundennr. 5",
            "Ærø",
            "e\u{301}",
            "שלום",
            "العربية",
            "می\u{200C}خواهم",
            "क्\u{200D}ष",
            "东京 3",
            "👨\u{200D}👩\u{200D}👧",
            "❤\u{FE0F}\u{200D}🔥",
            "1\u{FE0F}\u{20E3}",
            "a\u{A0}b",
        ] {
            assert_eq!(unseen_in(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_joiner_that_joins_nothing_is_unseen() {
        for name in [
            "é\u{200D}",
            "\u{200C}é",
            "é\u{200D}\u{200D}é",
            "é\u{200D} é",
            "a\u{200D}b",
        ] {
            assert_eq!(
                unseen_in(name),
                name.chars().find(|c| is_unseen(*c)),
                "{name:?}"
            );
        }
    }
}
