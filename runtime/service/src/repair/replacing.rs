//! Texts that are put together of parts of others, and never get longer than they may: building stops there, however
//! much a small request asks for.
//!
//! | with | stands for |
//! | - | - |
//! | `$1`, `${1}` | the first group of the expression; `$0` is the whole match |
//! | `$name`, `${name}` | the group of that name |
//! | `$$` | a `$` |
//!
//! Without braces a name is as long as letters, digits and `_` go on: `$1w` asks for a group `1w`.

use super::expression::{Expression, Patience};
use regex::{Captures, Regex};

/// How many groups a text may name: a match takes as many turns.
const GROUPS_MAX: usize = 100;

/// Why a text is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unmade {
    /// It would be longer than it may be.
    TooLarge,
    /// It takes longer than it may, or would.
    TooSlow,
}

/// A text that takes parts as long as there is room.
#[derive(Debug)]
pub(super) struct BoundedText {
    text: String,
    bytes_max: usize,
}

impl BoundedText {
    pub(super) fn new(bytes_max: usize) -> Self {
        BoundedText {
            text: String::new(),
            bytes_max,
        }
    }

    /// How many more bytes it takes.
    pub(super) fn room(&self) -> usize {
        self.bytes_max.saturating_sub(self.text.len())
    }

    pub(super) fn push(&mut self, part: &str) -> Result<(), Unmade> {
        if part.len() > self.room() {
            return Err(Unmade::TooLarge);
        }
        self.text.push_str(part);
        Ok(())
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }
}

/// A text with another one in place of each that is looked for.
pub(super) fn replaced(
    text: &str,
    (old, with): (&str, &str),
    bytes_max: usize,
) -> Result<String, Unmade> {
    let mut new = BoundedText::new(bytes_max);
    let mut end = 0;
    for (at, found) in text.match_indices(old) {
        new.push(&text[end..at])?;
        new.push(with)?;
        end = at + found.len();
    }
    new.push(&text[end..])?;
    Ok(new.into_string())
}

/// What takes the place of each match of a regular expression.
#[derive(Debug)]
pub(super) struct Template(Vec<Part>);

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// The group of this number.
    Group(usize),
}

impl Template {
    /// Reads a text as the `regex` crate does, but for groups that the expression does not have: there they stand for
    /// nothing, and whoever meant other ones loses what was there.
    ///
    /// # Errors
    /// Such a group, and too many of them, in words.
    pub(super) fn of(text: &str, regex: &Regex) -> Result<Self, String> {
        let (mut parts, mut plain, mut rest) = (Vec::new(), String::new(), text);
        let mut groups = 0;
        while let Some((before, behind)) = rest.split_once('$') {
            plain.push_str(before);
            if let Some(behind) = behind.strip_prefix('$') {
                plain.push('$');
                rest = behind;
                continue;
            }
            let Some((name, behind)) = name_of(behind) else {
                plain.push('$');
                rest = behind;
                continue;
            };
            let group = group_of(name, regex).ok_or_else(|| unknown(name, regex))?;
            parts.extend([Part::Text(std::mem::take(&mut plain)), Part::Group(group)]);
            groups += 1;
            rest = behind;
        }
        if groups > GROUPS_MAX {
            return Err(format!("names more than {GROUPS_MAX} groups"));
        }
        plain.push_str(rest);
        parts.push(Part::Text(plain));
        Ok(Template(parts))
    }

