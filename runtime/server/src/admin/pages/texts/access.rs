//! The texts of the pages of access, a part of every language's.

use super::counted::{OneOrMany, one_or_many};
use service::catalog::Resource;

/// Those of one language.
pub(in crate::admin::pages) struct AccessTexts {
    /// What resources are called, by the names that interfaces have for them: by themselves, and within a sentence.
    pub(super) resources: &'static [(&'static str, &'static str, &'static str)],
    /// What someone lacks the right to do, by the names of verbs, within a sentence.
    pub(super) verbs: &'static [(&'static str, &'static str)],
    /// A right: a verb and a resource as they stand within a sentence.
    pub(super) right: fn(&str, &str) -> String,
    /// What the words of the trail mean.
    pub(super) trail: &'static [(&'static str, &'static str)],
    pub(in crate::admin::pages) access: &'static str,
    /// What stands for all areas, also those that are made later.
    pub(in crate::admin::pages) all_areas: &'static str,
    /// Before what someone has beside what is shown.
    pub(in crate::admin::pages) also: &'static str,
    pub(in crate::admin::pages) area_off_what: &'static str,
    pub(in crate::admin::pages) area_then: &'static str,
    pub(in crate::admin::pages) areas_none: &'static str,
    pub(in crate::admin::pages) areas_not_yours: &'static str,
    pub(in crate::admin::pages) areas_unseen: &'static str,
    pub(in crate::admin::pages) areas_unseen_ask: &'static str,
    pub(in crate::admin::pages) areas_what: &'static str,
    pub(in crate::admin::pages) audit_areas_unseen: &'static str,
    pub(in crate::admin::pages) audit_details: &'static str,
    pub(in crate::admin::pages) audit_export: &'static str,
    pub(in crate::admin::pages) audit_from: &'static str,
    pub(in crate::admin::pages) audit_further: &'static str,
    pub(in crate::admin::pages) audit_id: &'static str,
    pub(in crate::admin::pages) audit_name: &'static str,
    pub(in crate::admin::pages) audit_noun: &'static str,
    pub(in crate::admin::pages) audit_to: &'static str,
    pub(in crate::admin::pages) audit_unreadable: &'static str,
    pub(in crate::admin::pages) audit_unseen: &'static str,
    pub(in crate::admin::pages) changed_meanwhile: &'static str,
    pub(in crate::admin::pages) changed_meanwhile_rights: &'static str,
    pub(in crate::admin::pages) client_can: &'static str,
    pub(in crate::admin::pages) client_can_nothing_now: &'static str,
    pub(in crate::admin::pages) client_delete: &'static str,
    pub(in crate::admin::pages) client_delete_what: &'static str,
    pub(in crate::admin::pages) client_id: &'static str,
    pub(in crate::admin::pages) client_make: &'static str,
    pub(in crate::admin::pages) client_new: &'static str,
    pub(in crate::admin::pages) client_off_what: &'static str,
    /// Before and behind the link to the other page.
    pub(in crate::admin::pages) client_or_key: [&'static str; 2],
    pub(in crate::admin::pages) client_rotate_what: &'static str,
    pub(in crate::admin::pages) client_seconds: &'static str,
    pub(in crate::admin::pages) clients: &'static str,
    pub(in crate::admin::pages) clients_what: &'static str,
    pub(in crate::admin::pages) data_unseen: &'static str,
    /// Where it is a right that is lacking: to see what.
    pub(in crate::admin::pages) data_unseen_right: &'static str,
    pub(in crate::admin::pages) data_unseen_why: &'static str,
    pub(in crate::admin::pages) dataset_delete_what: &'static str,
    pub(in crate::admin::pages) datasets_unseen: &'static str,
    /// What forms do whose operation does all that is done to records.
    pub(in crate::admin::pages) does_create_record: &'static str,
    pub(in crate::admin::pages) does_save_record: &'static str,
    pub(in crate::admin::pages) does_set_value: &'static str,
    pub(super) domain_codes: OneOrMany,
    pub(in crate::admin::pages) domain_codes_label: &'static str,
    pub(in crate::admin::pages) domain_codes_what: &'static str,
    pub(in crate::admin::pages) domain_delete: &'static str,
    pub(in crate::admin::pages) domain_delete_what: &'static str,
    pub(in crate::admin::pages) domain_codes_typed: &'static str,
    pub(in crate::admin::pages) domain_effects: &'static str,
    pub(in crate::admin::pages) domain_effects_records: &'static str,
    pub(in crate::admin::pages) domain_make: &'static str,
    pub(in crate::admin::pages) domain_new: &'static str,
    pub(in crate::admin::pages) domains: &'static str,
    pub(in crate::admin::pages) domains_what: &'static str,
    pub(in crate::admin::pages) email: &'static str,
    pub(in crate::admin::pages) email_proof: &'static str,
    pub(in crate::admin::pages) factor: &'static str,
    pub(in crate::admin::pages) factor_begin: &'static str,
    pub(in crate::admin::pages) factor_code: &'static str,
    pub(in crate::admin::pages) factor_code_wrong: &'static str,
    pub(in crate::admin::pages) factor_codes: &'static str,
    pub(in crate::admin::pages) factor_confirm: &'static str,
    pub(in crate::admin::pages) factor_have: &'static str,
    pub(in crate::admin::pages) factor_must: &'static str,
    pub(in crate::admin::pages) factor_none: &'static str,
    pub(in crate::admin::pages) factor_on: &'static str,
    pub(in crate::admin::pages) factor_open: &'static str,
    pub(in crate::admin::pages) factor_remove: &'static str,
    pub(in crate::admin::pages) factor_remove_what: &'static str,
    pub(in crate::admin::pages) factor_required: &'static str,
    pub(in crate::admin::pages) factor_required_by_role: &'static str,
    pub(in crate::admin::pages) factor_required_of_role: &'static str,
    pub(in crate::admin::pages) factor_required_of_user: &'static str,
    pub(in crate::admin::pages) factor_secret: &'static str,
    pub(in crate::admin::pages) factor_picture: &'static str,
    pub(in crate::admin::pages) factor_secret_what: &'static str,
    pub(in crate::admin::pages) factor_stays: &'static str,
    pub(in crate::admin::pages) factor_title: &'static str,
    /// What is told of a form that is too long to be sent, with how many bytes it may have, and how many it has.
    pub(in crate::admin::pages) form_too_long: &'static str,
    /// What is told of a form without a session that lacks the secret of its browser.
    pub(in crate::admin::pages) form_unproven: &'static str,
    pub(in crate::admin::pages) full_name: &'static str,
    pub(in crate::admin::pages) invitation: &'static str,
    pub(in crate::admin::pages) invitation_code_what: &'static str,
    pub(in crate::admin::pages) invitation_ended: &'static str,
    pub(in crate::admin::pages) invitation_ended_what: &'static str,
    pub(in crate::admin::pages) invitation_made: &'static str,
    pub(in crate::admin::pages) invitation_once: &'static str,
    pub(in crate::admin::pages) invited_already: &'static str,
    pub(in crate::admin::pages) invitation_welcome: &'static str,
    pub(in crate::admin::pages) invitation_what: &'static str,
    pub(in crate::admin::pages) jobs_of_others: &'static str,
    pub(in crate::admin::pages) kept: &'static str,
    /// What is told of a press of a button that was refused and can be done again.
    pub(in crate::admin::pages) kept_again: &'static str,
    pub(in crate::admin::pages) kept_but_file: &'static str,
    pub(in crate::admin::pages) kept_does: &'static str,
    /// What is told of a form that was refused and is not on the page.
    pub(in crate::admin::pages) kept_elsewhere: &'static str,
    pub(in crate::admin::pages) kept_go_on: &'static str,
    /// What a form says that it is about where that is a key.
    pub(in crate::admin::pages) kept_leave: &'static str,
    pub(in crate::admin::pages) kept_on_its_way: &'static str,
    pub(in crate::admin::pages) kept_other_sign_in: &'static str,
    /// The same of one that brought a file.
    pub(in crate::admin::pages) kept_other_sign_in_but_file: &'static str,
    pub(in crate::admin::pages) kept_records: &'static str,
    /// What is told of a form that was refused and is there to be sent again.
    pub(in crate::admin::pages) kept_refused: &'static str,
    pub(in crate::admin::pages) kept_send: &'static str,
    /// The same of one that was too large.
    pub(in crate::admin::pages) kept_to_shorten: &'static str,
    pub(in crate::admin::pages) kept_what: &'static str,
    pub(in crate::admin::pages) key_areas_unseen: &'static str,
    pub(in crate::admin::pages) key_can: &'static str,
    pub(in crate::admin::pages) key_can_manage: &'static str,
    pub(in crate::admin::pages) key_can_nothing_now: &'static str,
    pub(in crate::admin::pages) key_delete: &'static str,
    pub(in crate::admin::pages) key_delete_what: &'static str,
    pub(in crate::admin::pages) key_can_records: &'static str,
    /// What stands before the line that sets a new key in a shell.
    pub(in crate::admin::pages) key_export: &'static str,
    pub(in crate::admin::pages) key_expires_unreadable: &'static str,
    pub(in crate::admin::pages) key_off_what: &'static str,
    /// Before and behind the link to the other page.
    pub(in crate::admin::pages) key_or_client: [&'static str; 2],
    /// What is told of who lacks roles, or areas.
    pub(in crate::admin::pages) idle_no_area: &'static str,
    pub(in crate::admin::pages) idle_no_role: &'static str,
    pub(in crate::admin::pages) key_reaches_nothing: &'static str,
    pub(in crate::admin::pages) key_reaches_nothing_why: &'static str,
    pub(in crate::admin::pages) key_roles_unseen: &'static str,
    pub(in crate::admin::pages) key_search: &'static str,
    pub(in crate::admin::pages) lacking: &'static str,
    pub(in crate::admin::pages) lacking_ask: &'static str,
    pub(super) letter_changes: OneOrMany,
    pub(in crate::admin::pages) letter_discard: &'static str,
    pub(in crate::admin::pages) letter_discard_what: &'static str,
    pub(in crate::admin::pages) letter_discarded: &'static str,
    /// Of the number of one that can't be read.
    pub(in crate::admin::pages) letter_numbered: fn(u64) -> String,
    pub(in crate::admin::pages) letter_resend: &'static str,
    pub(in crate::admin::pages) letter_resent: &'static str,
    pub(in crate::admin::pages) letters: &'static str,
    pub(in crate::admin::pages) letters_what: &'static str,
    pub(in crate::admin::pages) no_areas: &'static str,
    pub(in crate::admin::pages) no_clients: &'static str,
    pub(in crate::admin::pages) no_domains: &'static str,
    pub(in crate::admin::pages) no_webhooks: &'static str,
    pub(in crate::admin::pages) none: &'static str,
    pub(in crate::admin::pages) not_yours_to_add: &'static str,
    pub(in crate::admin::pages) not_yours_to_change: &'static str,
    /// Before the name of the area.
    pub(in crate::admin::pages) not_yours_to_mend: &'static str,
    pub(in crate::admin::pages) password_change: &'static str,
    pub(in crate::admin::pages) password_choose: &'static str,
    pub(in crate::admin::pages) password_chosen: &'static str,
    pub(in crate::admin::pages) password_rules: &'static str,
    pub(in crate::admin::pages) profile: &'static str,
    pub(in crate::admin::pages) proof: &'static str,
    pub(in crate::admin::pages) proof_code_missing: &'static str,
    pub(in crate::admin::pages) proof_go_on: &'static str,
    pub(in crate::admin::pages) proof_what: &'static str,
    pub(in crate::admin::pages) proof_wrong: &'static str,
    pub(in crate::admin::pages) resource: &'static str,
    pub(in crate::admin::pages) resource_personal_what: &'static str,
    pub(in crate::admin::pages) role_allows: &'static str,
    pub(in crate::admin::pages) role_empty: &'static str,
    pub(in crate::admin::pages) role_nothing: &'static str,
    pub(in crate::admin::pages) role_built_in: &'static str,
    pub(in crate::admin::pages) role_built_in_what: &'static str,
    pub(in crate::admin::pages) role_copy: &'static str,
    pub(in crate::admin::pages) role_delete: &'static str,
    pub(in crate::admin::pages) role_delete_what: &'static str,
    pub(in crate::admin::pages) role_make: &'static str,
    pub(in crate::admin::pages) role_new: &'static str,
    pub(in crate::admin::pages) roles_unseen: &'static str,
    pub(in crate::admin::pages) roles_what: &'static str,
    pub(in crate::admin::pages) secret_once: &'static str,
    /// A browser, and the system that it is on.
    pub(in crate::admin::pages) session_browser: &'static str,
    pub(in crate::admin::pages) session_current: &'static str,
    pub(in crate::admin::pages) session_end: &'static str,
    pub(in crate::admin::pages) session_end_what: &'static str,
    pub(in crate::admin::pages) session_since: &'static str,
    pub(in crate::admin::pages) sessions: &'static str,
    pub(in crate::admin::pages) sessions_end_others: &'static str,
    pub(in crate::admin::pages) sessions_end_others_what: &'static str,
    pub(in crate::admin::pages) settings: &'static str,
    pub(in crate::admin::pages) settings_fixed: &'static str,
    pub(in crate::admin::pages) settings_limits: &'static str,
    pub(in crate::admin::pages) settings_unseen: &'static str,
    pub(in crate::admin::pages) settings_what: &'static str,
    pub(in crate::admin::pages) set_up: &'static str,
    pub(in crate::admin::pages) set_up_before: &'static str,
    pub(in crate::admin::pages) set_up_code: &'static str,
    pub(in crate::admin::pages) set_up_code_what: &'static str,
    pub(in crate::admin::pages) set_up_do: &'static str,
    /// Where there is nothing to set up, and nobody did either.
    pub(in crate::admin::pages) set_up_expired: &'static str,
    pub(in crate::admin::pages) set_up_link: &'static str,
    /// Over a page without a form, where there is no tenant.
    pub(in crate::admin::pages) set_up_not_yet: &'static str,
    pub(in crate::admin::pages) set_up_over: &'static str,
    pub(in crate::admin::pages) set_up_tenant: &'static str,
    pub(in crate::admin::pages) set_up_what: &'static str,
    pub(in crate::admin::pages) sign_in_again: &'static str,
    pub(in crate::admin::pages) sign_in_code_wrong: &'static str,
    pub(in crate::admin::pages) sign_in_forgotten: &'static str,
    /// What is shown of many failed tries at an account: how many, and how many there may be.
    pub(in crate::admin::pages) sign_in_guessed: &'static str,
    /// The same where there may be no more: until when, how many, and from how many addresses.
    pub(in crate::admin::pages) sign_in_held: &'static str,
    pub(in crate::admin::pages) sign_in_kept: &'static str,
    pub(in crate::admin::pages) sign_in_kept_but_file: &'static str,
    pub(in crate::admin::pages) sign_in_no_user: &'static str,
    pub(in crate::admin::pages) sign_in_nobody: &'static str,
    pub(in crate::admin::pages) sign_in_other: &'static str,
    pub(in crate::admin::pages) sign_in_wait: &'static str,
    pub(in crate::admin::pages) step_area: &'static str,
    pub(in crate::admin::pages) step_area_what: &'static str,
    pub(in crate::admin::pages) step_dataset: &'static str,
    pub(in crate::admin::pages) step_dataset_what: &'static str,
    pub(in crate::admin::pages) step_done: &'static str,
    pub(in crate::admin::pages) step_reach: &'static str,
    pub(in crate::admin::pages) step_reach_what: &'static str,
    pub(in crate::admin::pages) step_schema: &'static str,
    pub(in crate::admin::pages) step_schema_what: &'static str,
    pub(in crate::admin::pages) steps: &'static str,
    pub(in crate::admin::pages) steps_what: &'static str,
    pub(in crate::admin::pages) unseen_areas: fn(usize) -> String,
    pub(in crate::admin::pages) unseen_datasets: fn(usize) -> String,
    pub(in crate::admin::pages) unseen_roles: fn(usize) -> String,
    pub(in crate::admin::pages) usage: &'static str,
    pub(in crate::admin::pages) usage_catalog: &'static str,
    pub(in crate::admin::pages) usage_codes: &'static str,
    pub(in crate::admin::pages) usage_files: &'static str,
    pub(in crate::admin::pages) usage_jobs: &'static str,
    pub(in crate::admin::pages) usage_limit: &'static str,
    pub(in crate::admin::pages) usage_of: &'static str,
    pub(in crate::admin::pages) usage_records: &'static str,
    pub(in crate::admin::pages) usage_resources: &'static str,
    pub(in crate::admin::pages) usage_sessions: &'static str,
    /// What the bars of usage are shares of.
    pub(in crate::admin::pages) usage_share: &'static str,
    pub(in crate::admin::pages) usage_used: &'static str,
    pub(in crate::admin::pages) usage_versions: &'static str,
    pub(in crate::admin::pages) usage_webhooks: &'static str,
    pub(in crate::admin::pages) usage_what: &'static str,
    pub(in crate::admin::pages) user_active: &'static str,
    pub(in crate::admin::pages) user_delete: &'static str,
    pub(in crate::admin::pages) user_delete_what: &'static str,
    pub(in crate::admin::pages) user_factor_what: &'static str,
    pub(in crate::admin::pages) user_help: &'static str,
    pub(in crate::admin::pages) user_inactive: &'static str,
    pub(in crate::admin::pages) user_invite: &'static str,
    pub(in crate::admin::pages) user_invite_again: &'static str,
    pub(in crate::admin::pages) user_invite_again_what: &'static str,
    pub(in crate::admin::pages) user_invited: &'static str,
    pub(in crate::admin::pages) user_must_change: &'static str,
    pub(in crate::admin::pages) user_new: &'static str,
    pub(in crate::admin::pages) user_reaches_nothing: &'static str,
    pub(in crate::admin::pages) user_new_what: &'static str,
    pub(in crate::admin::pages) user_sign_out: &'static str,
    pub(in crate::admin::pages) user_sign_out_what: &'static str,
    pub(in crate::admin::pages) users: &'static str,
    pub(in crate::admin::pages) users_what: &'static str,
    pub(in crate::admin::pages) verb_add: &'static str,
    pub(in crate::admin::pages) verb_delete: &'static str,
    pub(in crate::admin::pages) verb_edit: &'static str,
    pub(in crate::admin::pages) tick_all: &'static str,
    pub(in crate::admin::pages) verb_view: &'static str,
    /// Of one at which nothing arrives, and of one that was switched off so: what is the case, and what to do.
    pub(in crate::admin::pages) webhook_broken: [&'static str; 2],
    pub(in crate::admin::pages) webhook_delete: &'static str,
    pub(in crate::admin::pages) webhook_delete_what: &'static str,
    pub(in crate::admin::pages) webhook_delivered: &'static str,
    pub(in crate::admin::pages) webhook_ended: [&'static str; 2],
    pub(in crate::admin::pages) webhook_failing: &'static str,
    pub(in crate::admin::pages) webhook_why: &'static str,
    pub(in crate::admin::pages) webhook_fails: &'static str,
    pub(in crate::admin::pages) webhook_look: &'static str,
    pub(in crate::admin::pages) webhook_make: &'static str,
    pub(in crate::admin::pages) webhook_new: &'static str,
    pub(in crate::admin::pages) webhook_next: &'static str,
    pub(in crate::admin::pages) webhook_next_now: &'static str,
    pub(in crate::admin::pages) webhook_off_what: &'static str,
    pub(in crate::admin::pages) webhook_rotate_what: &'static str,
    pub(in crate::admin::pages) webhook_to_address: &'static str,
    pub(in crate::admin::pages) webhook_tried: &'static str,
    pub(in crate::admin::pages) webhook_try: &'static str,
    pub(in crate::admin::pages) webhook_url: &'static str,
    pub(in crate::admin::pages) webhook_url_what: &'static str,
    pub(in crate::admin::pages) webhooks: &'static str,
    pub(in crate::admin::pages) webhooks_what: &'static str,
}

impl AccessTexts {
    /// What so many codes are called.
    pub(in crate::admin::pages) fn of_codes(&self, count: &str) -> &'static str {
        one_or_many(self.domain_codes, count)
    }

    /// What so many changes are called.
    pub(in crate::admin::pages) fn of_changes(&self, count: &str) -> &'static str {
        one_or_many(self.letter_changes, count)
    }

    /// What a resource is called; its name, where no language knows it.
    pub(in crate::admin::pages) fn resource_label(&self, name: &str) -> String {
        let own = self.resources.iter().find(|(own, ..)| *own == name);
        own.map_or(name, |(_, label, _)| label).to_owned()
    }

    /// What a resource is called within a sentence; its name, where no language knows it.
    pub(super) fn resource_within<'n>(&self, name: &'n str) -> &'n str {
        let own = self.resources.iter().find(|(own, ..)| *own == name);
        own.map_or(name, |(_, _, within)| within)
    }

    /// What resources are called within a sentence, one behind the other.
    pub(in crate::admin::pages) fn resources_within(&self, resources: &[Resource]) -> String {
        let names = resources.iter().map(|resource| {
            let name = resource.name();
            self.resource_within(&name).to_owned()
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// A verb within a sentence; its name, where no language knows it.
    pub(super) fn verb_within<'n>(&self, name: &'n str) -> &'n str {
        let own = self.verbs.iter().find(|(own, _)| *own == name);
        own.map_or(name, |(_, within)| within)
    }

    /// A right, of which the interface says `view USERS`; nothing of another sentence.
    pub(super) fn right_within(&self, told: &str) -> Option<String> {
        let (verb, resource) = told.split_once(' ')?;
        let resource = self.resources.iter().find(|(own, ..)| *own == resource)?;
        Some((self.right)(self.verb_within(verb), resource.2))
    }

    /// What a word of the trail means; the word, where no language knows it.
    pub(in crate::admin::pages) fn of_trail(&self, word: &'static str) -> &'static str {
        let own = self.trail.iter().find(|(own, _)| *own == word);
        own.map_or(word, |(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use super::Resource;
    use service::manage::{AuditAction, Kind, LogAction};

    #[test]
    fn every_right_has_words_within_a_sentence_in_every_language() {
        for resource in Resource::ALL {
            let name = resource.name();
            for verb in ["view", "add", "edit", "delete"] {
                for texts in ALL {
                    let told = texts.access.right_within(&format!("{verb} {name}"));
                    let told = told.unwrap_or_else(|| panic!("{} lacks {name}", texts.code));
                    assert!(!told.contains(&name) && !told.contains("view"), "{told}");
                }
            }
        }
    }

    #[test]
    fn every_word_of_the_trail_has_a_text_in_every_language() {
        let actions = AuditAction::ALL.iter().map(|it| it.as_str());
        let log = LogAction::ALL.iter().map(|it| it.as_str());
        let nouns = Kind::ALL.iter().map(|it| it.as_str());
        for word in actions.chain(log).chain(nouns) {
            for texts in ALL {
                let own = texts.access.trail.iter().any(|(own, _)| *own == word);
                assert!(own, "{} lacks {word}", texts.code);
            }
        }
    }
}
