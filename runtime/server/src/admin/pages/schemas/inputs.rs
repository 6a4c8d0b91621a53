//! The inputs of one field: a property of the document each, in the shape that it has. What is not touched stays as it
//! was written, and what a type does not have is shown where it stands all the same, so that it can be taken away.

#[cfg(test)]
mod tests;

use super::document::{Members, raw, set_text, text_of};
use super::pairs;
use crate::admin::pages::code_part::CodePart;
use crate::admin::pages::codes_view::PartView;
use crate::admin::pages::conflict::said;
use crate::admin::pages::original::plain;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::Form;
use schema::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use schema::{BoundKind, DataType, PicklistType, RULE_ALPHANUMERIC, Setting};
use serde_json::value::RawValue;

/// Lines that an input of several has room for: as many as it holds, between these.
const ROWS: [usize; 2] = [2, 8];

/// How a property is filled in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Line,
    /// A text that may have several lines.
    Text,
    Tick,
    /// One that is true where nothing is said.
    TickedFirst,
    /// One that is false where nothing is said, and that the document has always.
    Flag,
    Choice,
    Bound,
    Rules,
    /// Objects of two texts, one a line.
    Pairs(&'static str, &'static str),
    /// Objects of a name and an id, one a line, which people know by the name.
    Named(&'static str, &'static str),
}

/// Every property that people set, with the setting of types that it belongs to.
const PROPERTIES: &[(&str, Shape, Option<Setting>)] = &[
    ("name", Shape::Line, None),
    ("dataType", Shape::Choice, None),
    ("description", Shape::Text, None),
    ("isRequired", Shape::Flag, None),
    ("isPrimaryKey", Shape::Flag, None),
    ("isSortKey", Shape::Flag, None),
    ("isMultivalue", Shape::Tick, None),
    ("isPII", Shape::Tick, None),
    ("isSearched", Shape::TickedFirst, None),
    ("active", Shape::TickedFirst, None),
    ("min", Shape::Bound, Some(Setting::Bounds)),
    ("max", Shape::Bound, Some(Setting::Bounds)),
    ("validationRules", Shape::Rules, Some(Setting::Alphanumeric)),
    (
        "allowedBooleanValues",
        Shape::Choice,
        Some(Setting::BooleanWords),
    ),
    ("picklistType", Shape::Choice, Some(Setting::Picklist)),
    (
        "staticPicklist",
        Shape::Pairs("code", "description"),
        Some(Setting::Picklist),
    ),
    ("dataDomainId", Shape::Choice, Some(Setting::Picklist)),
    ("dateFormat", Shape::Choice, Some(Setting::DateFormat)),
    ("dateSeparator", Shape::Choice, Some(Setting::DateFormat)),
    ("timeFormat", Shape::Choice, Some(Setting::TimeFormat)),
    ("maxSize", Shape::Bound, Some(Setting::Size)),
    ("maxWidth", Shape::Bound, Some(Setting::Pixels)),
    ("maxHeight", Shape::Bound, Some(Setting::Pixels)),
    ("classifiers", Shape::Named("tagName", "tagId"), None),
    ("fieldId", Shape::Line, None),
];

pub(super) struct Choice {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) is_chosen: bool,
}

/// One property as it is filled in.
pub(super) struct Input {
    pub(super) property: &'static str,
    pub(super) label: &'static str,
    shape: Shape,
    pub(super) text: String,
    pub(super) is_ticked: bool,
    pub(super) choices: Vec<Choice>,
    pub(super) hint: &'static str,
    /// What contradicts.
    pub(super) messages: Vec<String>,
    pub(super) is_fixed: bool,
    /// Whether whoever works by keyboard goes on here.
    pub(super) has_focus: bool,
    /// Of a long list of codes, the part that is shown.
    pub(super) part: Option<PartView>,
}

impl Input {
    /// How many lines it has room for.
    pub(super) fn rows(&self) -> usize {
        let [least, most] = ROWS;
        self.text.lines().count().clamp(least, most)
    }

    /// Whether each field has it.
    pub(super) fn is_required(&self) -> bool {
        matches!(self.property, "name" | "dataType")
    }

