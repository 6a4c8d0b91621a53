//! Forms that ask for a server in a state of its own leave behind what their operations leave behind.

use crate::pages_scenes::Story;
use crate::pages_scenes_of_data::{of_files, of_jobs_and_letters};
use crate::pages_scenes_of_people::{of_factors, of_whoever_comes};

/// Those forms, by their addresses in the table.
pub(crate) fn paths() -> Vec<&'static str> {
    let all = [
        of_whoever_comes(),
        of_factors(),
        of_files(),
        of_jobs_and_letters(),
    ];
    all.iter().flatten().map(|story| story.form).collect()
}

fn hold(stories: &[Story]) {
    assert!(!stories.is_empty());
    stories.iter().for_each(Story::hold);
}

#[test]
fn an_invitation_a_set_up_and_a_proof_leave_behind_what_their_operations_do() {
    hold(&of_whoever_comes());
}

#[test]
fn what_is_done_about_second_factors_leaves_behind_what_its_operations_do() {
    hold(&of_factors());
}

#[test]
fn the_files_of_a_record_are_given_and_taken_as_by_an_upload_and_writes() {
    hold(&of_files());
}

#[test]
fn what_is_done_about_ended_jobs_and_dead_letters_leaves_behind_what_its_operations_do() {
    hold(&of_jobs_and_letters());
}
