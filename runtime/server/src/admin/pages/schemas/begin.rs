//! Where a new schema begins: with nothing, as a copy of another, or from a document, which is pasted or a file.

use super::document::{Draft, Unread};
use super::editor;
use super::editor_state::Edited;
use super::head::find;
use super::list::items;
use super::stored_fields::Source;
use crate::admin::pages::code_part::CodePart;
use crate::admin::pages::kept::is_all_but_file;
use crate::admin::pages::list_part::Wanted;
use crate::admin::pages::sending::Sending;
use crate::admin::pages::texts::filled;
use crate::admin::pages::texts::schemas::SchemaTexts;
use crate::admin::pages::visit::{Page, Section, Submission, Visit, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::json::unmarked;
use service::catalog::{Resource, Shelf, Verb};

#[derive(Template)]
#[template(path = "schema_new.html")]
struct BeginPage {
    page: Page,
    area_id: String,
    area_name: String,
    title: String,
    /// Schemas that can be copied: ids and names.
    others: Vec<(String, String)>,
    document: String,
    message: Option<String>,
}

/// The page; `?from=` leads to the editor, with a copy of that schema or with nothing (`hand`).
pub(crate) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let area = visit.site.service.areas().show(&visit.caller, &visit.ids)?;
    let rights = visit.caller.rights();
    rights.require_in(Resource::Schemas, Verb::Add, &area.item.business_area_id)?;
    match visit.parameter("from").as_deref() {
        None | Some("") => {
            // a file was lost on the way through the sign-in
            let kept = visit.parameter("kept");
            let told = is_all_but_file(kept.as_deref()).then_some(visit.texts.access.kept_but_file);
            let message = told.map(str::to_owned);
            page(&visit, String::new(), message, StatusCode::OK)
        }
        Some("hand") => begun(&visit, Draft::default(), None, Vec::new()),
        Some(id) => {
            let schema = find(&visit, id)?;
            let current = &schema.current().schema;
            let mut draft = Draft::of(current).into_copy();
            let name = filled(visit.texts.schemas.copy_of, &[&current.name]);
            draft.set("name", &name);
            let source = Source {
                schema: schema.id.clone(),
                version: schema.current().number,
            };
            begun(&visit, draft, Some(source), Vec::new())
        }
    }
}

/// The editor with what is in a document.
pub(crate) async fn from_document(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    read(&visit, form.text("document"), "")
}

/// The same of a file that is sent.
pub(crate) async fn from_file(mut sent: Sending<String>) -> Result<Response<Body>, Failure> {
    let bytes_max = sent.visit.site.service.sample_bytes_max();
    let file = match sent
        .whole(bytes_max, |texts| texts.schemas.document_too_large)
        .await?
    {
        Ok(held) => held,
        Err(message) => return again(&sent.visit, message),
    };
    let Sending {
        visit, file_name, ..
    } = sent;
    match std::str::from_utf8(&file.bytes) {
        Ok(text) => read(&visit, text, &file_name),
        Err(error) => {
            let message = filled(
                visit.texts.schemas.file_is_no_text,
                &[&file_name, &error.valid_up_to().to_string()],
            );
            again(&visit, message)
        }
    }
}

/// The editor with a document, or this page with it and why it can't be read.
fn read(visit: &Visit<String>, text: &str, file: &str) -> Result<Response<Body>, Failure> {
    match Draft::read(unmarked(text)) {
        Ok(draft) => begun(visit, draft.into_copy(), None, Vec::new()),
        Err(unread) => {
            let own = &visit.texts.schemas;
            let error = match unread {
                Unread::Json(error) => placed(&error, own),
                Unread::NoObject => own.json_no_object.to_owned(),
                Unread::NoFields => own.json_no_fields.to_owned(),
            };
            let message = match file {
                "" => filled(own.json_unread, &[&error]),
                file => filled(own.file_unread, &[file, &error]),
            };
            let status = StatusCode::BAD_REQUEST;
            page(visit, text.to_owned(), Some(message), status)
        }
    }
}

/// What a reader of JSON found wrong, which is in English, with its place in the words of the page.
fn placed(error: &str, own: &SchemaTexts) -> String {
    let parts = error.rsplit_once(" at line ").and_then(|(cause, place)| {
        let (line, column) = place.split_once(" column ")?;
        Some(filled(own.json_place, &[line, column, cause]))
    });
    parts.unwrap_or_else(|| error.to_owned())
}

/// The page again, with why it could not begin.
pub(super) fn again(visit: &Visit<String>, message: String) -> Result<Response<Body>, Failure> {
    page(visit, String::new(), Some(message), StatusCode::BAD_REQUEST)
}

/// The editor with what it begins with, of which version that is a copy, and what speaks for it.
pub(super) fn begun(
    visit: &Visit<String>,
    draft: Draft,
    source: Option<Source>,
    evidence: Vec<String>,
) -> Result<Response<Body>, Failure> {
    let edited = Edited {
        area: visit.ids.clone(),
        schema: String::new(),
        version: None,
        draft,
        source,
        codes: CodePart::default(),
        long_lines: None,
        open: None,
        looked: Wanted::default(),
        focus: None,
    };
    editor::begun(visit, edited, evidence)
}

fn page(
    visit: &Visit<String>,
    document: String,
    message: Option<String>,
    status: StatusCode,
) -> Result<Response<Body>, Failure> {
    let area = visit.site.service.areas().show(&visit.caller, &visit.ids)?;
    let others = items(visit, &visit.ids, Shelf::Live)?;
    let others = others.into_iter().map(|it| (it.schema_id, it.name));
    let page = BeginPage {
        page: visit.page(Section::Schemas),
        area_id: visit.ids.clone(),
        title: filled(visit.texts.schemas.new_in, &[&area.item.name]),
        area_name: area.item.name,
        others: others.collect(),
        document,
        message,
    };
    shown_as(status, &page)
}
