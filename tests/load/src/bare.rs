//! What the service is measured beside: an axum program that takes the same paths, asks for no credential,
//! checks nothing but that a body is such a record, and answers from memory. A create or update is
//! appended to a file and answered once it is synced, as many at once as were waiting.

use crate::records::{Record, record};
use crate::searches::{SEARCH, Searches};
use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use axum::serve::ListenerExt as _;
use clap::Args;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

const RECORDS: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects";
const RECORD: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/{record}";
const BY_KEY: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/by-pk/{key}";
const JSON: [(axum::http::HeaderName, &str); 1] = [(CONTENT_TYPE, "application/json")];
const PAGE_SIZE: usize = 100;
const BATCH_MAX: usize = 256;

#[derive(Args)]
pub(crate) struct Options {
    /// How many records it answers with
    #[arg(long)]
    records: u64,
    /// The file that bodies are appended to
    #[arg(long)]
    file: PathBuf,
    /// The full-text index that searches ask
    #[arg(long, requires = "searches")]
    index: Option<PathBuf>,
    /// The searches that it knows, and their answers: one in each line
    #[arg(long, requires = "index")]
    searches: Option<PathBuf>,
}

struct Memory {
    by_key: HashMap<String, Bytes>,
    pages: Vec<Bytes>,
    appends: SyncSender<Append>,
}

/// A line for the file, and who waits for it.
struct Append {
    line: Vec<u8>,
    done: oneshot::Sender<()>,
}

#[derive(Deserialize)]
struct Change {
    #[serde(rename = "_version")]
    version: u32,
    #[serde(rename = "Stock")]
    stock: i64,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.enable_all().build()?;
    runtime.block_on(serve(options))
}

async fn serve(options: &Options) -> anyhow::Result<()> {
    let file = File::create_new(&options.file).context("can't make the bare server's file")?;
    let (appends, queue) = sync_channel(4096);
    let writer = std::thread::spawn(move || append(file, &queue));
    let searches = match (&options.index, &options.searches) {
        (Some(index), Some(searches)) => Searches::read(index.clone(), searches)?,
        _ => Searches::default(),
    };
    let searching = Router::new()
        .route(SEARCH, get(search))
        .with_state(Arc::new(searches));
    let router = Router::new()
        .route(RECORDS, get(list).post(create))
        .route(RECORD, put(update))
        .route(BY_KEY, get(by_key))
        .with_state(Arc::new(memory(options.records, appends)?))
        .merge(searching);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    let listener = listener.tap_io(|stream| {
        // as the service does; a socket that can't still works
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await?;
    let _ = writer.join();
    Ok(())
}

/// The same bytes that the service answers with, but for the ids.
fn memory(records: u64, appends: SyncSender<Append>) -> anyhow::Result<Memory> {
    let mut by_key = HashMap::new();
    let mut pages = Vec::new();
    let mut items: Vec<String> = Vec::new();
    for number in 0..records {
        let record = record(number);
        let text = shown(number, &record)?;
        items.push(text.clone());
        by_key.insert(record.code, text.into());
        let is_last = number + 1 == records;
        if items.len() == PAGE_SIZE || is_last {
            let items = std::mem::take(&mut items).join(",");
            let next = if is_last {
                String::new()
            } else {
                format!(",\"nextPageKey\":\"{:022}\"", pages.len() + 1)
            };
            pages.push(format!("{{\"items\":[{items}]{next}}}").into());
        }
    }
    Ok(Memory {
        by_key,
        pages,
        appends,
    })
}

fn shown(number: u64, record: &Record<impl serde::Serialize>) -> anyhow::Result<String> {
    let values = serde_json::to_string(record)?;
    let values = &values[1..];
    Ok(format!(
        "{{\"_dataObjectId\":\"{number:022}\",\"_version\":0,\"_errors\":[],{values}"
    ))
}

/// Answers a search it knows, once it has asked the index as the service does.
async fn search(State(searches): State<Arc<Searches>>, RawQuery(query): RawQuery) -> Response {
    let found = searches.find(query.as_deref().unwrap_or_default());
    match found {
        Some(Ok(body)) => (JSON, body).into_response(),
        Some(Err(_)) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

type Ids = Path<(String, String, String)>;
type IdsAndOne = Path<(String, String, String, String)>;

async fn by_key(State(memory): State<Arc<Memory>>, path: IdsAndOne) -> Response {
    match memory.by_key.get(&path.0.3) {
        Some(body) => (JSON, body.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn list(State(memory): State<Arc<Memory>>, _: Ids, RawQuery(query): RawQuery) -> Response {
    let page = query
        .as_deref()
        .and_then(|query| query.strip_prefix("pageKey="));
    let page: Option<usize> = page.map_or(Some(0), |page| page.parse().ok());
    match page.and_then(|page| memory.pages.get(page)) {
        Some(body) => (JSON, body.clone()).into_response(),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn create(State(memory): State<Arc<Memory>>, _: Ids, uri: Uri, body: Bytes) -> Response {
    let Ok(record) = serde_json::from_slice::<Record<String>>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let Ok(text) = shown(0, &record) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if !memory.keep(text.clone().into_bytes()).await {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let location = [(LOCATION, format!("{}/{:022}", uri.path(), 0))];
    (StatusCode::CREATED, JSON, location, text).into_response()
}

async fn update(State(memory): State<Arc<Memory>>, path: IdsAndOne, body: Bytes) -> Response {
    let Ok(change) = serde_json::from_slice::<Change>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let line = format!("{} {} {}", path.0.3, change.version, change.stock);
    if memory.keep(line.into_bytes()).await {
        StatusCode::NO_CONTENT.into_response()
    } else {
        StatusCode::INTERNAL_SERVER_ERROR.into_response()
    }
}

impl Memory {
    /// Appends a line; whether it is on disk.
    async fn keep(&self, line: Vec<u8>) -> bool {
        let (done, told) = oneshot::channel();
        // no more than the connections are under way, so a full queue means that the writer is gone
        self.appends.try_send(Append { line, done }).is_ok() && told.await.is_ok()
    }
}

/// Writes all that waits, syncs once, tells each. Who is not told answers with a failure.
fn append(mut file: File, queue: &Receiver<Append>) {
    while let Ok(first) = queue.recv() {
        let mut batch = vec![first];
        batch.extend(queue.try_iter().take(BATCH_MAX - 1));
        let mut lines = Vec::new();
        for append in &batch {
            lines.extend_from_slice(&append.line);
            lines.push(b'\n');
        }
        if file
            .write_all(&lines)
            .and_then(|()| file.sync_data())
            .is_err()
        {
            return;
        }
        for append in batch {
            // who no longer waits needs no answer
            let _ = append.done.send(());
        }
    }
}
