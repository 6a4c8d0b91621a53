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
        let (name, slot) = match &*name {
            "query" => ("query", &mut request.query),
            "businessArea" => ("businessArea", &mut request.area),
            "schema" => ("schema", &mut request.schema),
            "dataSet" => ("dataSet", &mut request.dataset),
            "sort" => ("sort", &mut request.sort),
            _ => continue,
        };
        // refused behind the role, as all that is wrong with a search
        if slot.replace(value.into_owned()).is_some() {
            request.repeated = Some(name);
        }
    }
    Ok(response::open_json(
        call.service.search(&call.caller, &request).await?,
    ))
}
