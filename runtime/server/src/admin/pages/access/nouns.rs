//! What the pages of several nouns ask alike: to switch one on or off, and to delete it. What a noun's own is stands in its file.

use crate::admin::pages::visit::Submission;
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{ApiKey, App, Area, SchemaEntry, Webhook};
use service::manage::{Noun, Switchable};

/// A noun that pages list.
pub(in crate::admin::pages) trait Listed: Noun {
    /// The address of the list, and of a noun below it.
    const LIST: &'static str;
}

impl Listed for Area {
    const LIST: &'static str = "/areas";
}

impl Listed for SchemaEntry {
    const LIST: &'static str = "/schemas";
}

impl Listed for ApiKey {
    const LIST: &'static str = "/keys";
}

impl Listed for App {
    const LIST: &'static str = "/clients";
}

impl Listed for Webhook {
    const LIST: &'static str = "/webhooks";
}

/// A noun that pages switch on and off.
pub(in crate::admin::pages) trait Switched: Listed + Switchable {
    /// Where it is told that one was.
    fn told_at(id: &str) -> String {
        format!("{}/{id}?saved=1", Self::LIST)
    }
}

impl Switched for ApiKey {
    /// The list tells of each whether it is on.
    fn told_at(_: &str) -> String {
        Self::LIST.to_owned()
    }
}

impl Switched for App {}

impl Switched for Webhook {}

/// Switches one on.
pub(in crate::admin::pages) async fn enable<N: Switched>(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    switch::<N>(sent, true).await
}

/// Switches one off.
pub(in crate::admin::pages) async fn disable<N: Switched>(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    switch::<N>(sent, false).await
}

async fn switch<N: Switched>(
    sent: Submission<String>,
    active: bool,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let nouns = visit.site.service.nouns::<N>();
    nouns.set_active(&visit.caller, &visit.ids, active).await?;
    Ok(visit.see(&N::told_at(&visit.ids)))
}

/// Deletes one.
pub(in crate::admin::pages) async fn delete<N: Listed>(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let nouns = visit.site.service.nouns::<N>();
    nouns.delete(&visit.caller, &visit.ids).await?;
    Ok(visit.see(N::LIST))
}
