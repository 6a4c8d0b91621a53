//! Export, then import is the identity: random schemas of every data type and setting, records that hold their rules
//! and records that break them, in every format, through jobs of a service.

use crate::admin_server::AdminServer;
use crate::identity_schemas::{CODES, lines, schema};
use crate::jobs::{ended, server};
use runtime::sample::Seeded;
use runtime::service::manage::{DataFormat, ExportOptions, ImportMode, ImportOptions, Packing};
use runtime::store::jobs::JobFile;
use runtime::store::records::{PageLimit, Shelf, StoredRecord};
use serde_json::{Value, json};

/// Schemas that are tried, and those of a long run.
const SCHEMAS: u64 = 4;
const SCHEMAS_LARGE: u64 = 12;

/// A place to be, with a schema in it.
struct Place<'s> {
    server: &'s AdminServer,
    schema: String,
    datasets: u64,
}

impl Place<'_> {
    fn dataset(&mut self) -> String {
        self.datasets += 1;
        let path = format!("/schemas/{}/datasets", self.schema);
        let name = json!({"name": format!("D{}", self.datasets)});
        self.server.make(&path, name).text("dataSetId")
    }

    fn records(&self, dataset: &str) -> Vec<StoredRecord> {
        let store = self.server.service.store();
        let number = self.server.service.store().catalog().datasets[dataset].number;
        let page = store.page(number, Shelf::Live, 0, PageLimit::of(10_000));
        self.server.tokio.block_on(page).expect("a page").records
    }

    /// What an export makes of a dataset.
    fn export(&self, dataset: &str, options: &ExportOptions) -> Vec<u8> {
        let by = self
            .server
            .service
            .authenticate(&self.server.root)
            .expect("a caller");
        let service = &self.server.service;
        let made = service.export_dataset(&by, dataset, options.clone());
        let id = self.server.tokio.block_on(made).expect("a job").job_id;
        let job = ended(self.server, &id);
        assert_eq!(job["state"], "done", "{job}");
        let mut bytes = Vec::new();
        self.server.tokio.block_on(async {
            let file = service.download_job_file(&by, &id, JobFile::Export).await;
            let mut file = file.expect("a file");
            while let Some(piece) = file.next().await.expect("a piece") {
                bytes.extend_from_slice(&piece);
            }
        });
        bytes
    }

    fn import(&self, dataset: &str, file: Vec<u8>, options: ImportOptions) -> Value {
        let by = self
            .server
            .service
            .authenticate(&self.server.root)
            .expect("a caller");
        let id = self.server.tokio.block_on(async {
            let begun = self.server.service.begin_import(&by, dataset, options);
            let mut upload = begun.await.expect("begun");
            upload.write(file.into()).await.expect("written");
            upload.finish().await.expect("a job").job_id
        });
        let job = ended(self.server, &id);
        assert_eq!(job["state"], "done", "{job}");
        job
    }

    /// Switches a field on or off, and waits until the records were judged by that.
    fn switch(&self, document: &Value, field: usize, is_active: bool) {
        let mut document = document.clone();
        document["fields"][field]["active"] = json!(is_active);
        let line = format!("PUT /schemas/{}", self.schema);
        self.server
            .root(&line, Some(json!({"document": document})))
            .is(200);
        for job in self.server.get("/jobs?pageSize=20")["items"]
            .as_array()
            .expect("jobs")
        {
            ended(self.server, job["jobId"].as_str().expect("an id"));
        }
    }
}

fn of_packing(packing: Packing) -> ExportOptions {
    ExportOptions {
        packing,
        ..ExportOptions::default()
    }
}

/// Exports of cells, with the options that read them.
fn of_cells() -> Vec<(ExportOptions, ImportOptions)> {
    let csv = |packing, delimiter, split, for_spreadsheets| {
        let export = ExportOptions {
            format: Some(DataFormat::Csv),
            packing,
            delimiter,
            split,
            for_spreadsheets,
            ..ExportOptions::default()
        };
        let import = ImportOptions {
            format: Some(DataFormat::Csv),
            header: Some(true),
            delimiter: Some(delimiter.unwrap_or(',')),
            split,
            for_spreadsheets,
            ..ImportOptions::default()
        };
        (export, import)
    };
    let sheet = |split| {
        let export = ExportOptions {
            format: Some(DataFormat::Xlsx),
            split,
            ..ExportOptions::default()
        };
        let import = ImportOptions {
            format: Some(DataFormat::Xlsx),
            header: Some(true),
            split,
            ..ImportOptions::default()
        };
        (export, import)
    };
    vec![
        csv(Packing::None, None, None, false),
        csv(Packing::Gzip, Some(';'), Some('|'), false),
        csv(Packing::Zstd, Some('\t'), Some(' '), true),
        csv(Packing::None, Some('|'), Some('|'), true),
        sheet(None),
        sheet(Some('|')),
    ]
}

