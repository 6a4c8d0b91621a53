//! The lines of a request, read: what each asks for. Nothing is judged here.

use crate::Refusal;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum BulkLine<'l> {
    #[serde(borrow)]
    Create(&'l RawValue),
    #[serde(borrow)]
    Update(&'l RawValue),
    #[serde(borrow)]
    Upsert(&'l RawValue),
    #[serde(borrow)]
    Delete(NamedRecord<'l>),
}

/// A record that is named, and perhaps which version of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedRecord<'l> {
    #[serde(rename = "_dataObjectId", borrow)]
    pub(super) id: Cow<'l, str>,
    #[serde(rename = "_version", default)]
    pub(super) version: Option<i64>,
}

/// The id in the body of a change.
#[derive(Deserialize)]
struct Id<'l> {
    #[serde(rename = "_dataObjectId", borrow)]
    id: Cow<'l, str>,
}

/// The mark of UTF-8 before a text, as spreadsheets and editors write it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The lines of a body that are not empty, by their numbers from 1.
pub(super) fn lines(body: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    let lines = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    (1..).zip(lines).filter(|(_, line)| !line.is_empty())
}

/// The id of the record that a line names, where it names one.
pub(super) fn named_by<'l>(line: &'l BulkLine<'_>) -> Option<Cow<'l, str>> {
    match line {
        BulkLine::Create(_) | BulkLine::Upsert(_) => None,
        BulkLine::Update(body) => id_in(body).ok(),
        BulkLine::Delete(named) => Some(Cow::Borrowed(&*named.id)),
    }
}

pub(super) fn id_in<'l>(body: &'l RawValue) -> Result<Cow<'l, str>, Refusal> {
    let read: Result<Id<'l>, _> = serde_json::from_str(body.get());
    let read = read.map(|read| read.id);
    read.map_err(|_| invalid("an update names its record by `_dataObjectId`, once and as a text"))
}

pub(super) fn invalid(message: &str) -> Refusal {
    Refusal::InvalidBody {
        message: message.to_owned(),
        fields: Vec::new(),
    }
}

/// What is wrong with a line, without what it holds.
pub(super) fn unreadable(error: &serde_json::Error) -> Refusal {
    let column = error.column();
    invalid(&format!(
        "the line is no object with one member (`create`, `update`, `upsert` or `delete`) that holds a record (column {column})"
    ))
}
