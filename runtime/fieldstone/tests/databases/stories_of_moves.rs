//! The list of stories of stores that move.

use crate::stories::{Story, story};

/// They ask for a database alone.
pub(crate) const STORIES_OF_MOVES: &[Story] = &[
    story!(
        moves,
        a_folder_moves_into_a_database_and_back_and_is_the_same
    ),
    story!(
        moves,
        what_is_known_of_a_webhook_and_is_no_text_comes_along_and_is_discarded_there
    ),
    story!(
        killed_moves,
        a_move_that_is_killed_goes_on_and_nobody_serves_it_before
    ),
    story!(
        killed_moves,
        a_move_into_a_folder_that_is_killed_again_and_again_comes_to_its_end
    ),
    story!(
        killed_moves,
        a_move_into_a_database_that_is_killed_again_and_again_comes_to_its_end
    ),
    story!(
        killed_moves,
        a_move_whose_source_was_written_since_it_was_killed_is_refused
    ),
    story!(
        killed_contents,
        a_move_that_is_killed_between_contents_of_files_brings_all_of_them_in_the_end
    ),
    story!(
        killed_contents,
        a_move_that_is_killed_between_contents_for_a_bucket_brings_all_of_them_and_back
    ),
    story!(killed_moves, a_row_that_is_another_in_the_target_is_told),
    story!(killed_moves, a_row_that_is_another_in_a_folder_is_told),
    story!(moves, a_move_is_refused_where_something_would_be_lost),
    story!(
        moves,
        a_move_that_is_given_again_when_all_is_done_says_so_until_the_target_is_written
    ),
    story!(moves, a_move_opens_each_database_by_its_own_password),
    story!(
        moved_backups,
        a_backup_moves_into_a_database_and_a_folder_and_stays_as_it_is
    ),
    story!(
        moved_backups,
        a_backup_that_is_not_as_it_was_written_is_not_moved
    ),
    story!(
        moved_backups,
        a_purge_that_is_not_settled_goes_along_in_moves_and_backups
    ),
    story!(
        moved_backups,
        secrets_of_a_backup_come_to_the_file_that_is_named_for_them_with_the_end_of_the_move
    ),
    story!(
        moved_files,
        contents_that_are_missing_in_the_target_are_told_until_they_are_brought
    ),
    story!(
        moved_files,
        a_content_that_was_cut_is_told_and_given_up_where_that_is_said
    ),
    story!(
        moved_files,
        contents_of_a_folder_come_into_the_bucket_and_back
    ),
    story!(
        moved_files,
        a_content_in_the_bucket_that_is_another_is_replaced_and_one_that_is_lost_is_told
    ),
    story!(
        moved_files,
        contents_of_a_backup_come_into_the_bucket_by_a_move_and_by_a_restore
    ),
    story!(
        moved_files,
        a_check_of_a_database_looks_at_the_contents_of_its_files
    ),
];
