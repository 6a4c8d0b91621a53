//! The caller's own tenant, its quotas, and how the service is and is set up. Making, naming and deleting tenants is the
//! operator's, on the command line, and so is setting anything.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use axum::response::Response;
use service::manage::{HealthView, QuotaView, SettingsView, TenantView, tenant_view};
use wire::ErrorCode;

/// The caller's own tenant.
pub(super) fn routes() -> Vec<Route> {
    let tenant = O::management("getTenant", "Get the caller's tenant")
        .gives::<TenantView>(200)
        .refuses(&[404])
        .only_codes(
            403,
            &[
                ErrorCode::PasswordChangeRequired,
                ErrorCode::SecondFactorSetupRequired,
            ],
        );
    let quotas = O::management(
        "getQuotas",
        "Get the limits of the tenant, and how much of each it uses",
    )
    .gives::<QuotaView>(200);
    let health =
        O::management("getHealth", "Get the health of the service").gives::<HealthView>(200);
    let settings =
        O::management("getSettings", "Get how the service is set up").gives::<SettingsView>(200);
    vec![
        Route::get("/health", self::health, health),
        Route::get("/settings", self::settings, settings),
        Route::get("/tenant", get, tenant),
        Route::get("/tenant/quotas", self::quotas, quotas),
    ]
}

pub(super) async fn get(call: Call) -> Result<Response, Failure> {
    response::value(&tenant_view(&*call.service.tenant(&call.caller)?))
}

pub(super) async fn quotas(call: Call) -> Result<Response, Failure> {
    response::value(&call.service.quotas(&call.caller).await?)
}

pub(super) async fn health(call: Call) -> Result<Response, Failure> {
    response::value(&call.service.health(&call.caller).await?)
}

pub(super) async fn settings(call: Call) -> Result<Response, Failure> {
    response::value(&call.service.told_settings(&call.caller)?)
}
