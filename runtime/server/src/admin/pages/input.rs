//! The value of a field as an input of a form, of the kind that suits its type.

use super::cut_text::CutText;
use super::original::mark_in_place_of;
use super::places::Place;
use super::reformatted::{example_of, written_as};
use super::stored_faults::StoredFaults;
use super::texts::Texts;
use super::values::{ShownRecord, is_number, told_boolean};
use schema::{DataType, Field};
use service::{codes, proposals};

/// From how many characters on a text stands in an input of several lines.
const LONG: usize = 80;
/// From how many characters on that its text may have a field has several lines where there is room for them.
const LONG_MAX: u64 = 200;
/// Codes to choose among, at most; of more, those that begin as one types are proposed.
const CHOICES_MAX: usize = 300;
/// Codes that are proposed, at most.
const LISTED_MAX: usize = 1_000;

/// How a value is filled in.
#[derive(PartialEq, Eq)]
pub(super) enum Kind {
    Line(&'static str),
    Lines,
    Choice,
    /// A value that the visitor does not see.
    Masked,
}

pub(super) struct Choice {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) is_chosen: bool,
}

/// One field of the form.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, as templates ask for it"
)]
pub(super) struct Input {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) hint: String,
    pub(super) kind: Kind,
    pub(super) text: String,
    /// What it held when the form was made.
    pub(super) was: String,
    pub(super) choices: Vec<Choice>,
    pub(super) fault: String,
    /// Whether the value is of another kind than its text makes, so that the same text is another value.
    pub(super) is_of_other_kind: bool,
    /// What may have been meant in place of what is faulty.
    pub(super) proposals: Vec<String>,
    /// What someone else made of it meanwhile, where that goes against what was filled in.
    pub(super) theirs: Option<CutText>,
    /// What both began with, where that is known.
    pub(super) before: Option<String>,
    /// The same, as much of it as is shown.
    pub(super) before_shown: Option<CutText>,
    /// Which of both was chosen, as the form says it; nothing before one is.
    pub(super) choice: String,
    pub(super) is_required: bool,
    pub(super) is_key: bool,
    pub(super) is_number: bool,
    /// Whether its text may be a long one.
    pub(super) is_long: bool,
    /// Codes with what they mean, proposed while one types.
    pub(super) listed: Vec<(String, String)>,
}

impl Input {
    pub(super) fn is_line(&self) -> bool {
        matches!(self.kind, Kind::Line(_))
    }

    pub(super) fn is_lines(&self) -> bool {
        self.kind == Kind::Lines
    }

    pub(super) fn is_choice(&self) -> bool {
        self.kind == Kind::Choice
    }

    /// The same on a page that has room for several lines of a text that may be long.
    pub(super) fn with_room(self) -> Self {
        let kind = match self.kind {
            Kind::Line(_) if self.is_long => Kind::Lines,
            kind => kind,
        };
        Input { kind, ..self }
    }

    /// Whether what it holds is proposed under the same text, which makes another value of it.
    pub(super) fn has_own_text_proposed(&self) -> bool {
        self.proposals.contains(&self.was)
    }

    /// What says in the form that it is a long value that was there.
    pub(super) fn mark(&self) -> Option<String> {
        mark_in_place_of(&self.was)
    }

    pub(super) fn line_type(&self) -> &'static str {
        match self.kind {
            Kind::Line(kind) => kind,
            _ => "text",
        }
    }
}

/// The input of a field with what a record holds, what is wrong with it, and what may have been meant.
pub(super) fn input_of(
    field: &Field,
    record: &ShownRecord<'_>,
    (place, texts): (&Place, &Texts),
) -> Input {
    let faults = StoredFaults::of(record);
    let fault = faults.of_field(field, (place, texts)).unwrap_or_default();
    let is_open = place.may_edit && !place.masks(field);
    Input {
        proposals: if is_open && !fault.is_empty() {
            proposals(&place.permit, field, record.json(field))
        } else {
            Vec::new()
        },
        is_of_other_kind: is_open && record.is_of_other_kind(field),
        ..input(field, record.filled(field), fault, (place, texts))
    }
}

