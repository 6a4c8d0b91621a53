//! What values statements of the store in a database are of, and how they are compared: every cast, every column's type and every
//! operator is one of those that are in use. Whoever needs another one looks first what the kin of PostgreSQL have of it
//! (`docs/architecture.md`, "One SQL for several engines"), and adds it here.

use crate::portable_sql::{Sql, migrations, statements};

/// Types of values that are named: `regclass` is of the statements that set Citus up.
const CASTS: &str = "bigint boolean bytea regclass text tsquery tsvector";

/// Types of columns.
const COLUMNS: &str = "bigint boolean bytea text tsvector";

/// Of jsonb, of regular expressions and of ranges there is none; `=>` names what a function of Citus is told.
const OPERATORS: &str = "% * + - / < <= <> = => > >= @@ ||";

/// What operators are made of.
const SIGNS: &str = "+-*/<>=~!@#%^&|?";

/// A statement without what is quoted in it, and without what is put in when it is sent.
fn bare(text: &str) -> String {
    let (mut is_quoted, mut depth) = (false, 0_usize);
    let bare = text.chars().map(|letter| {
        match letter {
            '\'' => is_quoted = !is_quoted,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if is_quoted || depth > 0 => {}
            _ => return letter,
        }
        ' '
    });
    bare.collect()
}

fn is_of_names(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The casts of a statement, without what says that there are many.
fn casts(bare: &str) -> impl Iterator<Item = &str> {
    let short = bare.split("::").skip(1);
    let long = bare.split("cast(").skip(1);
    let long = long.filter_map(|rest| rest.split_once(" as ").map(|(_, of)| of));
    short.chain(long).filter_map(|rest| {
        let of = rest.split(|it| !is_of_names(it)).next();
        // one that is put in when it is sent
        of.filter(|of| !of.is_empty())
    })
}

fn operators(bare: &str) -> impl Iterator<Item = String> {
    let apart = bare.replace("count(*)", "").replace(".*", "");
    let parts = apart
        .split(|it| !SIGNS.contains(it))
        .map(str::to_owned)
        .collect::<Vec<_>>();
    parts.into_iter().filter(|it| !it.is_empty())
}

/// The types of the columns that a migration makes.
fn columns(bare: &str) -> Vec<&str> {
    let mut types = Vec::new();
    for statement in bare.split(';').map(str::trim) {
        let made = statement
            .strip_prefix("create table ")
            .and_then(|it| it.split_once('('));
        let added = statement.split(" add column ").skip(1);
        let lines = made
            .map(|(_, lines)| lines.split(','))
            .into_iter()
            .flatten();
        for line in lines.chain(added) {
            let mut words = line
                .split(|it| !is_of_names(it))
                .filter(|it| !it.is_empty());
            if let (Some(name), Some(of)) = (words.next(), words.next())
                && name != "primary"
            {
                types.push(of);
            }
        }
    }
    types
}

fn is_listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|it| it == word)
}

/// What of a statement is in no list.
fn unknown(text: &str) -> Vec<String> {
    let bare = bare(text);
    let casts = casts(&bare).filter(|it| !is_listed(CASTS, it));
    let casts = casts.map(|it| format!("::{it}"));
    let operators = operators(&bare).filter(|it| !is_listed(OPERATORS, it));
    casts.chain(operators).collect()
}

#[test]
fn statements_have_no_type_and_no_operator_but_those_that_were_looked_at() {
    let statements = statements();
    let found = statements.iter().flat_map(|Sql { place, text }| {
        let unknown = unknown(text).into_iter();
        unknown.map(move |it| format!("{place}: {it}"))
    });
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let migrations = migrations();
    let types: Vec<_> = migrations
        .iter()
        .flat_map(|Sql { text, .. }| columns(text))
        .collect();
    assert!(types.len() > 100, "the columns are found: {}", types.len());
    let found: Vec<_> = types
        .into_iter()
        .filter(|it| !is_listed(COLUMNS, it))
        .collect();
    assert!(found.is_empty(), "types of columns: {found:?}");
}

#[test]
fn a_type_or_an_operator_that_is_in_no_list_is_found() {
    for (text, found) in [
        ("select a::jsonb from t", &["::jsonb"][..]),
        ("select cast(a as numeric) from t", &["::numeric"]),
        ("where a = any($1::uuid[])", &["::uuid"]),
        ("select body->>'name' from t", &["->>"]),
        ("where name ~* $1 and a <@ b", &["~*", "<@"]),
        ("select count(*), w.*, $1::bigint[] from w", &[]),
        ("where a || '->>' <> b and words @@ $1::tsquery", &[]),
    ] {
        assert_eq!(unknown(text), found, "{text}");
    }
    let made = "create table t ( a bigint not null, b jsonb, primary key (a, b)); alter table t add column c uuid;";
    assert_eq!(columns(made), ["bigint", "jsonb", "uuid"]);
}
