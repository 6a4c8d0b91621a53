//! The texts of the pages of schemas, a member of each language's. A `{}` in a text is filled in by the page.

/// The texts of one language about schemas.
pub(in crate::admin::pages) struct SchemaTexts {
    /// What a data type is, by its name in documents.
    pub(super) types: &'static [(&'static str, &'static str)],
    /// What a property of a field is called where people fill it in, by its name in documents.
    pub(super) properties: &'static [(&'static str, &'static str)],
    /// Why a change concerns someone, by the reason's code.
    pub(super) reasons: &'static [(&'static str, &'static str)],
    pub(in crate::admin::pages) title: &'static str,
    /// What one is called.
    pub(in crate::admin::pages) one: &'static str,
    pub(in crate::admin::pages) what: &'static str,
    pub(in crate::admin::pages) none: &'static str,
    pub(in crate::admin::pages) none_ask: &'static str,
    pub(in crate::admin::pages) none_what: &'static str,
    pub(in crate::admin::pages) new: &'static str,
    pub(in crate::admin::pages) new_in: &'static str,
    pub(in crate::admin::pages) version: &'static str,
    pub(in crate::admin::pages) versions: &'static str,
    pub(in crate::admin::pages) state_draft: &'static str,
    pub(in crate::admin::pages) state_published: &'static str,
    pub(in crate::admin::pages) edit: &'static str,
    pub(in crate::admin::pages) publish: &'static str,
    pub(in crate::admin::pages) save_draft: &'static str,
    pub(in crate::admin::pages) draft_what: &'static str,
    pub(in crate::admin::pages) clone: &'static str,
    pub(in crate::admin::pages) copy_of: &'static str,
    pub(in crate::admin::pages) type_of: &'static str,
    pub(in crate::admin::pages) rules: &'static str,
    pub(in crate::admin::pages) no_fields: &'static str,
    pub(in crate::admin::pages) no_fields_what: &'static str,
    /// How many fields of a schema are not active.
    pub(in crate::admin::pages) fields_inactive: &'static str,
    pub(in crate::admin::pages) inactive: &'static str,
    pub(in crate::admin::pages) inactive_what: &'static str,
    pub(in crate::admin::pages) no_datasets: &'static str,
    pub(in crate::admin::pages) no_datasets_yet: &'static str,
    pub(in crate::admin::pages) off_what: &'static str,
    pub(in crate::admin::pages) downloads: &'static str,
    pub(in crate::admin::pages) as_json: &'static str,
    pub(in crate::admin::pages) as_json_schema: &'static str,
    pub(in crate::admin::pages) as_sqlite: &'static str,
    pub(in crate::admin::pages) as_postgresql: &'static str,
    pub(in crate::admin::pages) as_rust: &'static str,
    pub(in crate::admin::pages) as_typescript: &'static str,
    pub(in crate::admin::pages) as_python: &'static str,
    pub(in crate::admin::pages) as_markdown: &'static str,
    pub(in crate::admin::pages) command: &'static str,
    pub(in crate::admin::pages) delete: &'static str,
    pub(in crate::admin::pages) delete_what: &'static str,
    pub(in crate::admin::pages) compare_with: &'static str,
    pub(in crate::admin::pages) version_only: &'static str,
    pub(in crate::admin::pages) to_schema: &'static str,
    pub(in crate::admin::pages) version_first: &'static str,
    pub(in crate::admin::pages) version_same: &'static str,
    pub(in crate::admin::pages) in_force: &'static str,
    pub(in crate::admin::pages) compare: &'static str,
    pub(in crate::admin::pages) from_version: &'static str,
    pub(in crate::admin::pages) to_version: &'static str,
    pub(in crate::admin::pages) from_to_title: &'static str,
    pub(in crate::admin::pages) nothing_to_publish: &'static str,
    pub(in crate::admin::pages) to_fill_in: &'static str,
    pub(in crate::admin::pages) unchanged: &'static str,
    pub(in crate::admin::pages) rule_from_to: &'static str,
    pub(in crate::admin::pages) rule_from: &'static str,
    pub(in crate::admin::pages) rule_to: &'static str,
    pub(in crate::admin::pages) rule_characters: &'static str,
    pub(in crate::admin::pages) rule_characters_exactly: &'static str,
    pub(in crate::admin::pages) rule_characters_min: &'static str,
    pub(in crate::admin::pages) rule_characters_max: &'static str,
    pub(in crate::admin::pages) rule_alphanumeric: &'static str,
    pub(in crate::admin::pages) rule_written: &'static str,
    pub(in crate::admin::pages) rule_words: &'static str,
    pub(in crate::admin::pages) rule_codes: &'static str,
    pub(in crate::admin::pages) rule_domain: &'static str,
    pub(in crate::admin::pages) rule_bytes: &'static str,
    pub(in crate::admin::pages) rule_wide: &'static str,
    pub(in crate::admin::pages) rule_high: &'static str,
    pub(in crate::admin::pages) rule_tags: &'static str,
    pub(in crate::admin::pages) mark_key: &'static str,
    pub(in crate::admin::pages) mark_sort: &'static str,
    pub(in crate::admin::pages) mark_several: &'static str,
    pub(in crate::admin::pages) mark_personal: &'static str,
    pub(in crate::admin::pages) change_added: &'static str,
    pub(in crate::admin::pages) change_removed: &'static str,
    pub(in crate::admin::pages) change_renamed: &'static str,
    pub(in crate::admin::pages) change_reordered: &'static str,
    pub(in crate::admin::pages) change_codes_added: &'static str,
    pub(in crate::admin::pages) change_codes_removed: &'static str,
    pub(in crate::admin::pages) change_codes_told: &'static str,
    pub(in crate::admin::pages) change_codes_order: &'static str,
    pub(in crate::admin::pages) for_data: &'static str,
    pub(in crate::admin::pages) for_readers: &'static str,
    pub(in crate::admin::pages) for_writers: &'static str,
    pub(in crate::admin::pages) for_types: &'static str,
    pub(in crate::admin::pages) for_nobody: &'static str,
    pub(in crate::admin::pages) types_major: &'static str,
    pub(in crate::admin::pages) whom: &'static str,
    pub(in crate::admin::pages) compatible: &'static str,
    pub(in crate::admin::pages) breaking: &'static str,
    /// The same of a version that is stored already.
    pub(in crate::admin::pages) breaking_stored: &'static str,
    /// Before the ways to what one does about it: the link to the downloads, and that to the keys.
    pub(in crate::admin::pages) breaking_ways: [&'static str; 2],
    pub(in crate::admin::pages) what_changes: &'static str,
    pub(in crate::admin::pages) what_they_changed: &'static str,
    pub(in crate::admin::pages) what_yours_changes: &'static str,
    pub(in crate::admin::pages) review: &'static str,
    pub(in crate::admin::pages) review_first: &'static str,
    pub(in crate::admin::pages) review_title: &'static str,
    pub(in crate::admin::pages) review_new: &'static str,
    pub(in crate::admin::pages) back_to_editor: &'static str,
    pub(in crate::admin::pages) effects: &'static str,
    pub(in crate::admin::pages) effects_count: &'static str,
    /// Told where a script has them counted, and what is told without one.
    pub(in crate::admin::pages) effects_counting: &'static str,
    pub(in crate::admin::pages) effects_uncounted: &'static str,
    pub(in crate::admin::pages) effects_none: &'static str,
    pub(in crate::admin::pages) effects_some: &'static str,
    pub(in crate::admin::pages) effects_partly: &'static str,
    pub(in crate::admin::pages) effects_job: &'static str,
    pub(in crate::admin::pages) effects_records: &'static str,
    /// With how many of those that were judged become faulty.
    pub(in crate::admin::pages) effects_become: &'static str,
    pub(in crate::admin::pages) effects_come: &'static str,
    pub(in crate::admin::pages) effects_gone: &'static str,
    pub(in crate::admin::pages) effects_each: &'static str,
    pub(in crate::admin::pages) sample_records: &'static str,
    pub(in crate::admin::pages) editor_new: &'static str,
    pub(in crate::admin::pages) editor_title: &'static str,
    pub(in crate::admin::pages) field_add: &'static str,
    pub(in crate::admin::pages) field_new_name: &'static str,
    pub(in crate::admin::pages) field_open: &'static str,
    pub(in crate::admin::pages) field_close: &'static str,
    pub(in crate::admin::pages) field_up: &'static str,
    pub(in crate::admin::pages) field_down: &'static str,
    pub(in crate::admin::pages) field_remove: &'static str,
    pub(in crate::admin::pages) field_order: &'static str,
    pub(in crate::admin::pages) check: &'static str,
    pub(in crate::admin::pages) check_what: &'static str,
    pub(in crate::admin::pages) contradictions: &'static str,
    pub(in crate::admin::pages) no_contradictions: &'static str,
    pub(in crate::admin::pages) warnings: &'static str,
    pub(in crate::admin::pages) warnings_what: &'static str,
    pub(in crate::admin::pages) show_settings: &'static str,
    pub(in crate::admin::pages) hint_codes: &'static str,
    pub(in crate::admin::pages) hint_tags: &'static str,
    pub(in crate::admin::pages) hint_length: &'static str,
    pub(in crate::admin::pages) hint_bytes: &'static str,
    pub(in crate::admin::pages) hint_pixels: &'static str,
    pub(in crate::admin::pages) hint_date: &'static str,
    pub(in crate::admin::pages) hint_datetime: &'static str,
    pub(in crate::admin::pages) hint_time: &'static str,
    /// What the ticks of a field do.
    pub(in crate::admin::pages) hint_active: &'static str,
    pub(in crate::admin::pages) hint_key: &'static str,
    pub(in crate::admin::pages) hint_personal: &'static str,
    pub(in crate::admin::pages) hint_required: &'static str,
    pub(in crate::admin::pages) hint_searched: &'static str,
    pub(in crate::admin::pages) hint_several: &'static str,
    pub(in crate::admin::pages) hint_sort: &'static str,
    pub(in crate::admin::pages) unset: &'static str,
    pub(in crate::admin::pages) whole: &'static str,
    pub(in crate::admin::pages) picklist_static: &'static str,
    pub(in crate::admin::pages) picklist_dynamic: &'static str,
    pub(in crate::admin::pages) separator_space: &'static str,
    pub(in crate::admin::pages) by_hand: &'static str,
    pub(in crate::admin::pages) by_hand_what: &'static str,
    pub(in crate::admin::pages) by_file: &'static str,
    pub(in crate::admin::pages) by_file_what: &'static str,
    pub(in crate::admin::pages) by_clone: &'static str,
    pub(in crate::admin::pages) by_clone_what: &'static str,
    pub(in crate::admin::pages) by_json: &'static str,
    pub(in crate::admin::pages) by_json_what: &'static str,
    pub(in crate::admin::pages) begin_by_hand: &'static str,
    pub(in crate::admin::pages) begin_from_copy: &'static str,
    pub(in crate::admin::pages) begin_from_file: &'static str,
    pub(in crate::admin::pages) begin_from_text: &'static str,
    pub(in crate::admin::pages) propose: &'static str,
    pub(in crate::admin::pages) json_no_fields: &'static str,
    pub(in crate::admin::pages) json_no_object: &'static str,
    pub(in crate::admin::pages) json_place: &'static str,
    pub(in crate::admin::pages) json_unread: &'static str,
    pub(in crate::admin::pages) file_unread: &'static str,
    pub(in crate::admin::pages) file_is_no_text: &'static str,
    pub(in crate::admin::pages) document_too_large: &'static str,
    pub(in crate::admin::pages) by_paste: &'static str,
    pub(in crate::admin::pages) json_file: &'static str,
    pub(in crate::admin::pages) evidence: &'static str,
    pub(in crate::admin::pages) evidence_title: &'static str,
    pub(in crate::admin::pages) evidence_unread: &'static str,
    pub(in crate::admin::pages) evidence_failing: &'static str,
    pub(in crate::admin::pages) evidence_clean: &'static str,
    pub(in crate::admin::pages) line: &'static str,
    pub(in crate::admin::pages) sample_too_large: &'static str,
    pub(in crate::admin::pages) try_it: &'static str,
    pub(in crate::admin::pages) try_what: &'static str,
    pub(in crate::admin::pages) try_clean: &'static str,
    pub(in crate::admin::pages) try_stored: &'static str,
    pub(in crate::admin::pages) try_not_yet: &'static str,
    pub(in crate::admin::pages) changed_meanwhile: &'static str,
}

impl SchemaTexts {
    /// What a data type is.
    pub(in crate::admin::pages) fn of_type<'t>(&self, name: &'t str) -> &'t str {
        told(self.types, name)
    }

    /// What a property is called.
    pub(in crate::admin::pages) fn property<'t>(&self, name: &'t str) -> &'t str {
        told(self.properties, name)
    }

    /// Why a change concerns someone.
    pub(in crate::admin::pages) fn reason<'t>(&self, code: &'t str) -> &'t str {
        told(self.reasons, code)
    }
}

/// The text of a name; the name itself, where there is none.
fn told<'t>(texts: &[(&'static str, &'static str)], name: &'t str) -> &'t str {
    let own = texts.iter().find(|(own, _)| *own == name);
    own.map_or(name, |(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use schema::diff::Reason;
    use schema::{DataType, FIELD_PROPERTIES};

    #[test]
    fn each_type_property_and_reason_has_its_words_in_every_language() {
        for texts in ALL {
            let (own, code) = (&texts.schemas, texts.code);
            let has = |all: &[(&str, &str)], name: &str| all.iter().any(|(own, _)| *own == name);
            for facts in DataType::table() {
                assert!(has(own.types, facts.name), "{code} lacks {}", facts.name);
            }
            for reason in Reason::ALL {
                assert!(has(own.reasons, reason.code()), "{code} lacks {reason}");
            }
            let told = FIELD_PROPERTIES
                .iter()
                .filter(|it| !it.starts_with("created") && !it.starts_with("updated"));
            for property in told {
                assert!(has(own.properties, property), "{code} lacks {property}");
            }
        }
    }
}
