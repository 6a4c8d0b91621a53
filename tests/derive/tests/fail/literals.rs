//! Literals that are no values of their types, told before code is made of them: by `cargo check` too.

use runtime::{Email, LatLng, Latitude, Phone, Picklist, Url, literal};

#[derive(Clone, Copy, Picklist)]
enum Kind {
    A,
    C,
}

const BEYOND_THE_POLE: Latitude = Latitude::literal(90.5);

fn never_called<T>() {
    let _ = literal!(Kind, "B");
    let _ = literal!(Email, "ada@localhost");
    let _ = literal!(Phone, "030 123");
    let _ = literal!(LatLng, "91,0");
    let _ = literal!(Url, "example.org");
}

fn main() {}
