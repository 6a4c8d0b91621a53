//! Two change one record at a time: what was filled in goes to the fields that nobody else changed meanwhile, on whatever
//! version there is. Where both changed a field, nothing is written: mine, theirs and what was there before both are
//! shown, and nothing is written still until one of them is chosen for each such field.

use super::cut_text::CutText;
use super::gone_fields::{self, GoneField};
use super::input::{Choice, Input, Kind, has_lines};
use super::original::{Original, change, plain};
use super::places::Place;
use super::reformatted::FormSchema;
use super::texts::Texts;
use super::values::{ShownRecord, value_of};
use super::visit::{Form, Visit};
use schema::Field;
use schema::json::write_string;
use service::catalog::SchemaVersion;
use service::{DatasetPermit, Refusal};
use std::fmt::Write as _;
use std::time::Duration;

/// How often a change is written anew because others were first.
const TRIES_MAX: u32 = 100;
/// Tries that follow at once; those behind them wait, longer from one to the next up to the longest time.
const TRIES_AT_ONCE: u32 = 3;
const WAIT_MAX: Duration = Duration::from_millis(20);

/// The text of a record.
pub(super) async fn read<P>(visit: &Visit<P>, place: &Place, id: &str) -> Result<String, Refusal> {
    let found = visit.site.service.seen_record(&place.permit, id).await?;
    found.ok_or(Refusal::RecordNotFound)
}

pub(super) fn parsed(text: &str) -> Result<ShownRecord<'_>, Refusal> {
    serde_json::from_str(text).map_err(|source| {
        let what = "a record".to_owned();
        Refusal::Store(service::StoreError::Document { what, source })
    })
}

pub(super) fn body(version: Option<i64>, changes: &[(String, String)]) -> String {
    let mut json = String::from("{");
    if let Some(version) = version {
        // INVARIANT: a text takes anything
        let _ = write!(json, "\"_version\":{version}");
    }
    for (name, value) in changes {
        if json.len() > 1 {
            json.push(',');
        }
        write_string(&mut json, name);
        json.push(':');
        json.push_str(value);
    }
    json.push('}');
    json
}

/// A description as it is stored: what it says, or nothing where that is but spaces.
pub(super) fn said(text: &str) -> &str {
    if text.trim().is_empty() { "" } else { text }
}

/// The fields that were filled in otherwise than they were, with what they held and what they are to hold.
fn changed<'f>(
    version: &'f SchemaVersion,
    form: &Form,
) -> impl Iterator<Item = (&'f Field, Original, String)> {
    let fields = version
        .schema
        .active_fields()
        .filter(|field| !field.data_type.is_file());
    fields.filter_map(|field| change(&field.id, form).map(|(was, now)| (field, was, now)))
}

/// What was filled in otherwise than it was, as members of a record.
pub(super) fn changes(version: &SchemaVersion, form: &Form) -> Vec<(String, String)> {
    changed(version, form)
        .map(|(field, _, now)| (field.name.clone(), value_of(field, &now)))
        .collect()
}

/// Why what was filled in was not written.
pub(super) enum Unwritten {
    Refused(Refusal),
    /// The schema is another by now than the form knew it.
    Outdated(Outdated),
}

impl From<Refusal> for Unwritten {
    fn from(refusal: Refusal) -> Self {
        Unwritten::Refused(refusal)
    }
}

/// What was filled in of which the schema makes something else by now than the form says.
pub(super) struct Outdated {
    /// What is told of it.
    pub(super) told: String,
    /// The fields that can't be filled in any more.
    pub(super) gone: Vec<GoneField>,
}

impl Outdated {
    /// That of a form; nothing where all that was filled in is what it was meant to be.
    pub(super) fn of(place: &Place, form: &Form, texts: &Texts) -> Option<Self> {
        let gone = gone_fields::filled_in(place, form);
        let names = gone.iter().map(|field| &*field.name);
        let told = [
            gone_fields::told(names, texts),
            reformatted(place, form, texts),
        ];
        let told: Vec<_> = told.into_iter().flatten().collect();
        let told = told.join(" ");
        (!told.is_empty()).then_some(Outdated { told, gone })
    }
}

/// What is told where fields that were filled in are written otherwise by now than in the form, so that the same text may be
/// another value.
fn reformatted(place: &Place, form: &Form, texts: &Texts) -> Option<String> {
    let fields = changed(place.version(), form).filter(|(_, _, now)| !now.is_empty());
    let fields = fields.map(|(field, ..)| field);
    FormSchema::of(place, form.text("schema")).told(fields, texts)
}

/// Whether someone made something else of a field that was filled in.
fn is_contested(version: &SchemaVersion, form: &Form, record: &ShownRecord<'_>) -> bool {
    changed(version, form).any(|(field, was, now)| {
        let stored = plain(&record.filled(field));
        !was.is(&stored) && stored != now
    })
}

/// Whether the form asks which of two values a field is to have: with what was there before both, or, where the form has no
/// more than its mark, without.
fn is_asked(form: &Form, id: &str) -> bool {
    ["b", "n"]
        .iter()
        .any(|name| form.get(&format!("{name}-{id}")).is_some())
}

