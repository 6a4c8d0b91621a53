//! How often the dynamic check of a clean record asks for memory: counted, not timed, in a program
//! of its own because the count stands in the global allocator.

use bench::fixture;
use runtime::schema::{Origin, Schema};
use runtime::validate::{Checker, Scratch};
use std::hint::black_box;

fn main() {
    let record = fixture("order.json");
    let document = Schema::read(&fixture("order.schema.json"), Origin::Created);
    let document = document.expect("the schema is accepted");
    let checker = Checker::new(&document.schema).expect("the schema was accepted");
    let check = || checker.check(black_box(record.as_bytes()));
    assert!(check().is_ok_and(|checked| checked.is_clean()));

    // growing a piece of memory counts too
    let counted = allocation_counter::measure(|| {
        black_box(check().is_ok());
    });
    let mut scratch = Scratch::new();
    let mut normal_form = String::new();
    let mut again = || {
        let body = black_box(record.as_bytes());
        assert!(black_box(checker.judge(body, None, &mut scratch)).is_ok());
        let verdict = checker.check_into(body, None, &mut scratch, &mut normal_form);
        assert!(black_box(verdict).is_ok());
    };
    again();
    let reused = allocation_counter::measure(again);
    println!("| what | allocations | bytes | to reach |");
    println!("| - | -: | -: | - |");
    println!(
        "| dynamic `check` of a clean record of {} bytes | {} | {} | ≤ 3 |",
        record.len(),
        counted.count_total,
        counted.bytes_total
    );
    println!(
        "| the same by `judge` and `check_into`, with scratch | {} | {} | 0 |",
        reused.count_total, reused.bytes_total
    );
}
