//! Datasets: listed with exact counts of their records.

use super::noun::NounRoutes;
use super::nouns::Answer;
use crate::admin::request::shelf;
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use service::manage::DatasetView;
use store::catalog::Dataset;

/// Datasets.
pub(super) fn routes() -> Vec<Route> {
    const ALL: &str = "/schemas/{id}/datasets";
    let nouns = NounRoutes::<Dataset>::at("/datasets", "ManagedDataset", "a dataset");
    let list = nouns.listed_with_deleted::<DatasetView>();
    nouns.restorable(
        Route::get(ALL, self::list, list),
        nouns.create_below(ALL),
        nouns.update(),
    )
}

pub(super) async fn list(call: Call<String>) -> Answer {
    let (shelf, page) = (shelf(&call)?, call.page());
    let datasets = call.service.datasets();
    let found = datasets.list_counted(&call.caller, &call.ids, shelf, &page);
    response::value(&found.await?)
}
