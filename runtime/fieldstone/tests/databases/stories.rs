//! The list of all stories: one that is not in it, or in that of moves (`stories_of_moves.rs`), is not told.

/// What a story is called, and what it does.
pub(crate) type Story = (&'static str, fn());

/// A story by the names of its file and its function.
macro_rules! story {
    ($file:ident, $story:ident) => {
        (
            concat!(stringify!($file), "::", stringify!($story)),
            crate::$file::$story,
        )
    };
}
pub(crate) use story;

/// Those that ask for a database alone, but for those of moves. The first ones wait longest, so the others run beside them.
pub(crate) const STORIES: &[Story] = &[
    story!(
        own_folders,
        an_import_whose_server_is_gone_for_good_ends_when_it_is_cancelled
    ),
    story!(
        standby,
        a_write_that_waited_for_a_standby_when_the_database_crashed_is_not_acknowledged_before_it_is_there
    ),
    story!(
        standby,
        a_write_whose_session_was_ended_while_it_waited_for_a_standby_is_not_acknowledged_before_it_is_there
    ),
    story!(
        silence,
        a_commit_whose_outcome_nobody_can_learn_is_told_as_such_and_not_done_again
    ),
    story!(single, a_database_that_is_stopped_is_told_and_healed),
    story!(
        standby,
        a_standby_that_is_away_is_given_up_and_what_waited_is_done
    ),
    story!(
        backup_turns,
        a_backup_of_a_server_that_is_killed_is_made_by_another_one
    ),
    story!(
        standby,
        a_standby_that_is_promoted_has_all_that_was_acknowledged
    ),
    story!(
        crashes,
        a_database_that_crashes_under_load_loses_nothing_that_was_acknowledged
    ),
    story!(
        crashes,
        what_a_database_is_told_to_flush_later_is_flushed_before_it_is_acknowledged
    ),
    story!(
        crashes,
        a_database_that_does_not_flush_at_all_is_told_in_the_log
    ),
    story!(crashes, an_import_whose_server_is_killed_goes_on_at_another),
    story!(
        crashes,
        a_living_server_takes_over_the_jobs_of_one_that_is_killed
    ),
    story!(
        kills,
        servers_and_databases_that_are_killed_lose_nothing_that_was_acknowledged
    ),
    story!(
        silence,
        a_network_that_holds_everything_back_for_a_while_loses_nothing
    ),
    story!(
        silence,
        a_network_that_loses_what_is_said_is_told_in_time_and_healed
    ),
    story!(
        silence,
        a_network_that_lets_in_and_holds_what_is_said_then_loses_nothing
    ),
    story!(
        silence,
        a_network_that_carries_no_answers_is_told_in_time_and_healed
    ),
    story!(
        silence,
        a_network_whose_packets_are_lost_is_told_in_time_and_healed
    ),
    story!(
        silence,
        connections_by_tcp_whose_packets_are_lost_end_by_their_own_times
    ),
    story!(
        silence,
        a_server_that_hears_nothing_from_its_database_ends_when_it_is_told_to
    ),
    story!(
        ended_sessions,
        sessions_that_the_database_ends_are_no_error_to_readers
    ),
    story!(
        index_anew,
        an_index_that_was_changed_by_hand_is_made_anew_while_servers_run
    ),
    story!(
        backups,
        a_backup_beside_writers_is_of_one_moment_and_comes_back_anywhere
    ),
    story!(backups, a_server_on_a_database_makes_backups_by_itself),
    story!(
        backup_turns,
        several_servers_of_a_database_make_one_backup_in_a_turn
    ),
    story!(
        backups,
        every_server_of_a_database_tells_of_the_newest_backup_of_any
    ),
    story!(
        backups,
        a_backup_that_is_a_folder_is_closed_to_others_and_comes_back_with_its_files
    ),
    story!(
        backups,
        a_backup_in_a_bucket_comes_back_into_a_database_and_a_folder
    ),
    story!(dumps, what_pg_dump_wrote_is_served_again),
    story!(
        restored,
        nothing_of_a_database_is_taken_for_something_else_once_it_was_restored
    ),
    story!(
        restored,
        jobs_of_a_database_that_was_restored_tell_of_no_files
    ),
    story!(
        restored,
        a_move_of_a_backup_that_came_to_no_end_goes_on_though_that_is_unpacked_anew
    ),
    story!(
        figures,
        a_server_on_a_database_tells_of_its_writer_its_size_and_the_room_of_its_folder
    ),
    story!(
        figures,
        figures_tell_of_connections_that_are_waited_for_and_of_work_that_is_tried_again
    ),
    story!(
        figures,
        a_write_that_fails_among_others_is_counted_as_one_that_fails_alone
    ),
    story!(single, a_database_serves_what_a_folder_serves),
    story!(
        single,
        an_index_of_another_version_is_made_anew_by_the_next_server
    ),
    story!(
        single,
        a_manifest_brings_more_records_than_there_are_connections
    ),
    story!(
        newer_step,
        a_server_stops_where_a_newer_program_has_changed_the_tables_and_none_starts
    ),
    story!(
        standby,
        servers_of_a_database_that_lost_its_last_commits_need_no_restart
    ),
    story!(
        standby,
        the_statements_for_an_operator_are_such_as_postgresql_takes
    ),
    story!(no_writes, writes_come_back_once_the_database_takes_some),
    story!(no_writes, what_is_taken_back_each_time_may_be_asked_again),
    story!(
        still,
        a_server_that_stands_still_in_a_transaction_holds_others_up_for_some_seconds_only
    ),
    story!(
        times_of_others,
        times_that_a_database_is_told_for_others_end_nothing_of_a_server
    ),
    story!(
        times_of_others,
        settings_that_a_database_is_told_for_others_leave_no_hit_out
    ),
    story!(
        times_of_others,
        a_write_that_takes_longer_than_the_address_allows_may_come_again
    ),
    story!(settings, ten_programs_migrate_one_database_at_once),
    story!(
        settings,
        programs_that_apply_one_manifest_at_once_leave_no_record_out
    ),
    story!(
        settings,
        a_user_of_the_database_that_lacks_a_right_is_told_what_to_do
    ),
    story!(
        ten_servers,
        ten_servers_that_start_on_an_empty_database_at_once_serve_one_store
    ),
    story!(settings, what_only_a_folder_can_is_refused_with_what_to_do),
    story!(
        settings,
        a_password_in_an_address_is_refused_where_others_see_it
    ),
    story!(settings, an_address_that_is_a_url_is_taken_by_its_flag),
    story!(
        settings,
        a_database_whose_texts_are_not_in_utf8_is_refused_with_what_to_do
    ),
    story!(
        settings,
        a_server_has_no_more_connections_than_it_may_and_answers_all_who_ask
    ),
    story!(
        several,
        what_one_server_takes_away_holds_on_the_next_request_of_another
    ),
    story!(several, one_of_those_who_create_a_key_on_two_servers_wins),
    story!(several, what_one_server_read_before_is_as_another_left_it),
    story!(several, what_one_server_signed_works_on_another),
    story!(
        followed,
        who_follows_at_one_server_hears_soon_of_what_is_made_at_another
    ),
    story!(
        followed,
        who_follows_at_one_server_hears_nothing_of_what_another_one_took_from_it
    ),
    story!(
        followed,
        who_follows_while_the_database_is_stopped_goes_on_where_it_was
    ),
    story!(
        woken,
        a_server_that_wakes_harms_no_export_that_another_one_ended_meanwhile
    ),
    story!(
        own_folders,
        an_import_waits_for_the_server_that_has_its_file
    ),
    story!(
        own_folders,
        a_link_to_a_content_that_another_server_has_is_404_and_the_log_says_why
    ),
    story!(
        own_folders,
        a_content_in_a_bucket_is_given_by_each_server_and_each_says_where_the_rest_is
    ),
    story!(
        several,
        a_download_link_that_one_server_signed_is_followed_at_another
    ),
    story!(
        secrets,
        a_new_secret_in_the_database_signs_at_all_servers_with_their_next_request
    ),
    story!(
        secrets,
        a_link_of_a_secret_that_was_retired_in_a_folder_is_followed_in_the_database
    ),
    story!(
        secrets,
        secrets_that_are_in_a_file_are_looked_for_where_it_is_named_and_missed_elsewhere
    ),
    story!(
        letters,
        letters_of_datasets_that_are_written_in_turns_are_noted_once_each
    ),
    story!(
        letters,
        letters_of_a_server_that_was_killed_are_sent_on_by_another_in_their_order
    ),
    story!(
        letters,
        of_two_servers_that_live_one_sends_each_letter_and_once
    ),
    story!(keepalive, connections_by_tcp_are_asked_when_they_are_silent),
    story!(
        several,
        a_server_that_stops_leaves_what_another_of_the_same_folder_is_found_by
    ),
    story!(
        passwords,
        a_new_password_in_the_file_is_taken_without_a_restart
    ),
    story!(
        passwords,
        a_server_that_is_not_let_in_names_host_port_and_cause_and_says_what_to_do
    ),
    story!(
        encrypted,
        a_database_that_proves_itself_by_the_given_roots_is_spoken_to_over_tls
    ),
    story!(
        encrypted,
        a_database_that_does_not_prove_itself_is_refused_with_what_to_do
    ),
    story!(
        set_up,
        one_tenant_comes_of_the_links_of_servers_that_begin_at_once
    ),
    story!(
        set_up,
        a_link_outlives_the_server_that_told_it_and_ends_with_a_tenant_of_the_machine
    ),
    story!(grounds, no_store_behind_another_schema_is_passed_over),
    story!(grounds, a_database_without_a_store_is_told_and_stays_empty),
    story!(grounds, a_store_that_may_not_be_read_is_told_to_be_there),
    story!(grounds, tables_of_another_program_are_told_and_left),
    story!(limits, guesses_at_one_server_count_at_every_other_one),
    story!(
        limits,
        codes_that_are_guessed_at_one_server_count_at_every_other_one
    ),
    story!(limits, a_search_ends_after_the_seconds_of_the_flag),
    story!(limits, requests_a_second_are_those_of_all_servers),
    story!(quotas, a_quota_of_records_is_that_of_all_servers),
    story!(quotas, a_quota_of_schema_versions_is_that_of_all_servers),
    story!(quotas, a_quota_of_codes_is_that_of_all_servers),
    story!(quotas, a_quota_of_files_is_that_of_all_servers),
    story!(quotas, a_quota_of_sessions_is_that_of_all_servers),
    story!(
        quotas,
        a_quota_of_files_of_jobs_is_that_of_all_servers_wherever_their_folders_are
    ),
];

/// Those that ask for a disk of their own, too.
pub(crate) const STORIES_OF_DISKS: &[Story] = &[story!(
    full_disk,
    a_full_disk_is_told_by_readiness_as_long_as_it_is_full
)];

/// Those that take a minute, which the full lane tells.
pub(crate) const LARGE_STORIES: &[Story] = &[
    story!(
        old_primary,
        large_a_synchronous_old_primary_that_is_started_again_is_asked_nothing
    ),
    story!(
        old_primary,
        large_an_asynchronous_old_primary_that_is_started_again_is_asked_nothing
    ),
    story!(
        old_primary,
        large_the_old_primary_of_an_address_that_moved_is_refused
    ),
];

/// Those that ask for a PgBouncer, too.
pub(crate) const STORIES_OF_POOLERS: &[Story] = &[
    story!(
        pooler,
        a_pooler_that_gives_transactions_any_session_is_refused_with_what_to_do
    ),
    story!(pooler, a_pooler_that_keeps_sessions_is_as_good_as_none),
    story!(pooler, a_pooler_of_too_few_sessions_is_told_in_time),
];
