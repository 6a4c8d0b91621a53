//! Datasets: listed with exact counts of their records.

use super::nouns::Answer;
use crate::admin::request::shelf;
use crate::http::call::Call;
use crate::http::response;

pub(super) async fn list(call: Call<String>) -> Answer {
    let (shelf, page) = (shelf(&call)?, call.page());
    let datasets = call.service.datasets();
    let found = datasets.list_counted(&call.caller, &call.ids, shelf, &page);
    response::value(&found.await?)
}
