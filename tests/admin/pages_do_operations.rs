//! What a form of the pages does, the operation does that it names: of two servers that hold the same, one is sent the form and the
//! other is asked for the operation, and the trail, the changes of records and the jobs of both tell the same of it.

use crate::pages_by_right::{Line, forms};
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

/// Forms that ask for a server in a state of its own, and the story in which what they did is looked at: its file and its name.
const ELSEWHERE: [(&str, &str, &str); 13] = [
    (
        "/datasets/{id}/records/{record}/files/{field}",
        "pages_record_files.rs",
        "a_picture_is_added_seen_replaced_and_taken_away",
    ),
    (
        "/datasets/{id}/records/{record}/files/{field}/remove",
        "pages_record_files.rs",
        "a_picture_is_added_seen_replaced_and_taken_away",
    ),
    (
        "/invitation",
        "pages_people.rs",
        "a_user_is_invited_by_a_link_that_is_shown_once_and_chooses_its_password",
    ),
    (
        "/jobs/{id}/files/delete",
        "pages_files.rs",
        "a_trial_whose_file_was_deleted_offers_it_no_more",
    ),
    (
        "/jobs/{id}/undo",
        "pages_undone.rs",
        "a_job_that_was_undone_says_so_and_offers_it_no_more",
    ),
    (
        "/profile/second-factor",
        "pages_clients.rs",
        "one_changes_ones_address_second_factor_and_sessions",
    ),
    (
        "/profile/second-factor/confirm",
        "pages_clients.rs",
        "one_changes_ones_address_second_factor_and_sessions",
    ),
    (
        "/profile/second-factor/remove",
        "pages_clients.rs",
        "one_changes_ones_address_second_factor_and_sessions",
    ),
    (
        "/proof",
        "pages_held_up.rs",
        "a_change_of_rights_asks_for_the_password_anew_and_goes_on_with_what_was_filled_in",
    ),
    (
        "/setup",
        "set_up.rs",
        "the_page_makes_the_first_tenant_and_leads_to_the_sign_in",
    ),
    (
        "/users/{id}/second-factor/remove",
        "pages_people.rs",
        "a_user_is_invited_by_a_link_that_is_shown_once_and_chooses_its_password",
    ),
    (
        "/webhooks/{id}/letters/{letter}/discard",
        "pages_webhooks.rs",
        "what_was_given_up_is_sent_once_more_or_discarded_and_the_page_says_which",
    ),
    (
        "/webhooks/{id}/letters/{letter}/resend",
        "pages_webhooks.rs",
        "what_was_given_up_is_sent_once_more_or_discarded_and_the_page_says_which",
    ),
];

/// The forms but those elsewhere, in an order in which each finds what it is about: what switches off comes behind what changes, what
/// deletes behind that, what holds others behind these, and what ends a session last.
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
    forms.retain(|line| ELSEWHERE.iter().all(|(path, ..)| *path != line.path));
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
fn what_a_form_does_that_is_compared_with_nothing_is_looked_at_in_its_story() {
    let all = forms();
    let all: BTreeSet<&str> = all.iter().map(|line| &*line.path).collect();
    for path in WRITE_NOTHING {
        assert!(all.contains(path), "no form goes to {path}");
    }
    for (path, file, story) in ELSEWHERE {
        assert!(all.contains(path), "no form goes to {path}");
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/admin");
        let source = std::fs::read_to_string(format!("{folder}/{file}")).expect(file);
        let story = source.split_once(&format!("fn {story}()"));
        assert!(story.is_some(), "{path}: {file} has no such story");
    }
}
