//! Endpoint 11: search.

use super::error::Failure;
use super::shape;
use crate::service::search::SearchRequest;
use crate::service::{Caller, PageRequest, Service};
use axum::extract::{RawQuery, State};
use axum::response::Response;
use std::sync::Arc;
use url::form_urlencoded;

pub(super) async fn search(
    State(service): State<Arc<Service>>,
    caller: Caller,
    RawQuery(query): RawQuery,
    page: PageRequest,
) -> Result<Response, Failure> {
    let mut request = SearchRequest {
        page,
        ..SearchRequest::default()
    };
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        let slot = match &*name {
            "query" => &mut request.query,
            "businessArea" => &mut request.area,
            "schema" => &mut request.schema,
            "dataSet" => &mut request.dataset,
            _ => continue,
        };
        // of a parameter that stands twice, the first counts
        slot.get_or_insert_with(|| value.into_owned());
    }
    Ok(shape::json(service.search(&caller, &request).await?))
}
