//! The records of a dataset, page by page. They are handed on as they are served, and kept nowhere.

use super::catalog::{self, text, walk};
use super::client::{Client, not_the_interface, segment};
use super::error::FetchError;
use schema::Schema;
use schema::json::{Node, Value, write_string};

const VIEW_DATASETS: &str = "a role that may view DATASETS, and view in the business area";
const VIEW_RECORDS: &str = "a role that may view DATA OBJECTS, and view in the business area";

/// Where the addresses of the data interface begin.
const INTERFACE: &str = "/v1/";

/// Hands on each record, by its id, as the body that would create it. `url` is the address of a dataset, or that of a
/// service, where the dataset is the one of the schema's, by its id or name where there are several.
pub(crate) fn records(
    url: &str,
    schema: &Schema,
    dataset: Option<&str>,
    mut each: impl FnMut(&str, &str),
) -> Result<(), FetchError> {
    let (client, path) = if let Some(at) = url.find(INTERFACE) {
        let path = url[at..].trim_end_matches('/');
        let path = path.trim_end_matches("/dataobjects");
        (Client::open(&url[..at], None)?, path.to_owned())
    } else {
        let client = Client::open(url, None)?;
        let path = dataset_path(&client, schema, dataset)?;
        (client, path)
    };
    let path = path + "/dataobjects?pageSize=1000";
    walk(&client, &path, VIEW_RECORDS, |item, place| {
        let id = text(item, "_dataObjectId", place.address)?;
        each(&id, &body(item, place.page));
        Ok(())
    })
}

/// What a client would send: the values, without what the service says of the record.
fn body(item: &Node<'_>, page: &str) -> String {
    let mut out = String::from("{");
    let members: &[_] = match &item.value {
        Value::Object(members) => members,
        _ => &[],
    };
    for member in members.iter().filter(|member| !member.key.starts_with('_')) {
        if out.len() > 1 {
            out.push(',');
        }
        write_string(&mut out, &member.key);
        out.push(':');
        out.push_str(&page[member.value.start..member.value.end]);
    }
    out.push('}');
    out
}

/// The dataset of the service's schema that has the id or, else, the name of this one.
fn dataset_path(
    client: &Client,
    schema: &Schema,
    wanted: Option<&str>,
) -> Result<String, FetchError> {
    let all = catalog::schemas(client, None)?;
    let by_id = catalog::choose(&all, std::slice::from_ref(&schema.id));
    let by_name = || catalog::choose(&all, std::slice::from_ref(&schema.name));
    let found = by_id.or_else(|_| by_name())?;
    let Some(summary) = found.first() else {
        return Err(not_the_interface(
            &client.address(""),
            "it has no such schema",
        ));
    };
    let path = catalog::path(summary) + "/datasets";
    let mut datasets = Vec::new();
    walk(client, &path, VIEW_DATASETS, |item, place| {
        let id = text(item, "dataSetId", place.address)?;
        datasets.push((id, text(item, "dataSetName", place.address)?));
        Ok(())
    })?;
    let is_wanted = |(id, name): &&(String, String)| wanted.is_none_or(|it| id == it || name == it);
    let fitting: Vec<_> = datasets.iter().filter(is_wanted).collect();
    if let [(id, _)] = fitting[..] {
        let mut path = path;
        segment(&mut path, id);
        return Ok(path);
    }
    let names: Vec<_> = datasets
        .iter()
        .map(|(_, name)| format!("{name:?}"))
        .collect();
    Err(FetchError::new(
        format!(
            "{} datasets of {:?} are meant by --records",
            fitting.len(),
            schema.name
        ),
        format!("name one with --dataset; there are {}", names.join(", ")),
    ))
}
