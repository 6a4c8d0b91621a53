//! One problem of one schema, shown at its place in the source as a compiler does it. Whether a problem is
//! one is decided by the reader of schemas, never here.

use crate::message::Palette;
use schema::{Problem, Severity};
use std::collections::HashMap;
use std::fmt::Write as _;

/// One problem of one schema, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The name of the input.
    pub input: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, where in the document, and what to do.
    pub problem: Problem,
    /// The line of the source, or the part of a long one around the place.
    pub excerpt: String,
    /// Where in the excerpt the marks begin, and how many there are, in characters.
    pub marks: (usize, usize),
}

/// How much of a long line is shown on either side.
const EXCERPT_SIDE: usize = 60;

impl Report {
    /// A problem of a text, with the line around its place.
    pub(crate) fn new(input: &str, text: &str, problem: Problem) -> Self {
        let mut offset = problem.offset.unwrap_or(0).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = text[offset..]
            .find('\n')
            .map_or(text.len(), |at| offset + at);
        let before: Vec<char> = text[start..offset].chars().collect();
        let after: Vec<char> = text[offset..end].trim_end().chars().collect();
        let marked = token_length(&after).min(EXCERPT_SIDE);
        let head = before.len().saturating_sub(EXCERPT_SIDE);
        let tail = after.len().min(EXCERPT_SIDE);
        let clean = |c: &char| if c.is_control() { ' ' } else { *c };
        let mut excerpt = String::new();
        if head > 0 {
            excerpt.push('…');
        }
        let at = before.len() - head + usize::from(head > 0);
        excerpt.extend(before[head..].iter().chain(&after[..tail]).map(clean));
        if tail < after.len() {
            excerpt.push('…');
        }
        Report {
            input: input.to_owned(),
            line: text[..start].matches('\n').count() + 1,
            column: before.len() + 1,
            problem,
            excerpt,
            marks: (at, marked.max(1)),
        }
    }

    /// Whether it is an error and no warning.
    pub fn is_error(&self) -> bool {
        self.problem.severity == Severity::Error
    }

    /// The report as a compiler would show it, several lines long.
    pub fn render(&self, palette: &Palette) -> String {
        let Palette {
            ruler, note, reset, ..
        } = palette;
        let (colour, word) = match self.problem.severity {
            Severity::Error => (&palette.error, "error"),
            Severity::Warning => (&palette.warning, "warning"),
        };
        let Report {
            input,
            line,
            column,
            excerpt,
            ..
        } = self;
        let Problem {
            path,
            message,
            help,
            ..
        } = &self.problem;
        let number = line.to_string();
        let gap = " ".repeat(number.len());
        let lead = " ".repeat(self.marks.0);
        let marks = "^".repeat(self.marks.1);
        format!(
            "{colour}{word}{reset}: {message}\n\
             {gap}{ruler}-->{reset} {input}:{line}:{column}, {path}\n\
             {gap} {ruler}|{reset}\n\
             {ruler}{number} |{reset} {excerpt}\n\
             {gap} {ruler}|{reset} {lead}{colour}{marks}{reset}\n\
             {gap} {ruler}={reset} {note}help{reset}: {help}\n"
        )
    }
}

/// Reports that say the same of several places.
pub struct Group<'r> {
    /// The first of them.
    pub first: &'r Report,
    /// The others, in order.
    pub others: Vec<&'r Report>,
}

/// How many of the other places of a group are named.
const NAMED_MAX: usize = 3;

impl Group<'_> {
    /// The first report as a compiler would show it, and where else it holds.
    pub fn render(&self, palette: &Palette) -> String {
        let mut text = self.first.render(palette);
        if let Some(others) = self.others_in_words() {
            let Palette {
                ruler, note, reset, ..
            } = palette;
            let gap = " ".repeat(self.first.line.to_string().len());
            // INVARIANT: a text takes whatever is written to it
            let _ = writeln!(
                text,
                "{gap} {ruler}={reset} {note}note{reset}: the same {others}"
            );
        }
        text
    }

    /// All of it in one line.
    pub(crate) fn line(&self) -> String {
        let Report {
            input,
            line,
            column,
            problem,
            ..
        } = self.first;
        let others = self.others_in_words();
        let others = others.map_or_else(String::new, |others| format!(" (the same {others})"));
        format!("{input}:{line}:{column}: {problem}{others}")
    }

    fn others_in_words(&self) -> Option<String> {
        let named = self.others.iter().take(NAMED_MAX);
        let named: Vec<String> = named
            .map(|report| format!("{}:{}:{}", report.input, report.line, report.column))
            .collect();
        let more = match self.others.len().saturating_sub(NAMED_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!named.is_empty()).then(|| format!("at {}{more}", named.join(", ")))
    }
}