    pub(super) fn is_tick(&self) -> bool {
        matches!(self.shape, Shape::Tick | Shape::TickedFirst | Shape::Flag)
    }

    pub(super) fn is_choice(&self) -> bool {
        self.shape == Shape::Choice
    }

    pub(super) fn is_rules(&self) -> bool {
        self.shape == Shape::Rules
    }

    pub(super) fn is_lines(&self) -> bool {
        matches!(
            self.shape,
            Shape::Text | Shape::Pairs(..) | Shape::Named(..)
        )
    }
}

/// The inputs of a field: those of its type, and what stands there beside it. `domains` are ids and names; `message` gives
/// what contradicts at a property.
pub(super) fn inputs(
    field: &Members,
    is_known: bool,
    domains: &[(String, String)],
    messages: impl Fn(&str) -> Vec<String>,
    texts: &'static Texts,
) -> Vec<Input> {
    let data_type = DataType::named(&text_of(field, "dataType"));
    let is_shown = |property: &str, setting: Option<Setting>| {
        let is_own = setting.is_none_or(|it| data_type.is_some_and(|own| own.has(it)));
        is_own || field.contains_key(property)
    };
    let shown = PROPERTIES.iter();
    let shown = shown.filter(|(property, _, setting)| is_shown(property, *setting));
    let inputs = shown.map(|(property, shape, _)| Input {
        property,
        label: texts.schemas.property(property),
        shape: *shape,
        text: shown_text(field, property, *shape),
        is_ticked: is_ticked(field, property, *shape),
        choices: choices(property, field, domains, texts),
        hint: hint(property, data_type, texts),
        messages: messages(property),
        is_fixed: is_known && *property == "fieldId",
        has_focus: false,
        part: None,
    });
    inputs.collect()
}

fn is_ticked(field: &Members, property: &str, shape: Shape) -> bool {
    match shape {
        Shape::TickedFirst => text_of(field, property) != "false",
        _ => text_of(field, property) == "true",
    }
}

fn shown_text(field: &Members, property: &str, shape: Shape) -> String {
    match shape {
        Shape::Pairs(first, second) => match field.get(property) {
            Some(raw) => {
                pairs::lines_of(raw, first, second).unwrap_or_else(|| raw.get().to_owned())
            }
            None => String::new(),
        },
        Shape::Named(name, id) => match field.get(property) {
            Some(raw) => {
                pairs::named_lines_of(raw, name, id).unwrap_or_else(|| raw.get().to_owned())
            }
            None => String::new(),
        },
        _ => text_of(field, property),
    }
}

