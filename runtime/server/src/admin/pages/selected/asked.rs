//! What a page or a form of selected records asks for, and what there is to tell of it before it is done.

use super::super::cell::field;
use super::super::gone_fields::gone;
use super::super::input::filled_in;
use super::super::original::plain;
use super::super::places::Place;
use super::super::reformatted::FormSchema;
use super::super::shown_versions::{ShownVersion, shown_versions};
use super::super::texts::Texts;
use super::super::visit::{Form, Visit};
use schema::Field;
use std::iter;

/// Which records are meant.
pub(super) struct Asked {
    /// The ticked ones: their ids, each with the version that was shown, if one was.
    pub(super) ticked: Vec<ShownVersion>,
    /// The query, where all that it finds are meant.
    pub(super) query: Option<String>,
    /// The query of the list in which they were ticked, to which one goes back.
    pub(super) list: String,
    /// The field that is to be set, by its id.
    pub(super) field: String,
    pub(super) value: String,
    /// Whether it was asked what a change would do.
    pub(super) is_preview: bool,
    /// The version of the schema that the page has from which it comes.
    pub(super) schema: String,
}

impl Asked {
    fn of<'t>(ticked: impl Iterator<Item = &'t str>, get: impl Fn(&str) -> Option<String>) -> Self {
        let query = get("q").filter(|query| !query.trim().is_empty());
        let list = query.clone().or_else(|| get("list"));
        let field = get("field").unwrap_or_default();
        // without a script, the input may be that of another field still
        let value = filled_in(&field, "value", &get);
        Asked {
            ticked: shown_versions(ticked).collect(),
            query: query.filter(|_| get("all").is_some()),
            list: list.unwrap_or_default(),
            field,
            is_preview: get("show").is_some() && value.is_some(),
            value: plain(&value.unwrap_or_default()),
            schema: get("schema").unwrap_or_default(),
        }
    }

    pub(super) fn of_address(visit: &Visit<String>) -> Self {
        let ticked = visit.parameters("record");
        let ticked = ticked.iter().map(String::as_str);
        Asked::of(ticked, |name| visit.parameter(name))
    }

    pub(super) fn of_form(form: &Form) -> Self {
        Asked::of(form.all("record"), |name| form.get(name).map(str::to_owned))
    }

    /// What is told where the field that is to be set is written otherwise by now than on the page that this comes from.
    pub(super) fn reformatted(&self, place: &Place, texts: &Texts) -> Option<String> {
        let own = field(place, &self.field).ok();
        let own = own.filter(|_| !self.value.is_empty());
        FormSchema::of(place, &self.schema).told(own.into_iter(), texts)
    }

    /// The name of the field that is to be set, where it can't be any more: it is gone, the key, or not to be seen by now.
    pub(super) fn gone<'p>(&self, place: &'p Place) -> Option<&'p str> {
        let gone = gone(place, iter::once(&*self.field), &self.schema);
        let is_shut = |own: &&Field| own.id == self.field && (own.primary_key || place.masks(own));
        let shut = || place.version().schema.fields.iter().find(is_shut);
        let own = gone.into_iter().next().or_else(shut);
        own.map(|field| &*field.name)
    }
}
