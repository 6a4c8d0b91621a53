//! Endpoint 11: search.

use super::call::Call;
use super::error::Failure;
use super::response;
use axum::response::Response;
use service::search::SearchRequest;
use url::form_urlencoded;

pub(super) async fn search(call: Call) -> Result<Response, Failure> {
    let mut request = SearchRequest {
        page: call.page(),
        ..SearchRequest::default()
    };
    for (name, value) in form_urlencoded::parse(call.query().as_bytes()) {
        let slot = match &*name {
            "query" => &mut request.query,
            "businessArea" => &mut request.area,
            "schema" => &mut request.schema,
            "dataSet" => &mut request.dataset,
            "sort" => &mut request.sort,
            _ => continue,
        };
        // of a parameter that stands twice, the first counts
        slot.get_or_insert_with(|| value.into_owned());
    }
    Ok(response::open_json(
        call.service.search(&call.caller, &request).await?,
    ))
}
