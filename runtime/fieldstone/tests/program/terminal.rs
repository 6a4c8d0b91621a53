//! What a command shows on a terminal: a bar with rate and time left while it works, and nothing of it behind its end.

use crate::support::{process, succeed, text, write_company};
use regex::Regex;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::tempdir;

/// Rows that take a while.
const ROWS: u32 = 10_000;

/// What a terminal of 120 columns got of a command that did its work.
fn typed(folder: &Path, arguments: &str) -> String {
    let program = env!("CARGO_BIN_EXE_fieldstone");
    let line = format!("stty rows 24 cols 120 && exec '{program}' {arguments}");
    // of util-linux: what it begins has a terminal, and what that gets is its output
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]);
    for (name, value) in process(folder).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("SHELL", "/bin/sh").env("TERM", "xterm");
    let command = command.current_dir(folder).stdin(Stdio::null());
    let output = command.output().expect("`script` of util-linux");
    let typed = text(&output.stdout);
    assert!(output.status.success(), "{typed}{}", text(&output.stderr));
    typed
}

/// A terminal, as far as bars ask for one.
#[derive(Default)]
struct Screen {
    lines: Vec<Vec<char>>,
    row: usize,
    column: usize,
}

impl Screen {
    /// What stays on it.
    fn behind(typed: &str) -> String {
        let mut screen = Screen::default();
        let mut rest = typed.chars();
        while let Some(next) = rest.next() {
            match next {
                '\r' => screen.column = 0,
                '\n' => screen.row += 1,
                '\u{1b}' => {
                    let is_inside = |next: &char| !next.is_ascii_alphabetic();
                    let figures: String = rest.by_ref().take_while(is_inside).collect();
                    // which letter it was, is before what is left
                    let behind = typed.len() - rest.as_str().len();
                    let letter = typed[..behind].chars().next_back();
                    screen.obey(letter, figures.trim_start_matches('['));
                }
                next => screen.put(next),
            }
        }
        let lines = screen.lines.iter().map(|line| line.iter().collect());
        lines.collect::<Vec<String>>().join("\n")
    }

    fn line(&mut self) -> &mut Vec<char> {
        if self.lines.len() <= self.row {
            self.lines.resize(self.row + 1, Vec::new());
        }
        &mut self.lines[self.row]
    }

    fn put(&mut self, letter: char) {
        let column = self.column;
        let line = self.line();
        if line.len() <= column {
            line.resize(column + 1, ' ');
        }
        line[column] = letter;
        self.column += 1;
    }

    fn obey(&mut self, letter: Option<char>, figures: &str) {
        let count = figures.parse().unwrap_or(1);
        let column = self.column;
        match (letter, figures) {
            (Some('A'), _) => self.row = self.row.saturating_sub(count),
            (Some('B'), _) => self.row += count,
            (Some('C'), _) => self.column += count,
            (Some('D'), _) => self.column = column.saturating_sub(count),
            (Some('K'), "2") => self.line().clear(),
            (Some('K'), _) => self.line().truncate(column),
            // colours, and whether the cursor is seen
            _ => {}
        }
    }
}

#[test]
fn a_bar_on_a_terminal_has_rate_and_time_left_and_is_gone_when_the_work_is_done() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let mut rows = String::new();
    for row in 0..ROWS {
        writeln!(rows, "{{\"Name\":\"K{row}\",\"People\":{row}}}").expect("a text takes it");
    }
    std::fs::write(path.join("rows.ndjson"), rows).expect("written");
    let import = "--data data import rows.ndjson --into Places/City/Cities";
    let typed = typed(path, import);
    let bar = r"rows\.ndjson: [1-9]\d* rows, [1-9]\d* a second .* [1-9]\d* %, \S+ left";
    let bar = Regex::new(bar).expect("a pattern");
    assert!(
        typed.split(['\r', '\n']).any(|it| bar.is_match(it)),
        "{typed:?}"
    );
    let stays = Screen::behind(&typed);
    let report = format!("rows.ndjson: {ROWS} rows: {ROWS} new, ");
    assert!(stays.contains(&report), "{stays:?}");
    for part in ["sending", " a second", " left\n", " %"] {
        assert!(!stays.contains(part), "{part}: {stays:?}");
    }
}

#[test]
fn what_a_terminal_was_told_to_clear_does_not_stay() {
    let typed = "first\r\n\u{1b}[?25lwork 10 %\r\u{1b}[2K50 %\r\n60 %\u{1b}[1A\r\u{1b}[2K\u{1b}[1B\r\u{1b}[Kdone\u{1b}[1D!\r\n";
    assert_eq!(Screen::behind(typed), "first\n\ndon!");
}
