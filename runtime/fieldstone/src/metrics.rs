//! Figures of what goes on, for who gathers them (Prometheus), on a listener of their own. What is counted as it happens
//! (requests, commits), the rooms count where it happens; what can be looked at (sizes, room, how far the index is) is
//! looked at when someone asks. No figure has a value of a record, a name or a credential in it.

use crate::metrics_recorder::MetricsRecorder;
use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use metrics::{describe_counter, describe_gauge, describe_histogram, gauge};
use postgres::{ConnectionCounts, PostgresStore};
use service::Service;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;
use wire::Timestamp;

/// Seconds of a request.
const REQUEST_SECONDS: &[f64] = &[
    0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    10.0,
];
/// Seconds of a commit.
const COMMIT_SECONDS: &[f64] = &[
    0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0,
];
/// Seconds until the database answered a statement.
const ANSWER_SECONDS: &[f64] = &[
    0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0,
];
/// Jobs of a commit.
const COMMIT_JOBS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// How long all may take that waits for the store: who gathers figures waits for ten seconds.
const SERVICE_MAX: Duration = Duration::from_secs(6);
/// How long a database may take to tell its size.
const DATABASE_MAX: Duration = Duration::from_secs(2);

/// The files of a data folder whose sizes are told.
const FILES: [&str; 4] = [
    "fieldstone.db",
    "fieldstone.db-wal",
    "search.db",
    "search.db-wal",
];

/// Connections to the database, by what they do.
const DATABASE_CONNECTIONS: &str = "fieldstone_database_connections";

/// When a backup was made last.
const BACKUP_TIME: &str = "fieldstone_backup_last_success_timestamp_seconds";
/// How many could not be made.
const BACKUP_FAILURES: &str = "fieldstone_failed_backups_total";

/// When the certificate ends that is served.
const CERTIFICATE_END: &str = "fieldstone_tls_certificate_expiry_timestamp_seconds";

/// Jobs that ended here, by how.
const ENDED_JOBS: &str = "fieldstone_ended_jobs_total";
/// How they may have.
const JOB_ENDS: [&str; 3] = ["done", "failed", "cancelled"];

/// Webhooks that were switched off here since nothing arrived.
const SWITCHED_OFF_WEBHOOKS: &str = "fieldstone_switched_off_webhooks_total";
/// Letters of webhooks that were given up here.
const DEAD_LETTERS: &str = "fieldstone_dead_letters_total";

/// Keeps figures from now on; once a process, before anything is opened.
pub(crate) fn install() -> anyhow::Result<Arc<MetricsRecorder>> {
    let recorder = Arc::new(MetricsRecorder::new(&[
        ("fieldstone_http_request_duration_seconds", REQUEST_SECONDS),
        ("fieldstone_commit_duration_seconds", COMMIT_SECONDS),
        ("fieldstone_commit_jobs", COMMIT_JOBS),
        (
            "fieldstone_database_answer_duration_seconds",
            ANSWER_SECONDS,
        ),
    ]));
    metrics::set_global_recorder(Arc::clone(&recorder))?;
    describe();
    Ok(recorder)
}

fn describe() {
    describe_histogram!(
        "fieldstone_http_request_duration_seconds",
        "Requests, by method, route and status"
    );
    describe_histogram!(
        "fieldstone_commit_duration_seconds",
        "Transactions of the writer, with their sync"
    );
    describe_histogram!("fieldstone_commit_jobs", "Writes that shared a transaction");
    describe_counter!(
        "fieldstone_failed_commits_total",
        "Transactions that failed"
    );
    describe_gauge!(
        "fieldstone_writer_queue_jobs",
        "Writes that wait for the writer"
    );
    describe_gauge!(
        "fieldstone_connections",
        "Connections that are open, on all listeners"
    );
    describe_gauge!(
        "fieldstone_file_bytes",
        "Sizes of the databases and their write-ahead logs"
    );
    describe_database();
    describe_gauge!(
        "fieldstone_disk_free_bytes",
        "Room on the disk of the data folder"
    );
    describe_index();
    describe_gauge!(
        "fieldstone_ready",
        "Whether the store can be read and takes writes: 1 or 0"
    );
    describe_gauge!(
        "fieldstone_memory_budget_bytes",
        "Memory that requests may take together"
    );
    describe_gauge!("fieldstone_memory_taken_bytes", "Memory that requests take");
    describe_work();
    describe_gauge!("fieldstone_info", "The program's version; always 1");
    describe_gauge!("process_resident_memory_bytes", "Memory of the process");
    describe_gauge!(
        "process_open_fds",
        "Files and connections that the process has open"
    );
    describe_gauge!(
        BACKUP_TIME,
        "When the newest backup was begun that a server of the store made by itself"
    );
    describe_gauge!(
        CERTIFICATE_END,
        "When the certificate ends that is served; of a server without TLS none is told"
    );
    describe_counter!(BACKUP_FAILURES, "Backups by itself that failed");
    metrics::counter!(BACKUP_FAILURES).absolute(0);
}

