//! A database of a cluster of one's own, and the program on it.

use crate::cities::cities;
use crate::cluster::{self, Cluster};
use crate::storage::{ACCESS_KEY_ID, BUCKET, SECRET_ACCESS_KEY, Storage};
use crate::support::{COMPANY, Server, process, text, write_company};
use crate::way::Way;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

/// Settings of clusters: many servers share one.
pub(crate) const SETTINGS: &str = "-c max_connections=400";

/// A cluster with an empty database, and a folder for servers.
pub(crate) struct Place {
    pub(crate) cluster: Arc<Cluster>,
    database: String,
    pub(crate) folder: TempDir,
}

impl Place {
    /// A new one in the cluster of the suite.
    pub(crate) fn new() -> Self {
        static CLUSTER: OnceLock<Arc<Cluster>> = OnceLock::new();
        static DATABASES: AtomicU32 = AtomicU32::new(1);
        let cluster = CLUSTER.get_or_init(|| {
            let cluster = start();
            cluster.end_with_process();
            cluster
        });
        let number = DATABASES.fetch_add(1, Ordering::Relaxed);
        Self::on(cluster.clone(), format!("story_{number}"))
    }

    /// A new one in a cluster of its own, which it may stop.
    pub(crate) fn alone() -> Self {
        Self::on(start(), "master".to_owned())
    }

    /// The same, with more settings of the cluster.
    pub(crate) fn alone_with(settings: &str) -> Self {
        let programs = cluster::programs().expect("there is a PostgreSQL");
        let settings = format!("{SETTINGS} {settings}");
        let cluster = Cluster::start_with(&programs, &settings).expect("a cluster");
        Self::on(Arc::new(cluster), "master".to_owned())
    }

    fn on(cluster: Arc<Cluster>, database: String) -> Self {
        let made = cluster.run(&format!("CREATE DATABASE {database};"));
        made.expect("a database");
        Place {
            cluster,
            database,
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// What opens the database.
    pub(crate) fn address(&self) -> String {
        self.cluster.address(&self.database)
    }

    /// What opens the database on whichever of two clusters takes writes.
    pub(crate) fn address_with(&self, standby: &Cluster) -> String {
        format!(
            "host={},{} user=postgres dbname={}",
            self.cluster.folder().display(),
            standby.folder().display(),
            self.database
        )
    }

    /// The database's name in its cluster.
    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// How many copies of the store there are, on which something is tried.
    pub(crate) fn copies(&self) -> usize {
        let told = self.cluster.run(&format!(
            "\\connect {}
SELECT 'a copy: ' || nspname FROM pg_namespace WHERE nspname LIKE 'fieldstone\\_trial\\_%';",
            self.database
        ));
        told.expect("it is told").matches("a copy: ").count()
    }

    /// Has the leases of all jobs run out, so that nobody waits for that of a server that is gone.
    pub(crate) fn end_leases_of_jobs(&self) {
        let told = self.cluster.run(&format!(
            "\\connect {}
UPDATE jobs SET lease_until = 0;",
            self.database
        ));
        told.expect("it is told");
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The program, told of the database by the environment.
    pub(crate) fn program(&self) -> Command {
        let mut command = process(self.path());
        command.env("FIELDSTONE_DATABASE", self.address());
        command.env("FIELDSTONE_DATA", "data");
        command
    }

    /// Runs a command on the database.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.program().args(arguments).output().expect("it starts")
    }

    /// Runs a command that must succeed, be it that records are left out, and prints JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        let is_done = matches!(output.status.code(), Some(0 | 3));
        assert!(is_done, "{arguments:?}: {out}{err}");
        serde_json::from_str(&out).expect("JSON")
    }

    /// Runs a command that must fail; what it said.
    pub(crate) fn fail(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?} was not refused");
        text(&output.stderr)
    }

    /// A server on the database, with a folder of its own.
    pub(crate) fn serve(&self, data: &str, arguments: &[&str]) -> Server {
        self.serve_at(&self.address(), data, arguments)
    }

    /// A server on whatever an address names.
    pub(crate) fn serve_at(&self, address: &str, data: &str, arguments: &[&str]) -> Server {
        let mut command = process(self.path());
        command.env("FIELDSTONE_DATABASE", address);
        command.env("FIELDSTONE_DATA", data);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command.args(arguments);
        Server::spawn(command)
    }

    /// A way to the cluster that can go silent, by a socket file.
    pub(crate) fn way(&self) -> Way {
        Way::by_file(self.cluster.folder())
    }

    /// The same by TCP.
    pub(crate) fn way_by_tcp(&self) -> Way {
        Way::by_tcp(self.cluster.folder())
    }

    /// A server that reaches the database by a way.
    pub(crate) fn serve_by(&self, way: &Way, data: &str, arguments: &[&str]) -> Server {
        self.serve_at(&way.address(&self.database), data, arguments)
    }

    /// A new key of an administrator of the only tenant.
    pub(crate) fn root(&self) -> String {
        self.root_with(&[])
    }

    /// The same, with options that say what it may do in areas.
    pub(crate) fn root_with(&self, options: &[&str]) -> String {
        let create = ["key", "create", "root", "--role", "ACCOUNT ADMINISTRATOR"];
        let made = self.json(&[&create[..], options].concat());
        let secret = made["steps"][0]["secret"].as_str();
        secret.expect("a secret").to_owned()
    }

    /// Puts the small company in, by `apply`; a key that may search, add and edit its cities.
    pub(crate) fn company(&self) -> String {
        write_company(self.path());
        let permission = "      DATA OBJECTS: [view, add, edit]\n";
        let permissions = format!("{permission}          DATASET OBJECTS SEARCH: [view]\n");
        let company = COMPANY.replace(permission, &permissions);
        std::fs::write(self.path().join("company.yaml"), company).expect("written");
        let applied = self.json(&["apply", "company.yaml"]);
        let mut steps = applied["steps"].as_array().expect("steps").iter();
        let step = steps.find(|step| step["name"] == "crm").expect("the key");
        step["secret"].as_str().expect("a secret").to_owned()
    }
}

/// A server on a data folder.
pub(crate) fn serve_folder(place: &Place, data: &str) -> Server {
    let mut command = process(place.path());
    command.args(["--data", data, "serve", "--listen", "127.0.0.1:0"]);
    Server::spawn(command)
}

/// A command that is told of a bucket for uploaded files.
pub(crate) fn with_bucket(mut command: Command, storage: &Storage) -> Command {
    command.env("FIELDSTONE_S3_BUCKET", BUCKET);
    command.env("FIELDSTONE_S3_ENDPOINT", storage.endpoint());
    command.env("FIELDSTONE_S3_ACCESS_KEY_ID", ACCESS_KEY_ID);
    command.env("FIELDSTONE_S3_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY);
    command
}

/// The names of all cities.
pub(crate) fn names(server: &Server, key: &str) -> Vec<String> {
    let records = cities(server, key);
    let (mut found, mut next) = (Vec::new(), String::new());
    loop {
        let page = server.get(key, &format!("{records}?pageSize=1000{next}"));
        let page = page.json();
        for item in page["items"].as_array().unwrap_or_else(|| panic!("{page}")) {
            found.push(item["Name"].as_str().expect("a key").to_owned());
        }
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => return found,
        }
    }
}

fn start() -> Arc<Cluster> {
    let programs = cluster::programs().expect("there is a PostgreSQL");
    Arc::new(Cluster::start_with(&programs, SETTINGS).expect("a cluster"))
}
