//! What is edited, as its form holds it, and what each button does to it. It stores nothing.

use super::document::{Draft, Members, text_of};
use super::inputs;
use super::judged::Remark;
use super::long_lists::{carried, is_longer_than_taken, unreadable, whole};
use super::pairs::CODES;
use super::stored_fields::Source;
use crate::admin::pages::code_part::CodePart;
use crate::admin::pages::conflict::said;
use crate::admin::pages::list_part::{Wanted, has_looked, is_sought_anew};
use crate::admin::pages::numbers;
use crate::admin::pages::original::plain;
use crate::admin::pages::texts::{Texts, filled};
use crate::admin::pages::visit::{Form, Visit};
use crate::http::error::Failure;
use schema::{DataType, Field};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::convert::Infallible;

/// Where whoever works by keyboard goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    /// At a button of a field.
    Button(usize, &'static str),
    /// At the button that adds a field: there is none.
    Add,
    /// At what contradicts, or at what says that nothing does.
    Told,
    /// At the codes of the field that is open.
    Codes,
    /// At the first field of the part that is shown.
    Part,
}

/// What the list of fields is called in the form.
const FIELDS: &str = "fields";

/// Lines of codes with which a document would be too long to be saved: they stay in their input.
pub(super) struct LongLines {
    pub(super) lines: String,
    /// Whether they are to be the whole list.
    pub(super) is_whole: bool,
}

/// What is edited, as its form holds it.
pub(super) struct Edited {
    /// The id of the area.
    pub(super) area: String,
    /// The id of the schema; empty for one that is to be made.
    pub(super) schema: String,
    /// The version that it was made from.
    pub(super) version: Option<i64>,
    pub(super) draft: Draft,
    /// The version that has its long lists of codes, as far as they are stored.
    pub(super) source: Option<Source>,
    /// The part of them that is shown of the field that is open.
    pub(super) codes: CodePart,
    /// Lines for it that were not taken.
    pub(super) long_lines: Option<LongLines>,
    /// The field that is open.
    pub(super) open: Option<usize>,
    /// Which part of its fields is shown, unless another one has the field that is open.
    pub(super) looked: Wanted,
    pub(super) focus: Option<Focus>,
}

impl Edited {
    /// What a form holds, with what was filled in.
    pub(super) fn of<P>(visit: &Visit<P>, form: &Form, area: &str) -> Result<Self, Failure> {
        let schema = form.text("schema");
        let mut edited = Edited {
            open: form.text("open").parse().ok(),
            ..Edited::held(visit, form, area, schema)?
        };
        let name = form.get("s-name").map(str::trim);
        // what nobody touched is no change
        if let Some(name) = name.filter(|it| *it != edited.draft.text("name")) {
            edited.draft.set("name", name);
        }
        let text = form.get("s-description").map(plain);
        // one that comes back as browsers send it stays as it was written
        if let Some(text) = text.filter(|it| *it != plain(&edited.draft.text("description"))) {
            edited.draft.set("description", said(&text));
        }
        let open = edited
            .open
            .and_then(|index| edited.draft.fields.get_mut(index));
        if let Some(field) = open {
            let before = field.get(CODES).cloned();
            inputs::take(form, field);
            let is_other =
                before.as_ref().map(|it| it.get()) != field.get(CODES).map(|it| it.get());
            edited.codes = CodePart::wanted(form);
            if is_other && edited.is_too_long(visit) {
                edited.give_back(form, before);
            }
        } else {
            edited.open = None;
        }
        edited.look(visit, form);
        Ok(edited)
    }

    /// Shows another part of the fields where that is asked for, by its button or by Enter in the filter; what was typed in the one
    /// that is open was taken by then.
    fn look<P>(&mut self, visit: &Visit<P>, form: &Form) {
        // what is told while one types is of the part that is shown
        let is_typing = visit.parameter("part").is_some();
        let has_entered = form.text("do") == "check" && is_sought_anew(form, FIELDS);
        let is_taken = self.long_lines.is_none();
        if is_typing || !is_taken || !(has_looked(form) || has_entered) {
            self.looked = Wanted::shown_in(form, FIELDS);
            return;
        }
        self.looked = Wanted::of_form(form, FIELDS);
        self.open = None;
        self.focus = Some(Focus::Part);
    }

    /// Leaves the codes of the field that is open as they were, and the lines that were filled in for them in their input.
    fn give_back(&mut self, form: &Form, before: Option<Box<RawValue>>) {
        let open = self.open.and_then(|index| self.draft.fields.get_mut(index));
        let Some(field) = open else {
            return;
        };
        match before {
            Some(codes) => field.insert(CODES.to_owned(), codes),
            None => field.remove(CODES),
        };
        self.codes = CodePart::of_form(form);
        self.focus = Some(Focus::Codes);
        self.long_lines = Some(LongLines {
            lines: plain(form.text(&format!("f-{CODES}"))),
            is_whole: form.get("codes-whole").is_some(),
        });
    }

