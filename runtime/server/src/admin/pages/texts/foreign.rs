//! What the operating system and libraries say of a failure, in the words of a language: by its kind where that is known, else
//! quoted as what it is. In a sentence, `{o0}` stands for it.
//!
//! ```text
//! No space left on device (os error 28)   the disk has no room left
//! Too many open files (os error 24)       the system says: Too many open files (os error 24)
//! unclosed group                          a parenthesis is opened and never closed
//! ```

use super::Texts;
use std::io::{Error, ErrorKind};

/// What is said where a pattern can't be read; each language has a text for each, in this order.
const PATTERNS: [&str; 22] = [
    "unclosed group",
    "unopened group",
    "unclosed character class",
    "invalid character class range, the start must be <= the end",
    "invalid range boundary, must be a literal",
    "invalid escape sequence found in character class",
    "unrecognized escape sequence",
    "incomplete escape sequence, reached end of pattern prematurely",
    "invalid hexadecimal digit",
    "repetition operator missing expression",
    "repetition quantifier expects a valid decimal",
    "unclosed counted repetition",
    "invalid repetition count range, the start must be <= the end",
    "backreferences are not supported",
    "look-around, including look-ahead and look-behind, is not supported",
    "duplicate capture group name",
    "empty capture group name",
    "invalid capture group character",
    "unclosed capture group name",
    "unrecognized flag",
    "expected flag but got end of regex",
    "Unicode property not found",
];

/// Kinds that may be told without a code of the system.
const KINDS: [ErrorKind; 9] = [
    ErrorKind::FileTooLarge,
    ErrorKind::NotFound,
    ErrorKind::PermissionDenied,
    ErrorKind::QuotaExceeded,
    ErrorKind::StorageFull,
    ErrorKind::TimedOut,
    ErrorKind::UnexpectedEof,
    ErrorKind::ConnectionReset,
    ErrorKind::BrokenPipe,
];
/// What is said where a name has no address; the system's reason stands behind it.
const UNRESOLVED: &str = "failed to lookup address information";
/// What is said where the other end hung up before it answered.
const HUNG_UP: &str = "connection closed before message completed";

/// The texts of one language.
pub(super) struct ForeignTexts {
    pub(super) cut_off: &'static str,
    pub(super) ends_early: &'static str,
    pub(super) no_room: &'static str,
    pub(super) not_found: &'static str,
    pub(super) not_permitted: &'static str,
    pub(super) read_only: &'static str,
    pub(super) refused: &'static str,
    pub(super) timed_out: &'static str,
    pub(super) unreachable: &'static str,
    pub(super) unresolved: &'static str,
    pub(super) patterns: [&'static str; PATTERNS.len()],
    /// What the system says otherwise; `{}` stands for it.
    pub(super) system_says: &'static str,
    /// What anything else says.
    pub(super) is_said: &'static str,
}

impl ForeignTexts {
    fn of_system(&self, said: &str) -> Option<&'static str> {
        if said.starts_with(UNRESOLVED) {
            return Some(self.unresolved);
        }
        if said == HUNG_UP {
            return Some(self.cut_off);
        }
        match kind(said)? {
            ErrorKind::NotFound => Some(self.not_found),
            ErrorKind::PermissionDenied => Some(self.not_permitted),
            ErrorKind::ReadOnlyFilesystem => Some(self.read_only),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Some(self.no_room)
            }
            ErrorKind::UnexpectedEof => Some(self.ends_early),
            ErrorKind::TimedOut => Some(self.timed_out),
            ErrorKind::ConnectionRefused => Some(self.refused),
            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
                Some(self.cut_off)
            }
            ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Some(self.unreachable),
            _ => None,
        }
    }

    fn of_pattern(&self, said: &str) -> Option<&'static str> {
        let at = PATTERNS.iter().position(|own| *own == said)?;
        Some(self.patterns[at])
    }
}

impl Texts {
    /// What the system or a library says, or a sentence of the interface that stands where it may.
    pub(super) fn foreign_told(&self, said: &str) -> String {
        if let Some(own) = self.own_sentence(said) {
            return own;
        }
        let own = &self.foreign;
        let known = own.of_system(said).or_else(|| own.of_pattern(said));
        known.map_or_else(
            || match code(said) {
                Some(_) => own.system_says.replace("{}", said),
                None => own.is_said.replace("{}", said),
            },
            str::to_owned,
        )
    }
}

/// The code by which the system knows what it says.
fn code(said: &str) -> Option<i32> {
    let (_, behind) = said.rsplit_once("(os error ")?;
    behind.strip_suffix(')')?.parse().ok()
}

fn kind(said: &str) -> Option<ErrorKind> {
    match code(said) {
        Some(code) => Some(Error::from_raw_os_error(code).kind()),
        None => KINDS.into_iter().find(|kind| kind.to_string() == said),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ALL, de, en};
    use super::*;

    #[test]
    fn what_the_system_says_is_told_by_its_kind_and_quoted_where_that_is_not_known() {
        let full = Error::from_raw_os_error(28).to_string();
        assert_eq!(en::TEXTS.foreign_told(&full), "the disk has no room left");
        assert_eq!(
            de::TEXTS.foreign_told(&full),
            "auf dem Datenträger ist kein Platz mehr"
        );
        let open = Error::from_raw_os_error(24).to_string();
        assert_eq!(
            de::TEXTS.foreign_told(&open),
            format!("das System meldet: {open}")
        );
        for texts in ALL {
            for kind in KINDS {
                let told = texts.foreign_told(&kind.to_string());
                assert!(!told.contains(&kind.to_string()), "{}: {told}", texts.code);
            }
            let away = texts.foreign_told("failed to lookup address information: Name unknown");
            assert_eq!(away, texts.foreign.unresolved);
        }
        assert_eq!(
            de::TEXTS.foreign_told("it broke"),
            "die Meldung lautet: it broke"
        );
        assert_eq!(en::TEXTS.foreign_told("it broke"), "it broke");
        // a sentence of the interface stays one
        assert_eq!(
            de::TEXTS.foreign_told("it has too many parts"),
            "sie hat zu viele Teile"
        );
    }

    #[test]
    fn a_sentence_has_no_english_of_the_system_within_it() {
        let denied = Error::from_raw_os_error(13);
        let failed = format!("the file can't be read: {denied}");
        assert_eq!(
            de::TEXTS.said(&failed),
            "Die Datei lässt sich nicht lesen: dem Dienst fehlt die Berechtigung"
        );
        assert_eq!(
            en::TEXTS.said(&failed),
            "the file can't be read: the service lacks the permission"
        );
    }
}
