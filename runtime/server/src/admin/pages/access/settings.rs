//! A tenant as management tells it, and how the service is that it is kept by. Management changes nothing of it: what a
//! tenant is called, whoever runs the service says on the command line, and no form stands here.

use crate::admin::pages::health::{self, Health};
use crate::admin::pages::numbers::moment;
use crate::admin::pages::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::manage::tenant_view;

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    page: Page,
    id: String,
    name: String,
    made: String,
    changed: String,
    /// How the service is, for administrators.
    health: Option<Health>,
}

pub(in crate::admin::pages) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let tenant = tenant_view(&*visit.site.service.tenant(&visit.caller)?);
    shown(&SettingsPage {
        page: visit.page(Section::Access),
        id: tenant.tenant_id,
        name: tenant.name,
        made: moment(tenant.stamp.created_date),
        changed: moment(tenant.stamp.updated_date),
        health: health::of(&visit).await?,
    })
}