    /// Whether it is longer than management takes a document, also without what of it is stored.
    fn is_too_long<P>(&self, visit: &Visit<P>) -> bool {
        let carried = || Ok(carried(visit, &self.draft, self.source.as_ref()));
        let is_longer: Result<_, Infallible> =
            is_longer_than_taken(visit, &self.draft.to_json(), carried);
        let Ok(is_longer) = is_longer;
        is_longer
    }

    /// What is told where it is too long to be saved.
    pub(super) fn too_long<P>(&self, visit: &Visit<P>) -> Option<Remark> {
        let texts = visit.texts;
        let bytes_max = visit.site.service.settings().body_bytes_max as u64;
        let message = filled(texts.codes.too_long, &[&numbers::bytes(bytes_max, texts)]);
        let (index, property) = match &self.long_lines {
            Some(_) => (self.open, texts.schemas.property(CODES)),
            None if self.is_too_long(visit) => (None, ""),
            None => return None,
        };
        let field = index.and_then(|index| self.draft.fields.get(index));
        Some(Remark {
            index,
            field: field.map_or_else(String::new, |field| text_of(field, "name")),
            property: property.to_owned(),
            message,
            is_elsewhere: false,
        })
    }

    /// What a form holds, and nothing that was filled in.
    pub(super) fn held<P>(
        visit: &Visit<P>,
        form: &Form,
        area: &str,
        schema: &str,
    ) -> Result<Self, Failure> {
        let (draft, source) = whole(visit, read(form.text("document"))?)?;
        let version = form.text("version").parse().ok();
        let own = version.filter(|_| !schema.is_empty());
        let own = own.map(|version| Source {
            schema: schema.to_owned(),
            version,
        });
        Ok(Edited {
            area: area.to_owned(),
            schema: schema.to_owned(),
            version,
            draft,
            source: source.or(own),
            codes: CodePart::default(),
            long_lines: None,
            open: None,
            looked: Wanted::default(),
            focus: None,
        })
    }

    /// Does what a button says.
    pub(super) fn act(&mut self, button: &str, known: &HashMap<String, usize>, texts: &Texts) {
        let (verb, at) = button.split_once('-').unwrap_or((button, ""));
        let at: Option<usize> = at.parse().ok();
        if verb == "codes" {
            // the part that begins there, or else the one that the filter finds
            self.codes.from = at.unwrap_or(self.codes.from);
            self.focus = Some(Focus::Codes);
            return;
        }
        let fields = &mut self.draft.fields;
        let at = at.filter(|at| *at < fields.len());
        match (verb, at) {
            ("open", at) => {
                self.open = at;
                self.codes = CodePart::default();
                self.focus = at.map(|at| Focus::Button(at, "open"));
            }
            ("close", _) => {
                let closed = self.open.take();
                self.focus = closed.map(|at| Focus::Button(at, "open"));
            }
            // Enter in the filter of the fields checks, too
            ("check", _) if self.focus == Some(Focus::Part) => {}
            ("check" | "review", _) => self.focus = Some(Focus::Told),
            ("add", _) => {
                let mut field = Field::new("", texts.schemas.field_new_name, DataType::String);
                field.required = false;
                let mut made = Draft::of(&schema::Schema {
                    fields: vec![field],
                    ..schema::Schema::default()
                });
                if let Some(mut field) = made.fields.pop() {
                    field.remove("fieldId");
                    fields.push(field);
                    self.open = Some(fields.len() - 1);
                    self.focus = self.open.map(|at| Focus::Button(at, "open"));
                }
            }
            ("remove", Some(at)) => {
                fields.remove(at);
                self.open = None;
                // the one that is at its place now, or the last
                let last = fields.len().checked_sub(1);
                let next = last.map(|last| Focus::Button(at.min(last), "open"));
                self.focus = next.or(Some(Focus::Add));
            }
            ("up", Some(at)) if at > 0 && may_swap(fields, at - 1, known) => {
                fields.swap(at - 1, at);
                self.open = None;
                let is_last = at < 2 || !may_swap(fields, at - 2, known);
                self.focus = Some(Focus::Button(at - 1, if is_last { "down" } else { "up" }));
            }
            ("down", Some(at)) if at + 1 < fields.len() && may_swap(fields, at, known) => {
                fields.swap(at, at + 1);
                self.open = None;
                let is_last = !may_swap(fields, at + 1, known);
                self.focus = Some(Focus::Button(at + 1, if is_last { "up" } else { "down" }));
            }
            _ => {}
        }
    }
}

/// Whether the field at a place and the one behind it may change places: those that were made together may, and those
/// that are new. Of fields that the schema has already, `known` says which were made together.
pub(super) fn may_swap(fields: &[Members], at: usize, known: &HashMap<String, usize>) -> bool {
    let batch = |field: &Members| known.get(&text_of(field, "fieldId"));
    match (fields.get(at), fields.get(at + 1)) {
        (Some(one), Some(next)) => batch(one) == batch(next),
        _ => false,
    }
}

/// Reads a document that a form holds.
///
/// # Errors
/// A text that is none.
fn read(document: &str) -> Result<Draft, Failure> {
    Draft::read(document).map_err(|_| unreadable())
}
