//! Judging a struct that a program made: plain field types on both sides, equivalent rules. It never
//! reads JSON.

use bench::{Target, head, race};
use garde::Validate;
use runtime::Record;
use std::hint::black_box;

/// A supplier as we see it.
#[derive(runtime::Record)]
struct Supplier {
    #[field(alphanumeric, min = 6, max = 12)]
    number: String,
    #[field(min = 1, max = 80)]
    name: String,
    #[field(min = 1, max = 500)]
    address: String,
    #[field(type = "email")]
    email: String,
    #[field(type = "url", max = 200)]
    page: String,
    #[field(type = "phone")]
    phone: String,
    #[field(min = 1, max = 100_000)]
    employees: i64,
    #[field(min = 0, max = 5)]
    rating: f64,
    #[field(min = 0, max = 1)]
    share: f64,
    #[field(max = 500)]
    note: Option<String>,
    #[field(alphanumeric, max = 20)]
    tax_number: Option<String>,
    #[field(max = 30)]
    goods: Vec<String>,
}

/// The same supplier for garde.
#[derive(garde::Validate)]
struct Plain {
    #[garde(ascii, alphanumeric, length(chars, min = 6, max = 12))]
    number: String,
    #[garde(length(chars, min = 1, max = 80))]
    name: String,
    #[garde(length(chars, min = 1, max = 500))]
    address: String,
    #[garde(email)]
    email: String,
    #[garde(url, length(chars, max = 200))]
    page: String,
    #[garde(pattern(r"^\+[1-9]([ .()-]*[0-9]){6,14}\)?$"))]
    phone: String,
    #[garde(range(min = 1, max = 100_000))]
    employees: i64,
    #[garde(range(min = 0.0, max = 5.0))]
    rating: f64,
    #[garde(range(min = 0.0, max = 1.0))]
    share: f64,
    #[garde(length(chars, max = 500))]
    note: Option<String>,
    #[garde(ascii, alphanumeric, length(chars, max = 20))]
    tax_number: Option<String>,
    #[garde(inner(length(chars, min = 1, max = 30)))]
    goods: Vec<String>,
}

fn main() {
    let plain = plain();
    let mut ours = supplier(&plain);
    assert!(ours.validate().is_clean(), "{}", ours.validate());
    plain.validate().expect("garde accepts the supplier");
    // both do look
    "marta".clone_into(&mut ours.email);
    assert_eq!(ours.validate().faults().len(), 1);
    ours.email.clone_from(&plain.email);

    let result = race(
        || assert!(black_box(black_box(&ours).validate()).is_clean()),
        || assert!(black_box(black_box(&plain).validate()).is_ok()),
    );
    head();
    result.print(
        "`validate()` of a typed struct",
        "garde 0.23",
        Target::Faster(2.0),
    );
}

fn plain() -> Plain {
    let text = str::to_owned;
    Plain {
        number: text("SU20417733"),
        name: text("Lindqvist & Söner Skogsmaskiner"),
        address: text("Industrivägen 14, 904 21 Umeå, Sverige"),
        email: text("marta.lindqvist@example.com"),
        page: text("https://www.example.com/suppliers/20417733"),
        phone: text("+46 90 555-0142"),
        employees: 240,
        rating: 4.5,
        share: 0.125,
        note: Some(text("Delivers on Tuesdays; call ahead.")),
        tax_number: None,
        goods: ["saw", "chain", "harvester head"].map(text).to_vec(),
    }
}

fn supplier(plain: &Plain) -> Supplier {
    Supplier {
        number: plain.number.clone(),
        name: plain.name.clone(),
        address: plain.address.clone(),
        email: plain.email.clone(),
        page: plain.page.clone(),
        phone: plain.phone.clone(),
        employees: plain.employees,
        rating: plain.rating,
        share: plain.share,
        note: plain.note.clone(),
        tax_number: plain.tax_number.clone(),
        goods: plain.goods.clone(),
    }
}
