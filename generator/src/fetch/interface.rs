//! Endpoints 2 to 4: the areas, their schemas, one schema. Interface, "Endpoints".

use super::service::{Service, encode, not_the_interface, segment};
use super::{Failure, Fetched};
use schema::json::{Node, Value, parse};

const VIEW_AREAS: &str = "a role that may view BUSINESS AREAS";
const VIEW_SCHEMAS: &str = "a role that may view SCHEMA MODELS, and view in the business area";

/// A schema in a list.
pub(crate) struct Entry {
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
pub(crate) fn schemas(service: &Service, area: Option<&str>) -> Result<Vec<Entry>, Failure> {
    let mut areas = Vec::new();
    walk(
        service,
        "/v1/my/businessareas",
        VIEW_AREAS,
        |item, address| {
            let id = text(item, "businessAreaId", address)?;
            areas.push(Area {
                id,
                name: text(item, "name", address)?,
            });
            Ok(())
        },
    )?;
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
            service,
            &(schemas_path(&area) + "/schemas"),
            VIEW_SCHEMAS,
            |item, address| {
                let id = text(item, "schemaId", address)?;
                schemas.push(Entry {
                    area: area.clone(),
                    id,
                    name: text(item, "name", address)?,
                });
                Ok(())
            },
        )?;
    }
    Ok(schemas)
}

/// The schemas with these ids or names, each once.
pub(crate) fn choose<'e>(all: &'e [Entry], wanted: &[String]) -> Result<Vec<&'e Entry>, Failure> {
    let mut chosen: Vec<&Entry> = Vec::new();
    for wanted in wanted {
        let entry = pick(all, wanted, "schema", |entry| (&entry.id, &entry.name))?;
        if chosen.iter().all(|other| other.id != entry.id) {
            chosen.push(entry);
        }
    }
    Ok(chosen)
}

/// The document of a schema.
pub(crate) fn document(service: &Service, entry: &Entry) -> Result<Fetched, Failure> {
    let mut path = schemas_path(&entry.area) + "/schemas";
    segment(&mut path, &entry.id);
    let document = service.get(&path, VIEW_SCHEMAS)?;
    let address = service.address(&path);
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
    Ok(Fetched {
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
    told_by: impl Fn(&T) -> (&String, &String),
) -> Result<&'a T, Failure> {
    if let Some(found) = all.iter().find(|one| told_by(one).0 == wanted) {
        return Ok(found);
    }
    let named: Vec<&T> = all.iter().filter(|one| told_by(one).1 == wanted).collect();
    match named[..] {
        [found] => Ok(found),
        [] => {
            let mut names: Vec<String> = all
                .iter()
                .take(20)
                .map(|one| format!("{:?}", told_by(one).1))
                .collect();
            if all.len() > names.len() {
                names.push(format!("and {} more", all.len() - names.len()));
            }
            let help = match names.len() {
                0 => format!("it sees no {noun} at all; grant it a business area"),
                _ => format!("it sees {}", names.join(", ")),
            };
            Err(Failure::new(
                format!("the credential sees no {noun} with the id or name {wanted:?}"),
                help,
            ))
        }
        _ => {
            let ids: Vec<&str> = named.iter().map(|one| told_by(one).0.as_str()).collect();
            Err(Failure::new(
                format!("{} of the name {wanted:?} are to be seen", named.len()),
                format!(
                    "name one by its id ({}), or its area by --area",
                    ids.join(", ")
                ),
            ))
        }
    }
}

/// Hands over every item of a list, page by page.
fn walk(
    service: &Service,
    path: &str,
    right: &str,
    mut each: impl FnMut(&Node<'_>, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut key: Option<String> = None;
    loop {
        let mut page_path = path.to_owned();
        if let Some(key) = &key {
            page_path.push_str("?pageKey=");
            encode(&mut page_path, key);
        }
        let page = service.get(&page_path, right)?;
        let address = service.address(path);
        let wrong = |why: &str| not_the_interface(&address, why);
        let root = parse(&page).map_err(|error| wrong(&error.to_string()))?;
        let Some(Value::Array(items)) = root.get("items").map(|node| &node.value) else {
            return Err(wrong("it has no array `items`"));
        };
        for item in items {
            each(item, &address)?;
        }
        match root.get("nextPageKey").map(|node| &node.value) {
            None | Some(Value::Null) => return Ok(()),
            Some(Value::String(next)) if key.as_deref() != Some(next) => {
                key = Some(next.to_string());
            }
            Some(_) => return Err(wrong("its `nextPageKey` leads nowhere")),
        }
    }
}

fn text(item: &Node<'_>, key: &str, address: &str) -> Result<String, Failure> {
    match item.get(key).map(|node| &node.value) {
        Some(Value::String(text)) => Ok(text.to_string()),
        _ => Err(not_the_interface(
            address,
            &format!("an item has no text `{key}`"),
        )),
    }
}
