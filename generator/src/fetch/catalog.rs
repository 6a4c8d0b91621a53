//! Endpoints 2 to 4: the areas, their schemas, one schema. docs/interface.md, "Endpoints".

use super::client::{Client, encode, not_the_interface, segment};
use super::download::Download;
use super::error::FetchError;
use schema::json::{Node, Value, parse};
use std::collections::HashSet;

const VIEW_AREAS: &str = "a role that may view BUSINESS AREAS";
const VIEW_SCHEMAS: &str = "a role that may view SCHEMA MODELS, and view in the business area";

/// A schema in a list.
pub(crate) struct SchemaSummary {
    area: Area,
    id: String,
    name: String,
}

#[derive(Clone)]
struct Area {
    id: String,
    name: String,
}

/// Every schema that is to be seen, or those of one area.
pub(crate) fn schemas(
    client: &Client,
    area: Option<&str>,
) -> Result<Vec<SchemaSummary>, FetchError> {
    let mut areas = Vec::new();
    walk(client, "/v1/my/businessareas", VIEW_AREAS, |item, place| {
        let id = text(item, "businessAreaId", place.address)?;
        areas.push(Area {
            id,
            name: text(item, "name", place.address)?,
        });
        Ok(())
    })?;
    if let Some(wanted) = area {
        let found = pick(&areas, wanted, "business area", |area| {
            (&area.id, &area.name)
        })?
        .clone();
        areas = vec![found];
    }
    let mut schemas = Vec::new();
    for area in areas {
        walk(
            client,
            &(schemas_path(&area) + "/schemas"),
            VIEW_SCHEMAS,
            |item, place| {
                let id = text(item, "schemaId", place.address)?;
                schemas.push(SchemaSummary {
                    area: area.clone(),
                    id,
                    name: text(item, "name", place.address)?,
                });
                Ok(())
            },
        )?;
    }
    Ok(schemas)
}

/// The schemas with these ids or names, each once.
pub(crate) fn choose<'s>(
    all: &'s [SchemaSummary],
    wanted: &[String],
) -> Result<Vec<&'s SchemaSummary>, FetchError> {
    let mut chosen: Vec<&SchemaSummary> = Vec::new();
    for wanted in wanted {
        let summary = pick(all, wanted, "schema", |summary| {
            (&summary.id, &summary.name)
        })?;
        if chosen.iter().all(|other| other.id != summary.id) {
            chosen.push(summary);
        }
    }
    Ok(chosen)
}

/// The path of a schema.
pub(super) fn path(summary: &SchemaSummary) -> String {
    let mut path = schemas_path(&summary.area) + "/schemas";
    segment(&mut path, &summary.id);
    path
}

/// The document of a schema.
pub(crate) fn document(client: &Client, summary: &SchemaSummary) -> Result<Download, FetchError> {
    let path = path(summary);
    let document = client.get(&path, VIEW_SCHEMAS)?;
    let address = client.address(&path);
    let root = parse(&document).map_err(|error| not_the_interface(&address, &error.to_string()))?;
    let version = match root.get("version").map(|node| &node.value) {
        Some(Value::Number(token)) => (*token).to_owned(),
        _ => String::new(),
    };
    let (id, name) = (
        text(&root, "schemaId", &address)?,
        text(&root, "name", &address)?,
    );
    drop(root);
    Ok(Download {
        address,
        id,
        name,
        version,
        text: document,
    })
}

fn schemas_path(area: &Area) -> String {
    let mut path = "/v1/businessareas".to_owned();
    segment(&mut path, &area.id);
    path
}

/// The one with the id, or the only one with the name.
fn pick<'a, T>(
    all: &'a [T],
    wanted: &str,
    noun: &str,
    key_of: impl Fn(&T) -> (&String, &String),
) -> Result<&'a T, FetchError> {
    if let Some(found) = all.iter().find(|one| key_of(one).0 == wanted) {
        return Ok(found);
    }
    let named: Vec<&T> = all.iter().filter(|one| key_of(one).1 == wanted).collect();
    match named[..] {
        [found] => Ok(found),
        [] => {
            let mut names: Vec<String> = all
                .iter()
                .take(20)
                .map(|one| format!("{:?}", key_of(one).1))
                .collect();
            if all.len() > names.len() {
                names.push(format!("and {} more", all.len() - names.len()));
            }
            let help = match names.len() {
                0 => format!("it sees no {noun} at all; grant it a business area"),
                _ => format!("it sees {}", names.join(", ")),
            };
            Err(FetchError::new(
                format!("the credential sees no {noun} with the id or name {wanted:?}"),
                help,
            ))
        }
        _ => {
            let ids: Vec<&str> = named.iter().map(|one| key_of(one).0.as_str()).collect();
            Err(FetchError::new(
                format!("{} of the name {wanted:?} are to be seen", named.len()),
                format!(
                    "name one by its id ({}), or its area by --area",
                    ids.join(", ")
                ),
            ))
        }
    }
}

/// Where an item stands: the text of its page, and the address that gave it.
pub(super) struct Place<'a> {
    pub(super) page: &'a str,
    pub(super) address: &'a str,
}

/// Every item of a list, page by page.
pub(super) fn walk(
    client: &Client,
    path: &str,
    right: &str,
    mut each: impl FnMut(&Node<'_>, &Place<'_>) -> Result<(), FetchError>,
) -> Result<(), FetchError> {
    let mut key: Option<String> = None;
    let mut seen = HashSet::new();
    loop {
        let mut page_path = path.to_owned();
        if let Some(key) = &key {
            page_path.push(if path.contains('?') { '&' } else { '?' });
            page_path.push_str("pageKey=");
            encode(&mut page_path, key);
        }
        let page = client.get(&page_path, right)?;
        let address = client.address(path);
        let wrong = |why: &str| not_the_interface(&address, why);
        let root = parse(&page).map_err(|error| wrong(&error.to_string()))?;
        let Some(Value::Array(items)) = root.get("items").map(|node| &node.value) else {
            return Err(wrong("it has no array `items`"));
        };
        let place = Place {
            page: &page,
            address: &address,
        };
        for item in items {
            each(item, &place)?;
        }
        match root.get("nextPageKey").map(|node| &node.value) {
            None | Some(Value::Null) => return Ok(()),
            // one that leads round would never end
            Some(Value::String(next)) if seen.insert(next.to_string()) => {
                key = Some(next.to_string());
            }
            Some(_) => return Err(wrong("its `nextPageKey` leads nowhere")),
        }
    }
}

pub(super) fn text(item: &Node<'_>, key: &str, address: &str) -> Result<String, FetchError> {
    match item.get(key).map(|node| &node.value) {
        Some(Value::String(text)) => Ok(text.to_string()),
        _ => Err(not_the_interface(
            address,
            &format!("an item has no text `{key}`"),
        )),
    }
}
