//! What a form of the pages does, the operation does that it names: of two servers that hold the same, one is sent the form and the
//! other is asked for the operation, and the trail, the changes of records and the jobs of both tell the same of it.

use crate::pages_by_right::{Line, forms};
use crate::pages_in_states::paths;
use crate::pages_twin::Twin;
use std::collections::BTreeSet;

/// Forms that tell what would be, and write nothing.
const WRITE_NOTHING: [&str; 8] = [
    "/areas/{id}/schemas/document",
    "/areas/{id}/schemas/editor",
    "/areas/{id}/schemas/new",
    "/areas/{id}/schemas/sample",
    "/datasets/{id}/paste",
    "/datasets/{id}/selected/look",
    "/domains/{id}/effects",
    "/schemas/{id}/effects",
];

/// The forms but those that ask for a state of its own, which have their stories in `pages_in_states.rs`, in an order in which each
/// finds what it is about: what switches off comes behind what changes, what deletes behind that, what holds others behind these, and
/// what ends a session last.
fn in_order() -> Vec<Line> {
    let mut forms = forms();
    let rank = |path: &str| match path {
        "/password" => 8,
        "/sign-out" => 7,
        "/areas/{id}/delete" => 6,
        "/schemas/{id}/delete" => 5,
        "/datasets/{id}/delete" => 4,
        _ if path.ends_with("/delete") => 3,
        _ if path.ends_with("/enable") => 2,
        _ if path.ends_with("/disable") => 1,
        _ => 0,
    };
    let elsewhere = paths();
    forms.retain(|line| !elsewhere.contains(&&*line.path));
    forms.sort_by_key(|line| rank(&line.path));
    forms
}

#[test]
fn a_form_leaves_behind_what_its_operation_leaves_behind() {
    let [mut pages, mut management] = [Twin::start(), Twin::start()];
    let mut compared = 0;
    for (at, line) in in_order().iter().enumerate() {
        let name = format!("Another {at}");
        let told = format!(
            "{}, {}",
            line.path,
            line.operation.as_deref().expect("a form")
        );
        pages.prepare(line, at);
        management.prepare(line, at);
        let before = pages.told();
        let sent = pages.send(line, &name);
        let mut done = pages.told_since(&before);
        if WRITE_NOTHING.contains(&&*line.path) {
            assert!(done.is_empty(), "{told}: {done:?}");
            continue;
        }
        let before = management.told();
        let asked = management.ask(line, &name);
        let mut expected = management.told_since(&before);
        if line.operation.as_deref() == Some("writeRecords") {
            // many writes at once are remembered as a job, one write is not
            for list in [&mut done, &mut expected] {
                list.retain(|it| !it.starts_with("job "));
            }
        }
        assert!(asked.status < 300, "{told}: {}", asked.body);
        assert!(!expected.is_empty(), "{told}: the operation left nothing");
        assert_eq!(done, expected, "{told}: {} {}", sent.status, sent.body);
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn what_is_compared_with_nothing_or_in_a_state_of_its_own_is_a_form() {
    let all = forms();
    let all: BTreeSet<&str> = all.iter().map(|line| &*line.path).collect();
    for path in paths().into_iter().chain(WRITE_NOTHING) {
        assert!(all.contains(path), "no form goes to {path}");
    }
}
