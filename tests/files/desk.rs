//! A world with a place for files, a schema that has every kind of file field, and short ways to ask.

use crate::raw::{Answer, Request};
use crate::world::{World, records_of};
use runtime::service::Settings;
use runtime::service::files::{FileSettings, FileStorage};
use runtime::store::sqlite::SqliteStore;
use serde_json::Value;
use std::sync::Arc;

const DOCUMENT: &str = r#"{
  "schemaId": "s", "name": "Exhibit", "businessAreaId": "a", "businessAreaName": "A", "createdDate": "2026-01-01T00:00:00.000Z",
  "fields": [
    {"fieldId":"x-no","name":"No","active":true,"dataType":"string","isPrimaryKey":true,"isSortKey":false,"isRequired":true},
    {"fieldId":"x-photo","name":"Photo","active":true,"dataType":"image","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"maxSize":2000,"maxWidth":40,"maxHeight":30},
    {"fieldId":"x-film","name":"Film","active":true,"dataType":"video","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"x-papers","name":"Papers","active":true,"dataType":"document","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"isMultivalue":true},
    {"fieldId":"x-more","name":"More","active":true,"dataType":"attachment","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"maxWidth":40}
  ]}"#;

pub(crate) struct Desk {
    pub(crate) world: World,
    pub(crate) schema: String,
    pub(crate) dataset: String,
    pub(crate) other_dataset: String,
    pub(crate) folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn start() -> Self {
        Self::with(FileSettings::default())
    }

    pub(crate) fn with(files: FileSettings) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data = tempfile::tempdir().expect("a folder");
        let store = Arc::new(SqliteStore::open(data.path()).expect("a store"));
        let settings = Settings {
            public_url: "https://data.example".to_owned(),
            ..Settings::default()
        };
        let world = World::over(store.clone(), data, settings);
        let storage = FileStorage::folder(folder.path()).expect("a folder for files");
        world.service.use_files(store, storage, files);
        let schema = world.schema(&world.names.tenant, &world.names.area, DOCUMENT);
        let (dataset, other_dataset) = (
            world.dataset(&schema, "Hall"),
            world.dataset(&schema, "Cellar"),
        );
        Desk {
            world,
            schema,
            dataset,
            other_dataset,
            folder,
        }
    }

    pub(crate) fn files_path(&self, dataset: &str) -> String {
        let area = &self.world.names.area;
        format!(
            "/v1/businessareas/{area}/schemas/{}/datasets/{dataset}/files",
            self.schema
        )
    }

    pub(crate) fn upload_request(&self, name: &str, content: &[u8]) -> Request {
        let request = self.world.request("POST", &self.files_path(&self.dataset));
        with_form(request, &[("file", Some(name), content)])
    }

    /// Uploads a file that must be accepted.
    #[track_caller]
    pub(crate) fn upload(&self, name: &str, content: &[u8]) -> Value {
        self.upload_request(name, content).send().is(201).json()
    }

    #[track_caller]
    pub(crate) fn uploaded(&self, content: &[u8]) -> String {
        self.upload("a file", content)["fileId"]
            .as_str()
            .expect("an id")
            .to_owned()
    }

    pub(crate) fn records(&self) -> String {
        records_of(&self.world.names.area, &self.schema, &self.dataset)
    }

    pub(crate) fn create(&self, body: &str) -> Value {
        self.world
            .request("POST", &self.records())
            .json(body)
            .send()
            .is(201)
            .json()
    }

    pub(crate) fn read(&self, number: &str) -> Value {
        self.world
            .get(&format!("{}/by-pk/{number}", self.records()))
            .is(200)
            .json()
    }

    pub(crate) fn update(&self, record: &Value, body: &str) {
        let id = record["_dataObjectId"].as_str().expect("an id");
        self.world
            .request("PUT", &format!("{}/{id}", self.records()))
            .json(body)
            .send()
            .is(204);
    }

    /// What a link gives, without a credential.
    pub(crate) fn follow(&self, link: &str) -> Answer {
        self.world.anonymous("GET", target(link)).send()
    }
}

/// The path and query of a link.
#[track_caller]
pub(crate) fn target(link: &str) -> &str {
    link.strip_prefix("https://data.example")
        .expect("a link under the public address")
}

pub(crate) fn with_form(request: Request, parts: &[(&str, Option<&str>, &[u8])]) -> Request {
    let mut body = Vec::new();
    for (name, file_name, content) in parts {
        body.extend(b"--frame\r\nContent-Disposition: form-data; name=\"");
        body.extend(name.as_bytes());
        if let Some(file_name) = file_name {
            body.extend(b"\"; filename=\"");
            body.extend(file_name.as_bytes());
        }
        // what is announced is not believed
        body.extend(b"\"\r\nContent-Type: image/jpeg\r\n\r\n");
        body.extend(*content);
        body.extend(b"\r\n");
    }
    body.extend(b"--frame--\r\n");
    request
        .header("Content-Type", "multipart/form-data; boundary=frame")
        .body(body)
}

/// The beginning of a PNG of this size, and as many bytes in all as are asked for.
pub(crate) fn png(width: u32, height: u32, bytes: usize) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    png.extend(width.to_be_bytes());
    png.extend(height.to_be_bytes());
    png.extend(b"\x08\x06\0\0\0");
    png.resize(bytes.max(png.len()), 0);
    png
}

/// The beginning of a film.
pub(crate) fn film() -> Vec<u8> {
    b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom".to_vec()
}

#[track_caller]
pub(crate) fn faults(record: &Value) -> Vec<(String, String)> {
    let errors = record["_errors"].as_array().expect("errors").iter();
    let text = |error: &Value, key: &str| error[key].as_str().expect("a text").to_owned();
    errors
        .map(|error| (text(error, "name"), text(error, "errors")))
        .collect()
}
