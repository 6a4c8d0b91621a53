//! What is cited is there: each comment that names a heading of the handbooks (`docs/rules.md, "Numbers"`), each
//! handbook that names one of another, each link of the handbooks and of READMEs to a file, and each file that the
//! map of the house or a package's front page names, which each package has, and each function that its walk names. The map
//! has every room.

use super::sources::{packages, root, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const BOOKS: &str = "runtime/docs";

/// The headings of each handbook, by its file's name.
fn headings() -> BTreeMap<String, Vec<String>> {
    let mut books = BTreeMap::new();
    for entry in fs::read_dir(root().join(BOOKS)).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            // what a page gives along
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        let lines = prose(&text).into_iter();
        let headings = lines.filter_map(|line| Some(line.strip_prefix("## ")?.to_owned()));
        books.insert(name, headings.collect());
    }
    assert!(books.len() >= 3, "the handbooks are found");
    books
}

/// The lines of a page that are no code.
fn prose(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line);
        }
    }
    lines
}

/// The comments of a source, lines that follow one another as one text, each with its first line's number.
fn comments(source: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in source.lines().enumerate() {
        let Some(at) = line.find("//") else {
            is_open = false;
            continue;
        };
        let text = line[at..].trim_start_matches(['/', '!']).trim();
        // a comment behind code stands alone
        let is_whole = line[..at].trim().is_empty();
        match found.last_mut().filter(|_| is_open && is_whole) {
            Some((_, before)) => {
                before.push(' ');
                before.push_str(text);
            }
            None => found.push((number + 1, text.to_owned())),
        }
        is_open = is_whole;
    }
    found
}

/// The files and headings that a text cites: what begins with `start` and a file's name, and the headings
/// in quotes behind it, several with `and` between them. A file alone is cited with no heading.
fn cited<'t>(text: &'t str, start: &str, end: &str) -> Vec<(&'t str, Option<&'t str>)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(start) {
        let rest = &text[at + start.len()..];
        let Some(stop) = rest.find(".md") else {
            continue;
        };
        let file = &rest[..stop + 3];
        // another word, such as a placeholder
        if !file[..stop].chars().all(|c| c.is_ascii_lowercase()) {
            continue;
        }
        let mut behind = rest[stop + 3..].strip_prefix(end).unwrap_or_default();
        let before = found.len();
        let mut joint = ", \"";
        while let Some((heading, next)) = behind
            .strip_prefix(joint)
            .and_then(|quoted| quoted.split_once('"'))
        {
            found.push((file, Some(heading)));
            (behind, joint) = (next, " and \"");
        }
        if found.len() == before {
            found.push((file, None));
        }
    }
    found
}

/// Says what is cited at a place and is not there.
fn missing(
    books: &BTreeMap<String, Vec<String>>,
    place: &str,
    cited: &[(&str, Option<&str>)],
) -> Vec<String> {
    let is_missing = |(file, heading): &&(&str, Option<&str>)| match (books.get(*file), heading) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(headings), Some(heading)) => !headings.iter().any(|own| own == heading),
    };
    cited
        .iter()
        .filter(is_missing)
        .map(|(file, heading)| format!("{place}: {file}, {heading:?}"))
        .collect()
}

#[test]
fn every_heading_that_is_cited_is_there() {
    let books = headings();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in rust_files() {
        for (line, comment) in comments(&file.text) {
            let cited = cited(&comment, "docs/", "");
            count += cited.len();
            wrong.extend(missing(&books, &format!("{}:{line}", file.path), &cited));
        }
    }
    for name in books.keys() {
        let text = fs::read_to_string(root().join(BOOKS).join(name)).unwrap();
        let text = prose(&text).join(" ");
        // a book's own headings are named without the book
        for (at, start) in text.match_indices("ee \"") {
            let heading = text[at + start.len()..].split('"').next();
            let own = [(name.as_str(), heading)];
            count += 1;
            wrong.extend(missing(&books, name, &own));
        }
        let of_others = cited(&text, "](", ")");
        let by_path = cited(&text, "`docs/", "");
        let books_alone = |(file, _): &(&str, Option<&str>)| books.contains_key(*file);
        let all: Vec<_> = of_others
            .into_iter()
            .filter(books_alone)
            .chain(by_path)
            .collect();
        count += all.len();
        wrong.extend(missing(&books, name, &all));
    }
    assert!(count > 10, "citations are found");
    assert!(wrong.is_empty(), "not there:\n{}", wrong.join("\n"));
}