    /// A text with each match of the expression replaced.
    pub(super) fn replaced(
        &self,
        text: &str,
        expression: &Expression,
        (bytes_max, patience): (usize, &Patience<'_>),
    ) -> Result<String, Unmade> {
        if !expression.takes(text) {
            return Err(Unmade::TooSlow);
        }
        let mut new = BoundedText::new(bytes_max);
        let mut end = 0;
        for groups in expression.regex().captures_iter(text) {
            if patience.is_over() {
                return Err(Unmade::TooSlow);
            }
            let Some(found) = groups.get(0) else {
                continue;
            };
            new.push(&text[end..found.start()])?;
            self.push_to(&mut new, &groups)?;
            end = found.end();
        }
        new.push(&text[end..])?;
        Ok(new.into_string())
    }

    fn push_to(&self, new: &mut BoundedText, groups: &Captures<'_>) -> Result<(), Unmade> {
        for part in &self.0 {
            match part {
                Part::Text(text) => new.push(text)?,
                // one that did not take part in the match is empty
                Part::Group(group) => new.push(groups.get(*group).map_or("", |it| it.as_str()))?,
            }
        }
        Ok(())
    }
}

/// The name of a group behind its `$`, and what follows; `None` where no name stands.
fn name_of(text: &str) -> Option<(&str, &str)> {
    if let Some(braced) = text.strip_prefix('{') {
        return braced.split_once('}');
    }
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c: char| !is_of_name(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn group_of(name: &str, regex: &Regex) -> Option<usize> {
    match name.parse::<usize>() {
        Ok(number) => (number < regex.captures_len()).then_some(number),
        Err(_) => regex.capture_names().position(|own| own == Some(name)),
    }
}

/// What is said of a group that is not there: if the name only begins as a group's does, how that one is written.
fn unknown(name: &str, regex: &Regex) -> String {
    let is_group = |end: &usize| {
        name.get(..*end)
            .is_some_and(|it| group_of(it, regex).is_some())
    };
    match (1..name.len()).rev().find(is_group) {
        Some(end) => {
            let (group, behind) = name.split_at(end);
            let hint = format!("${{{group}}}{behind}");
            format!("names the group `{name}`, which the pattern does not have; write `{hint}`")
        }
        None => format!(
            "names the group `{name}`, which the pattern does not have; a `$` alone is written `$$`"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::tests::patience;
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    const ROOM: usize = 100;

    fn template(pattern: &str, with: &str) -> Result<(Template, Expression), String> {
        let expression = Expression::of(pattern).expect("an expression");
        Ok((Template::of(with, expression.regex())?, expression))
    }

    #[test]
    fn a_text_of_groups_is_what_the_crate_makes_of_it() {
        let pattern = "(?<first>[a-z]+)-([0-9]+)(x)?";
        for with in [
            "",
            "$1",
            "${1}w",
            "$first.$2",
            "$$1",
            "$",
            "a$",
            "$ 1",
            "${first",
            "$0$0",
            "<$3>",
            "${2}${1}",
            "$$",
            "$-$2",
            "ä$1ö",
        ] {
            let (template, expression) = template(pattern, with).expect(with);
            let room = (ROOM, &patience());
            for text in ["ab-12", "ab-12x cd-3!", "nothing", ""] {
                let made = template.replaced(text, &expression, room).expect("room");
                let known = expression.regex().replace_all(text, with);
                assert_eq!(made, known, "{with} {text}");
            }
        }
        let (template, expression) = template("b*", "-").expect("a template");
        let made = template.replaced("abc", &expression, (ROOM, &patience()));
        let known = expression.regex().replace_all("abc", "-");
        assert_eq!(made.expect("room"), known, "empty matches");
    }

    #[test]
    fn a_group_that_the_expression_does_not_have_is_told_and_how_it_was_meant() {
        for (with, told) in [
            (
                "v$1w",
                "names the group `1w`, which the pattern does not have; write `${1}w`",
            ),
            (
                "$10",
                "names the group `10`, which the pattern does not have; write `${1}0`",
            ),
            (
                "$name_",
                "names the group `name_`, which the pattern does not have; write `${name}_`",
            ),
            (
                "$USD",
                "names the group `USD`, which the pattern does not have; a `$` alone is written `$$`",
            ),
            (
                "${}",
                "names the group ``, which the pattern does not have; a `$` alone is written `$$`",
            ),
        ] {
            let refused = template("(?<name>[0-9]+)", with).expect_err(with);
            assert_eq!(refused, told, "{with}");
        }
        let many = "$1".repeat(GROUPS_MAX + 1);
        let refused = template("(a)", &many).expect_err("too many");
        assert_eq!(refused, "names more than 100 groups");
    }

    #[test]
    fn building_stops_where_a_text_would_be_too_long() {
        let text = "b".repeat(60);
        assert_eq!(replaced(&text, ("b", "z"), 60), Ok("z".repeat(60)));
        assert_eq!(replaced(&text, ("b", "zz"), 119), Err(Unmade::TooLarge));
        assert_eq!(replaced(&text, ("x", "zz"), 59), Err(Unmade::TooLarge));
        // what would be petabytes is never made
        let long = "b".repeat(1_000_000);
        assert_eq!(
            replaced(&long, ("b", &long), 1 << 20),
            Err(Unmade::TooLarge)
        );
        let (template, expression) = template("b+", &"$0".repeat(GROUPS_MAX)).expect("a template");
        let made = template.replaced(&long, &expression, (1 << 20, &patience()));
        assert_eq!(made, Err(Unmade::TooLarge));
    }

    #[test]
    fn building_stops_between_two_matches_once_it_took_its_time() {
        // each match is found once the rest of the text was read
        let (template, expression) = template(".*[^A-Z]|[A-Z]", "$0").expect("a template");
        let text = "A".repeat(1_000_000);
        let stop = AtomicBool::new(false);
        let short = Patience::of(Duration::from_millis(100), &stop);
        let made = template.replaced(&text, &expression, (1 << 20, &short));
        assert_eq!(made, Err(Unmade::TooSlow));
        // and what is too much at once is not begun
        let large = Expression::of("[01]*1[01]{8000}");
        let made = template.replaced(
            &text,
            &large.expect("an expression"),
            (1 << 20, &patience()),
        );
        assert_eq!(made, Err(Unmade::TooSlow));
    }
}
