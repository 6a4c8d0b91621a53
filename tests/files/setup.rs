//! A server with a place for files, a schema that has every kind of file field, and short ways to ask.

use crate::raw::{Answer, Request};
use crate::test_server::{TestServer, records_of};
use runtime::service::files::{FileSettings, FileStorage};
use runtime::service::{Quotas, Settings, Store};
use runtime::store::files::Files;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const DOCUMENT: &str = r#"{
  "schemaId": "s", "name": "Exhibit", "businessAreaId": "a", "businessAreaName": "A", "createdDate": "2026-01-01T00:00:00.000Z",
  "fields": [
    {"fieldId":"x-no","name":"No","active":true,"dataType":"string","isPrimaryKey":true,"isSortKey":false,"isRequired":true},
    {"fieldId":"x-photo","name":"Photo","active":true,"dataType":"image","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"maxSize":2000,"maxWidth":40,"maxHeight":30},
    {"fieldId":"x-film","name":"Film","active":true,"dataType":"video","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"x-papers","name":"Papers","active":true,"dataType":"document","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"isMultivalue":true},
    {"fieldId":"x-more","name":"More","active":true,"dataType":"attachment","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"maxWidth":40}
  ]}"#;

/// What the suite of files begins with.
pub(crate) struct FileSetup {
    pub(crate) server: TestServer,
    pub(crate) schema: String,
    pub(crate) dataset: String,
    pub(crate) other_dataset: String,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) files: Arc<dyn Files>,
}

impl FileSetup {
    pub(crate) fn start() -> Self {
        Self::with_settings(FileSettings::default())
    }

    pub(crate) fn with_settings(files: FileSettings) -> Self {
        Self::with_body_time(files, Settings::default().body_time_max)
    }

    /// A server that waits so long for a body.
    pub(crate) fn with_body_time(files: FileSettings, body_time_max: Duration) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let storage = FileStorage::folder(folder.path()).expect("a folder for files");
        Self::with_storage(storage, folder, files, body_time_max)
    }

    /// A server with a storage that keeps its contents in this folder.
    pub(crate) fn with_storage(
        storage: FileStorage,
        folder: tempfile::TempDir,
        files: FileSettings,
        body_time_max: Duration,
    ) -> Self {
        let settings = Settings {
            body_time_max,
            ..Settings::default()
        };
        Self::with_service(storage, folder, files, &settings)
    }

    /// A server with quotas.
    pub(crate) fn with_quotas(quotas: Quotas) -> Self {
        Self::of_service(&Settings {
            quotas,
            ..Settings::default()
        })
    }

    /// A server whose service has these settings.
    pub(crate) fn of_service(settings: &Settings) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let storage = FileStorage::folder(folder.path()).expect("a folder for files");
        Self::with_service(storage, folder, FileSettings::default(), settings)
    }

    fn with_service(
        storage: FileStorage,
        folder: tempfile::TempDir,
        files: FileSettings,
        settings: &Settings,
    ) -> Self {
        let settings = Settings {
            public_url: "https://data.example".to_owned(),
            ..settings.clone()
        };
        let server = TestServer::with_settings(settings);
        let opened = server.opened();
        let (store, known) = (opened.store.clone(), opened.files.clone());
        server.service.use_files(known.clone(), storage, files);
        let schema = server.schema(&server.names.tenant, &server.names.area, DOCUMENT);
        let (dataset, other_dataset) = (
            server.dataset(&schema, "Hall"),
            server.dataset(&schema, "Cellar"),
        );
        FileSetup {
            server,
            schema,
            dataset,
            other_dataset,
            folder,
            store,
            files: known,
        }
    }

    pub(crate) fn files_path(&self, dataset: &str) -> String {
        let area = &self.server.names.area;
        format!(
            "/v1/businessareas/{area}/schemas/{}/datasets/{dataset}/files",
            self.schema
        )
    }

    pub(crate) fn upload_request(&self, name: &str, content: &[u8]) -> Request {
        let request = self.server.request("POST", &self.files_path(&self.dataset));
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
        records_of(&self.server.names.area, &self.schema, &self.dataset)
    }

    pub(crate) fn create(&self, body: &str) -> Value {
        self.server
            .request("POST", &self.records())
            .json(body)
            .send()
            .is(201)
            .json()
    }

    pub(crate) fn read(&self, number: &str) -> Value {
        self.server
            .get(&format!("{}/by-pk/{number}", self.records()))
            .is(200)
            .json()
    }

    pub(crate) fn update(&self, record: &Value, body: &str) {
        let id = record["_dataObjectId"].as_str().expect("an id");
        self.server
            .request("PUT", &format!("{}/{id}", self.records()))
            .json(body)
            .send()
            .is(204);
    }

    /// Begins an upload that says nothing of its length, and sends this much of its content.
    pub(crate) fn begin_upload(&self, content: &[u8]) -> Sending {
        let mut sending = Sending::begin(self);
        sending.head("name=\"file\"; filename=\"x\"");
        sending.chunk(content);
        sending
    }

    /// What a link gives, without a credential.
    pub(crate) fn follow(&self, link: &str) -> Answer {
        self.server.anonymous("GET", target(link)).send()
    }
}