#[test]
fn no_two_headings_of_the_handbooks_are_the_same() {
    let mut seen = BTreeSet::new();
    let twice: Vec<String> = headings()
        .into_values()
        .flatten()
        .filter(|heading| !seen.insert(heading.clone()))
        .collect();
    assert!(twice.is_empty(), "name these apart: {twice:?}");
}

/// The front page of each package.
fn front_pages() -> impl Iterator<Item = String> {
    packages()
        .into_iter()
        // describes the files, with patterns for their names
        .filter(|package| !["fixtures", "tests", "tests/golden"].contains(&&**package))
        .map(|package| format!("{package}/README.md"))
}

#[test]
fn every_file_that_a_front_page_names_is_there() {
    let (mut absent, mut count) = (Vec::new(), 0);
    for page in front_pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap_or_else(|_| panic!("no {page}"));
        let folder = root().join(Path::new(&page).parent().unwrap());
        for named in prose(&text).join("\n").split('`').skip(1).step_by(2) {
            // a command, an address, a pattern
            let is_path = named.contains('/') && !named.contains([' ', '*', ':']);
            if !is_path || named.starts_with('/') {
                continue;
            }
            count += 1;
            if !folder.join(named).exists() && !root().join(named).exists() {
                absent.push(format!("{page}: {named}"));
            }
        }
    }
    assert!(count > 20, "front pages name files");
    assert!(absent.is_empty(), "not there:\n{}", absent.join("\n"));
}

#[test]
fn every_link_leads_to_a_file() {
    let books = headings().into_keys().map(|name| format!("{BOOKS}/{name}"));
    let fronts = front_pages().chain(["README.md".to_owned()]);
    let (mut broken, mut count) = (Vec::new(), 0);
    for page in books.chain(fronts) {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        let folder = Path::new(&page).parent().unwrap();
        for line in prose(&text) {
            for (at, start) in line.match_indices("](") {
                let target = line[at + start.len()..].split([')', '#']).next().unwrap();
                if target.is_empty() || target.contains("://") {
                    continue;
                }
                count += 1;
                if !root().join(folder).join(target).exists() {
                    broken.push(format!("{page}: {target}"));
                }
            }
        }
    }
    assert!(count > 5, "the pages have links");
    assert!(broken.is_empty(), "lead nowhere:\n{}", broken.join("\n"));
}

/// A path as the map tells it: where sources stand in a package goes without saying.
fn told(path: &str) -> String {
    let segments = path.split('/').filter(|segment| *segment != "src");
    format!("/{}", segments.collect::<Vec<_>>().join("/"))
}

#[test]
fn every_file_that_the_map_names_is_there() {
    let map = fs::read_to_string(root().join(BOOKS).join("architecture.md")).unwrap();
    let files: Vec<String> = rust_files().iter().map(|file| told(&file.path)).collect();
    let (mut absent, mut count) = (Vec::new(), 0);
    for named in map.split('`').skip(1).step_by(2) {
        let path = named.split("::").next().unwrap();
        let is_source = Path::new(path).extension().is_some_and(|end| end == "rs");
        if !is_source || path.contains(' ') {
            continue;
        }
        count += 1;
        let end = told(path);
        if !files.iter().any(|file| file.ends_with(&end)) {
            absent.push(path);
        }
    }
    assert!(count > 20, "the map names files");
    assert!(absent.is_empty(), "not there: {absent:?}");
}

/// The room of a file, where its package has one for it: the first folder below its sources.
fn room(path: &str) -> Option<&str> {
    let (package, within) = path.split_once("/src/")?;
    let is_of_a_product = !package.starts_with("tests") && !package.contains("/tests");
    let (room, _) = within.split_once('/')?;
    is_of_a_product.then_some(room)
}