/// The input of a field with a text.
pub(super) fn input(
    field: &Field,
    text: String,
    fault: String,
    (place, texts): (&Place, &Texts),
) -> Input {
    let choices = choices(field, &text, (place, texts));
    let kind = if place.masks(field) && !text.is_empty() {
        Kind::Masked
    } else if field.is_multivalue() || has_lines(&text) || text.chars().count() > LONG {
        Kind::Lines
    } else if !choices.is_empty() {
        Kind::Choice
    } else {
        Kind::Line(match field.data_type {
            DataType::Email if stays_whole(&text) => "email",
            DataType::Url if stays_whole(&text) => "url",
            DataType::Phone => "tel",
            _ => "text",
        })
    };
    Input {
        id: field.id.clone(),
        label: field.name.clone(),
        hint: hint(field, texts),
        listed: listed(field, place),
        kind,
        is_of_other_kind: false,
        proposals: Vec::new(),
        was: text.clone(),
        text,
        choices,
        fault,
        theirs: None,
        before: None,
        before_shown: None,
        choice: String::new(),
        is_required: field.required,
        is_key: field.primary_key,
        is_number: is_number(field),
        is_long: may_be_long(field),
    }
}

/// Whether a field takes texts that one would not write in one line.
fn may_be_long(field: &Field) -> bool {
    let max = field.max.as_ref();
    let max = max.and_then(|max| max.as_str().parse::<u64>().ok());
    field.data_type == DataType::String && max.is_some_and(|max| max >= LONG_MAX)
}

/// Whether a text needs an input of several lines: browsers take the ends of lines out of any other.
pub(super) fn has_lines(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// Whether a browser sends a text back as it is from an input for addresses: there it takes away the spaces around it and
/// writes names of hosts in its own way.
fn stays_whole(text: &str) -> bool {
    text.is_ascii() && text.trim() == text
}

/// What was filled in for a field that is chosen in the same form: in the input of that very field, or under this name.
pub(super) fn filled_in(
    field: &str,
    otherwise: &str,
    get: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    get(&format!("v-{field}")).or_else(|| get(otherwise))
}

/// A code with what it means.
fn labelled(code: &str, description: Option<&str>) -> String {
    match description {
        Some(description) if !description.is_empty() && description != code => {
            format!("{code} · {description}")
        }
        _ => code.to_owned(),
    }
}

/// A value as it is read: a code with what it means, a boolean as yes or no.
pub(super) fn meaning(field: &Field, text: String, (place, texts): (&Place, &Texts)) -> String {
    match field.data_type {
        DataType::Boolean => told_boolean(text, texts),
        DataType::Picklist => {
            let codes = codes(&place.permit, field);
            let known = codes.into_iter().find(|(code, _)| *code == text);
            known.map_or(text, |(code, description)| labelled(code, description))
        }
        _ => text,
    }
}

/// The codes that are proposed while one types, where they are too many to choose among.
fn listed(field: &Field, place: &Place) -> Vec<(String, String)> {
    if field.data_type != DataType::Picklist {
        return Vec::new();
    }
    let codes = codes(&place.permit, field);
    if !(CHOICES_MAX + 1..=LISTED_MAX).contains(&codes.len()) {
        return Vec::new();
    }
    let codes = codes.into_iter();
    codes
        .map(|(code, description)| (code.to_owned(), description.unwrap_or_default().to_owned()))
        .collect()
}

/// What is said below an input: what the field is for, how several values stand in it, and the form of its values with an example.
fn hint(field: &Field, texts: &Texts) -> String {
    let own = &texts.grid;
    let several = field.is_multivalue().then(|| own.one_per_line.to_owned());
    let form = written_as(field).zip(example_of(field));
    let form = form.map(|(form, example)| (own.written_as)(&form, &example));
    let parts = [field.description.clone(), several, form];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}

/// What may be chosen, with what is there although it may not.
fn choices(field: &Field, text: &str, (place, texts): (&Place, &Texts)) -> Vec<Choice> {
    let choice = |value: &str, label: String| Choice {
        is_chosen: value == text,
        value: value.to_owned(),
        label,
    };
    let mut all = match (field.data_type, field.picklist_type) {
        (DataType::Boolean, _) => {
            let (yes, no) = field
                .boolean_words
                .map_or(("true", "false"), schema::format::BooleanWords::words);
            // a value is stored as one of both, whatever words were sent
            let known = |word: &'static str, own: &'static str| {
                if text == own { own } else { word }
            };
            vec![
                choice(known(yes, "true"), texts.yes.to_owned()),
                choice(known(no, "false"), texts.no.to_owned()),
            ]
        }
        (DataType::Picklist, _) => {
            let codes = codes(&place.permit, field);
            if codes.len() > CHOICES_MAX {
                return Vec::new();
            }
            let codes = codes.into_iter();
            codes
                .map(|(code, description)| choice(code, labelled(code, description)))
                .collect()
        }
        _ => return Vec::new(),
    };
    if !all.iter().any(|choice| choice.is_chosen) && !text.is_empty() {
        all.insert(0, choice(text, text.to_owned()));
    }
    all.insert(0, choice("", "–".to_owned()));
    all
}
