//! What a tenant has and may have at most: each quota as a row with its bar.

use crate::admin::pages::numbers::{bytes, grouped, percent, share};
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::manage::QuotaUse;

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage {
    page: Page,
    tenant: String,
    rows: Vec<UsageRow>,
}

struct UsageRow {
    label: &'static str,
    used: String,
    limit: String,
    /// How much of what it may have, as the width of a bar and in words.
    share: String,
    percent: String,
}

pub(in crate::admin::pages) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let quotas = service.quotas(&visit.caller).await?;
    let tenant = service.tenant(&visit.caller)?;
    let texts = visit.texts;
    let own = &texts.access;
    let counted = |label, of| row(label, of, texts, grouped);
    let measured = |label, of| row(label, of, texts, bytes);
    shown(&UsagePage {
        page: visit.page(Section::Access),
        tenant: tenant.name.clone(),
        rows: vec![
            counted(own.usage_records, quotas.records),
            measured(own.usage_files, quotas.file_bytes),
            counted(own.usage_versions, quotas.schema_versions),
            counted(own.usage_codes, quotas.domain_codes),
            counted(own.usage_sessions, quotas.sessions),
            measured(own.usage_jobs, quotas.job_bytes),
            measured(own.usage_catalog, quotas.catalog_bytes),
            counted(own.usage_resources, quotas.resources),
            counted(own.usage_webhooks, quotas.webhooks),
        ],
    })
}

fn row(
    label: &'static str,
    of: QuotaUse,
    texts: &Texts,
    written: impl Fn(u64, &Texts) -> String,
) -> UsageRow {
    // who may have nothing has all of it
    let [used, limit] = if of.limit == 0 {
        [1, 1]
    } else {
        [of.used, of.limit]
    };
    UsageRow {
        label,
        used: written(of.used, texts),
        limit: written(of.limit, texts),
        share: share(used, limit),
        percent: percent(used, limit, texts),
    }
}
