//! What is wrong with the records of a dataset, and how often their values are there.

use super::nouns::Answer;
use crate::admin::request::parameter;
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{DatasetFaults, Facets};
use service::search::FacetRequest;

/// What is wrong with the records of a dataset, and how often their values are there.
pub(super) fn routes() -> Vec<Route> {
    const QUERY: &str = "Only of the records that it finds; as `query` of a search";
    const FIELD: &str = "The name of a picklist or a boolean; without it, all of them are counted";
    let faults = O::management(
        "listFaults",
        "Count the faults of a dataset by field and rule",
    )
    .gives::<DatasetFaults>(200)
    .refuses(&[503]);
    let facets = O::management(
        "countValues",
        "Count the values of picklists and booleans, and the faults, of a dataset",
    )
    .asks("query", QUERY, false)
    .asks("field", FIELD, false)
    .gives::<Facets>(200)
    .refuses(&[400, 503]);
    vec![
        Route::get("/datasets/{id}/faults", self::faults, faults),
        Route::get("/datasets/{id}/facets", self::facets, facets),
    ]
}

pub(super) async fn faults(call: Call<String>) -> Answer {
    let faults = call.service.dataset_faults(&call.caller, &call.ids);
    response::value(&faults.await?)
}

pub(super) async fn facets(call: Call<String>) -> Answer {
    let request = FacetRequest {
        query: parameter(&call, "query")?,
        field: parameter(&call, "field")?,
    };
    let facets = call.service.facets(&call.caller, &call.ids, &request);
    response::value(&facets.await?)
}
