//! What can be wrong with one field: settings foreign to its type, limits, picklists, rules.

use super::contradiction::Contradiction as C;
use super::findings::Findings;
use super::problem::{Path, Problem};
use crate::data_type::{BoundKind, DataType, Setting};
use crate::limits::Limits;
use crate::model::{Field, PicklistEntry, PicklistType, RULE_ALPHANUMERIC};
use std::collections::HashMap;

impl Findings {
    pub(super) fn field(&mut self, path: &Path, field: &Field) {
        self.foreign_settings(path, field);
        if let Err(faults) = Limits::of(field) {
            let problems = faults.into_iter();
            self.problems
                .extend(problems.map(|fault| Problem::of_limit(path.clone(), fault)));
        }
        self.rules(path, field);
        if field.sort_key && !field.data_type.has_order() {
            let path = path.clone().key("isSortKey");
            self.warning(path, C::SortKeyUnordered, &[&field.data_type]);
        }
        if field.data_type == DataType::Picklist {
            self.picklist(path, field);
        }
    }

    /// Settings that only other types have.
    fn foreign_settings(&mut self, path: &Path, field: &Field) {
        use Setting as S;
        let settings = [
            ("min", field.min.is_some(), S::Bounds),
            ("max", field.max.is_some(), S::Bounds),
            (
                "allowedBooleanValues",
                field.boolean_words.is_some(),
                S::BooleanWords,
            ),
            ("picklistType", field.picklist_type.is_some(), S::Picklist),
            (
                "staticPicklist",
                field.static_picklist.is_some(),
                S::Picklist,
            ),
            ("dataDomainId", field.data_domain_id.is_some(), S::Picklist),
            ("dateFormat", field.date_format.is_some(), S::DateFormat),
            (
                "dateSeparator",
                field.date_separator.is_some(),
                S::DateFormat,
            ),
            ("timeFormat", field.time_format.is_some(), S::TimeFormat),
            ("maxWidth", field.max_width.is_some(), S::Pixels),
            ("maxHeight", field.max_height.is_some(), S::Pixels),
            ("maxSize", field.max_size.is_some(), S::Size),
        ];
        for (property, given, setting) in settings {
            if given && !field.data_type.has(setting) {
                self.foreign(
                    path.clone().key(property),
                    C::SettingForeign,
                    &[&property, &field.data_type],
                );
            }
        }
        debug_assert!(
            (field.data_type.facts().bounds == BoundKind::None) != field.data_type.has(S::Bounds)
        );
    }

    fn rules(&mut self, path: &Path, field: &Field) {
        for (index, rule) in field.validation_rules.iter().flatten().enumerate() {
            let path = path.clone().key("validationRules").index(index);
            if rule != RULE_ALPHANUMERIC {
                self.foreign(path, C::RuleUnknown, &[&format_args!("{rule:?}")]);
            } else if !field.data_type.has(Setting::Alphanumeric) {
                self.foreign(path, C::RuleForeign, &[&field.data_type]);
            }
        }
    }

    fn picklist(&mut self, path: &Path, field: &Field) {
        let has_list = field.static_picklist.is_some();
        match field.picklist_type {
            None => self.error(path.clone(), C::PicklistTypeMissing, &[]),
            Some(PicklistType::Static) => {
                if !has_list {
                    self.error(path.clone(), C::CodesMissing, &[]);
                }
                if field.data_domain_id.is_some() {
                    self.foreign(path.clone().key("dataDomainId"), C::DomainOfStatic, &[]);
                }
            }
            Some(PicklistType::Dynamic) => {
                if field.data_domain_id.is_none() {
                    self.error(path.clone(), C::DomainMissing, &[]);
                }
                if has_list {
                    self.foreign(path.clone().key("staticPicklist"), C::CodesOfDynamic, &[]);
                }
            }
        }
        self.codes(path, field.static_picklist.as_deref().unwrap_or_default());
    }

    fn codes(&mut self, path: &Path, entries: &[PicklistEntry]) {
        let mut seen = HashMap::new();
        for (index, PicklistEntry { code, .. }) in entries.iter().enumerate() {
            let path = path.clone().key("staticPicklist").index(index).key("code");
            if code.is_empty() {
                self.error(path, C::CodeEmpty, &[]);
            } else if let Some(first) = seen.insert(code, index) {
                self.error(path, C::CodeTwice, &[&format_args!("{code:?}"), &first]);
            } else if code.chars().all(char::is_whitespace) {
                self.warning(path, C::CodeBlank, &[]);
            }
        }
    }
}
