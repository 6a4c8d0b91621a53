//! A database of a cluster of one's own, and the program on it.

use crate::cities::cities;
use crate::cluster::{self, Cluster};
use crate::in_process::Program;
use crate::museum::museum;
use crate::storage::{ACCESS_KEY_ID, BUCKET, SECRET_ACCESS_KEY, Storage};
use crate::support::{COMPANY, Server, TIMEOUT, fieldstone, process, text, write_company};
use crate::way::Way;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Once, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Settings of clusters: many servers share one.
pub(crate) const SETTINGS: &str = "-c max_connections=400";

/// A database of a cluster, and a folder for servers. The database is made when something first asks for it.
pub(crate) struct Place {
    pub(crate) cluster: Arc<Cluster>,
    database: String,
    is_made: Once,
    pub(crate) folder: TempDir,
}

/// A session that holds a lock until this is dropped.
pub(crate) struct Hold<'p> {
    place: &'p Place,
    session: Option<JoinHandle<()>>,
}

/// Where its session is found.
const HOLDING: &str =
    "pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'
    AND query = 'SELECT pg_sleep(600);'";

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let end = format!("SELECT pg_terminate_backend(pid) FROM {HOLDING}");
        self.place.sql(&end);
        let session = self.session.take().map(JoinHandle::join);
        assert!(session.is_some_and(|ended| ended.is_ok()));
    }
}

/// A stopped cluster with databases that others begin as: an empty cluster, and what manifests bring, cost more to make than to copy.
struct Templates {
    cluster: Cluster,
    crm: String,
    keeper: String,
}

/// The names of these databases.
const OF_COMPANY: &str = "of_company";
const OF_MUSEUM: &str = "of_museum";

static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| {
    let programs = cluster::programs().expect("there is a PostgreSQL");
    let cluster = Cluster::start_with(&programs, SETTINGS).expect("a cluster");
    cluster.end_with_process();
    let cluster = Arc::new(cluster);
    let of_company = Place::on(cluster.clone(), OF_COMPANY.to_owned());
    let crm = of_company.apply_company();
    let of_museum = Place::on(cluster.clone(), OF_MUSEUM.to_owned());
    let keeper = of_museum.apply_museum();
    drop((of_company, of_museum));
    cluster.stop(false).expect("it stops");
    let cluster = Arc::into_inner(cluster).expect("nobody else has it");
    Templates {
        cluster,
        crm,
        keeper,
    }
});

impl Place {
    /// A new one in the cluster of the suite.
    pub(crate) fn new() -> Self {
        static CLUSTER: OnceLock<Arc<Cluster>> = OnceLock::new();
        static DATABASES: AtomicU32 = AtomicU32::new(1);
        let cluster = CLUSTER.get_or_init(|| {
            let cluster = start(SETTINGS);
            cluster.end_with_process();
            cluster
        });
        let number = DATABASES.fetch_add(1, Ordering::Relaxed);
        Self::on(cluster.clone(), format!("story_{number}"))
    }

    /// A new one in a cluster of its own, which it may stop.
    pub(crate) fn alone() -> Self {
        Self::on(start(SETTINGS), "master".to_owned())
    }

    /// The same, with more settings of the cluster.
    pub(crate) fn alone_with(settings: &str) -> Self {
        let settings = format!("{SETTINGS} {settings}");
        Self::on(start(&settings), "master".to_owned())
    }

