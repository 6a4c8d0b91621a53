//! A dataset as people name it: `AREA/SCHEMA/DATASET`, each by name or id, or the dataset's id alone. It finds ids and
//! judges nothing.

use crate::control::{Api, Sent};
use crate::failure::usage;
use crate::web_address::segment;
use axum::http::Method;
use manifest::failure::{Failure, FailureCode};
use serde::Deserialize;
use std::str::FromStr;
use wire::Page;

/// Pages of a list that are looked through.
const PAGES_MAX: usize = 10_000;

/// A dataset's names or ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DatasetPath {
    Id(String),
    Names([String; 3]),
}

impl FromStr for DatasetPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        match parts.as_slice() {
            [id] if !id.is_empty() => Ok(DatasetPath::Id((*id).to_owned())),
            [area, schema, dataset] if parts.iter().all(|part| !part.is_empty()) => {
                let names = [area, schema, dataset].map(|part| (*part).to_owned());
                Ok(DatasetPath::Names(names))
            }
            _ => Err(
                "write AREA/SCHEMA/DATASET by names or ids, or the dataset's id; a name with a slash goes by its id"
                    .to_owned(),
            ),
        }
    }
}

/// A noun in a list of management.
#[derive(Deserialize)]
struct Item {
    #[serde(alias = "dataSetName")]
    name: String,
    #[serde(rename = "businessAreaId")]
    area: String,
    #[serde(rename = "schemaId")]
    schema: Option<String>,
    #[serde(rename = "dataSetId")]
    dataset: Option<String>,
}

impl DatasetPath {
    /// The dataset's id.
    pub(crate) async fn find(&self, api: &Api) -> anyhow::Result<String> {
        let [area, schema, dataset] = match self {
            DatasetPath::Id(id) => return Ok(id.clone()),
            DatasetPath::Names(names) => names,
        };
        let area = find(api, "/areas", "business area", area, |it| Some(&it.area)).await?;
        let list = format!("/areas/{}/schemas", segment(&area));
        let schema = find(api, &list, "schema", schema, |it| it.schema.as_ref()).await?;
        let list = format!("/schemas/{}/datasets", segment(&schema));
        find(api, &list, "dataset", dataset, |it| it.dataset.as_ref()).await
    }
}

/// The id of the noun with this id or name; an id counts before a name.
async fn find(
    api: &Api,
    list: &str,
    noun: &str,
    wanted: &str,
    id: impl Fn(&Item) -> Option<&String>,
) -> anyhow::Result<String> {
    let (mut key, mut named, mut names) = (None::<String>, Vec::new(), Vec::new());
    for _ in 0..PAGES_MAX {
        let path = match &key {
            None => format!("{list}?pageSize=1000"),
            Some(key) => format!("{list}?pageSize=1000&pageKey={key}"),
        };
        let page: Page<Item> = api.ask(Method::GET, &path, Sent::Nothing).await?;
        for item in &page.items {
            let Some(id) = id(item) else { continue };
            if id == wanted {
                return Ok(id.clone());
            }
            if item.name == wanted {
                named.push(id.clone());
            }
            names.push(item.name.clone());
        }
        key = page.next_page_key;
        if key.is_none() {
            break;
        }
    }
    match named.as_slice() {
        [only] => Ok(only.clone()),
        [] => {
            names.truncate(20);
            let there = match names.as_slice() {
                [] => "you see none".to_owned(),
                names => format!("there are: {}", names.join(", ")),
            };
            let message = format!("there is no {noun} `{wanted}` that you may see; {there}");
            Err(Failure::new(FailureCode::NotFound, message).into())
        }
        several => Err(usage(format!(
            "several are called `{wanted}`; name one by its id: {}",
            several.join(", ")
        ))),
    }
}
