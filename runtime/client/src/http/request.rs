//! Questions as requests of the interface. Interface, "Endpoints".

use super::address::{parameter, path};
use super::multipart::Form;
use super::retry::Repeat;
use crate::files::{FILES_PATH, NewFile};
use crate::{Ask, ClientError, Place, Search};
use reqwest::Method;

/// What a request carries.
pub(super) enum Body {
    Nothing,
    Json(String),
    Form(Form),
}

/// A request, ready to be sent any number of times, as far as its body can be had again.
pub(super) struct Request {
    pub(super) method: Method,
    /// Path and query.
    pub(super) path: String,
    pub(super) body: Body,
    pub(super) repeat: Repeat,
    /// Whether a 404 without a body is an answer: nothing has the key.
    pub(super) may_be_absent: bool,
    /// Whether the answer is a file, and may take long.
    pub(super) is_file: bool,
}

impl Request {
    /// The request that asks `ask`; pages have `page_size` items, or what the service likes.
    pub(super) fn of(ask: Ask, page_key: Option<&str>, page_size: Option<u32>) -> Self {
        match ask {
            Ask::Areas => list("/v1/my/businessareas".to_owned(), page_key, page_size),
            Ask::Schemas { area } => list(under(&[&area, "schemas"]), page_key, page_size),
            Ask::Schema { area, schema } => get(under(&[&area, "schemas", &schema])),
            Ask::Datasets { area, schema } => list(
                under(&[&area, "schemas", &schema, "datasets"]),
                page_key,
                page_size,
            ),
            Ask::Records(place) => list(records(&place, &[]), page_key, page_size),
            Ask::ByKey(place, key) => {
                // blank at both ends means nothing to the service, and an address may not end in it
                let mut request = get(records(&place, &["by-pk", key.trim()]));
                request.may_be_absent = true;
                request
            }
            Ask::Create(place, body) => write(Method::POST, records(&place, &[]), Some(body)),
            Ask::Update(place, id, body) => write(Method::PUT, records(&place, &[&id]), Some(body)),
            Ask::Delete(place, id) => {
                let mut request = write(Method::DELETE, records(&place, &[&id]), None);
                request.repeat = Repeat::Delete;
                request
            }
            Ask::Search(search) => list(searched(&search), page_key, page_size),
        }
    }

    /// The upload of a file.
    pub(super) fn upload(file: NewFile) -> Result<Self, ClientError> {
        let path = dataset(&file.place, &["files"]);
        let form = Form::of(file)?;
        // a second file does no harm: the service removes what no record names
        let repeat = if form.is_repeatable() {
            Repeat::Safe
        } else {
            Repeat::Impossible
        };
        Ok(Request {
            method: Method::POST,
            path,
            body: Body::Form(form),
            repeat,
            may_be_absent: false,
            is_file: false,
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
            repeat: Repeat::Safe,
            ..write(Method::POST, "/oauth2/token".to_owned(), Some(body))
        }
    }
}

fn under(segments: &[&str]) -> String {
    format!("/v1/businessareas{}", path(segments))
}

fn dataset(place: &Place, behind: &[&str]) -> String {
    let Place {
        area,
        schema,
        dataset,
    } = place;
    under(&[area, "schemas", schema, "datasets", dataset]) + &path(behind)
}

fn records(place: &Place, behind: &[&str]) -> String {
    dataset(place, &["dataobjects"]) + &path(behind)
}

fn searched(search: &Search) -> String {
    let mut path = "/v1/dataobjects/search".to_owned();
    parameter(&mut path, "query", &search.query);
    for (name, value) in [
        ("businessArea", &search.area),
        ("schema", &search.schema),
        ("dataSet", &search.dataset),
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
        repeat: Repeat::Safe,
        may_be_absent: false,
        is_file: false,
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
        repeat: Repeat::Never,
        may_be_absent: false,
        is_file: false,
    }
}
