//! Traits that give every type methods called like those of the expansion.

#![deny(warnings)]
#![allow(dead_code, reason = "the methods are here to be in the way")]

use runtime::Record;

trait InTheWay: Sized {
    fn take(&self) {}
    fn value(&self) {}
    fn values(&self) {}
    fn pad(&self, _: &str) {}
    fn code(self) {}
    fn fmt(&self) {}
    fn serialize(&self) {}
    fn deref(&self) {}
}
impl<T> InTheWay for T {}

#[derive(Record)]
struct Plain {
    name: Option<String>,
    #[field(picklist)]
    kind: Option<Kind>,
}

#[derive(Clone, Copy, runtime::Picklist)]
enum Kind {
    A = 7,
    B = 3,
}

fn main() {
    let plain = Plain::from_json(br#"{"kind": "B"}"#).unwrap();
    assert_eq!(plain.to_json(), r#"{"name":null,"kind":"B"}"#);
    assert_eq!(format!("{}", Kind::A), "A");
    assert_eq!(plain.kind.map(runtime::Picklist::index), Some(1));
}
