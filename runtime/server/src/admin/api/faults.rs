//! What is wrong with the records of a dataset, and how often their values are there.

use super::nouns::Answer;
use crate::http::call::Call;
use crate::http::response;
use service::search::FacetRequest;
use url::form_urlencoded;

pub(super) async fn faults(call: Call<String>) -> Answer {
    let faults = call.service.dataset_faults(&call.caller, &call.ids);
    response::value(&faults.await?)
}

pub(super) async fn facets(call: Call<String>) -> Answer {
    let mut request = FacetRequest::default();
    for (name, value) in form_urlencoded::parse(call.query().as_bytes()) {
        let slot = match &*name {
            "query" => &mut request.query,
            "field" => &mut request.field,
            _ => continue,
        };
        slot.get_or_insert_with(|| value.into_owned());
    }
    let facets = call.service.facets(&call.caller, &call.ids, &request);
    response::value(&facets.await?)
}