/// Whether the form asks which of two values a field is to have, and none was chosen.
fn is_choice_left(version: &SchemaVersion, form: &Form) -> bool {
    changed(version, form).any(|(field, ..)| {
        is_asked(form, &field.id) && form.text(&format!("c-{}", field.id)).is_empty()
    })
}

/// Writes what was filled in; where others changed other fields meanwhile, onto what they made of the record.
pub(super) async fn write_merged<P>(
    visit: &Visit<P>,
    (place, permit): (&Place, &DatasetPermit),
    (id, form): (&str, &Form),
) -> Result<(), Unwritten> {
    if let Some(outdated) = Outdated::of(place, form, visit.texts) {
        return Err(Unwritten::Outdated(outdated));
    }
    let members = changes(place.version(), form);
    if members.is_empty() {
        return Ok(());
    }
    let mut version = form.text("version").parse().unwrap_or(-1);
    if is_choice_left(place.version(), form) {
        let text = read(visit, place, id).await?;
        let stored = parsed(&text)?.version();
        let sent = version.to_string();
        return Err(Refusal::VersionConflict { sent, stored }.into());
    }
    let mut tries = Tries::default();
    loop {
        let json = body(Some(version), &members);
        let service = &visit.site.service;
        let refusal = match service.update_record(permit, id, json.as_bytes()).await {
            Err(refusal @ Refusal::VersionConflict { .. }) => refusal,
            outcome => return outcome.map_err(Unwritten::Refused),
        };
        if !tries.has_another().await {
            return Err(refusal.into());
        }
        let text = read(visit, place, id).await?;
        let record = parsed(&text)?;
        if is_contested(place.version(), form, &record) {
            return Err(refusal.into());
        }
        version = record.version();
    }
}

/// The tries of a change that others were ahead of.
#[derive(Default)]
pub(super) struct Tries(u32);

impl Tries {
    /// To be called behind a try that others were ahead of, before the record is read anew: whether another one may follow,
    /// which first waits, longer from one to the next.
    pub(super) async fn has_another(&mut self) -> bool {
        self.0 += 1;
        if self.0 >= TRIES_MAX {
            return false;
        }
        let waits = self.0.saturating_sub(TRIES_AT_ONCE);
        if waits > 0 {
            tokio::time::sleep(Duration::from_millis(waits.into()).min(WAIT_MAX)).await;
        }
        true
    }
}

/// What is told of a conflict: that the user is to choose, or that others were first each time, where there is nothing to
/// choose.
pub(super) fn told<'i>(texts: &Texts, mut inputs: impl Iterator<Item = &'i Input>) -> String {
    let is_asked = inputs.any(|input| input.theirs.is_some());
    let told = if is_asked {
        texts.conflict
    } else {
        texts.conflict_busy
    };
    told.to_owned()
}

/// What is told where the schema is another by now, and of a conflict beside that.
pub(super) fn told_outdated<'i>(
    told: String,
    texts: &Texts,
    mut inputs: impl Iterator<Item = &'i Input>,
) -> String {
    if inputs.any(|input| input.theirs.is_some()) {
        return format!("{told} {}", texts.conflict);
    }
    told
}

/// An input with what was filled in; after a conflict with what others made of it, if that goes against it. What the form says
/// of before is compared and shown as it is written by now.
pub(super) fn with_mine(
    input: Input,
    (form, schema): (&Form, &FormSchema<'_>),
    (is_conflict, texts): (bool, &Texts),
) -> Input {
    let Some(mine) = form.get(&format!("v-{}", input.id)).map(plain) else {
        return input;
    };
    let was = Original::of(form, &input.id);
    let is_mine = !was.is(&mine);
    let was = match was {
        Original::Text(text) => Original::Text(schema.carried(&input.id, text)),
        Original::Mark(mark) => Original::Mark(mark),
    };
    let is_theirs = !was.is(&plain(&input.was));
    // asked once, it is asked until it is answered; and anew where what is stored is another by now
    let is_asked = is_asked(form, &input.id);
    let chosen = form.text(&format!("c-{}", input.id));
    let is_contested = is_theirs || is_asked;
    let text = if is_mine { mine } else { input.text.clone() };
    let choices = input.choices.into_iter();
    let before = match form.get(&format!("b-{}", input.id)) {
        Some(before) => Some(schema.carried(&input.id, plain(before))),
        None if is_asked => None,
        None => was.text(),
    };
    // of a value of which the form has a mark alone, theirs is shown where it differs from mine
    let other = before.as_deref().unwrap_or(&text);
    let [other, theirs] = CutText::both([other, &input.was], texts);
    Input {
        theirs: (is_conflict && is_mine && is_contested && text != input.was).then_some(theirs),
        choice: if is_theirs {
            String::new()
        } else {
            chosen.to_owned()
        },
        before_shown: before.is_some().then_some(other),
        before,
        kind: if has_lines(&text) && input.kind != Kind::Masked {
            Kind::Lines
        } else {
            input.kind
        },
        choices: choices
            .map(|choice| Choice {
                is_chosen: choice.value == text,
                ..choice
            })
            .collect(),
        text,
        ..input
    }
}
