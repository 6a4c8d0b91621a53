//! Ten thousand datasets in one store, as the shards of a large one are many, by plans: what is about one dataset is asked by
//! its number, by an index that begins with it, however many others there are, and by that number the tables are divided
//! where Citus is. The database itself tells the plan of every statement that it was sent (`auto_explain`). It is one
//! database: that several nodes answer so was seen by hand alone (docs/scale.md, "What was tried").

use crate::engines::{Store, open_at, wait};
use crate::finder::{Finder, aim, document, text};
use crate::nouns::{area, dataset, schema, tenant};
use crate::placed::{CITUS, asked};
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::Catalogs as _;
use runtime::store::catalog::{CatalogWrite, Noun};
use runtime::store::records::{PageLimit, Shelf};
use runtime::store::search::SearchIndex;
use runtime::value::Day;
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tests::cluster::{self, Cluster};

const DATASETS: u32 = 10_000;
const TENANTS: u32 = 4;
/// Records of each, and of the one that is larger.
const EACH: u32 = 2;
const MANY: u32 = 3_000;
const LARGE: u32 = 17;
/// Days that are counted, and how many of them are asked for, from this one on.
const DAYS: i64 = 20;
const DAYS_ASKED: usize = 5;
const DAY: Day = Day::from_number(20_015);
/// How often each thing is asked: a plan that fits every value comes after a few that fit one.
const ASKED: u32 = 8;
/// What a start, or a page, may take on a machine that does much else; by the number of datasets it would take longer.
const START_MAX: Duration = Duration::from_secs(20);
const PAGE_MAX: Duration = Duration::from_secs(1);
/// How often pages are asked for, of which the quickest one counts.
const PAGED: usize = 3;

/// How the process that begins as a server knows its store, and how what it tells begins.
const ADDRESS: &str = "STORE_TEST_ADDRESS";
const BEGUN: &str = "a server that begins: ";

const PLANS: &str = "-c max_connections=100 -c session_preload_libraries=auto_explain \
    -c auto_explain.log_min_duration=0 -c log_line_prefix=";

/// An index of all records, and their values as of their last change, so that these tables are not so small that they are read
/// whole.
const INDEX: &str = "\\connect many
    INSERT INTO search_records SELECT dataset, sequence, 1 FROM records;
    INSERT INTO search_words SELECT dataset, sequence, 0, ARRAY['name'], ARRAY[' ada '],
      format('''%s:ada''', dataset)::tsvector FROM records;
    INSERT INTO search_keys SELECT dataset, 'name', sequence, decode(lpad(to_hex(sequence), 4, '0'), 'hex') FROM records;
    INSERT INTO search_marks SELECT dataset, 'name', sequence, 'fault', 'required' FROM records WHERE sequence = 2;
    INSERT INTO past_states SELECT dataset, sequence, last_change, body FROM records;
    ANALYZE;
";

/// Tables of which each row is of one dataset.
const OF_DATASETS: [&str; 9] = [
    "records",
    "change_log",
    "past_states",
    "dataset_state",
    "daily_counts",
    "search_records",
    "search_words",
    "search_keys",
    "search_marks",
];

/// What goes across datasets, and says so, by what the statement begins with.
const ACROSS: [(&str, &str); 1] = [(
    "SELECT number, dataset, sequence, nonce FROM change_log",
    "the indexer follows the log of all datasets, by its number",
)];

/// The index of words, in which each word has the number of its dataset before it.
const OF_WORDS: &str = "Bitmap Index Scan on search_words_lexemes ";

fn catalog() -> Vec<Noun> {
    let mut nouns: Vec<Noun> = vec![area("a", "Area").into(), schema("s", "customer", 1).into()];
    nouns.extend((0..TENANTS).map(|number| Noun::from(tenant(&format!("t{number}")))));
    nouns.extend((1..=DATASETS).map(|number| {
        let mut one = dataset(&format!("d{number}"), "s", number);
        one.tenant = format!("t{}", number % TENANTS);
        Noun::from(one)
    }));
    nouns
}

