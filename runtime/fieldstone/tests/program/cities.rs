//! A company with many cities that can be searched, for stories in which the disk goes bad.

use crate::support::{COMPANY, Server, json, write_company};
use std::path::Path;

/// More records than a few pages of the database hold.
pub(crate) const CITIES: usize = 3000;

/// A company with many cities; its key.
pub(crate) fn company(folder: &Path) -> String {
    write_company(folder);
    let permission = "      DATA OBJECTS: [view, add, edit]\n".to_owned();
    let permissions = format!("    {permission}          DATASET OBJECTS SEARCH: [view]\n");
    let company = COMPANY.replace(&format!("    {permission}"), &permissions);
    std::fs::write(folder.join("company.yaml"), company).expect("written");
    let cities = (0..CITIES).map(|n| format!("{{\"Name\": \"City {n}\", \"People\": {n}}}\n"));
    std::fs::write(folder.join("cities.ndjson"), cities.collect::<String>()).expect("written");
    let applied = json(folder, &["apply", "company.yaml"]);
    let mut steps = applied["steps"].as_array().expect("steps").iter();
    let step = steps.find(|step| step["name"] == "crm").expect("the key");
    step["secret"].as_str().expect("a secret").to_owned()
}

/// The path of the cities' records.
pub(crate) fn cities(server: &Server, key: &str) -> String {
    let first = |path: String, name: &str| {
        let answer = server.get(key, &path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        let id = &answer.json()["items"][0][name];
        format!("{path}/{}", id.as_str().expect("an id"))
    };
    let area = first("/v1/my/businessareas".to_owned(), "businessAreaId");
    let area = area.replace("/my/", "/");
    let schema = first(format!("{area}/schemas"), "schemaId");
    let dataset = first(format!("{schema}/datasets"), "dataSetId");
    format!("{dataset}/dataobjects")
}
