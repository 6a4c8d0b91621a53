//! One mistake is one error, however much the type is used.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 9, max = 1)]
    value: i64,
    #[field(picklist)]
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Picklist)]
enum Kind {
    #[code("")]
    A,
}

fn use_it(case: &Case) -> Option<String> {
    let _ = Case::from_json(b"{}");
    let _ = Stored::<Case>::from_json(b"{}");
    println!(
        "{case:?} {} {} {:?}",
        case.to_json(),
        case.kind,
        case.validate()
    );
    println!("{} {:?}", Kind::A.code(), Kind::from_code("A"));
    case.primary_key()
}

fn main() {}
