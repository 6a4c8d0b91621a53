//! What differs between any two versions of a schema, and whom it concerned.

use super::head::{Head, find, written};
use super::words::{self, Told};
use crate::admin::pages::texts::filled;
use crate::admin::pages::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;

#[derive(Template)]
#[template(path = "schema_versions.html")]
struct VersionsPage {
    page: Page,
    head: Head,
    title: String,
    numbers: Vec<i64>,
    /// When and by whom the versions that are compared were written.
    written: Vec<(i64, String)>,
    from: i64,
    to: i64,
    told: Told,
}

pub(crate) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let schema = find(&visit, &visit.ids)?;
    let current = schema.current().number;
    let asked = |name: &str| visit.parameter(name).and_then(|it| it.parse().ok());
    let to: i64 = asked("to").unwrap_or(current);
    let first = schema.versions.first().map_or(to, |it| it.number);
    let from = asked("from").unwrap_or((to - 1).max(first));
    let version = |number| {
        let found = schema.version(number);
        found.ok_or_else(|| Refusal::no_such("version of the schema"))
    };
    let (old, new) = (version(from)?, version(to)?);
    let own = &visit.texts.schemas;
    let authors = visit.caller.authors_of(&schema).into_iter();
    let authors = authors.filter(|author| [from, to].contains(&author.number));
    shown(&VersionsPage {
        written: authors.map(|it| (it.number, written(&it))).collect(),
        page: visit.page(Section::Schemas),
        head: Head::of(&visit, &schema),
        title: if from == to {
            format!("{} {to}", own.version)
        } else {
            filled(own.from_to_title, &[&from.to_string(), &to.to_string()])
        },
        numbers: schema.versions.iter().map(|it| it.number).collect(),
        told: words::told(&old.schema, &new.schema, visit.texts),
        from,
        to,
    })
}
