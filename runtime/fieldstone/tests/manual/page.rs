//! A page of the manual as a story: its `sh` blocks are one script, blocks with a file's name behind their
//! language are files beside it, and a `text` block right behind a `sh` block is what that one prints, where `…`
//! stands for anything. A block that only starts the server starts one that stays.

use std::fs;
use std::path::Path;

/// A block of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// Commands, and the lines that they print, where the page shows some.
    Commands { lines: String, prints: Vec<String> },
    /// `fieldstone serve`, with these words behind it.
    Serve(String),
    /// A file.
    File { name: String, content: String },
}

/// The blocks of a page; of one section, where its heading is named.
pub(crate) fn blocks(page: &Path, section: Option<&str>) -> Vec<Block> {
    let text = fs::read_to_string(page).expect("the page");
    let blocks = parse(&text, section);
    assert!(!blocks.is_empty(), "{}: {section:?}", page.display());
    blocks
}

fn parse(text: &str, section: Option<&str>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut is_wanted = section.is_none();
    let mut open: Option<(&str, String)> = None;
    // whether the block before is one of commands, with nothing but an empty line since
    let mut follows = false;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info, String::new())),
            (None, None) => {
                if let (Some(heading), Some(wanted)) = (line.strip_prefix("## "), section) {
                    is_wanted = heading == wanted;
                }
                follows &= line.is_empty();
            }
            (Some((_, content)), None) => {
                content.push_str(line);
                content.push('\n');
            }
            (Some((info, content)), Some(_)) => {
                let content = std::mem::take(content);
                if is_wanted {
                    follows = take(&mut blocks, info, content, follows);
                }
                open = None;
            }
        }
    }
    assert!(open.is_none(), "a block does not end");
    blocks
}

/// The head of a block: the section that it stands in, the words behind its fence, and whether it is right behind
/// commands, where it shows what they print.
#[derive(Debug)]
pub(crate) struct Head<'t> {
    pub(crate) section: &'t str,
    pub(crate) info: &'t str,
    pub(crate) is_printed: bool,
}

/// The heads of all blocks of a page.
pub(crate) fn heads(text: &str) -> Vec<Head<'_>> {
    let (mut heads, mut section) = (Vec::new(), "");
    let (mut is_open, mut follows) = (false, false);
    for line in text.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(info) if !is_open => {
                heads.push(Head {
                    section,
                    info,
                    is_printed: follows && info == "text",
                });
                (is_open, follows) = (true, info == "sh");
            }
            Some(_) => is_open = false,
            None if is_open => {}
            None => {
                section = line.strip_prefix("## ").unwrap_or(section);
                follows &= line.is_empty();
            }
        }
    }
    heads
}

/// Takes a block; whether what it prints may follow.
fn take(blocks: &mut Vec<Block>, info: &str, content: String, follows: bool) -> bool {
    if let Some((_, name)) = info.split_once(' ') {
        let name = name.to_owned();
        blocks.push(Block::File { name, content });
        return false;
    }
    match (info, blocks.last_mut()) {
        ("sh", _) => {
            let served = content.trim().strip_prefix("fieldstone serve");
            blocks.push(match served.filter(|more| !more.contains('\n')) {
                Some(more) => Block::Serve(more.trim().to_owned()),
                None => Block::Commands {
                    lines: content,
                    prints: Vec::new(),
                },
            });
            return true;
        }
        ("text", Some(Block::Commands { prints, .. })) if follows => {
            prints.extend(content.lines().map(str::to_owned));
        }
        _ => {}
    }
    false
}

/// Refuses what was printed when a line of those expected is not found, in their order.
pub(crate) fn compare(printed: &str, expected: &[String]) -> Result<(), String> {
    let mut lines = printed.lines();
    for line in expected.iter().filter(|line| !line.trim().is_empty()) {
        if !lines.any(|printed| is_like(printed.trim(), line.trim())) {
            return Err(format!("not printed, or not there: {line}"));
        }
    }
    Ok(())
}

/// Whether a line is another one, where `…` stands for anything.
fn is_like(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.split_once(part) {
            Some((_, more)) => rest = more,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// What must hold of this file, where the harness of the stories has no tests of its own.
pub(crate) fn pages_are_read_as_they_are_meant() {
    let page = "# P\n## A\n```sh\necho 1\n```\n\n```text\n1…\n```\n```sh\nfieldstone serve --demo\n```\n## B\n\n```python x.py\npass\n```\n```text\nno\n```\n";
    let commands = Block::Commands {
        lines: "echo 1\n".to_owned(),
        prints: vec!["1…".to_owned()],
    };
    let file = Block::File {
        name: "x.py".to_owned(),
        content: "pass\n".to_owned(),
    };
    let serve = Block::Serve("--demo".to_owned());
    assert_eq!(parse(page, Some("B")), [file]);
    assert_eq!(parse(page, Some("A")), [commands, serve]);
    assert_eq!(parse(page, None).len(), 3);
    assert!(is_like("a b c", "a…c") && is_like("a", "a…") && is_like("x: 1, y", "…: 1…"));
    assert!(!is_like("a b", "a") && !is_like("a b", "…c") && !is_like("b a", "a…"));
    assert!(compare("1\n2\n3", &["1".to_owned(), "3".to_owned()]).is_ok());
    assert!(compare("3\n1", &["1".to_owned(), "3".to_owned()]).is_err());
}