fn hint(property: &str, data_type: Option<DataType>, texts: &'static Texts) -> &'static str {
    let own = &texts.schemas;
    match property {
        "isRequired" => own.hint_required,
        "isPrimaryKey" => own.hint_key,
        "isSortKey" => own.hint_sort,
        "isMultivalue" => own.hint_several,
        "isPII" => own.hint_personal,
        "isSearched" => own.hint_searched,
        "active" => own.hint_active,
        "staticPicklist" => own.hint_codes,
        "classifiers" => own.hint_tags,
        "maxSize" => own.hint_bytes,
        "maxWidth" | "maxHeight" => own.hint_pixels,
        "min" | "max" => match data_type {
            Some(own_type) if own_type.facts().bounds == BoundKind::Length => own.hint_length,
            Some(DataType::Date) => own.hint_date,
            Some(DataType::Time) => own.hint_time,
            Some(DataType::Datetime) => own.hint_datetime,
            _ => "",
        },
        _ => "",
    }
}

/// What can be chosen, and what is chosen although it can't.
fn choices(
    property: &str,
    field: &Members,
    domains: &[(String, String)],
    texts: &'static Texts,
) -> Vec<Choice> {
    let own = &texts.schemas;
    let same = |name: &str| (name.to_owned(), name.to_owned());
    let mut all: Vec<(String, String)> = match property {
        "dataType" => DataType::table()
            .iter()
            .map(|it| (it.name.to_owned(), own.of_type(it.name).to_owned()))
            .collect(),
        "allowedBooleanValues" => BooleanWords::ALL.iter().map(|it| same(it.name())).collect(),
        "picklistType" => vec![
            (
                PicklistType::Static.name().to_owned(),
                own.picklist_static.to_owned(),
            ),
            (
                PicklistType::Dynamic.name().to_owned(),
                own.picklist_dynamic.to_owned(),
            ),
        ],
        "dateFormat" => {
            let shown = |it: &DateFormat| (it.name().to_owned(), it.name().replace('$', "-"));
            DateFormat::ALL.iter().map(shown).collect()
        }
        "dateSeparator" => {
            let shown = |it: &Separator| match it {
                Separator::Space => (it.name().to_owned(), own.separator_space.to_owned()),
                _ => same(it.name()),
            };
            Separator::ALL.iter().map(shown).collect()
        }
        "timeFormat" => TimeFormat::ALL.iter().map(|it| same(it.name())).collect(),
        "dataDomainId" => domains.to_vec(),
        "validationRules" => return rules(field, own.rule_alphanumeric),
        _ => return Vec::new(),
    };
    let chosen = text_of(field, property);
    if property != "dataType" {
        all.insert(0, (String::new(), own.unset.to_owned()));
    }
    if !all.iter().any(|(value, _)| *value == chosen) {
        all.push(same(&chosen));
    }
    let choice = |(value, label): (String, String)| Choice {
        is_chosen: value == chosen,
        value,
        label,
    };
    all.into_iter().map(choice).collect()
}

/// The rule that there is, and those that stand in the document all the same.
fn rules(field: &Members, text: &str) -> Vec<Choice> {
    let own = rules_of(field);
    let others = own.iter().filter(|rule| *rule != RULE_ALPHANUMERIC);
    let mut all = vec![Choice {
        value: RULE_ALPHANUMERIC.to_owned(),
        label: text.to_owned(),
        is_chosen: own.iter().any(|rule| rule == RULE_ALPHANUMERIC),
    }];
    all.extend(others.map(|rule| Choice {
        value: rule.clone(),
        label: rule.clone(),
        is_chosen: true,
    }));
    all
}

fn rules_of(field: &Members) -> Vec<String> {
    let raw = field.get("validationRules");
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// Takes what was filled in for a field into it: of the properties that were shown, those that were changed.
pub(super) fn take(form: &Form, field: &mut Members) {
    for (property, shape, _) in PROPERTIES {
        if !form.all("shown").any(|shown| shown == *property) {
            continue;
        }
        let name = format!("f-{property}");
        let text = plain(form.text(&name));
        match shape {
            Shape::Flag => {
                let is_ticked = form.get(&name).is_some();
                field.insert((*property).to_owned(), raw(&is_ticked));
            }
            Shape::Tick | Shape::TickedFirst => {
                let now = form.get(&name).is_some();
                if now != is_ticked(field, property, *shape) {
                    field.insert((*property).to_owned(), raw(&now));
                }
            }
            Shape::Rules => {
                let chosen: Vec<&str> = form.all(&name).collect();
                if chosen != rules_of(field) {
                    pairs::set_list(field, property, &chosen);
                }
            }
            _ if text == plain(&shown_text(field, property, *shape)) => {}
            Shape::Bound => set_bound(field, property, text.trim()),
            Shape::Pairs(first, second) => {
                let names = [*first, *second];
                match CodePart::of(form) {
                    Some(part) => pairs::take_part(field, property, (&part, &text), names),
                    None => pairs::take(field, property, &text, names),
                }
            }
            Shape::Named(name, id) => pairs::take_named(field, property, &text, [name, id]),
            Shape::Choice => set_text(field, property, &text),
            Shape::Text => set_text(field, property, said(&text)),
            Shape::Line => set_text(field, property, text.trim()),
        }
    }
}

/// A number stays as it was typed; anything else is a text, for the check to judge.
fn set_bound(field: &mut Members, property: &str, text: &str) {
    let data_type = DataType::named(&text_of(field, "dataType"));
    let is_text = matches!(
        data_type,
        Some(DataType::Date | DataType::Time | DataType::Datetime)
    );
    let number = serde_json::from_str::<serde_json::Number>(text).is_ok();
    match RawValue::from_string(text.to_owned()) {
        Ok(token) if number && !is_text => {
            field.insert(property.to_owned(), token);
        }
        _ => set_text(field, property, text),
    }
}