/// Writes records of all datasets; those that wait together are committed together.
fn write(store: &Arc<dyn Store>) {
    let all = (1..=DATASETS).flat_map(|number| {
        let count = if number == LARGE { MANY } else { EACH };
        (0..count).map(move |at| (number, format!("K{at}")))
    });
    let writes = all.map(|(number, key)| {
        let dataset = TestDataset::new(store.clone(), number);
        store.write(dataset.write(TestDataset::creation(content(&key, "first"))))
    });
    let writes: Vec<_> = writes.collect();
    for written in writes {
        assert!(done(0)(wait(written)));
    }
}

/// Asks for whatever there is to ask of one dataset.
fn ask(dataset: &TestDataset, finder: &Finder) {
    let number = dataset.number;
    let first = dataset.by_key("K0").expect("it is there");
    assert_eq!(dataset.get(first.id.place), Some(first.clone()));
    let found = wait(dataset.store.get_some(&[first.id.place], 1));
    assert!(matches!(&found[..], [Ok(Some(record))] if *record == first));
    let expected = if number == LARGE { 100 } else { EACH as usize };
    let paged = || {
        let began = Instant::now();
        assert_eq!(dataset.page(Shelf::Live, 0, 100).len(), expected);
        assert!(dataset.page(Shelf::Deleted, 0, 100).is_empty());
        began.elapsed()
    };
    // a machine may stand still for one of them
    let took: Vec<_> = (0..PAGED).map(|_| paged()).collect();
    assert!(took.iter().any(|it| *it < PAGE_MAX), "{took:?}");
    dataset.counts();
    let several = vec![number, 1 + number % DATASETS];
    let counts = wait(dataset.store.counts_of(several.clone()));
    assert!(counts.iter().all(|it| it.records >= u64::from(EACH)));
    let days = dataset.store.daily_counts(several.clone(), DAY);
    assert_eq!(wait(days).len(), DAYS_ASKED);
    assert_eq!(
        wait(dataset.store.newest_changes(several, 8)).len(),
        if number == LARGE { 8 } else { 4 }
    );
    let limit = PageLimit {
        records: 10,
        bytes: 1 << 20,
    };
    assert!(
        !wait(dataset.store.changes(number, 0, limit))
            .entries
            .is_empty()
    );
    assert_eq!(wait(dataset.store.history(first.id, None, limit)).len(), 1);
    assert!(wait(dataset.store.last_change(first.id.place)).is_some());
    let made = dataset.create("another");
    assert!(done(1)(dataset.update(
        made,
        0,
        content("another", "second")
    )));
    assert!(done(1)(dataset.delete(made, 1)));
    assert!(done(2)(dataset.restore(made)));
    assert!(done(2)(dataset.delete(made, 2)));
    let (deleted, has_more) = dataset.deleted_last(u64::MAX, limit);
    assert_eq!((deleted.len(), has_more), (1, false));
    assert!(done(2)(dataset.purge(made)));
    let at = first.id.place;
    finder.put(vec![document(at, "s", &[("name", &["Grace Hopper"])])]);
    let aims = [aim(number, "s", &[("Name", "name")])];
    assert_eq!(finder.find(text("grace"), &aims).places.len(), 1);
    // what the index began with, but for that record
    let all = if number == LARGE { MANY } else { EACH };
    let total = finder.find(text("ada"), &aims).total;
    assert_eq!(total, u64::from(all - 1));
}

/// Bytes of memory that this process has, where the system tells.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    let told = lines.find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = told.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

#[test]
#[ignore = "it is the process that the story of ten thousand datasets starts"]
fn the_server_that_begins_and_says_what_that_takes() {
    let address = std::env::var(ADDRESS).expect("the story names a store");
    let before = memory();
    let began = Instant::now();
    let store = open_at(&address);
    let index = wait(store.search());
    let (took, after) = (began.elapsed(), memory());
    let count = store.catalog().datasets.len();
    assert_eq!(count, DATASETS as usize);
    assert!(took < START_MAX, "{took:?}");
    drop(index);
    let more = before
        .zip(after)
        .map(|(before, after)| after.saturating_sub(before));
    let more = more.map(|bytes| format!(", {} MiB of memory", bytes >> 20));
    // the harness may have begun a line
    println!(
        "\n{BEGUN}{count} datasets, {:.2} s{}",
        took.as_secs_f64(),
        more.unwrap_or_default()
    );
}

