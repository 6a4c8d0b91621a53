//! The store in a database keeps to what PostgreSQL has in common with its kin: every
//! statement and every migration of `store/postgres` is read, and what is outside is refused. `docs/architecture.md`,
//! "One SQL for several engines".

use crate::sources::{root, rust_files};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;

/// What not every one of them has, or has differently.
const REFUSED: &[(&str, &str)] = &[
    ("create sequence", "numbers come from rows of `counters`"),
    ("serial", "numbers come from rows of `counters`"),
    ("generated always", "numbers come from rows of `counters`"),
    ("nextval", "numbers come from rows of `counters`"),
    ("trigger", "the service does it"),
    ("create function", "the service does it"),
    ("create procedure", "the service does it"),
    ("do $$", "the service does it"),
    ("create extension", "not every operator may"),
    (
        "foreign key",
        "rows of one dataset are checked by who writes them",
    ),
    (
        "references ",
        "rows of one dataset are checked by who writes them",
    ),
    ("advisory", "lock a row"),
    ("lock table", "lock a row"),
    ("listen ", "look again"),
    ("notify ", "look again"),
    ("merge into", "insert … on conflict"),
    ("exclude using", "a unique index"),
    ("inherits", "a table of its own"),
    ("partition by", "what the operator does"),
    ("ctid", "a key"),
    ("xmin", "a version"),
    ("create temp", "arrays with unnest"),
    ("unlogged", "what was acknowledged is kept"),
    ("materialized", "a table"),
    ("declare ", "pages by key"),
    ("savepoint", "a transaction of its own"),
    ("deferrable", "order the statements"),
];

/// What a text begins with that is a statement, or a piece of one.
const VERBS: &[&str] = &[
    "select ",
    "insert ",
    "update ",
    "delete ",
    "create ",
    "alter ",
    "drop ",
    "set ",
    "begin",
    "with ",
    "lock ",
    "listen ",
    "notify ",
    "merge ",
    // pieces of which searches are put together
    "exists ",
    "and ",
    "or ",
    "order by ",
];

/// A statement, or a file of them, and where it stands.
struct Sql {
    place: String,
    text: String,
}

fn add_literals(tokens: TokenStream, place: &str, found: &mut Vec<Sql>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_literals(group.stream(), place, found),
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) else {
                    continue;
                };
                let text = folded(&text.value());
                if VERBS.iter().any(|verb| text.starts_with(verb)) {
                    let place = format!("{place}:{line}");
                    found.push(Sql { place, text });
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// In small letters, with one space where there is any.
fn folded(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

fn migrations() -> Vec<Sql> {
    let folder = root().join("runtime/store/postgres/migrations");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("migrations")
        .flatten()
        .collect();
    files.sort_by_key(fs::DirEntry::file_name);
    let read = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("a migration");
        // what a comment says is for people
        let lines = text
            .lines()
            .map(|line| line.split("--").next().unwrap_or_default());
        Sql {
            place: entry.file_name().to_string_lossy().into_owned(),
            text: folded(&lines.collect::<Vec<_>>().join("\n")),
        }
    };
    files.into_iter().map(read).collect()
}

/// All that is sent.
fn statements() -> Vec<Sql> {
    let mut statements = migrations();
    assert!(statements.len() >= 2, "the migrations are found");
    for file in rust_files() {
        if file.path.starts_with("runtime/store/postgres/src/") {
            let tokens: TokenStream = file.text.parse().expect("Rust");
            add_literals(tokens, &file.path, &mut statements);
        }
    }
    statements
}

fn refusals(sql: &Sql) -> Vec<String> {
    let found = REFUSED.iter().filter(|(words, _)| sql.text.contains(words));
    found
        .map(|(words, instead)| {
            format!(
                "{}: `{}` is not portable: {instead}",
                sql.place,
                words.trim()
            )
        })
        .collect()
}

#[test]
fn every_statement_of_a_database_keeps_to_what_its_kin_have_too() {
    let statements = statements();
    assert!(
        statements.len() > 60,
        "the statements are found: {}",
        statements.len()
    );
    let refused: Vec<_> = statements.iter().flat_map(refusals).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn the_keys_of_what_is_a_datasets_begin_with_the_dataset() {
    let mut wrong = Vec::new();
    let mut tables = 0;
    for file in migrations() {
        for statement in file.text.split(';').map(str::trim) {
            let is_a_datasets = statement.contains("( dataset bigint");
            if let Some((_, key)) = statement
                .split_once("primary key (")
                .filter(|_| is_a_datasets)
            {
                tables += 1;
                if !key.starts_with("dataset,") {
                    wrong.push(statement.to_owned());
                }
            }
            // what is the only one of its kind can only be so within a shard
            let unique = statement.strip_prefix("create unique index ");
            let columns = unique.and_then(|index| index.split_once('('));
            if columns.is_some_and(|(_, columns)| !columns.starts_with("dataset,")) {
                wrong.push(statement.to_owned());
            }
        }
    }
    assert!(tables >= 5, "the tables are found: {tables}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The tables that are a dataset's, by the migrations.
fn tables_of_datasets() -> BTreeSet<String> {
    let files = migrations();
    let statements = files.iter().flat_map(|file| file.text.split(';'));
    let tables = statements.filter_map(|statement| {
        let (name, columns) = statement
            .trim()
            .strip_prefix("create table ")?
            .split_once(" (")?;
        columns
            .trim_start()
            .starts_with("dataset bigint")
            .then(|| name.to_owned())
    });
    tables.collect()
}

#[test]
fn citus_divides_every_table_that_is_a_datasets() {
    let source = fs::read_to_string(root().join("runtime/store/postgres/src/citus.rs"));
    let source = source.expect("the source");
    let list = source.split_once("const DIVIDED: &[&str] = &[");
    let list = list.and_then(|(_, rest)| rest.split_once("];"));
    let (list, _) = list.expect("the list");
    let names = list.split('"').skip(1).step_by(2).map(str::to_owned);
    assert_eq!(names.collect::<BTreeSet<_>>(), tables_of_datasets());
}

#[test]
fn rows_of_a_dataset_are_held_and_followed_within_it() {
    let tables = tables_of_datasets();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for sql in statements() {
        let words: Vec<&str> = sql.text.split(' ').collect();
        let mut pairs = words.windows(2);
        let is_a_datasets = pairs.any(|pair| pair[0] == "from" && tables.contains(pair[1]));
        let is_asked = ["for update", "for share", "with recursive", "lateral"]
            .iter()
            .any(|words| sql.text.contains(words));
        if is_a_datasets && is_asked {
            seen += 1;
            if !sql.text.contains("dataset = $1") {
                wrong.push(format!("{}: {}", sql.place, sql.text));
            }
        }
    }
    assert!(seen >= 4, "the statements are found: {seen}");
    assert!(wrong.is_empty(), "of several shards:\n{}", wrong.join("\n"));
}

#[test]
fn what_is_not_portable_is_told() {
    let sql = |text: &str| Sql {
        place: "here".to_owned(),
        text: folded(text),
    };
    assert_eq!(refusals(&sql("SELECT pg_advisory_lock(1)")).len(), 1);
    assert_eq!(
        refusals(&sql(
            "CREATE TABLE t (id bigserial, o bigint REFERENCES  u)"
        ))
        .len(),
        2
    );
    assert!(refusals(&sql("SELECT number FROM migrations FOR UPDATE")).is_empty());
}