fn describe_database() {
    describe_gauge!(
        "fieldstone_database_bytes",
        "Size of the store's database, where it is in one"
    );
    describe_gauge!(
        DATABASE_CONNECTIONS,
        "Connections to the database, in use and idle, and requests that wait for one"
    );
    describe_counter!(
        "fieldstone_database_retries_total",
        "Work that the database took back or lost, and that was tried again"
    );
    describe_histogram!(
        "fieldstone_database_answer_duration_seconds",
        "Statements, until the database answered"
    );
    describe_gauge!(
        "fieldstone_database_primaries",
        "Hosts of the database's address that take writes, where it names several"
    );
    describe_gauge!(
        "fieldstone_clock_ahead_seconds",
        "Seconds that the server's clock is ahead of its database's"
    );
}

fn describe_index() {
    describe_gauge!(
        "fieldstone_index_lag_entries",
        "Entries of the change log that are not in the index yet"
    );
    describe_gauge!(
        "fieldstone_index_failed",
        "Whether the last step of the index failed: 1 or 0"
    );
    describe_gauge!(
        "fieldstone_index_reading_datasets",
        "Datasets that are being read into the index"
    );
}

fn describe_work() {
    describe_gauge!("fieldstone_running_jobs", "Jobs that are under way");
    describe_counter!(ENDED_JOBS, "Jobs that ended, by how they did");
    for state in JOB_ENDS {
        metrics::counter!(ENDED_JOBS, "state" => state).absolute(0);
    }
    describe_counter!(
        SWITCHED_OFF_WEBHOOKS,
        "Webhooks that were switched off since nothing arrived"
    );
    metrics::counter!(SWITCHED_OFF_WEBHOOKS).absolute(0);
    describe_counter!(DEAD_LETTERS, "Letters of webhooks that were given up");
    metrics::counter!(DEAD_LETTERS).absolute(0);
    describe_gauge!(
        "fieldstone_cache_bytes",
        "Memory of records and pages that are kept"
    );
    describe_counter!(
        "fieldstone_cache_hits_total",
        "Records and pages that were answered from memory"
    );
    describe_counter!(
        "fieldstone_cache_misses_total",
        "Records and pages that had to be read"
    );
}

#[derive(Clone)]
struct Watched {
    recorder: Arc<MetricsRecorder>,
    service: Weak<Service>,
    place: StorePlace,
}

/// Where the store is whose size is told.
#[derive(Clone)]
pub(crate) enum StorePlace {
    /// In this data folder.
    Folder(PathBuf),
    /// In a database; files are in this folder.
    Database(PathBuf, Weak<PostgresStore>),
}

/// Shows the figures of a service and its store.
pub(crate) fn router(
    recorder: Arc<MetricsRecorder>,
    service: &Arc<Service>,
    place: StorePlace,
) -> Router {
    let watched = Watched {
        recorder,
        service: Arc::downgrade(service),
        place,
    };
    Router::new()
        .route("/metrics", get(show))
        .with_state(watched)
}