#[test]
fn every_room_stands_on_the_map() {
    let map = fs::read_to_string(root().join(BOOKS).join("architecture.md")).unwrap();
    let named = map.split('`').skip(1).step_by(2);
    let named = named.flat_map(|named| named.split(['/', ':']));
    let named: BTreeSet<&str> = named.map(|it| it.trim_end_matches(".rs")).collect();
    let files = rust_files();
    let rooms: BTreeSet<&str> = files.iter().filter_map(|file| room(&file.path)).collect();
    assert!(rooms.len() > 20, "packages have rooms: {rooms:?}");
    let absent: Vec<_> = rooms.difference(&named).collect();
    assert!(absent.is_empty(), "not on the map: {absent:?}");
}

#[test]
fn a_citation_is_read_over_line_breaks() {
    // in parts, so that this is no citation itself
    let source = [
        "//! All of it (",
        "docs/rules.md, \"Missing\n//! values\" and \"Bodies\").\nlet x = 1; // see ",
        "docs/none.md\n",
    ];
    let comments = comments(&source.concat());
    let found: Vec<_> = comments
        .iter()
        .flat_map(|(line, text)| {
            cited(text, "docs/", "")
                .into_iter()
                .map(move |(file, heading)| (*line, file, heading))
        })
        .collect();
    assert_eq!(
        found,
        [
            (1, "rules.md", Some("Missing values")),
            (1, "rules.md", Some("Bodies")),
            (3, "none.md", None),
        ]
    );
}

/// What comments cited before the handbooks were here.
const ABSENT: &[&str] = &[
    "decisions section",
    "decisions, section",
    "decisions ask",
    "interface, \"",
];

/// Whether a comment cites one of these.
fn cites_what_is_absent(comment: &str) -> bool {
    let comment = comment.to_lowercase();
    ABSENT.iter().any(|words| comment.contains(words))
}

#[test]
fn no_comment_cites_what_the_repository_does_not_have() {
    let mut absent = Vec::new();
    for file in rust_files() {
        // the words themselves stand here
        if file.path.ends_with("tidy/citations.rs") {
            continue;
        }
        for (line, comment) in comments(&file.text) {
            if cites_what_is_absent(&comment) {
                absent.push(format!("{}:{line}", file.path));
            }
        }
    }
    let folders = packages().into_iter().map(|package| format!("{package}/"));
    for path in folders
        .chain([String::new()])
        .map(|folder| folder + "Cargo.toml")
    {
        let manifest = fs::read_to_string(root().join(&path)).expect("a manifest");
        for (line, text) in manifest.lines().enumerate() {
            let comment = text.split_once('#').map_or("", |(_, comment)| comment);
            if cites_what_is_absent(comment) {
                absent.push(format!("{path}:{}", line + 1));
            }
        }
    }
    assert!(
        absent.is_empty(),
        "cite a heading of {BOOKS}:\n{}",
        absent.join("\n")
    );
}

#[test]
fn each_function_that_the_walk_of_an_update_names_is_in_its_file() {
    let map = fs::read_to_string(root().join(BOOKS).join("architecture.md")).unwrap();
    let (_, walk) = map.split_once("## The walk of an update").unwrap();
    let (walk, _) = walk.split_once("\n## ").unwrap();
    let sources = rust_files();
    let mut steps = 0;
    for line in walk.lines() {
        let Some((number, (file, rest))) = line
            .split_once(". `")
            .and_then(|(number, step)| Some((number, step.split_once("`, `")?)))
        else {
            continue;
        };
        let name = rest.split('`').next().unwrap_or_default();
        let name = name.rsplit("::").next().unwrap_or_default();
        let begins = [format!("fn {name}("), format!("fn {name}<")];
        let is_there = sources.iter().any(|source| {
            let path = format!("/{}", source.path.replace("/src/", "/"));
            path.ends_with(&format!("/{file}"))
                && begins.iter().any(|begin| source.text.contains(begin))
        });
        assert!(is_there, "step {number}: {file} has no function {name}");
        steps += 1;
    }
    assert!(steps > 20, "the steps are found: {steps}");
}