fn values(records: &[StoredRecord]) -> Vec<(&str, Option<&str>)> {
    let of = |it| {
        let it: &StoredRecord = it;
        (&*it.body, it.errors.as_deref())
    };
    records.iter().map(of).collect()
}

/// What a record is with what it hides.
fn whole(records: &[StoredRecord]) -> Vec<(&str, Option<&str>, Option<&str>, i64)> {
    let hidden = records.iter().map(|it| (it.hidden.as_deref(), it.version));
    let all = values(records).into_iter().zip(hidden);
    all.map(|((body, errors), (hidden, version))| (body, errors, hidden, version))
        .collect()
}

fn try_schema(server: &AdminServer, area: &str, domain: &str, seed: u64) {
    let mut chance = Seeded::new(seed);
    let document = schema(&mut chance, seed, domain);
    let path = format!("/areas/{area}/schemas");
    let made = server.make(&path, json!({"document": document}));
    let mut place = Place {
        server,
        schema: made.text("schemaId"),
        datasets: 0,
    };
    let first = place.dataset();
    let has_odd_keys = seed.is_multiple_of(3);
    let sent = lines(&mut chance, &document, has_odd_keys);
    let by = server.service.authenticate(&server.root).expect("a caller");
    let written = server
        .service
        .write_many(&by, &first, sent.as_bytes(), |_, _| {});
    server.tokio.block_on(written).expect("written");
    let before = place.records(&first);
    assert!(!before.is_empty(), "seed {seed}: {document}\n{sent}");

    for packing in [Packing::None, Packing::Gzip, Packing::Zstd] {
        let file = place.export(&first, &of_packing(packing));
        let other = place.dataset();
        place.import(&other, file, ImportOptions::default());
        let after = place.records(&other);
        assert_eq!(values(&after), values(&before), "seed {seed}, {packing:?}");
    }
    // in a row of one cell, no value and empty text are written alike
    let has_cells = document["fields"].as_array().expect("fields").len() > 1 && !has_odd_keys;
    for (export, import) in of_cells().into_iter().filter(|_| has_cells) {
        let file = place.export(&first, &export);
        let other = place.dataset();
        let job = place.import(&other, file.clone(), import);
        let after = place.records(&other);
        let told = String::from_utf8_lossy(&file);
        let told = if told.starts_with("PK") { "" } else { &told };
        assert_eq!(
            after.len(),
            before.len(),
            "seed {seed}, {export:?}: {job}\n{told}"
        );
        for (after, before) in values(&after).into_iter().zip(values(&before)) {
            if before.1.is_none() {
                assert_eq!(after, before, "seed {seed}, {export:?}\n{told}");
            }
        }
    }

    // what is not shown stays where the same comes in again
    let last = document["fields"].as_array().expect("fields").len() - 1;
    if document["fields"][0]["isPrimaryKey"] != true || last == 0 {
        return;
    }
    place.switch(&document, last, false);
    let hiding = place.records(&first);
    let file = place.export(&first, &of_packing(Packing::None));
    for mode in [ImportMode::Update, ImportMode::Upsert, ImportMode::Replace] {
        let options = ImportOptions {
            mode,
            ..ImportOptions::default()
        };
        let job = place.import(&first, file.clone(), options);
        assert_eq!(
            job["importResult"]["unchanged"],
            hiding.len(),
            "seed {seed}, {mode:?}: {job}"
        );
        assert_eq!(
            whole(&place.records(&first)),
            whole(&hiding),
            "seed {seed}, {mode:?}"
        );
    }
    place.switch(&document, last, true);
    let file = place.export(&first, &of_packing(Packing::None));
    let other = place.dataset();
    place.import(&other, file, ImportOptions::default());
    assert_eq!(
        values(&place.records(&other)),
        values(&before),
        "seed {seed}"
    );
}

#[test]
fn what_was_exported_and_is_imported_is_the_same_in_every_format() {
    try_schemas(SCHEMAS);
}

#[test]
#[ignore = "large data: the full lane runs it"]
fn what_was_exported_of_a_large_choice_of_schemas_and_is_imported_is_the_same() {
    try_schemas(SCHEMAS_LARGE);
}

fn try_schemas(count: u64) {
    let server = server();
    let area = server
        .make("/areas", json!({"name": "Anywhere"}))
        .text("businessAreaId");
    let codes: Vec<_> = CODES.iter().map(|code| json!({"code": code})).collect();
    let domain = server.make("/domains", json!({"name": "Codes", "codes": codes}));
    let domain = domain.text("dataDomainId");
    let first: u64 = std::env::var("IDENTITY_SEED").map_or(1, |it| it.parse().expect("a seed"));
    for seed in first..first + count {
        try_schema(&server, &area, &domain, seed);
    }
}
