//! Whoever writes a record asks for its dataset and no other, so that a shard whose node is away holds up nothing else. That it is so
//! is told in `tests/store/postgres/shards.rs`; here, that no statement of the room is left out.

use crate::portable_sql::{add_literals, tables_of_datasets};
use crate::sources::rust_files;
use proc_macro2::{TokenStream, TokenTree};

/// The statements of a source, those that have more behind them for one dataset with that.
fn statements_of_writes(tokens: TokenStream, found: &mut Vec<String>) {
    let mut before = String::new();
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let first = group.stream().into_iter().next();
            // what documents an item is for people
            if matches!(&first, Some(TokenTree::Ident(name)) if name == "doc") {
                continue;
            }
            if before == "rows_statement!" {
                let mut pieces = Vec::new();
                add_literals(group.stream(), "", &mut pieces);
                let pieces: Vec<_> = pieces.into_iter().map(|piece| piece.text).collect();
                found.push(pieces.join(" "));
            } else {
                statements_of_writes(group.stream(), found);
            }
        }
        match token {
            TokenTree::Ident(name) => before = name.to_string(),
            TokenTree::Punct(mark) if mark.as_char() == '!' => before.push('!'),
            TokenTree::Literal(literal) => {
                let mut pieces = Vec::new();
                let alone = TokenTree::Literal(literal);
                add_literals(alone.into(), "", &mut pieces);
                found.extend(pieces.into_iter().map(|piece| piece.text));
            }
            TokenTree::Group(_) | TokenTree::Punct(_) => before.clear(),
        }
    }
}

/// What asks for all datasets of a tenant: the quota, where what was summed up last does not say enough.
const OF_A_TENANT: &str = "select coalesce(sum(records), 0)";

#[test]
fn a_write_to_one_dataset_asks_for_rows_of_that_one_alone() {
    let tables = tables_of_datasets();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for file in rust_files() {
        if !file.path.starts_with("runtime/store/postgres/src/write/") {
            continue;
        }
        let mut statements = Vec::new();
        statements_of_writes(file.text.parse().expect("Rust"), &mut statements);
        for statement in statements {
            let words: Vec<&str> = statement.split(' ').collect();
            let mut pairs = words.windows(2);
            // rows that are put in say themselves which dataset they are of
            let is_of_rows = pairs.any(|pair| {
                ["from", "join", "update", "using"].contains(&pair[0]) && tables.contains(pair[1])
            });
            if is_of_rows && !statement.starts_with(OF_A_TENANT) {
                seen += 1;
                if !statement.contains("dataset = $") {
                    wrong.push(format!("{}: {statement}", file.path));
                }
            }
        }
    }
    assert!(seen >= 9, "the statements are found: {seen}");
    assert!(wrong.is_empty(), "of several shards:\n{}", wrong.join("\n"));
}