/// An upload in pieces, as slow as the test likes.
pub(crate) struct Sending(TcpStream);

impl Sending {
    pub(crate) fn begin(setup: &FileSetup) -> Self {
        let mut stream = TcpStream::connect(setup.server.address).expect("the server listens");
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: {}\r\n\
             Content-Type: multipart/form-data; boundary=frame\r\nTransfer-Encoding: chunked\r\n\r\n",
            setup.files_path(&setup.dataset),
            setup.server.names.key
        );
        stream.write_all(head.as_bytes()).expect("it is sent");
        Sending(stream)
    }

    /// The head of a part.
    pub(crate) fn head(&mut self, disposition: &str) {
        let head = format!("--frame\r\nContent-Disposition: form-data; {disposition}\r\n\r\n");
        self.chunk(head.as_bytes());
    }

    /// Sends bytes as they are; whether the server still takes them.
    pub(crate) fn chunk(&mut self, bytes: &[u8]) -> bool {
        let head = format!("{:x}\r\n", bytes.len());
        let whole = [head.as_bytes(), bytes, b"\r\n"].concat();
        bytes.is_empty() || self.0.write_all(&whole).is_ok()
    }

    /// Sends the rest of the content and the end; answers the status.
    pub(crate) fn finish(&mut self, content: &[u8]) -> u16 {
        self.chunk(content);
        self.chunk(b"\r\n--frame--\r\n");
        // a server that has answered may not read the rest
        let _ = self.0.write_all(b"0\r\n\r\n");
        self.status()
    }

    /// Whether the server has answered already.
    pub(crate) fn is_answered(&self) -> bool {
        self.0.set_nonblocking(true).expect("a mode");
        let came = self.0.peek(&mut [0]).is_ok();
        self.0.set_nonblocking(false).expect("a mode");
        came
    }

    /// The status of the answer, waited for.
    pub(crate) fn status(&mut self) -> u16 {
        self.0
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a limit");
        let mut came = [0; 12];
        self.0.read_exact(&mut came).expect("an answer");
        let text = std::str::from_utf8(&came).expect("a status line");
        text[9..].parse().expect("a status")
    }
}

/// Waits until something is there.
pub(crate) fn until<T>(mut find: impl FnMut() -> Option<T>) -> T {
    for _ in 0..12_000 {
        if let Some(found) = find() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it does not come");
}

/// Files beneath a folder.
pub(crate) fn walk(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .map(|path| if path.is_dir() { walk(&path) } else { 1 })
        .sum()
}

/// Bytes of the files beneath a folder.
pub(crate) fn bytes_below(folder: &Path) -> u64 {
    // one that goes meanwhile has none
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |it| it.len());
    entries
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            if path.is_dir() {
                bytes_below(&path)
            } else {
                bytes(&path)
            }
        })
        .sum()
}

/// The path and query of a link.
#[track_caller]
pub(crate) fn target(link: &str) -> &str {
    link.strip_prefix("https://data.example")
        .expect("a link under the public address")
}

/// A form whose part says of its name what a test says.
pub(crate) fn with_disposition(request: Request, parameters: &str) -> Request {
    let body = format!(
        "--frame\r\nContent-Disposition: form-data; name=\"file\"; {parameters}\r\n\r\nabc\r\n--frame--\r\n"
    );
    request
        .header("Content-Type", "multipart/form-data; boundary=frame")
        .body(body)
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