async fn show(State(watched): State<Watched>) -> Response {
    if let StorePlace::Database(_, store) = &watched.place {
        look_at_connections(store);
    }
    if let Some(service) = watched.service.upgrade() {
        // what was told before stays where it takes longer
        let _ = tokio::time::timeout(SERVICE_MAX, look_at_service(&service)).await;
    }
    match &watched.place {
        StorePlace::Folder(folder) => {
            look_at_files(folder);
            look_at_disk(folder);
        }
        StorePlace::Database(folder, store) => {
            look_at_database(store).await;
            look_at_disk(folder);
        }
    }
    look_at_process();
    let text = watched.recorder.render();
    let kind = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, text).into_response()
}

#[allow(clippy::cast_precision_loss, reason = "figures are read by people")]
fn set(name: &'static str, value: u64) {
    gauge!(name).set(value as f64);
}

async fn look_at_service(service: &Service) {
    set(
        "fieldstone_memory_budget_bytes",
        service.settings().memory_budget_bytes as u64,
    );
    set(
        "fieldstone_memory_taken_bytes",
        service.memory().taken() as u64,
    );
    let is_ready = service.require_ready().await.is_ok();
    set("fieldstone_ready", u64::from(is_ready));
    if let Ok(Some(state)) = service.search_state().await {
        set("fieldstone_index_lag_entries", state.behind);
        let has_failed = state.failure.is_some();
        set("fieldstone_index_failed", u64::from(has_failed));
        set("fieldstone_index_reading_datasets", state.reading as u64);
    }
    if let Ok(running) = service.store().running_jobs().await {
        set("fieldstone_running_jobs", running.len() as u64);
    }
    if let Some(begun) = service.last_backup() {
        // another server of the store may have made it
        note_backup(begun);
    }
    if let Some(seconds) = service.clock_ahead_seconds() {
        gauge!("fieldstone_clock_ahead_seconds").set(seconds);
    }
}

#[allow(clippy::cast_precision_loss, reason = "figures are read by people")]
fn look_at_files(folder: &Path) {
    for name in FILES {
        let bytes = std::fs::metadata(folder.join(name)).map_or(0, |file| file.len());
        gauge!("fieldstone_file_bytes", "file" => name).set(bytes as f64);
    }
}

/// What connections to a database do. They are counted before it is asked anything, for which one may be waited for.
#[allow(clippy::cast_precision_loss, reason = "figures are read by people")]
fn look_at_connections(store: &Weak<PostgresStore>) {
    let Some(store) = store.upgrade() else {
        return;
    };
    let ConnectionCounts {
        in_use,
        idle,
        waiting,
    } = store.connection_counts();
    for (state, count) in [("in_use", in_use), ("idle", idle), ("waiting", waiting)] {
        gauge!(DATABASE_CONNECTIONS, "state" => state).set(count as f64);
    }
}

/// The size of a database; what was told before stays where it does not tell in time.
async fn look_at_database(store: &Weak<PostgresStore>) {
    let Some(store) = store.upgrade() else {
        return;
    };
    if let Ok(Ok(bytes)) = tokio::time::timeout(DATABASE_MAX, store.bytes()).await {
        set("fieldstone_database_bytes", bytes);
    }
}

/// The room on the disk of a folder, once that is there.
fn look_at_disk(folder: &Path) {
    #[cfg(not(unix))]
    let _ = folder;
    #[cfg(unix)]
    if let Ok(disk) = nix::sys::statvfs::statvfs(folder) {
        let free = disk.blocks_available().saturating_mul(disk.fragment_size());
        set("fieldstone_disk_free_bytes", free);
    }
}

fn look_at_process() {
    gauge!("fieldstone_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        if let Some(kib) = kib {
            set("process_resident_memory_bytes", kib << 10);
        }
        if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
            set("process_open_fds", open.count() as u64);
        }
    }
}

/// Notes the newest backup that there is, by when it was begun.
fn note_backup(begun: Timestamp) {
    set_moment(BACKUP_TIME, begun);
}

/// Notes when the certificate ends that is served.
pub(crate) fn note_certificate_end(end: Timestamp) {
    set_moment(CERTIFICATE_END, end);
}

fn set_moment(name: &'static str, moment: Timestamp) {
    set(name, u64::try_from(moment.millis() / 1000).unwrap_or(0));
}

/// Notes that a backup could not be made.
pub(crate) fn note_failed_backup() {
    metrics::counter!(BACKUP_FAILURES).increment(1);
}
