//! A caller's regular expression, as far as its work is bounded. One search takes as many turns for each byte of a text as the
//! expression has states, and nothing interrupts it: it is bounded by the sizes of both, before it begins. Searches from match to
//! match may each read the text to its end, which makes the square of its bytes: they are bounded by time, between two of them.

use regex::{Error, Regex, RegexBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What an expression may take of memory, in steps: bytes. The first one that it fits into is its size.
const SIZES: [usize; 5] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
/// The size of an expression, times its groups: what a search notes of each group in each state is as large.
const NOTES_BYTES_MAX: u64 = 8 << 20;
/// The size of an expression, times the bytes of a text. A state takes some thirty bytes, so these are some four billion turns:
/// more than a minute, where no state can be told from the others, and mostly no second.
const WORK_MAX: u64 = 1 << 37;
/// Characters that the library draws before an expression that it can't read.
const INDENTATION: usize = 4;
/// Groups that are noted while a turn is taken.
const GROUPS_OF_A_TURN: u64 = 8;

/// An expression that can be read, and its size.
#[derive(Debug)]
pub(super) struct Expression {
    regex: Regex,
    size: u64,
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// One that can't be read or is too large, in words.
    pub(super) fn of(pattern: &str) -> Result<Self, String> {
        let build = |size| RegexBuilder::new(pattern).size_limit(size).build();
        let mut size = SIZES[0];
        let mut read = build(size);
        for larger in &SIZES[1..] {
            if !matches!(read, Err(Error::CompiledTooBig(_))) {
                break;
            }
            (size, read) = (*larger, build(*larger));
        }
        let regex = read.map_err(|error| unread(pattern, &error))?;
        let size = size as u64;
        let found = Expression { regex, size };
        if size.saturating_mul(found.groups()) > NOTES_BYTES_MAX {
            let text = "has too many groups for its size; those that are only parentheses are written `(?:…)`";
            return Err(text.to_owned());
        }
        Ok(found)
    }

    pub(super) fn regex(&self) -> &Regex {
        &self.regex
    }

    /// Its groups and the whole match.
    fn groups(&self) -> u64 {
        self.regex.captures_len() as u64
    }

    /// Whether a text is searched at all.
    pub(super) fn takes(&self, text: &str) -> bool {
        let turns = self.groups().div_ceil(GROUPS_OF_A_TURN);
        let work = self.size.saturating_mul(turns);
        work.saturating_mul(text.len() as u64) <= WORK_MAX
    }
}

/// Why an expression can't be read, on one line, and from where on. The library draws it with marks below, and names what is
/// wrong below these:
///
/// ```text
/// regex parse error:
///     ab(
///       ^
/// error: unclosed group
/// ```
fn unread(pattern: &str, error: &Error) -> String {
    if let Error::CompiledTooBig(max) = error {
        return format!("is too large: it may take {max} bytes of memory; repeat less in it");
    }
    let drawn = error.to_string();
    let lines: Vec<&str> = drawn.lines().collect();
    let mut below = lines.iter().rev();
    let what = below.find_map(|line| line.strip_prefix("error: "));
    let what = what.unwrap_or(&drawn);
    // one of several lines is drawn otherwise
    let marks = lines.get(2).filter(|_| !pattern.contains('\n'));
    // of several marks the last one is of what is wrong
    let mark = marks.map(|marks| marks.trim_end_matches('^').len());
    match mark.and_then(|at| at.checked_sub(INDENTATION)) {
        Some(at) => format!("can't be read: {what}, at character {}", at + 1),
        None => format!("can't be read: {what}"),
    }
}

/// How long the values of one record may take, and whether they are wanted still.
#[derive(Debug)]
pub(crate) struct Patience<'s> {
    until: Instant,
    stop: &'s AtomicBool,
}

impl<'s> Patience<'s> {
    /// From now on; it is over as soon as the work is to stop, too.
    pub(crate) fn of(time_max: Duration, stop: &'s AtomicBool) -> Self {
        Patience {
            until: Instant::now() + time_max,
            stop,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.until || self.stop.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// As long as nothing of a test takes.
    pub(in crate::repair) fn patience() -> Patience<'static> {
        static STOP: AtomicBool = AtomicBool::new(false);
        Patience::of(Duration::from_secs(600), &STOP)
    }

    #[test]
    fn a_large_expression_is_not_asked_of_a_large_text() {
        for (pattern, taken, refused) in [
            ("b+", 12 << 20, 33 << 20),
            ("(b|c){1000}", 1 << 19, 12 << 20),
            ("[01]*1[01]{8000}", 1 << 17, 1 << 20),
        ] {
            let expression = Expression::of(pattern).expect(pattern);
            assert!(expression.takes(&"b".repeat(taken)), "{pattern}");
            assert!(!expression.takes(&"b".repeat(refused)), "{pattern}");
        }
    }

    #[test]
    fn what_an_expression_takes_of_memory_is_bounded_with_its_groups() {
        for (pattern, told) in [
            (
                "(?:a{1000}){1000}",
                "is too large: it may take 1048576 bytes of memory; repeat less in it",
            ),
            ("äb(", "can't be read: unclosed group, at character 3"),
            (
                "a[b\\q]",
                "can't be read: unrecognized escape sequence, at character 4",
            ),
            ("a\n(", "can't be read: unclosed group"),
            (&*"(a)".repeat(5000), "has too many groups for its size"),
        ] {
            let refused = Expression::of(pattern).expect_err(pattern);
            assert!(refused.starts_with(told), "{refused}");
        }
        assert!(Expression::of(&"(a)".repeat(50)).is_ok());
    }

    #[test]
    fn patience_ends_with_its_time_or_with_the_work() {
        let stop = AtomicBool::new(false);
        let patience = Patience::of(Duration::from_secs(600), &stop);
        assert!(!patience.is_over());
        assert!(Patience::of(Duration::ZERO, &stop).is_over());
        stop.store(true, Ordering::Relaxed);
        assert!(patience.is_over());
    }
}
