//! Names of the standard library and of the runtime that mean something else where the derive is used.

#![deny(warnings)]
#![allow(
    dead_code,
    unused_macros,
    non_upper_case_globals,
    clippy::upper_case_acronyms,
    reason = "most of these names are here to be in the way"
)]

use runtime::{Picklist, Record};

mod std {}
mod core {}
mod serde {}
mod chrono {}
mod schema {}
mod __private {}
struct Option;
struct Some;
struct None;
struct Vec;
struct String;
struct Result;
struct Ok;
struct Err;
struct Box;
struct Formatter;
struct Debug;
struct Serialize;
struct Deserialize;
struct Slots;
struct Entry;
struct LazyLock;
struct FieldValue;
struct SCHEMA;
struct CHECKER;
#[allow(non_camel_case_types)]
struct usize;
#[allow(non_camel_case_types)]
struct str;
const slots: () = ();
const all: () = ();
const f: () = ();
macro_rules! assert {
    () => {};
}
macro_rules! unreachable {
    () => {};
}

type Count = i64;

#[derive(Record)]
struct Hostile {
    #[field(primary_key)]
    name: ::std::string::String,
    maybe: ::std::option::Option<::std::string::String>,
    many: ::std::vec::Vec<i64>,
    #[field(picklist)]
    kind: ::std::option::Option<Kind>,
    #[field(type = "integer")]
    count: Count,
    r#type: bool,
    r#match: runtime::NaiveDate,
}

#[derive(Clone, Copy, Picklist)]
enum Kind {
    Some,
    None,
    #[code("C")]
    Ok,
    r#Self_,
}

fn main() {
    let json = br#"{"name": "a", "many": 1, "kind": "C", "count": 2, "type": true, "match": "2020-01-01"}"#;
    let ::std::result::Result::Ok(hostile) = Hostile::from_json(json) else {
        ::std::panic!("the record is clean")
    };
    ::std::assert_eq!(hostile.count, 2);
    ::std::assert_eq!(Kind::Ok.index(), 2);
}
