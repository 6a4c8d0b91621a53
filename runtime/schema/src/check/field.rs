//! What can be wrong with one field: settings foreign to its type, limits, picklists, rules.

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
                let message = format!(
                    "`{property}` means nothing for the data type {}",
                    field.data_type
                );
                self.foreign(
                    path.clone().key(property),
                    message,
                    "remove it or change the data type",
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
                let message =
                    format!("the validation rule {rule:?} is not known and has no effect");
                self.foreign(path, message, "the only rule is `alphanumeric`");
            } else if !field.data_type.has(Setting::Alphanumeric) {
                let message = format!(
                    "`alphanumeric` means nothing for the data type {}",
                    field.data_type
                );
                self.foreign(path, message, "it judges string fields only; remove it");
            }
        }
    }

    fn picklist(&mut self, path: &Path, field: &Field) {
        let has_list = field.static_picklist.is_some();
        match field.picklist_type {
            None => self.error(
                path.clone(),
                "the picklist has no `picklistType`",
                "add one: `static` or `dynamic`",
            ),
            Some(PicklistType::Static) => {
                if !has_list {
                    let help = "add `staticPicklist`, an array of {code, description}";
                    self.error(path.clone(), "the static picklist has no codes", help);
                }
                if field.data_domain_id.is_some() {
                    let message = "`dataDomainId` means nothing for a static picklist";
                    self.foreign(path.clone().key("dataDomainId"), message, "remove it");
                }
            }
            Some(PicklistType::Dynamic) => {
                if field.data_domain_id.is_none() {
                    let help = "add `dataDomainId`, the id of the data domain that holds its codes";
                    self.error(
                        path.clone(),
                        "the dynamic picklist names no data domain",
                        help,
                    );
                }
                if has_list {
                    let message = "`staticPicklist` means nothing for a dynamic picklist";
                    self.foreign(path.clone().key("staticPicklist"), message, "remove it");
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
                self.error(
                    path,
                    "the code is empty",
                    "an empty value is a missing one; give the entry a code",
                );
            } else if let Some(first) = seen.insert(code, index) {
                let message = format!("the code {code:?} is that of `staticPicklist[{first}]` too");
                self.error(path, message, "keep one of the entries");
            } else if code.chars().all(char::is_whitespace) {
                let message = "the code is white space, which counts as a missing value";
                self.warning(
                    path,
                    message,
                    "no record can ever hold it; give the entry a code",
                );
            }
        }
    }
}