/// What a server says that begins on the store, in a process of its own.
fn begun(address: &str) -> String {
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["--ignored", "--nocapture", "--exact"])
        .arg("many_datasets::the_server_that_begins_and_says_what_that_takes")
        .env(ADDRESS, address)
        .output()
        .expect("a process");
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{out}{err}");
    let told = out.lines().find(|line| line.starts_with(BEGUN));
    told.unwrap_or_else(|| panic!("{out}{err}")).to_owned()
}

/// Each plan: its statement, and the lines of what is done.
fn plans(log: &str) -> Vec<(String, Vec<&str>)> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    let mut is_query = false;
    for line in log.lines() {
        if line.contains(" plan:") {
            found.push((String::new(), Vec::new()));
            is_query = false;
        } else if let (Some(line), Some(plan)) = (line.strip_prefix('\t'), found.last_mut()) {
            if let Some(query) = line.strip_prefix("Query Text: ") {
                plan.0 = query.to_owned();
                is_query = true;
            } else if is_query && !line.contains("(cost=") {
                plan.0.extend([" ", line.trim()]);
            } else {
                is_query = false;
                plan.1.push(line.trim());
            }
        } else {
            is_query = false;
        }
    }
    found
}

/// Whether a line asks for rows of datasets: by their number, or of the index of words by words that all stand behind one, such
/// as `''17:ada''`, with the quotes that a plan has. (A statement of a search is made for once, so its plan has the values.)
fn is_by_dataset(line: &str) -> bool {
    if line.contains("dataset = ") {
        return true;
    }
    let asked = line.strip_prefix("Index Cond: (lexemes @@ '");
    let Some((asked, _)) = asked.and_then(|asked| asked.rsplit_once("'::tsquery")) else {
        return false;
    };
    let mut words = asked.split("''").skip(1).step_by(2).peekable();
    let is_of_one = |word: &str| {
        let number = word.split_once(':').map(|(number, _)| number);
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    words.peek().is_some() && words.all(is_of_one)
}

/// What of a plan reads rows of several datasets: a table without an index, or without asking for the dataset. (An entry of
/// the log has a number that no other has, so it may be found by that and its dataset compared.)
fn across(steps: &[&str]) -> Option<String> {
    for (at, step) in steps.iter().enumerate() {
        let is_of_one = |table: &&str| {
            let words: Vec<_> = step.split(' ').collect();
            let mut ons = words.windows(2).filter(|words| words[0] == "on");
            let is_index = |name: &str| step.contains("Bitmap Index") && name.starts_with(*table);
            ons.any(|words| words[1] == *table || is_index(words[1]))
        };
        // the rows of a bitmap are looked for beneath it
        let is_scan = step.contains(" Scan ") && !step.contains("Bitmap Heap");
        if !is_scan || !OF_DATASETS.iter().any(is_of_one) {
            continue;
        }
        let mut own = steps[at + 1..]
            .iter()
            .take_while(|line| !line.contains("(cost="));
        if step.contains("Seq Scan") || !own.any(|line| is_by_dataset(line)) {
            return Some((*step).to_owned());
        }
    }
    None
}

#[test]
fn what_is_about_one_dataset_is_asked_by_an_index_that_begins_with_it_among_ten_thousand() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start_with(&programs, PLANS).expect("a cluster");
    let script = format!("CREATE DATABASE many;\n\\connect many\n{CITUS}");
    cluster.run(&script).expect("a database");
    let address = cluster.address("many");
    let store = open_at(&address);
    let asked = asked(&cluster, "many");
    for table in OF_DATASETS {
        let divided = format!("{table} by dataset, ");
        assert!(asked.iter().any(|it| it.starts_with(&divided)), "{asked:?}");
    }
    let write_all = CatalogWrite {
        put: catalog(),
        ..CatalogWrite::default()
    };
    let decided = store.decide(Box::new(move |_| Ok(write_all.clone())));
    wait(decided).expect("nothing is against it");
    let store: Arc<dyn Store> = store;
    write(&store);
    for day in 0..DAYS {
        let day = Day::from_number(20_000 + day);
        wait(store.keep_daily_counts(day, Day::default()));
    }
    cluster.run(INDEX).expect("it is told");
    let log = cluster.folder().join("log");
    let before = std::fs::read(&log).expect("a log").len();
    println!("{}", begun(&address));
    // as another server
    let store = open_at(&address);
    let index: Arc<dyn SearchIndex> = Arc::new(wait(store.search()));
    let store: Arc<dyn Store> = store;
    let finder = Finder { index };
    for turn in 0..ASKED {
        for number in [LARGE, 1 + turn * (DATASETS / ASKED)] {
            ask(&TestDataset::new(store.clone(), number), &finder);
        }
    }
    let log = std::fs::read(&log).expect("a log");
    let log = String::from_utf8_lossy(&log[before..]).into_owned();
    let plans = plans(&log);
    let of_rows = |table: &&&str| plans.iter().any(|(query, _)| query.contains(**table));
    assert_eq!(
        OF_DATASETS.iter().filter(of_rows).count(),
        OF_DATASETS.len()
    );
    let mut steps = plans.iter().flat_map(|(_, steps)| steps);
    assert!(steps.any(|step| step.contains(OF_WORDS)), "words are asked");
    let is_told = |query: &str| ACROSS.iter().any(|(begin, _)| query.starts_with(begin));
    let wrong: BTreeSet<_> = plans
        .iter()
        .filter(|(query, _)| !is_told(query))
        .filter_map(|(query, steps)| Some(format!("{}\n  {query}", across(steps)?)))
        .collect();
    let wrong: Vec<_> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_plan_that_reads_across_datasets_is_told() {
    let log = "LOG:  duration: 0.1 ms  plan:\n\tQuery Text: SELECT body\n\t  FROM records r\n\tSeq Scan on records r  (cost=0.00..1.00 rows=1)\n\t  Filter: (dataset = 1)\nLOG:  duration: 0.1 ms  plan:\n\tQuery Text: SELECT 1\n\tIndex Scan using records_pkey on records  (cost=0.00..1.00 rows=1)\n\t  Index Cond: ((dataset = 1) AND (sequence = 2))\nLOG:  duration: 0.1 ms  plan:\n\tQuery Text: SELECT 2\n\tBitmap Heap Scan on change_log l  (cost=0.00..1.00 rows=1)\n\t  ->  Bitmap Index Scan on change_log_number  (cost=0.00..1.00 rows=1)\n\t        Index Cond: (number = 2)\n";
    let plans = plans(log);
    assert_eq!(plans.len(), 3);
    assert_eq!(plans[0].0, "SELECT body FROM records r");
    let told: Vec<_> = plans
        .iter()
        .map(|(_, steps)| across(steps).is_some())
        .collect();
    assert_eq!(told, [true, false, true]);
}

#[test]
fn words_are_looked_up_in_a_dataset_where_each_stands_behind_its_number() {
    let is_across = |asked: &str| {
        let condition = format!("Index Cond: (lexemes @@ {asked})");
        let scan = format!("->  {OF_WORDS} (cost=0.00..12.01 rows=1 width=0)");
        across(&[&scan, &condition]).is_some()
    };
    for asked in [
        "'''17:grace'''::tsquery",
        "'''17:grace'' & ''17:ho'':* | ''18:grace'' & ''18:ho'':*'::tsquery",
    ] {
        assert!(!is_across(asked), "{asked}");
    }
    for asked in [
        "'''grace'''::tsquery",
        "'''17:grace'' & ''ho'':*'::tsquery",
        "'''d17:grace'''::tsquery",
        "''::tsquery",
        "($2)::tsquery",
    ] {
        assert!(is_across(asked), "{asked}");
    }
}
