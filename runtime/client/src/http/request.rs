//! Operations as requests of the interface. docs/interface.md, "Endpoints".

use super::address::{parameter, path};
use super::multipart::MultipartForm;
use super::retry::RetrySafety;
use crate::ClientError;
use crate::content::{FILES_PATH, NewFile};
use crate::path::DatasetPath;
use crate::query::Search;
use crate::transport::Operation;
use reqwest::Method;
use std::time::Duration;

/// What a request carries.
pub(super) enum Body {
    Nothing,
    Json(String),
    Multipart(MultipartForm),
}

/// A request, ready to be sent any number of times, as far as its body can be had again.
pub(super) struct Request {
    pub(super) method: Method,
    /// Path and query.
    pub(super) path: String,
    pub(super) body: Body,
    pub(super) retry: RetrySafety,
    /// Whether a 404 without a body is an answer: nothing has the key.
    pub(super) may_be_absent: bool,
    /// Whether the answer is a file, and may take long.
    pub(super) is_file: bool,
    /// How long the service is asked to wait before it answers.
    pub(super) wait: Option<Duration>,
}

impl Request {
    /// The request of an operation; pages have `page_size` items, or what the service likes.
    pub(super) fn of(operation: Operation, page_key: Option<&str>, page_size: Option<u32>) -> Self {
        match operation {
            Operation::Areas => list("/v1/my/businessareas".to_owned(), page_key, page_size),
            Operation::Schemas { area } => list(under(&[&area, "schemas"]), page_key, page_size),
            Operation::Schema { area, schema } => get(under(&[&area, "schemas", &schema])),
            Operation::Datasets { area, schema } => list(
                under(&[&area, "schemas", &schema, "datasets"]),
                page_key,
                page_size,
            ),
            Operation::Records(dataset) => list(records(&dataset, &[]), page_key, page_size),
            Operation::ByKey(dataset, key) => {
                // blank at both ends means nothing to the service, and an address may not end in it
                let mut request = get(records(&dataset, &["by-pk", key.trim()]));
                request.may_be_absent = true;
                request
            }
            Operation::Create(dataset, body) => {
                write(Method::POST, records(&dataset, &[]), Some(body))
            }
            Operation::Update(dataset, id, body) => {
                write(Method::PUT, records(&dataset, &[&id]), Some(body))
            }
            Operation::Delete(dataset, id) => {
                let mut request = write(Method::DELETE, records(&dataset, &[&id]), None);
                request.retry = RetrySafety::Delete;
                request
            }
            Operation::Changes {
                dataset: at,
                after,
                wait,
            } => {
                let mut path = dataset(&at, &["changes"]);
                parameter(&mut path, "wait", &wait.to_string());
                if let Some(after) = after {
                    parameter(&mut path, "after", &after);
                }
                Request {
                    wait: Some(Duration::from_secs(wait.into())),
                    ..list(path, None, page_size)
                }
            }
            Operation::Search(search) => list(searched(&search), page_key, page_size),
        }
    }

    /// The upload of a file.
    pub(super) fn upload(file: NewFile) -> Result<Self, ClientError> {
        let path = dataset(&file.dataset, &["files"]);
        let form = MultipartForm::of(file)?;
        // a second file does no harm: the service removes what no record names
        let retry = if form.is_repeatable() {
            RetrySafety::Safe
        } else {
            RetrySafety::Impossible
        };
        Ok(Request {
            method: Method::POST,
            path,
            body: Body::Multipart(form),
            retry,
            may_be_absent: false,
            is_file: false,
            wait: None,
        })
    }

    /// The download of a file, by what its link holds.
    pub(super) fn download(link: &str) -> Self {
        Request {
            is_file: true,
            ..get(format!("{FILES_PATH}{link}"))
        }
    }

    /// The exchange of client credentials for a token.
    pub(super) fn token(body: String) -> Self {
        // a second token does no harm
        Request {
            retry: RetrySafety::Safe,
            ..write(Method::POST, "/oauth2/token".to_owned(), Some(body))
        }
    }
}

fn under(segments: &[&str]) -> String {
    format!("/v1/businessareas{}", path(segments))
}

fn dataset(at: &DatasetPath, behind: &[&str]) -> String {
    let DatasetPath {
        area,
        schema,
        dataset,
    } = at;
    under(&[area, "schemas", schema, "datasets", dataset]) + &path(behind)
}

fn records(at: &DatasetPath, behind: &[&str]) -> String {
    dataset(at, &["dataobjects"]) + &path(behind)
}

fn searched(search: &Search) -> String {
    let mut path = "/v1/dataobjects/search".to_owned();
    parameter(&mut path, "query", &search.query);
    for (name, value) in [
        ("businessArea", &search.area),
        ("schema", &search.schema),
        ("dataSet", &search.dataset),
        ("sort", &search.sort),
    ] {
        if let Some(value) = value {
            parameter(&mut path, name, value);
        }
    }
    path
}

fn get(path: String) -> Request {
    Request {
        method: Method::GET,
        path,
        body: Body::Nothing,
        retry: RetrySafety::Safe,
        may_be_absent: false,
        is_file: false,
        wait: None,
    }
}

fn list(mut path: String, page_key: Option<&str>, page_size: Option<u32>) -> Request {
    if let Some(size) = page_size {
        parameter(&mut path, "pageSize", &size.to_string());
    }
    if let Some(key) = page_key {
        parameter(&mut path, "pageKey", key);
    }
    get(path)
}

fn write(method: Method, path: String, body: Option<String>) -> Request {
    Request {
        method,
        path,
        body: body.map_or(Body::Nothing, Body::Json),
        retry: RetrySafety::Never,
        may_be_absent: false,
        is_file: false,
        wait: None,
    }
}
