//! What must hold of any answers that a client over HTTP is given, whatever their statuses, headers and bodies: each handle reads
//! them or says what is wrong, in words that hold no credential, and none goes on asking for ever. Lists and changes are read
//! through, records as text and as a type.
//!
//! An input is answers, with a line `%%` between them: of each the first line is its status, then come headers, an empty line, and
//! the body. Each handle is given them in their order, and the last one from then on.

use client::{Client, ClientBuilder, ClientError, Credential, DatasetPath, RawRecord, Search};
use engine::__private::{FieldValue, Slots};
use engine::typed::Stored;
use engine::validate::Checker;
use engine::value::FileRef;
use engine::{NaiveDate, Record};
use schema::{Origin, Schema};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;

/// Answers that a handle is given at most; then the service is said to have failed.
const ANSWERS_MAX: usize = 12;
const ENOUGH: &[u8] = b"HTTP/1.1 500 \r\ncontent-length: 0\r\n\r\n";
/// Stands between answers.
const BETWEEN: &[u8] = b"\n%%\n";
/// What frames an answer, which is the HTTP library's to read.
const FRAMING: [&[u8]; 4] = [
    b"connection",
    b"content-length",
    b"transfer-encoding",
    b"upgrade",
];
/// How long an answer may take.
const TIME_MAX: Duration = Duration::from_secs(5);
/// Bytes that an answer may have.
const BYTES_MAX: usize = 1 << 20;
const SECRET: &str = "hunter2-of-the-clients-own";
/// How many things a client is asked; the last number is of one that gets a token first.
const HANDLES: usize = 19;

const DOCUMENT: &str = r#"{"schemaId":"s","name":"Item","businessAreaId":"a","businessAreaName":"Places",
"createdDate":"2026-01-01T00:00:00.000Z","fields":[
{"fieldId":"f1","name":"Code","active":true,"dataType":"string","isPrimaryKey":true,"isSortKey":false,"isRequired":true},
{"fieldId":"f2","name":"Count","active":true,"dataType":"integer","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
{"fieldId":"f3","name":"Since","active":true,"dataType":"date","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
{"fieldId":"f4","name":"Words","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"isMultivalue":true}]}"#;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let document = Schema::read(DOCUMENT, Origin::Elsewhere);
    document.expect("a schema").schema
});
static CHECKER: LazyLock<Checker> = LazyLock::new(|| Checker::new(&SCHEMA).expect("a schema"));

/// A record as a type. The derive's code names a crate that stands above the client.
struct Item {
    code: String,
    count: Option<i64>,
    since: Option<NaiveDate>,
    words: Vec<String>,
}

impl Record for Item {
    const SCHEMA: &'static LazyLock<Schema> = &SCHEMA;
    const CHECKER: &'static LazyLock<Checker> = &CHECKER;

    fn from_slots(slots: &mut Slots<'_>) -> Option<Self> {
        Some(Item {
            code: slots.take()?,
            count: slots.take()?,
            since: slots.take()?,
            words: slots.take()?,
        })
    }

    fn values(&self) -> impl AsRef<[&dyn FieldValue]> {
        let all: [&dyn FieldValue; 4] = [&self.code, &self.count, &self.since, &self.words];
        all
    }
}

/// A service that says what it is told to.
struct Ground {
    runtime: Runtime,
    address: SocketAddr,
    said: Arc<Mutex<Said>>,
    by_key: Client,
}

/// The answers of an input, and how many were given.
#[derive(Default)]
struct Said {
    answers: Vec<Vec<u8>>,
    given: usize,
}

impl Said {
    fn next(&mut self) -> Vec<u8> {
        let last = self.answers.len().saturating_sub(1);
        let answer = self.answers.get(self.given.min(last));
        self.given += 1;
        let answer = answer.filter(|_| self.given <= ANSWERS_MAX);
        answer.map_or_else(|| ENOUGH.to_vec(), Clone::clone)
    }
}

static GROUND: LazyLock<Mutex<Ground>> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let said = Arc::<Mutex<Said>>::default();
    let address = listen(said.clone());
    Mutex::new(Ground {
        by_key: client_of(address, Credential::api_key(SECRET)),
        runtime: runtime.expect("a runtime"),
        address,
        said,
    })
});

fn client_of(address: SocketAddr, credential: Credential) -> Client {
    let builder = ClientBuilder::new(&format!("http://{address}"), credential);
    let builder = builder.attempts(1).timeout(TIME_MAX);
    let client = builder.answer_bytes_max(BYTES_MAX).build();
    client.expect("a client")
}

/// Asks for everything.
pub(crate) fn withstand(bytes: &[u8]) {
    drop(answered(bytes));
}

/// Asks for everything, and looks at what becomes of it; the numbers of what was answered well.
pub(crate) fn answered(bytes: &[u8]) -> Vec<usize> {
    let answers = on_the_wire(bytes);
    let ground = GROUND.lock().unwrap_or_else(PoisonError::into_inner);
    let begin = || {
        let mut said = ground.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.answers.clone_from(&answers);
        said.given = 0;
    };
    let mut well = Vec::new();
    for handle in 0..HANDLES {
        begin();
        let outcome = ground.runtime.block_on(ask(handle, &ground.by_key));
        if is_answered(handle, outcome) {
            well.push(handle);
        }
    }
    // who has a secret gets a token first
    begin();
    let by_token = client_of(ground.address, Credential::client("id", SECRET));
    let outcome = ground.runtime.block_on(ask(0, &by_token));
    if is_answered(HANDLES, outcome) {
        well.push(HANDLES);
    }
    well
}