/// The reports, warnings of one message as one group; each error stays by itself, as each is to be mended.
pub fn grouped<'r>(reports: impl IntoIterator<Item = &'r Report>) -> Vec<Group<'r>> {
    let mut groups: Vec<Group<'r>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for report in reports {
        if !report.is_error()
            && let Some(at) = places.get(report.problem.message.as_str())
        {
            groups[*at].others.push(report);
            continue;
        }
        if !report.is_error() {
            places.insert(&report.problem.message, groups.len());
        }
        groups.push(Group {
            first: report,
            others: Vec::new(),
        });
    }
    groups
}

/// How many characters the JSON token at the start of `line` has.
fn token_length(line: &[char]) -> usize {
    match line.first() {
        Some('"') => {
            let mut escaped = false;
            let close = line.iter().skip(1).position(|c| {
                let closes = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                closes
            });
            close.map_or(line.len(), |at| at + 2)
        }
        Some('{' | '[') | None => 1,
        Some(_) => line
            .iter()
            .position(|c| c.is_whitespace() || ",]}".contains(*c))
            .unwrap_or(line.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::Path;

    fn report(text: &str, offset: usize) -> Report {
        let mut problem = Problem::new(
            Severity::Error,
            Path::root().key("min"),
            "it is wrong",
            "mend it",
        );
        problem.offset = Some(offset);
        Report::new("a.json", text, problem)
    }

    #[test]
    fn a_report_points_at_the_token() {
        let text = "{\n  \"min\": \"ä\\\"b\", \"max\": 3\n}";
        let shown = report(text, text.find("\"ä").unwrap()).render(&Palette::default());
        assert_eq!(
            shown,
            "error: it is wrong\n --> a.json:2:10, $.min\n  |\n2 |   \"min\": \"ä\\\"b\", \"max\": 3\n  |          ^^^^^^\n  = help: mend it\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}7{}", "x".repeat(5000), ",".repeat(5000));
        let found = report(&text, 5000);
        assert_eq!(found.column, 5001);
        assert!(found.excerpt.chars().count() < 130);
        assert_eq!(found.excerpt.chars().nth(found.marks.0), Some('7'));
        assert_eq!(found.marks.1, 1);
    }

    #[test]
    fn a_warning_that_repeats_is_told_once_with_its_places_and_an_error_each_time() {
        let of = |severity, offset| {
            let mut problem = Problem::new(severity, Path::root(), "it is odd", "mend it");
            problem.offset = Some(offset);
            Report::new("a.json", "1\n2\n3\n4\n5\n6\n", problem)
        };
        let odd: Vec<Report> = (0..6).map(|n| of(Severity::Warning, n * 2)).collect();
        let groups = grouped(&odd);
        assert_eq!(groups.len(), 1);
        let shown = groups[0].render(&Palette::default());
        let note = "  = note: the same at a.json:2:1, a.json:3:1, a.json:4:1 and 2 more\n";
        assert!(shown.ends_with(note), "{shown}");
        let two = grouped(&odd[..2]);
        assert!(two[0].line().ends_with(" (the same at a.json:2:1)"));
        let wrong: Vec<Report> = (0..6).map(|n| of(Severity::Error, n * 2)).collect();
        assert_eq!(grouped(&wrong).len(), 6);
    }

    #[test]
    fn an_offset_at_the_end_or_inside_a_character_is_no_panic() {
        assert_eq!(report("", 0).line, 1);
        assert_eq!(report("{\n", 2).line, 2);
        assert_eq!(report("ä", 1).column, 1);
        assert_eq!(report("a", 99).column, 2);
    }
}