    fn on(cluster: Arc<Cluster>, database: String) -> Self {
        Place {
            cluster,
            database,
            is_made: Once::new(),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// Makes the database as a copy of another one, unless it is there; whether it was made.
    fn make_from(&self, template: &str) -> bool {
        let mut is_new = false;
        self.is_made.call_once(|| {
            let database = &self.database;
            let script = format!("CREATE DATABASE {database} TEMPLATE {template};");
            self.cluster.run(&script).expect("a database");
            is_new = true;
        });
        is_new
    }

    /// What opens the database.
    pub(crate) fn address(&self) -> String {
        self.cluster.address(self.database())
    }

    /// What opens the database on whichever of two clusters takes writes.
    pub(crate) fn address_with(&self, standby: &Cluster) -> String {
        format!(
            "host={},{} user=postgres dbname={}",
            self.cluster.folder().display(),
            standby.folder().display(),
            self.database()
        )
    }

    /// The database's name in its cluster.
    pub(crate) fn database(&self) -> &str {
        self.make_from("template1");
        &self.database
    }

    /// How many copies of the store there are, on which something is tried.
    pub(crate) fn copies(&self) -> usize {
        let copies = "SELECT 'a copy: ' || nspname FROM pg_namespace WHERE nspname LIKE 'fieldstone\\_trial\\_%'";
        self.sql(copies).matches("a copy: ").count()
    }

    /// Has the leases of all jobs run out, so that nobody waits for that of a server that is gone.
    pub(crate) fn end_leases_of_jobs(&self) {
        self.sql("UPDATE jobs SET lease_until = 0");
    }

    /// Has the leases of all webhooks and chores run out.
    pub(crate) fn end_leases(&self) {
        self.sql("UPDATE leases SET held_until = 0");
    }

    /// Runs a script on the database; what it prints.
    pub(crate) fn sql(&self, script: &str) -> String {
        let script = format!("\\connect {}\n{script};", self.database());
        self.cluster.run(&script).expect("it is run")
    }

    /// Holds what a statement locks.
    pub(crate) fn hold(&self, statement: &str) -> Hold<'_> {
        let script = format!(
            "\\connect {}\nBEGIN; {statement}; SELECT pg_sleep(600);",
            self.database()
        );
        let cluster = self.cluster.clone();
        // its session is ended, which is an error of the script
        let session = std::thread::spawn(move || drop(cluster.run(&script)));
        let hold = Hold {
            place: self,
            session: Some(session),
        };
        let holds = format!("SELECT 'holding: ' || count(*) FROM {HOLDING}");
        let began = Instant::now();
        while !self.sql(&holds).contains("holding: 1") {
            assert!(began.elapsed() < TIMEOUT, "it has no lock: {statement}");
            std::thread::sleep(Duration::from_millis(20));
        }
        hold
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The program as a process, told of the database by the environment.
    pub(crate) fn program(&self) -> Command {
        let mut command = process(self.path());
        command.env("FIELDSTONE_DATABASE", self.address());
        command.env("FIELDSTONE_DATA", "data");
        command
    }

    /// The program within this process, told of the database.
    pub(crate) fn within(&self, data: &str) -> Program {
        let mut program = fieldstone(self.path());
        program.args(["--database", &self.address(), "--data", data]);
        program
    }

    /// Runs a command on the database.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let run = self.within("data").args(arguments).output();
        run.expect("it starts")
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

    /// A server within this process, which makes a backup at once where one is due.
    pub(crate) fn serve_with_backups(&self, data: &str) -> Server {
        let mut program = self.within(data);
        program.args(["serve", "--listen", "127.0.0.1:0"]);
        program.args(["--backup-dir", &format!("backups-{data}")]);
        Server::begin(program.args(["--log", "info,fieldstone=debug"]))
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
        self.serve_at(&way.address(self.database()), data, arguments)
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

    /// Puts the small company in; a key that may search, add and edit its cities.
    pub(crate) fn company(&self) -> String {
        if self.make_from(OF_COMPANY) {
            self.write_company();
            return TEMPLATES.crm.clone();
        }
        self.apply_company()
    }

    fn write_company(&self) {
        write_company(self.path());
        let permission = "      DATA OBJECTS: [view, add, edit]\n";
        let permissions = format!("{permission}          DATASET OBJECTS SEARCH: [view]\n");
        let company = COMPANY.replace(permission, &permissions);
        std::fs::write(self.path().join("company.yaml"), company).expect("written");
    }

    fn apply_company(&self) -> String {
        self.write_company();
        let applied = self.json(&["apply", "company.yaml"]);
        let mut steps = applied["steps"].as_array().expect("steps").iter();
        let step = steps.find(|step| step["name"] == "crm").expect("the key");
        step["secret"].as_str().expect("a secret").to_owned()
    }

    /// Puts the museum in; the key of its keeper.
    pub(crate) fn museum(&self) -> String {
        if self.make_from(OF_MUSEUM) {
            return TEMPLATES.keeper.clone();
        }
        self.apply_museum()
    }

    fn apply_museum(&self) -> String {
        museum(self.path(), |arguments| self.json(arguments))
    }
}

/// A folder that others begin as; it goes with the process.
pub(crate) fn template_folder(name: &str) -> PathBuf {
    let folder = TEMPLATES.cluster.folder().join(name);
    std::fs::create_dir(&folder).expect("a folder");
    folder
}

/// Puts all that a folder has into another one.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    let mut copy = Command::new("cp");
    copy.arg("-a").arg(from.join(".")).arg(to);
    assert!(copy.status().expect("it starts").success(), "{copy:?}");
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

fn start(settings: &str) -> Arc<Cluster> {
    Arc::new(TEMPLATES.cluster.copy(settings).expect("a cluster"))
}
