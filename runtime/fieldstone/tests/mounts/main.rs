//! The program on disks of the test's own, and asked by root: these stories mount, or give folders to others, which not every
//! machine allows and every user may. Where they can't, they are counted as ignored and say why, and where they should (`CI` is
//! set, as the run before a landing sets it) they fail. So they have a harness of their own: the usual one can't ignore a story while it runs.

#[path = "../program/cities.rs"]
mod cities;
#[path = "../program/in_process.rs"]
#[allow(dead_code, reason = "made for other tests too")]
mod in_process;
#[cfg(unix)]
mod owners;
#[path = "../program/shell.rs"]
mod shell;
mod small_disk;
#[path = "../program/support.rs"]
#[allow(dead_code, reason = "made for other stories too")]
mod support;
#[path = "../program/transcript.rs"]
#[allow(dead_code, reason = "made for other tests too")]
mod transcript;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::Command;

/// What a story is called, and what it does.
type Story = (&'static str, fn());

/// A story by the name of its function.
macro_rules! story {
    ($room:ident, $story:ident) => {
        (
            concat!(stringify!($room), "::", stringify!($story)),
            $room::$story,
        )
    };
}

const STORIES: &[Story] = &[
    story!(
        small_disk,
        a_server_starts_on_a_full_disk_and_answers_what_only_reads
    ),
    story!(
        small_disk,
        a_disk_that_fills_up_is_told_by_readiness_and_searches_tell_what_they_have
    ),
    story!(
        small_disk,
        a_folder_that_can_not_be_written_is_served_and_checked
    ),
    story!(
        small_disk,
        a_log_in_a_folder_that_can_not_be_written_is_read_or_refused
    ),
    story!(
        small_disk,
        a_backup_goes_onto_a_fresh_disk_and_back_onto_another_one
    ),
    story!(
        small_disk,
        a_restore_onto_a_disk_that_is_too_small_tells_of_the_disk_and_not_of_the_backup
    ),
    story!(small_disk, commands_on_a_full_disk_tell_that_it_is_full),
];

/// Why this machine does not let the test mount, if it does not.
fn refusal_of_mounts() -> Option<String> {
    let tried = Command::new("unshare")
        .args(["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
        .output();
    let why = match tried {
        Ok(tried) if tried.status.success() => None,
        Ok(tried) => Some(String::from_utf8_lossy(&tried.stderr).trim().to_owned()),
        Err(error) => Some(format!("`unshare` can't be run: {error}")),
    };
    why.map(|why| format!("this machine allows no mounts, as root has them: {why}"))
}

fn trial((name, story): Story, refusal: Option<&str>, is_required: bool) -> Trial {
    let Some(refusal) = refusal else {
        return Trial::test(name, move || {
            story();
            Ok(())
        });
    };
    let failed = format!("{refusal}; where CI is set, each story must be run");
    let trial = Trial::test(name, move || Err(Failed::from(failed)));
    if is_required {
        return trial;
    }
    trial
        .with_kind(format!("ignored, because {refusal}"))
        .with_ignored_flag(true)
}

#[cfg(unix)]
fn story_of_root(is_required: bool) -> Trial {
    let story: Story = story!(owners, root_makes_nothing_in_a_folder_of_another_user);
    trial(story, owners::refusal().as_deref(), is_required)
}

fn main() {
    let arguments = Arguments::from_args();
    let is_required = std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false");
    let refusal = refusal_of_mounts();
    let trials = STORIES.iter();
    let trials = trials.map(|story| trial(*story, refusal.as_deref(), is_required));
    #[cfg(unix)]
    let trials = trials.chain([story_of_root(is_required)]);
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
