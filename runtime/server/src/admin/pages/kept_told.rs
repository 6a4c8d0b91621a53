//! What a form that is kept was filled in with, as its page tells it: under the names that inputs have on pages, in the
//! language of who reads it. What nobody typed or chose by such a name, as marks, ids of records and the cells of a paste,
//! is carried along and not told.

use super::access::verbs;
use super::cut_text::Room;
use super::kept::Kept;
use super::mends;
use super::numbers::grouped;
use super::texts::{Texts, capitalized};

impl Kept {
    /// What someone typed or chose, and what it is called; of a long text, as much as a list shows.
    pub(super) fn told(&self, texts: &Texts) -> Vec<(String, String)> {
        let filled = self.fields.iter().filter(|(_, value)| !value.is_empty());
        let told = filled.filter_map(|(name, value)| self.told_of(name, value, texts));
        let room = Room::of_value(texts);
        told.map(|(label, value)| (label, room.cut(&value).told()))
            .collect()
    }

    /// What it is about, which nobody filled in: a record, a file of it or how many records, as its page said it; and what its
    /// address names.
    pub(super) fn about(&self, texts: &Texts) -> Vec<(String, String)> {
        let room = Room::of_value(texts);
        let named = self.fields.iter().filter_map(|(name, value)| {
            let label = match &**name {
                "about" => texts.record,
                "about-file" => texts.file,
                "count" => texts.access.kept_records,
                _ => return None,
            };
            Some((label.to_owned(), room.cut(value).told()))
        });
        let ids = self.fields.iter().filter(|(name, _)| name == "record");
        let count = Some(ids.count()).filter(|count| *count > 0);
        let counted = count.map(|count| {
            let label = texts.access.kept_records.to_owned();
            (label, grouped(count as u64, texts))
        });
        let noun = self.noun().and_then(|(kind, id)| {
            let label = capitalized(texts.access.of_trail(kind.as_str()));
            Some((label, room.cut(self.names_by_id.get(id)?).told()))
        });
        named.chain(counted).chain(noun).collect()
    }

    pub(super) fn told_of(
        &self,
        name: &str,
        value: &str,
        texts: &Texts,
    ) -> Option<(String, String)> {
        if let Some(id) = name.strip_prefix("v-") {
            let field = self.fields_by_id.get(id);
            let label = field.map_or(texts.field, String::as_str);
            return Some((label.to_owned(), value.to_owned()));
        }
        if let Some(property) = name.strip_prefix("f-") {
            let is_tick = property.starts_with("is") || property == "active";
            let value = if is_tick && value == "true" {
                texts.yes
            } else {
                value
            };
            let label = texts.schemas.property(property);
            return Some((label.to_owned(), value.to_owned()));
        }
        let label = if name == "map" && self.is_to("/mend") {
            texts.mend_list.name
        } else {
            label(name, texts)?
        };
        Some((label.to_owned(), self.named(name, value, texts)?))
    }

    /// A value, by what people call it; `None` for an id that says nothing to them.
    fn named(&self, name: &str, value: &str, texts: &Texts) -> Option<String> {
        let own = &texts.access;
        let known = |id: &str| self.names_by_id.get(id).cloned();
        Some(match name {
            "role" => known(value).unwrap_or_else(|| (own.unseen_roles)(1)),
            "dataset" => known(value).unwrap_or_else(|| (own.unseen_datasets)(1)),
            "grant" => ticked(value, texts, |area| {
                known(area).unwrap_or_else(|| (own.unseen_areas)(1))
            }),
            "allow" => ticked(value, texts, |resource| own.resource_label(resource)),
            "field" => {
                let by_id = self.fields_by_id.get(value);
                // a repair names its field
                let by_name = || self.fields_by_id.values().find(|it| *it == value);
                by_id.or_else(by_name)?.clone()
            }
            _ => chosen(name, value, texts).unwrap_or(value).to_owned(),
        })
    }

    fn is_to(&self, end: &str) -> bool {
        let path = self.to.split('?').next();
        path.is_some_and(|path| path.ends_with(end))
    }
}

/// A tick of a table, such as `AUDIT:view`: its row and its column.
fn ticked(value: &str, texts: &Texts, row: impl Fn(&str) -> String) -> String {
    let (of, verb) = value.rsplit_once(':').unwrap_or((value, ""));
    match verbs::label_of(verb, texts) {
        Some(verb) => format!("{}: {verb}", row(of)),
        None => row(of),
    }
}

