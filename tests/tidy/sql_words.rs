//! What statements of the store in a database are made of: every keyword, which is in capitals and nowhere in small letters, and
//! every function, which stands right before its parenthesis, is one of those that are in use. Whoever needs another one looks first what the kin of
//! PostgreSQL have of it (`docs/architecture.md`, "One SQL for several engines"), and adds it here; what is known to be outside
//! `portable_sql.rs` names, with what to do instead.

use crate::portable_sql::{SAID_BY_ENGINES, each_literal, is_sql, migration_texts};
use crate::sources::rust_files;
use proc_macro2::TokenStream;

const ROOM: &str = "runtime/store/postgres/src/";
/// What an operator can do, in statements that nothing here sends.
const FOR_PEOPLE: &str = "runtime/store/postgres/src/advice.rs";

const KEYWORDS: &str = "ADD ALL ALTER AND ANY AS ASC BEGIN BY CASCADE CASE CHARACTERISTICS COLLATE COLUMN COMMIT COMMITTED CONFLICT \
    CREATE DEFAULT DELETE DESC DISTINCT DO DROP ELSE END EXCLUSIVE EXISTS FILTER FOR FROM GROUP HAVING IF IN INDEX INSERT \
    INTO IS ISOLATION JOIN KEY LATERAL LEFT LEVEL LIKE LIMIT LOCAL LOCK MODE NOT NOTHING NULL OFFSET ON ONLY OR ORDER \
    PRIMARY READ RECURSIVE REPEATABLE RETURNING ROLLBACK SAVEPOINT SCHEMA SELECT SERIALIZABLE SESSION SET SHARE TABLE \
    THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE WITH";

/// Keywords that name no table and no column, in small letters, in which they would be seen by nobody here; `true` and `false` are
/// values, and as such in use.
const SMALL: &str = "all alter analyze and any array as asc asymmetric begin by case cast check collate column commit constraint create \
    cross current_catalog current_date current_role current_time current_timestamp current_user default \
    deferrable delete desc distinct do drop else end except exists fetch for foreign from full grant group having \
    ilike in initially inner insert intersect into is isnull join lateral leading like limit localtime \
    localtimestamp locked natural not notnull null nulls offset on only or order outer overlaps placing primary \
    recursive references returning right rollback rollup savepoint select session set share similar skip some \
    symmetric table tablesample then to trailing truncate union unique update using values variadic when where \
    window with";

const FUNCTIONS: &str = "clock_timestamp coalesce concat convert_to count create_distributed_table create_reference_table \
    current_database current_schema current_schemas current_setting extract generate_series greatest inet_server_addr left max min \
    pg_backend_pid pg_control_system pg_current_wal_lsn pg_database_size pg_is_in_recovery pg_postmaster_start_time \
    pg_walfile_name run_command_on_all_nodes set_config sha256 string_to_array strpos substr sum \
    unnest version";

/// Words in capitals of texts for people, and of what engines say of themselves.
const OF_TEXTS: &str = "CCL DATABASE ENCODING IP PGSQL SCRAM TEMPLATE TLS UTF YB";

/// A text without what is quoted in it, and without what is put in when it is sent.
fn bare(text: &str) -> String {
    let (mut is_quoted, mut depth) = (false, 0_usize);
    let mut bare = String::new();
    for letter in text.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if is_quoted || depth > 0 => {}
            _ => bare.push(letter),
        }
        if is_quoted || depth > 0 {
            // what stands on both sides stays two words
            bare.push(' ');
        }
    }
    bare
}

fn is_in_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The words of a text that are neither keywords nor functions that are in use.
fn unknown(text: &str) -> Vec<String> {
    // one with an ellipsis tells people of a statement
    let is_statement = is_sql(text) && !text.contains('…');
    let is_listed = |list: &str, word: &str| list.split_whitespace().any(|it| it == word);
    let bare = bare(text);
    let mut unknown = Vec::new();
    let mut rest = bare.as_str();
    while let Some(start) = rest.find(is_in_word) {
        rest = &rest[start..];
        let end = rest.find(|it: char| !is_in_word(it)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let mut letters = word.chars();
        let is_in_capitals =
            word.len() > 1 && letters.all(|it| it.is_ascii_uppercase() || it == '_');
        let is_known = if is_in_capitals {
            is_listed(KEYWORDS, word) || is_listed(OF_TEXTS, word)
        } else if is_statement && is_listed(SMALL, word) {
            false
        } else {
            !behind.starts_with('(') || is_listed(FUNCTIONS, word)
        };
        if !is_known {
            unknown.push(word.to_owned());
        }
        rest = behind;
    }
    unknown
}

#[test]
fn statements_have_no_keyword_and_no_function_but_those_that_were_looked_at() {
    let mut texts = migration_texts();
    for file in rust_files() {
        if file.path.starts_with(ROOM) && file.path != FOR_PEOPLE {
            let tokens: TokenStream = file.text.parse().expect("Rust");
            each_literal(tokens, &file.path, &mut |place, text| {
                texts.push((place, text));
            });
        }
    }
    assert!(texts.len() > 300, "the statements are found");
    let found = texts.iter().flat_map(|(place, text)| {
        let words = unknown(text).into_iter();
        words.map(move |word| format!("{place}: {word}"))
    });
    let found: Vec<_> = found.collect();
    assert!(
        found.is_empty(),
        "new in statements: look what other engines have of it, and add it to the list\n{}",
        found.join("\n")
    );
}

#[test]
fn what_engines_say_is_read_by_the_store_in_a_database() {
    let files = rust_files();
    for said in SAID_BY_ENGINES {
        let quoted = format!("{said:?}");
        let mut own = files.iter().filter(|file| file.path.starts_with(ROOM));
        assert!(own.any(|file| file.text.contains(&quoted)), "{said}");
    }
}

#[test]
fn what_is_in_no_list_is_found_wherever_it_stands() {
    for (text, words) in [
        (
            "SELECT a FROM t FOR UPDATE SKIP LOCKED",
            &["SKIP", "LOCKED"][..],
        ),
        ("TABLESAMPLE SYSTEM (1)", &["TABLESAMPLE", "SYSTEM"]),
        (
            "SELECT jsonb_path_query(body, $1) FROM t",
            &["jsonb_path_query"],
        ),
        ("WHERE a = 'SKIP it' AND {WHOLE} b = lower(c)", &["lower"]),
        (
            "SELECT count(*), max(a) FROM t AS w (a) WHERE a IN (1)",
            &[],
        ),
        (
            "select a FROM t for update skip locked",
            &["select", "for", "update", "skip", "locked"],
        ),
        ("WHERE a IS NOT NULL and b = true", &["and"]),
        ("make it with CREATE SCHEMA … and for all", &[]),
    ] {
        assert_eq!(unknown(text), words, "{text}");
    }
}
