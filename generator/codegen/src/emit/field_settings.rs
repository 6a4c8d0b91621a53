//! What a schema says about a field, as the settings of its attribute. Unknown properties and settings that
//! are foreign to the type travel in `extra`.
//!
//! ```text
//! type = "date-day",
//! pii,
//! tag(id = "t1", name = "Feasts"),
//! ```

use super::literal;
use super::settings::AttributeSettings;
use crate::rust_type;
use schema::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use schema::json::write_string;
use schema::{
    Classifier, DataType, Field, PicklistEntry, PicklistType, RULE_ALPHANUMERIC, Setting,
};

/// Everything behind name, id and description. An inactive field has no Rust type that would tell
/// some of it.
pub(super) fn of_field(settings: &mut AttributeSettings, field: &Field) {
    let data_type = field.data_type;
    let is_picklist = data_type == DataType::Picklist;
    if !field.active || !(is_picklist || rust_type::is_inferred(data_type)) {
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
    if field.required && (!field.active || field.is_multivalue()) {
        settings.flag("required");
    }
    match field.multivalue {
        Some(true) if !field.active => settings.flag("multivalue"),
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
        picklist(settings, field);
    } else {
        let kind = field.picklist_type.map(PicklistType::name);
        settings.extra_text("picklistType", kind);
        settings.extra_text("dataDomainId", field.data_domain_id.as_deref());
        foreign_list(settings, field);
    }
    rules(settings, field);
    tags(settings, field.classifiers.as_deref());
    settings.extras(&field.extra);
}

fn bounds_and_formats(settings: &mut AttributeSettings, field: &Field) {
    let has = |setting| field.data_type.has(setting);
    settings.bound(has(Setting::Bounds), "min", "min", field.min.as_ref());
    settings.bound(has(Setting::Bounds), "max", "max", field.max.as_ref());
    let words = field.boolean_words.map(BooleanWords::name);
    settings.text_or_extra(
        has(Setting::BooleanWords),
        "booleans",
        "allowedBooleanValues",
        words,
    );
    let date = field.date_format.map(DateFormat::name);
    settings.text_or_extra(has(Setting::DateFormat), "date_format", "dateFormat", date);
    let separator = field.date_separator.map(Separator::name);
    settings.text_or_extra(
        has(Setting::DateFormat),
        "date_separator",
        "dateSeparator",
        separator,
    );
    let time = field.time_format.map(TimeFormat::name);
    settings.text_or_extra(has(Setting::TimeFormat), "time_format", "timeFormat", time);
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

fn picklist(settings: &mut AttributeSettings, field: &Field) {
    if field.picklist_type == Some(PicklistType::Static) {
        settings.flag("picklist");
        // the codes of an active field are those of its enum
        for entry in field
            .static_picklist
            .iter()
            .flatten()
            .filter(|_| !field.active)
        {
            let mut inner = AttributeSettings::default();
            if let Some(description) = &entry.description {
                inner.text("description", description);
            }
            inner.extras(&entry.extra);
            settings.nested("code", Some(literal::text(&entry.code)), inner);
        }
        settings.extra_text("dataDomainId", field.data_domain_id.as_deref());
    } else {
        if let Some(id) = &field.data_domain_id {
            settings.text("domain", id);
        }
        foreign_list(settings, field);
    }
}

fn rules(settings: &mut AttributeSettings, field: &Field) {
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

fn tags(settings: &mut AttributeSettings, tags: Option<&[Classifier]>) {
    let Some(tags) = tags else { return };
    if tags.is_empty() {
        settings.extra("classifiers", "[]");
    }
    for tag in tags {
        let mut inner = AttributeSettings::default();
        inner.text("id", &tag.tag_id);
        inner.text("name", &tag.tag_name);
        inner.extras(&tag.extra);
        settings.nested("tag", None, inner);
    }
}

/// The codes of a field that is no static picklist.
fn foreign_list(settings: &mut AttributeSettings, field: &Field) {
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
