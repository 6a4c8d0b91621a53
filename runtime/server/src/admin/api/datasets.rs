//! Datasets: listed with exact counts of their records.

use super::noun::NounRoutes;
use super::nouns::Answer;
use crate::admin::request::{parameter, shelf};
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{DailyCounts, DatasetView};
use store::catalog::Dataset;

/// Datasets.
pub(super) fn routes() -> Vec<Route> {
    const ALL: &str = "/schemas/{id}/datasets";
    const DAYS: &str = "How many days up to today: from 1 to 400, 30 where nothing is said";
    let nouns = NounRoutes::<Dataset>::at("/datasets", "ManagedDataset", "a dataset");
    let list = nouns.listed_with_deleted::<DatasetView>();
    let mut routes = nouns.restorable(
        Route::get(ALL, self::list, list),
        nouns.create_below(ALL),
        nouns.update(),
    );
    let days = O::management(
        "listDailyCounts",
        "Show how many records of a dataset there were day by day, and how many were faulty",
    )
    .says(
        "At the end of each of the last days in UTC, the oldest first; today as of now. A day on which no server ran is left \
            out, and days are kept for 400 days. Asks for `DATASETS`, view, and the area's grant.",
    )
    .asks("days", DAYS, false)
    .gives::<DailyCounts>(200)
    .refuses(&[400]);
    routes.push(Route::get("/datasets/{id}/days", self::days, days));
    routes
}

pub(super) async fn days(call: Call<String>) -> Answer {
    let days = parameter(&call, "days")?;
    let found = call
        .service
        .dataset_days(&call.caller, &call.ids, days.as_deref());
    response::value(&found.await?)
}

pub(super) async fn list(call: Call<String>) -> Answer {
    let (shelf, page) = (shelf(&call)?, call.page());
    let datasets = call.service.datasets();
    let found = datasets.list_counted(&call.caller, &call.ids, shelf, &page);
    response::value(&found.await?)
}