/// What a choice out of a list is called.
fn chosen(name: &str, value: &str, texts: &Texts) -> Option<&'static str> {
    Some(match (name, value) {
        ("mode", "create") => texts.mode_create,
        ("mode", "update") => texts.mode_update,
        ("mode", "upsert") => texts.mode_upsert,
        ("mode", "replace") => texts.mode_replace,
        (
            "deleteMissing" | "forSpreadsheets" | "ignoreVersion" | "withErrors" | "withIds",
            "true",
        ) => texts.yes,
        ("decimalMark", "comma") => texts.found_file.mark_comma,
        ("decimalMark", "point") => texts.found_file.mark_point,
        ("dateFormat", "us") => texts.found_file.dates_us,
        ("dateFormat", "european") => texts.found_file.dates_european,
        ("dateFormat", "timestamp") => texts.found_file.dates_timestamp,
        ("dateFormat", "compact") => texts.found_file.dates_compact,
        ("action", action) => {
            let mut actions = mends::actions(texts).into_iter();
            actions.find(|(own, _)| *own == action)?.1
        }
        _ => return None,
    })
}

/// What an input is called on its page; `None` for one that nobody fills in.
pub(super) fn label(name: &str, texts: &Texts) -> Option<&'static str> {
    let (access, file) = (&texts.access, &texts.found_file);
    Some(match name {
        "name" | "s-name" => texts.name,
        "description" | "s-description" => texts.description,
        "full-name" => access.full_name,
        "username" => texts.username,
        "email" => access.email,
        "expires" => texts.key_expires,
        "token-seconds" => access.client_seconds,
        "url" => access.webhook_url,
        "codes" => access.domain_codes_label,
        "role" => texts.roles,
        "grant" => texts.areas,
        "allow" => access.role_allows,
        "dataset" => texts.datasets,
        "field" => texts.field,
        "value" => texts.new_value,
        "q" => texts.which_records,
        "action" => texts.mend_how,
        "find" => texts.mend_find,
        "with" => texts.mend_with,
        "map" => texts.file_map,
        "mode" => texts.import_mode,
        "deleteMissing" => file.missing,
        "forSpreadsheets" => file.guarded,
        "ignoreVersion" => file.any_version,
        "decimalMark" => file.decimal_mark,
        "dateFormat" => file.date_format,
        "trueWords" => file.true_words,
        "falseWords" => file.false_words,
        "nullWords" => file.null_words,
        "format" => texts.file_format,
        "encoding" => texts.file_encoding,
        "delimiter" => texts.file_delimiter,
        "quote" => file.quote,
        "sheet" => file.sheet,
        "split" => texts.file_split,
        "withErrors" => file.with_errors,
        "withIds" => file.with_ids,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_stands_under_the_names_of_pages_and_what_nobody_reads_is_left_out() {
        let pairs = [
            ("full-name", "Eve"),
            ("role", "01a215bf"),
            ("grant", "01a2:view"),
            ("allow", "AUDIT:delete"),
            ("v-01a3", "7"),
            ("w-01a3", "6"),
            ("field", "01a4"),
            ("record", "tHsf:1"),
            ("record", "tHsg:1"),
            ("about", "A1"),
            ("cells", r#"[["7"]]"#),
            ("setup-secret", "JBSWY3DP"),
            ("fileOf", "j-1"),
            ("seen", "9"),
        ];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut kept = Kept::of("/users", pairs.to_vec());
        kept.fields_by_id.insert("01a3".into(), "Menschen".into());
        kept.names_by_id.insert("01a2".into(), "Orte".into());
        let texts = Texts::of("de").expect("a language");
        let told = kept.told(texts);
        let told: Vec<_> = told.iter().map(|(it, value)| (&**it, &**value)).collect();
        let label = texts.access.resource_label("AUDIT");
        assert_ne!(label, "AUDIT");
        assert_eq!(
            told,
            [
                ("Voller Name", "Eve"),
                ("Rollen", "eine Rolle, die Sie nicht sehen"),
                ("Bereiche", "Orte: sehen"),
                ("Was sie erlaubt", &*format!("{label}: löschen")),
                ("Menschen", "7"),
            ]
        );
        let about = kept.about(texts);
        let about: Vec<_> = about.iter().map(|(it, value)| (&**it, &**value)).collect();
        assert_eq!(about, [("Datensatz", "A1"), ("Datensätze", "2")]);
    }
}