/// Whether it was; what is said where it was not is looked at.
fn is_answered(handle: usize, outcome: Result<(), ClientError>) -> bool {
    let Err(error) = outcome else {
        return true;
    };
    let told = format!("{error} {error:?}");
    assert!(!error.to_string().trim().is_empty(), "{handle}: {told}");
    assert!(!told.contains(SECRET), "{handle}: {told}");
    false
}

/// One thing that a client is asked, by its number.
async fn ask(handle: usize, client: &Client) -> Result<(), ClientError> {
    let raw = client.records_at(DatasetPath {
        area: "a".to_owned(),
        schema: "s".to_owned(),
        dataset: "d".to_owned(),
    });
    let typed = client.dataset_at::<Item>(raw.path().clone());
    match handle {
        0 => drop(client.areas().collect().await?),
        1 => drop(client.schemas("a").collect().await?),
        2 => drop(client.datasets("a", "s").collect().await?),
        3 => is_json(&client.schema("a", "s").await?.to_json()),
        4 => drop(client.find_dataset("Places", "Item", "Items").await?),
        5 => raw.list().collect().await?.iter().for_each(is_whole),
        6 => typed.list().collect().await?.into_iter().for_each(is_typed),
        7 => raw.get("DE").await?.iter().for_each(is_whole),
        8 => typed.get("DE").await?.into_iter().for_each(is_typed),
        9 => is_whole(&raw.create(r#"{"Code":"DE"}"#).await?),
        10 => {
            raw.update("id", 1, "{}").await?;
        }
        11 => {
            let edit = |_: &RawRecord| Ok(Some("{}".to_owned()));
            raw.change("DE", edit).await?;
        }
        12 => {
            typed.change("DE", |item| item.count = Some(7)).await?;
        }
        13 => raw.delete("id").await?,
        14 => {
            let mut changes = typed.changes(None);
            loop {
                // it has no end but an error, and the service has one
                changes.next().await?.record.into_iter().for_each(is_typed);
            }
        }
        15 => {
            let found = client.search(Search::new("*")).await?;
            for hit in found.hits.collect().await? {
                is_json(&hit.json);
                hit.record::<Item>()?;
            }
        }
        16 => drop(raw.upload("a.txt", "text/plain", "text").await?),
        17 => {
            let link = FileRef::new("https://h/v1/files/a?expires=1");
            drop(client.download(&link).await?.bytes().await?);
        }
        _ => drop(typed.check_types().await?),
    }
    Ok(())
}

fn is_json(text: &str) {
    schema::json::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
}

fn is_whole(record: &RawRecord) {
    is_json(&record.json);
}

/// What became its type is written as it is sent; what did not has its values as they came.
fn is_typed(stored: Stored<Item>) {
    match stored.record {
        engine::Typed::Clean(item) => is_json(&item.to_sent_json()),
        engine::Typed::Faulty { json, .. } => is_json(&json),
    }
}

/// The answers of an input as they are sent.
fn on_the_wire(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut answers, mut rest) = (Vec::new(), bytes);
    loop {
        let mut places = rest.windows(BETWEEN.len());
        let Some(end) = places.position(|own| own == BETWEEN) else {
            answers.push(framed(rest));
            return answers;
        };
        answers.push(framed(&rest[..end]));
        rest = &rest[end + BETWEEN.len()..];
    }
}

fn framed(answer: &[u8]) -> Vec<u8> {
    let mut rest = answer;
    let mut line = || {
        let end = rest.iter().position(|byte| *byte == b'\n');
        let (line, behind) = match end {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None => (rest, &[][..]),
        };
        rest = behind;
        line.strip_suffix(b"\r").unwrap_or(line)
    };
    let status = String::from_utf8_lossy(line()).trim().parse::<u16>();
    // behind one of less than 200 another one would be waited for
    let status = status.ok().filter(|status| (200..600).contains(status));
    let status = status.unwrap_or(200);
    let mut framed = format!("HTTP/1.1 {status} \r\n").into_bytes();
    loop {
        let line = line();
        if line.is_empty() {
            break;
        }
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        if !FRAMING.iter().any(|own| name.eq_ignore_ascii_case(own)) {
            framed.extend_from_slice(line);
            framed.extend_from_slice(b"\r\n");
        }
    }
    let has_none = matches!(status, 204 | 304);
    let body: &[u8] = if has_none { &[] } else { rest };
    framed.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
    framed.extend_from_slice(body);
    framed
}

/// Listens for clients, and gives each request its answer.
fn listen(said: Arc<Mutex<Said>>) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            let said = said.clone();
            // a client that is gone is no matter
            std::thread::spawn(move || speak(stream, &said).ok());
        }
    });
    address
}

fn speak(mut stream: TcpStream, said: &Mutex<Said>) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let line = line.trim();
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or_default();
            }
        }
        io::copy(&mut reader.by_ref().take(length), &mut io::sink())?;
        let answer = said.lock().unwrap_or_else(PoisonError::into_inner).next();
        stream.write_all(&answer)?;
    }
}
