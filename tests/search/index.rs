//! The index behind the search: it sees every committed write, catches up, and can be thrown away.

use crate::desk::Desk;
use crate::world::CITY;
use runtime::service::search::WAIT_MAX;
use runtime::store::StoreError;
use runtime::store::search::{Document, Progress, Search, SearchIndex, SearchPage, SqliteSearch};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

type Answer<'a, T> = std::pin::Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// An index that is full while it is told to be, takes its time for documents, and counts them.
pub(crate) struct Stuck {
    inner: SqliteSearch,
    is_full: AtomicBool,
    pause: Duration,
    pub(crate) documents: AtomicUsize,
}

impl Stuck {
    pub(crate) fn new(folder: &Path) -> Self {
        Stuck {
            inner: SqliteSearch::open(folder).expect("an index"),
            is_full: AtomicBool::new(false),
            pause: Duration::ZERO,
            documents: AtomicUsize::new(0),
        }
    }
}

impl SearchIndex for Stuck {
    fn progress(&self) -> Option<Arc<Progress>> {
        self.inner.progress()
    }

    fn clear(&self) -> Answer<'_, ()> {
        self.inner.clear()
    }

    fn apply(&self, documents: Vec<Document>, progress: Progress) -> Answer<'_, ()> {
        if self.is_full.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Damaged("the disk is full".to_owned())) });
        }
        self.documents.fetch_add(documents.len(), Ordering::SeqCst);
        Box::pin(async move {
            if !documents.is_empty() {
                tokio::time::sleep(self.pause).await;
            }
            self.inner.apply(documents, progress).await
        })
    }

    fn find(&self, search: Search) -> Answer<'_, SearchPage> {
        self.inner.find(search)
    }
}

fn open(folder: &Path) -> Arc<SqliteSearch> {
    Arc::new(SqliteSearch::open(folder).expect("an index"))
}

