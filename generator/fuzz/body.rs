//! What must hold of any text that is generated from: a schema that is accepted gives Rust that parses, and no type has two
//! members of one name.

use generator::{Config, Input, generate};
use std::collections::HashSet;

pub(crate) fn withstand(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(files) = generate(&[Input::new("fuzz.json", text)], &Config::new()) else {
        return;
    };
    for file in &files {
        let parsed = syn::parse_file(&file.text);
        let parsed = parsed.unwrap_or_else(|error| panic!("{error}\n{}", file.text));
        let mut types = HashSet::new();
        for item in &parsed.items {
            let (name, members): (_, Vec<String>) = match item {
                syn::Item::Struct(item) => {
                    let names = item.fields.iter().filter_map(|field| field.ident.as_ref());
                    (&item.ident, names.map(ToString::to_string).collect())
                }
                syn::Item::Enum(item) => {
                    let names = item
                        .variants
                        .iter()
                        .map(|variant| variant.ident.to_string());
                    (&item.ident, names.collect())
                }
                _ => continue,
            };
            assert!(
                types.insert(name.to_string()),
                "two types {name}\n{}",
                file.text
            );
            let count = members.len();
            let different: HashSet<String> = members.into_iter().collect();
            assert_eq!(different.len(), count, "of {name}\n{}", file.text);
        }
    }
}
