//! What a schema says about a field, as the settings of its attribute. What has no setting of its
//! own (unknown properties, settings foreign to the type) goes verbatim into `extra`.

use super::code::{Argument, Call};
use super::literal;
use crate::rust_type;
use schema::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use schema::json::write_string;
use schema::{
    Bound, Classifier, DataType, Extra, Field, PicklistEntry, PicklistType, RULE_ALPHANUMERIC,
    Setting,
};
use std::collections::HashSet;
use std::fmt::Display;

/// The settings of an attribute as they come together.
#[derive(Default)]
pub(super) struct Settings {
    arguments: Vec<Argument>,
    /// The members of the JSON object that becomes `extra`.
    extra: String,
}

impl Settings {
    fn word(&mut self, word: String) {
        self.arguments.push(Argument::Word(word));
    }

    /// `key = "text"`.
    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.value(key, literal::text(text));
    }

    /// `key = value`, the value being code.
    pub(super) fn value(&mut self, key: &str, value: impl Display) {
        self.word(format!("{key} = {value}"));
    }

    fn flag(&mut self, key: &str) {
        self.word(key.to_owned());
    }

    /// `key(…)`, with `first` before all settings.
    pub(super) fn nested(&mut self, name: &'static str, first: Option<String>, inner: Settings) {
        let mut arguments: Vec<_> = first.into_iter().map(Argument::Word).collect();
        arguments.extend(inner.finish());
        self.arguments
            .push(Argument::Call(Call { name, arguments }));
    }

    fn extra(&mut self, property: &str, json: &str) {
        self.extra
            .push(if self.extra.is_empty() { '{' } else { ',' });
        write_string(&mut self.extra, property);
        self.extra.push(':');
        self.extra.push_str(json);
    }

    fn extra_text(&mut self, property: &str, text: &str) {
        let mut json = String::new();
        write_string(&mut json, text);
        self.extra(property, &json);
    }

    pub(super) fn extras(&mut self, extra: &Extra) {
        for (property, json) in extra {
            self.extra(property, json);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Argument> {
        if !self.extra.is_empty() {
            self.extra.push('}');
            let json = literal::json(&self.extra);
            self.value("extra", json);
        }
        self.arguments
    }

    /// A text setting, or an extra where the type does not have it.
    fn owned(&mut self, has: bool, key: &str, property: &str, text: Option<&str>) {
        match text {
            Some(text) if has => self.text(key, text),
            Some(text) => self.extra_text(property, text),
            None => {}
        }
    }

    fn bound(&mut self, has: bool, key: &str, property: &str, bound: Option<&Bound>) {
        match bound {
            None => {}
            Some(Bound::Text(text)) => self.owned(has, key, property, Some(text)),
            Some(Bound::Number(token)) => match literal::number(token).filter(|_| has) {
                Some(number) => {
                    self.value(key, number);
                }
                None => self.extra(property, token),
            },
        }
    }
}

/// Whether clippy thinks that the arguments say something twice: two words or texts that are equal
/// and stand under the same names. It does not look at other values than texts.
pub(super) fn repeats(arguments: &[Argument]) -> bool {
    fn has_new<'a>(
        said: &mut HashSet<(Vec<&'a str>, &'a str)>,
        path: &[&'a str],
        all: &'a [Argument],
    ) -> bool {
        all.iter().all(|argument| match argument {
            Argument::Word(word) if word.starts_with('"') => true,
            Argument::Word(word) => {
                let (key, value) = word.split_once(" = ").unwrap_or((word, ""));
                let is_text = value.ends_with(['"', '#']);
                said.insert((path.to_vec(), if is_text { word } else { key }))
            }
            Argument::Call(call) => has_new(said, &[path, &[call.name]].concat(), &call.arguments),
        })
    }
    // words can only be repeated in several calls
    calls(arguments) > 1 && !has_new(&mut HashSet::new(), &[], arguments)
}

/// How many calls there are, at any depth.
fn calls(arguments: &[Argument]) -> usize {
    let counts = arguments.iter().map(|argument| match argument {
        Argument::Word(_) => 0,
        Argument::Call(call) => 1 + calls(&call.arguments),
    });
    counts.sum()
}

/// Everything behind name, id and description. An inactive field has no Rust type that would tell
/// some of it.
pub(super) fn of_field(settings: &mut Settings, field: &Field, is_active: bool) {
    let data_type = field.data_type;
    let is_picklist = data_type == DataType::Picklist;
    if !is_active || !(is_picklist || rust_type::is_telling(data_type)) {
        settings.text("type", data_type.name());
    }
    for (flag, key) in [
        (field.primary_key, "primary_key"),
        (field.sort_key, "sort_key"),
    ] {
        if flag {
            settings.flag(key);
        }
    }
    if field.required && (!is_active || field.is_multivalue()) {
        settings.flag("required");
    }
    match field.multivalue {
        Some(true) if !is_active => settings.flag("multivalue"),
        Some(false) => settings.value("multivalue", false),
        _ => {}
    }
    match field.pii {
        Some(true) => settings.flag("pii"),
        Some(false) => settings.value("pii", false),
        None => {}
    }
    bounds_and_formats(settings, field);
    if is_picklist {
        picklist(settings, field, is_active);
    } else {
        let kind = field.picklist_type.map(PicklistType::name);
        settings.owned(false, "", "picklistType", kind);
        settings.owned(false, "", "dataDomainId", field.data_domain_id.as_deref());
        foreign_list(settings, field);
    }
    rules(settings, field);
    tags(settings, field.classifiers.as_deref());
    settings.extras(&field.extra);
}

fn bounds_and_formats(settings: &mut Settings, field: &Field) {
    let has = |setting| field.data_type.has(setting);
    settings.bound(has(Setting::Bounds), "min", "min", field.min.as_ref());
    settings.bound(has(Setting::Bounds), "max", "max", field.max.as_ref());
    let words = field.boolean_words.map(BooleanWords::name);
    settings.owned(
        has(Setting::BooleanWords),
        "booleans",
        "allowedBooleanValues",
        words,
    );
    let date = field.date_format.map(DateFormat::name);
    settings.owned(has(Setting::DateFormat), "date_format", "dateFormat", date);
    let separator = field.date_separator.map(Separator::name);
    settings.owned(
        has(Setting::DateFormat),
        "date_separator",
        "dateSeparator",
        separator,
    );
    let time = field.time_format.map(TimeFormat::name);
    settings.owned(has(Setting::TimeFormat), "time_format", "timeFormat", time);
    settings.bound(
        has(Setting::Pixels),
        "max_width",
        "maxWidth",
        field.max_width.as_ref(),
    );
    settings.bound(
        has(Setting::Pixels),
        "max_height",
        "maxHeight",
        field.max_height.as_ref(),
    );
    settings.bound(
        has(Setting::Size),
        "max_size",
        "maxSize",
        field.max_size.as_ref(),
    );
}

fn picklist(settings: &mut Settings, field: &Field, is_active: bool) {
    if field.picklist_type == Some(PicklistType::Static) {
        settings.flag("picklist");
        // the codes of an active field are those of its enum
        for entry in field
            .static_picklist
            .iter()
            .flatten()
            .filter(|_| !is_active)
        {
            let mut inner = Settings::default();
            if let Some(description) = &entry.description {
                inner.text("description", description);
            }
            inner.extras(&entry.extra);
            settings.nested("code", Some(literal::text(&entry.code)), inner);
        }
        settings.owned(false, "", "dataDomainId", field.data_domain_id.as_deref());
    } else {
        settings.owned(
            true,
            "domain",
            "dataDomainId",
            field.data_domain_id.as_deref(),
        );
        foreign_list(settings, field);
    }
}

fn rules(settings: &mut Settings, field: &Field) {
    let Some(rules) = &field.validation_rules else {
        return;
    };
    if *rules == [RULE_ALPHANUMERIC] && field.data_type.has(Setting::Alphanumeric) {
        settings.flag("alphanumeric");
    } else {
        settings.extra(
            "validationRules",
            &list(rules, |rule, out| write_string(out, rule)),
        );
    }
}

fn tags(settings: &mut Settings, tags: Option<&[Classifier]>) {
    let Some(tags) = tags else { return };
    if tags.is_empty() {
        settings.extra("classifiers", "[]");
    }
    for tag in tags {
        let mut inner = Settings::default();
        inner.text("id", &tag.tag_id);
        inner.text("name", &tag.tag_name);
        inner.extras(&tag.extra);
        settings.nested("tag", None, inner);
    }
}

/// The codes of a field that is no static picklist.
fn foreign_list(settings: &mut Settings, field: &Field) {
    if let Some(entries) = &field.static_picklist {
        settings.extra("staticPicklist", &list(entries, entry));
    }
}

fn entry(entry: &PicklistEntry, out: &mut String) {
    out.push_str("{\"code\":");
    write_string(out, &entry.code);
    if let Some(description) = &entry.description {
        out.push_str(",\"description\":");
        write_string(out, description);
    }
    for (property, json) in &entry.extra {
        out.push(',');
        write_string(out, property);
        out.push(':');
        out.push_str(json);
    }
    out.push('}');
}

fn list<V>(items: &[V], each: impl Fn(&V, &mut String)) -> String {
    let mut out = String::from("[");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        each(item, &mut out);
    }
    out.push(']');
    out
}
