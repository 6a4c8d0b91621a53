//! Every text of the pages, in every language: a folder has one language whole, and the compiler sees to it that none lacks
//! a text, and that none is there which no page shows. Another language is another folder and its two lines here: all else
//! follows from them, which a test in `choice` holds.

mod access;
mod api;
mod choice;
mod coded;
mod codes;
mod counted;
mod faults;
mod foreign;
mod found;
mod goals;
mod grid;
mod home;
mod jobs;
mod lists;
mod meanwhile;
mod mends;
mod past;
mod paste;
mod previews;
mod query;
pub(super) mod schemas;
mod sentences;
mod settings;

// a folder a language, named by its code
mod de;
mod en;

use crate::http::FrontTexts;
use counted::OneOrMany;
pub(super) use sentences::{alone, capitalized};

/// All languages, in the order in which they are offered.
const ALL: &[&Texts] = &[&en::TEXTS, &de::TEXTS];

/// The texts of one language.
pub(super) struct Texts {
    /// The language's code, as in `lang` of a page.
    pub(super) code: &'static str,
    /// What the language calls itself.
    pub(super) own_name: &'static str,
    /// What parts digits into groups of three.
    pub(super) group_separator: &'static str,
    /// What a broken rule means, by the rule's code.
    rules: &'static [(&'static str, &'static str)],
    /// What is wrong with one value, by what its rule is told in.
    faults_told: &'static [(&'static str, &'static str)],
    /// What is wrong with one of several values, by its position.
    fault_of_element: fn(&str, &str) -> String,
    /// What is wrong with a value in words of which no rule is known.
    fault_stored: fn(&str) -> String,
    /// The same where the visitor may not see the value, and so not those words.
    fault_untold: &'static str,
    /// Those of the pages of schemas.
    pub(super) schemas: schemas::SchemaTexts,
    /// What other floors say by code.
    coded: coded::CodedTexts,
    /// Those of a long list of codes.
    pub(super) codes: codes::CodesTexts,
    foreign: foreign::ForeignTexts,
    /// Sentences of the interface, by their English.
    sentences: &'static [sentences::Sentences],
    /// Those of the pages of access.
    pub(super) access: access::AccessTexts,
    /// Those of the page of the whole interface.
    pub(super) api: api::ApiTexts,
    /// What stands at `/`.
    pub(super) front: FrontTexts,
    /// What goals of the palette are called that pages call otherwise.
    pub(super) goals: goals::GoalTexts,
    /// Those of a grid and its cells.
    pub(super) grid: grid::GridTexts,
    /// Those of the past of a record.
    pub(super) past: past::PastTexts,
    /// Those of home alone.
    pub(super) home: home::HomeTexts,
    /// Those of a file that an import has looked at.
    pub(super) found_file: found::FoundTexts,
    /// Those of jobs.
    pub(super) job: jobs::JobTexts,
    pub(super) lists: lists::ListTexts,
    /// Those of what others changed since a form was made.
    pub(super) meanwhile: meanwhile::MeanwhileTexts,
    /// Those of how the service is set up.
    pub(super) settings: settings::SettingTexts,
    /// Those around the field for queries.
    pub(super) query: query::QueryTexts,
    counted_bytes: OneOrMany,
    counted_fields: OneOrMany,
    counted_records: OneOrMany,
    counted_rows: OneOrMany,
    pub(super) language: &'static str,
    pub(super) line_and_message: fn(u64, &str) -> String,
    pub(super) api_what: &'static str,
    pub(super) go: &'static str,
    pub(super) go_empty: &'static str,
    pub(super) go_example: &'static str,
    pub(super) go_keys: &'static str,
    pub(super) go_what: &'static str,
    pub(super) how_to_search: &'static str,
    /// Each form of a query, and what it finds.
    pub(super) query_forms: &'static [(&'static str, &'static str)],
    pub(super) search: &'static str,
    pub(super) search_what: &'static str,
    pub(super) export_faulty: &'static str,
    pub(super) faults_by_field: &'static str,
    pub(super) mend: &'static str,
    pub(super) mend_do: &'static str,
    pub(super) mend_find: &'static str,
    pub(super) mend_find_what: &'static str,
    pub(super) mend_how: &'static str,
    pub(super) mend_list: mends::MendListTexts,
    pub(super) mend_many: &'static str,
    pub(super) mend_map: &'static str,
    pub(super) mend_otherwise: &'static str,
    pub(super) mend_regex: &'static str,
    pub(super) mend_replace: &'static str,
    pub(super) mend_set: &'static str,
    pub(super) mend_set_what: &'static str,
    pub(super) mend_title: &'static str,
    pub(super) mend_to: &'static str,
    pub(super) mend_trim: &'static str,
    pub(super) mend_try: &'static str,
    pub(super) mend_what: &'static str,
    pub(super) mend_with: &'static str,
    pub(super) mend_with_what: &'static str,
    /// Those of cells that are pasted.
    pub(super) paste: paste::PasteTexts,
    pub(super) revision_faulty_after: &'static str,
    pub(super) revision_faulty_before: &'static str,
    pub(super) revision_left: &'static str,
    pub(super) revision_records: &'static str,
    pub(super) revision_would_change: &'static str,
    pub(super) to_faults: &'static str,
    pub(super) which_records: &'static str,
    pub(super) which_records_what: &'static str,
    pub(super) action: &'static str,
    pub(super) after: &'static str,
    pub(super) all: &'static str,
    pub(super) all_on_page: &'static str,
    pub(super) and_more: fn(&str) -> String,
    pub(super) api_keys: &'static str,
    pub(super) api_keys_what: &'static str,
    pub(super) area: &'static str,
    pub(super) area_delete: &'static str,
    pub(super) area_delete_what: &'static str,
    pub(super) area_make: &'static str,
    pub(super) area_new: &'static str,
    pub(super) areas: &'static str,
    pub(super) areas_what: &'static str,
    pub(super) audit: &'static str,
    pub(super) audit_what: &'static str,
    pub(super) back: &'static str,
    pub(super) before: &'static str,
    pub(super) before_both: &'static str,
    pub(super) bring_back: &'static str,
    pub(super) cancel: &'static str,
    pub(super) cancel_job: &'static str,
    pub(super) change: &'static str,
    pub(super) changed: &'static str,
    pub(super) changes_all: &'static str,
    pub(super) changes_recent: &'static str,
    pub(super) choose_file: &'static str,
    pub(super) code_of_factor: &'static str,
    pub(super) columns: &'static str,
    pub(super) columns_unused: &'static str,
    pub(super) conflict: &'static str,
    pub(super) conflict_busy: &'static str,
    pub(super) conflict_row: &'static str,
    pub(super) copied: &'static str,
    pub(super) copy: &'static str,
    pub(super) data: &'static str,
    pub(super) dataset_delete: &'static str,
    pub(super) dataset_make: &'static str,
    pub(super) dataset_new: &'static str,
    pub(super) datasets: &'static str,
    pub(super) delete_for_good: &'static str,
    pub(super) delete_record: &'static str,
    pub(super) delete_record_what: &'static str,
    pub(super) delete_selected: &'static str,
    pub(super) delete_selected_what: &'static str,
    pub(super) deleted: &'static str,
    pub(super) deleted_records: &'static str,
    pub(super) deleted_records_what: &'static str,
    pub(super) found_changed: &'static str,
    pub(super) new_value: &'static str,
    pub(super) none_written: &'static str,
    pub(super) nothing_deleted: &'static str,
    pub(super) nothing_selected: &'static str,
    pub(super) restore_record: &'static str,
    pub(super) description: &'static str,
    pub(super) download_export: &'static str,
    pub(super) download_file: &'static str,
    pub(super) download_rejects: &'static str,
    pub(super) example: &'static str,
    pub(super) export_columns_what: &'static str,
    pub(super) export_csv_only: &'static str,
    pub(super) export_now: &'static str,
    pub(super) export_records: &'static str,
    pub(super) export_what: &'static str,
    pub(super) failed_inside: &'static str,
    pub(super) faults: &'static str,
    pub(super) faulty: &'static str,
    pub(super) faulty_fields: &'static str,
    faulty_in: OneOrMany,
    pub(super) field: &'static str,
    pub(super) fields: &'static str,
    pub(super) file: &'static str,
    pub(super) file_add: &'static str,
    /// Where one may drop a file anywhere on a page, and where onto its input alone.
    pub(super) file_drop: &'static str,
    pub(super) file_drop_there: &'static str,
    pub(super) file_remove: &'static str,
    pub(super) file_remove_what: &'static str,
    pub(super) file_replace: &'static str,
    pub(super) files: &'static str,
    pub(super) files_busy: &'static str,
    pub(super) files_changed: &'static str,
    pub(super) files_later: &'static str,
    pub(super) files_what: &'static str,
    pub(super) file_delimiter: &'static str,
    pub(super) file_delimiter_what: &'static str,
    pub(super) file_details: &'static str,
    pub(super) file_encoding: &'static str,
    pub(super) file_format: &'static str,
    pub(super) file_guarded: &'static str,
    pub(super) file_guarded_what: &'static str,
    pub(super) file_header: &'static str,
    pub(super) file_kinds: &'static str,
    pub(super) file_map: &'static str,
    pub(super) file_map_what: &'static str,
    pub(super) file_packing: &'static str,
    pub(super) file_packing_none: &'static str,
    pub(super) file_split: &'static str,
    pub(super) filter: &'static str,
    pub(super) first_page: &'static str,
    pub(super) found: &'static str,
    pub(super) found_by_itself: &'static str,
    pub(super) history: &'static str,
    pub(super) import_after_trial: &'static str,
    pub(super) import_file: &'static str,
    pub(super) import_mode: &'static str,
    pub(super) import_now: &'static str,
    pub(super) import_store: &'static str,
    pub(super) import_try: &'static str,
    pub(super) import_try_or_store: &'static str,
    pub(super) import_try_again: &'static str,
    /// Behind the name of a file.
    pub(super) import_tried_file: &'static str,
    pub(super) import_what: &'static str,
    pub(super) in_conflict: &'static str,
    pub(super) index_is_behind: &'static str,
    pub(super) jobs: &'static str,
    pub(super) key: &'static str,
    pub(super) key_active: &'static str,
    pub(super) key_earlier_until: &'static str,
    pub(super) key_expired: &'static str,
    pub(super) key_expires: &'static str,
    pub(super) key_expires_what: &'static str,
    pub(super) key_inactive: &'static str,
    pub(super) key_last_used: &'static str,
    pub(super) key_make: &'static str,
    pub(super) key_masked: &'static str,
    pub(super) key_missing: &'static str,
    pub(super) key_new: &'static str,
    pub(super) key_once: &'static str,
    pub(super) key_roles_what: &'static str,
    pub(super) key_rotate: &'static str,
    pub(super) key_rotate_what: &'static str,
    pub(super) key_taken: &'static str,
    pub(super) log: &'static str,
    pub(super) made: &'static str,
    pub(super) main_navigation: &'static str,
    pub(super) mode_create: &'static str,
    pub(super) mode_replace: &'static str,
    pub(super) mode_update: &'static str,
    pub(super) mode_upsert: &'static str,
    pub(super) mode_what: &'static str,
    pub(super) name: &'static str,
    pub(super) never: &'static str,
    pub(super) new_record: &'static str,
    pub(super) next_page: &'static str,
    pub(super) no: &'static str,
    pub(super) no_datasets: &'static str,
    pub(super) no_datasets_why: &'static str,
    pub(super) no_faults: &'static str,
    pub(super) no_faults_why: &'static str,
    pub(super) no_jobs: &'static str,
    pub(super) no_jobs_why: &'static str,
    pub(super) no_keys: &'static str,
    pub(super) no_records_yet: &'static str,
    pub(super) no_schemas: &'static str,
    pub(super) no_value: &'static str,
    pub(super) not_all_shown: &'static str,
    pub(super) not_allowed: &'static str,
    pub(super) not_found: &'static str,
    pub(super) not_now: &'static str,
    pub(super) not_understood: &'static str,
    pub(super) nothing_found: &'static str,
    pub(super) of: &'static str,
    pub(super) only_faulty: &'static str,
    pub(super) open: &'static str,
    pub(super) password: &'static str,
    pub(super) password_chosen_by_other: &'static str,
    pub(super) password_ends_sessions: &'static str,
    pub(super) password_new: &'static str,
    pub(super) password_now: &'static str,
    pub(super) perhaps_meant: &'static str,
    pub(super) health: &'static str,
    pub(super) health_ready: &'static str,
    pub(super) health_not_ready: &'static str,
    pub(super) health_search_behind: &'static str,
    pub(super) health_search_failed: &'static str,
    pub(super) health_search_absent: &'static str,
    pub(super) health_backup: &'static str,
    pub(super) health_no_backup: &'static str,
    pub(super) masked_hint: &'static str,
    pub(super) previews: previews::PreviewTexts,
    pub(super) purged: &'static str,
    pub(super) query_example: &'static str,
    pub(super) reason: &'static str,
    pub(super) record: &'static str,
    pub(super) records: &'static str,
    records_with_faults: OneOrMany,
    pub(super) records_of: &'static str,
    pub(super) request: &'static str,
    pub(super) required: &'static str,
    pub(super) restored: &'static str,
    pub(super) roles: &'static str,
    pub(super) rows: &'static str,
    pub(super) rule: &'static str,
    pub(super) save: &'static str,
    pub(super) save_merged: &'static str,
    pub(super) save_merged_what: &'static str,
    pub(super) saved: &'static str,
    pub(super) select: &'static str,
    pub(super) selected: &'static str,
    pub(super) selected_records: &'static str,
    pub(super) set_field: &'static str,
    pub(super) set_now: fn(&str, &str) -> String,
    pub(super) set_show: &'static str,
    pub(super) set_what: &'static str,
    pub(super) share: &'static str,
    pub(super) show: &'static str,
    pub(super) show_all: &'static str,
    pub(super) show_faulty: &'static str,
    pub(super) show_these: &'static str,
    pub(super) sign_in: &'static str,
    pub(super) sign_in_code_missing: &'static str,
    pub(super) sign_in_tenant_missing: &'static str,
    pub(super) sign_in_wrong: &'static str,
    pub(super) sign_out: &'static str,
    pub(super) skip: &'static str,
    pub(super) status: &'static str,
    pub(super) stored_now: &'static str,
    pub(super) stored_show: &'static str,
    pub(super) switch_off: &'static str,
    pub(super) switch_on: &'static str,
    pub(super) take_back: &'static str,
    pub(super) take_mine: &'static str,
    pub(super) take_theirs: &'static str,
    pub(super) tenant: &'static str,
    pub(super) to_data: &'static str,
    pub(super) too_many_selected: &'static str,
    pub(super) trial_what: &'static str,
    pub(super) unanswered: &'static str,
    pub(super) under_way: &'static str,
    pub(super) undo_job: &'static str,
    pub(super) unreachable: &'static str,
    pub(super) unsent: &'static str,
    pub(super) until: &'static str,
    pub(super) username: &'static str,
    pub(super) version: &'static str,
    pub(super) when: &'static str,
    pub(super) where_you_are: &'static str,
    pub(super) who: &'static str,
    pub(super) with_found: &'static str,
    pub(super) with_selected: &'static str,
    pub(super) yes: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::judgement::Rule;

    #[test]
    fn every_rule_has_a_text_in_every_language() {
        for texts in ALL {
            for (code, _) in Rule::CODES {
                let known = texts.rules.iter().any(|(own, _)| own == code);
                assert!(known, "{} lacks {code}", texts.code);
            }
        }
    }
}