#[test]
fn the_next_search_sees_every_write() {
    let desk = Desk::start();
    for number in 0..50 {
        let code = format!("C{number}");
        let record = desk.city(&code, &format!(r#""Name":"first{number}""#));
        desk.check(&format!("first{number}"), &[&code]);
        desk.world
            .update(
                &record,
                &format!(r#"{{"_version":0,"Name":"second{number}"}}"#),
            )
            .is(204);
        desk.check(&format!("first{number}"), &[]);
        desk.check(&format!("second{number}"), &[&code]);
        desk.world.delete(&record).is(204);
        desk.check(&format!("second{number}"), &[]);
    }
}

#[test]
fn an_index_that_is_missing_damaged_or_of_another_version_is_made_anew() {
    let desk = Desk::without_index();
    for number in 0..30 {
        desk.city(&format!("C{number:02}"), r#""Name":"common""#);
    }
    let gone = desk.world.by_key("C07").is(200).json();
    desk.world.delete(&gone).is(204);
    let changed = desk.world.by_key("C08").is(200).json();
    desk.world
        .update(&changed, r#"{"_version":0,"Name":"other"}"#)
        .is(204);
    let file = desk.folder.path().join("search.db");
    let spoilers: [fn(&Path); 3] = [
        |_| {},
        |file| {
            std::fs::write(
                file,
                b"this is no database at all, but it is long enough to look like one",
            )
            .unwrap();
        },
        |file| {
            let connection = rusqlite::Connection::open(file).unwrap();
            connection
                .execute_batch("PRAGMA user_version = 99;")
                .unwrap();
        },
    ];
    for spoil in spoilers {
        spoil(&file);
        let index = open(desk.folder.path());
        assert!(index.progress().is_none(), "it begins empty");
    }
    desk.attach(open(desk.folder.path()), WAIT_MAX);
    let found = desk.ask("query=common&pageSize=1000").is(200).json();
    assert_eq!(found["total"], 28);
    desk.check("other", &["C08"]);
}

#[test]
fn a_search_waits_until_every_record_is_read() {
    let desk = Desk::without_index();
    desk.city("A", r#""Name":"early","Tags":["hidden"]"#);
    desk.city("B", r#""Name":"early""#);
    let slow = Stuck {
        pause: Duration::from_millis(200),
        ..Stuck::new(desk.folder.path())
    };
    desk.attach(Arc::new(slow), WAIT_MAX);
    desk.check("early", &["A", "B"]);
    // a field that is switched on again has to be read again
    let schema = desk.world.names.schema.clone();
    let tags = r#""name":"Tags","active":true"#;
    let off = CITY.replace(tags, &tags.replace("true", "false"));
    desk.world.change_schema(&schema, &off);
    let a = desk.world.by_key("A").is(200).json();
    desk.world
        .update(&a, r#"{"_version":0,"Name":"still early"}"#)
        .is(204);
    desk.check("early NOT hidden", &["A", "B"]);
    desk.world.change_schema(&schema, CITY);
    desk.check("early hidden", &["A"]);
}

#[test]
fn an_index_goes_on_where_it_was() {
    let desk = Desk::without_index();
    desk.city("A", r#""Name":"before""#);
    let index = open(desk.folder.path());
    desk.attach(index.clone(), WAIT_MAX);
    desk.check("before", &["A"]);
    desk.world
        .runtime
        .block_on(desk.world.service.stop_search());
    let applied = index.progress().expect("some progress").applied;
    desk.city("B", r#""Name":"between""#);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(
        index.progress().expect("some progress").applied,
        applied,
        "nobody feeds it any more"
    );
    drop(index);
    let again = open(desk.folder.path());
    let progress = again.progress().expect("it remembers");
    assert_eq!(progress.applied, applied);
    assert!(progress.walks.is_empty(), "nothing is to be read again");
}

#[test]
fn an_index_of_another_store_is_thrown_away() {
    let first = Desk::start();
    first.city("A", r#""Name":"strange""#);
    first.city("B", r#""Name":"strange""#);
    first.check("strange", &["A", "B"]);
    first
        .world
        .runtime
        .block_on(first.world.service.stop_search());
    let folder = first.folder.path().to_owned();
    let second = Desk::without_index();
    second.city("X", r#""Name":"own""#);
    second.city("Y", r#""Name":"own""#);
    second.city("Z", r#""Name":"own""#);
    second.attach(open(&folder), WAIT_MAX);
    second.check("strange", &[]);
    second.check("own", &["X", "Y", "Z"]);
}

#[test]
fn a_search_that_waits_in_vain_is_a_503_and_says_when_to_come_back() {
    let desk = Desk::without_index();
    let stuck = Arc::new(Stuck {
        is_full: AtomicBool::new(true),
        ..Stuck::new(desk.folder.path())
    });
    desk.attach(stuck.clone(), Duration::from_millis(300));
    desk.city("A", r#""Name":"late""#);
    let began = Instant::now();
    let answer = desk.ask("query=late").plain(503);
    assert!(began.elapsed() >= Duration::from_millis(300));
    let seconds: u64 = answer
        .header("retry-after")
        .expect("when to come back")
        .parse()
        .expect("seconds");
    assert!(seconds > 0);
    let state = desk
        .world
        .runtime
        .block_on(desk.world.service.search_state());
    let state = state.expect("the store works").expect("there is an index");
    assert!(
        state
            .failure
            .is_some_and(|failure| failure.contains("the disk is full"))
    );
    assert!(state.behind > 0);
    stuck.is_full.store(false, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(1200));
    desk.check("late", &["A"]);
}

#[test]
fn without_an_index_a_search_is_refused_politely() {
    let desk = Desk::without_index();
    let answer = desk.ask("query=x").plain(503);
    assert!(answer.header("retry-after").is_some());
}

#[test]
fn many_writers_and_searchers_at_once_agree() {
    let desk = Desk::start();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let desk = &desk;
            scope.spawn(move || {
                for number in 0..15 {
                    let code = format!("W{writer}N{number}");
                    desk.city(&code, &format!(r#""Name":"by{writer} no{number}""#));
                    desk.check(&format!("by{writer} no{number}"), &[&code]);
                }
            });
        }
    });
    assert_eq!(desk.found("by*")["total"], 60);
}
