//! The demo's many customers: made up by numbers alone, so that they are the same each time, a few percent of them
//! faulty as people's data is. They come in by a job, as a file of a visitor would; it never begins a second time.

use crate::demo;
use service::manage::{ImportMode, ImportOptions, Operator};
use service::{Caller, PageRequest, Refusal, Service};
use std::fmt::Write as _;
use store::catalog::{Dataset, Resource, Verb};

/// How many there are, unless said.
pub(crate) const COUNT: u64 = 200_000;
/// What their file is called.
const FILE_NAME: &str = "customers.ndjson";
/// The dataset that they come into.
const DATASET: &str = "Customers";
/// Records that are sent to the job together.
const PIECE: u64 = 1_000;
/// The number of the first one: beyond those of the manifest.
const FIRST_NUMBER: u64 = 500_000;

const FIRST_NAMES: [&str; 24] = [
    "Ada",
    "Björn",
    "Chiara",
    "David",
    "Elif",
    "François",
    "Greta",
    "Hiroshi",
    "Inês",
    "Jakub",
    "Katarzyna",
    "Liam",
    "Marta",
    "Noor",
    "Oskar",
    "Paula",
    "Quentin",
    "Renée",
    "Søren",
    "Tomás",
    "Ursula",
    "Viktor",
    "Wanda",
    "Zoë",
];
const LAST_NAMES: [&str; 24] = [
    "Almeida",
    "Bauer",
    "Costa",
    "Dubois",
    "Eriksson",
    "Fernández",
    "García",
    "Horváth",
    "Ivanova",
    "Jansen",
    "Kowalski",
    "Lindqvist",
    "Müller",
    "Nowak",
    "O'Brien",
    "Petrov",
    "Quispe",
    "Rossi",
    "Schmidt",
    "Takahashi",
    "Uwimana",
    "Vogt",
    "Weber",
    "Yılmaz",
];
const COUNTRIES: [(&str, &str); 8] = [
    ("DE", "+49 30 2312"),
    ("FR", "+33 1 5550"),
    ("GB", "+44 20 7946"),
    ("IT", "+39 06 5550"),
    ("ES", "+34 91 5550"),
    ("PL", "+48 22 5550"),
    ("SE", "+46 8 4657"),
    ("US", "+1 202 5550"),
];
const STATES: [&str; 4] = ["prospect", "active", "active", "on_hold"];
const SEGMENTS: [&str; 3] = ["S", "M", "L"];

/// Numbers that look like chance and are the same each time: splitmix64.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One of several.
fn one<T: Copy>(of: &[T], number: u64) -> T {
    // INVARIANT: a remainder is an index
    of[usize::try_from(number % of.len() as u64).unwrap_or(0)]
}

/// The customers of some numbers, each on its line.
fn customers(numbers: std::ops::Range<u64>) -> String {
    let mut lines = String::with_capacity(400 << 10);
    for index in numbers {
        write_customer(index, &mut lines);
    }
    lines
}

/// The primary key of a customer.
fn key_of(index: u64) -> String {
    format!("C{:07}", FIRST_NUMBER + index)
}

/// A customer as a line of JSON. One in 25 has a value as people get it wrong.
fn write_customer(index: u64, out: &mut String) {
    let chance = mixed(index);
    let part = |shift: u32| chance >> shift;
    let (first, last) = (one(&FIRST_NAMES, part(3)), one(&LAST_NAMES, part(11)));
    let (country, dial) = one(&COUNTRIES, part(19));
    let phone = format!("{dial} {:04}", part(27) % 10_000);
    let email = format!("customer{index}@example.com");
    let born = format!(
        "{:02}/{:02}/{}",
        1 + part(33) % 28,
        1 + part(38) % 12,
        1940 + part(42) % 60
    );
    let limit = format!("{}.{:02}", (part(17) % 2_000) * 10, part(29) % 100);
    let mut values = Values {
        country,
        phone,
        email,
        born,
        limit,
        status: one(&STATES, part(5)),
        discount: "0.05",
    };
    if is_faulty(index) {
        values.spoil(mixed(index ^ 0xfa17), index);
    }
    // INVARIANT: a text takes anything, and the values have nothing that JSON escapes
    let _ = writeln!(
        out,
        "{{\"Customer Number\":\"{key}\",\"First Name\":\"{first}\",\"Last Name\":\"{last}\",\"E-mail\":\"{}\",\
         \"Phone\":\"{}\",\"Birth Date\":\"{}\",\"Status\":\"{}\",\"Segment\":\"{}\",\"Country\":\"{}\",\
         \"Credit Limit\":{},\"Discount\":{},\"Loyalty Points\":{},\"Newsletter\":\"{}\",\"Billing Day\":{}}}",
        values.email,
        values.phone,
        values.born,
        values.status,
        one(&SEGMENTS, part(9)),
        values.country,
        values.limit,
        values.discount,
        part(13) % 50_000,
        if part(21) % 2 == 0 { "Y" } else { "N" },
        1 + part(25) % 28,
        key = key_of(index),
    );
}

/// Whether something is wrong with a customer.
fn is_faulty(index: u64) -> bool {
    mixed(index ^ 0x5eed).is_multiple_of(25)
}

/// How many of so many customers have something wrong.
pub(crate) fn faulty_among(count: u64) -> usize {
    (0..count).filter(|index| is_faulty(*index)).count()
}

/// The values that may be wrong.
struct Values {
    country: &'static str,
    phone: String,
    email: String,
    born: String,
    limit: String,
    status: &'static str,
    discount: &'static str,
}

impl Values {
    /// Gets one of them wrong.
    fn spoil(&mut self, chance: u64, index: u64) {
        match chance % 12 {
            0 => self.email = format!("customer{index}(at)example.com"),
            1 => self.email = format!("customer{index}@example.com "),
            2 => self.email = format!("customer{index}.example.com"),
            3 => self.phone = format!("0049 30 {:05}", chance % 100_000),
            4 => "ask reception".clone_into(&mut self.phone),
            5 => self.born = format!("31/02/{}", 1950 + chance % 40),
            6 => self.born = format!("{}.05.{}", 1 + chance % 28, 1950 + chance % 40),
            7 => "\"1.500,00\"".clone_into(&mut self.limit),
            8 => self.status = "aktiv",
            9 => self.status = "Active",
            10 => self.status = " active",
            _ => {
                self.country = "UK";
                self.discount = "40";
            }
        }
    }
}

/// The demo's dataset of customers, where it is still there.
fn dataset_of(service: &Service) -> Option<std::sync::Arc<Dataset>> {
    let catalog = service.store().catalog();
    let tenant = catalog
        .tenants
        .values()
        .find(|it| it.name == demo::TENANT)?;
    let mut datasets = catalog.datasets.values();
    let is_it = |it: &&std::sync::Arc<Dataset>| it.name == DATASET && it.tenant == tenant.id;
    datasets.find(is_it).cloned()
}

/// Whether the import was begun at another start: its job is kept for a while, its first record for good.
async fn was_begun(service: &Service, caller: &Caller, dataset: &Dataset) -> Result<bool, Refusal> {
    let page = PageRequest::default();
    let jobs = service.list_jobs(caller, Some(&dataset.id), &page).await?;
    let is_it = |name: Option<&str>| name == Some(FILE_NAME);
    let name = |job: &service::manage::JobView| {
        let options = job.import_options.as_ref();
        is_it(options.and_then(|options| options.file_name.as_deref()))
    };
    if jobs.items.iter().any(name) {
        return Ok(true);
    }
    let path = [&*dataset.area, &*dataset.schema, &*dataset.id];
    let permit = caller
        .clone()
        .permit_dataset(Resource::Records, Verb::View, path)?;
    let first = service.record_by_key(&permit, &key_of(0)).await?;
    Ok(first.is_some())
}

/// Begins the import of so many customers by whoever runs the machine, where that was never done; whether it did.
///
/// # Errors
/// What an import is refused for.
pub(crate) async fn begin(service: &Service, count: u64) -> Result<bool, Refusal> {
    let Some(dataset) = dataset_of(service).filter(|_| count > 0) else {
        return Ok(false);
    };
    let operator = Operator::of_this_machine("fieldstone");
    let Some(caller) = service.operator(&operator, &dataset.tenant) else {
        return Ok(false);
    };
    if was_begun(service, &caller, &dataset).await? {
        return Ok(false);
    }
    let options = ImportOptions {
        mode: ImportMode::Create,
        file_name: Some(FILE_NAME.to_owned()),
        ..ImportOptions::default()
    };
    let mut upload = service.begin_import(&caller, &dataset.id, options).await?;
    let mut index = 0;
    while index < count {
        let end = (index + PIECE).min(count);
        upload.write(customers(index..end).into()).await?;
        index = end;
    }
    upload.finish().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::validate::{Checker, CodeLookup, FileFacts, Lookups, Scratch};
    use schema::{Origin, Schema};
    use std::thread::scope;

    /// How many of them the schema finds faulty.
    const FAULTY: usize = 7_928;

    /// The domain of countries, as far as the customers name them; no files.
    struct Countries;

    impl Lookups for Countries {
        fn code(&self, _: &str, code: &str) -> CodeLookup {
            let is_there = COUNTRIES.iter().any(|(country, _)| *country == code);
            if is_there {
                CodeLookup::Known
            } else {
                CodeLookup::Unknown
            }
        }

        fn file(&self, _: &str) -> Option<FileFacts> {
            None
        }
    }

    /// How many of some are faulty by the verdict of the schema, which must be those that were meant to be.
    fn faulty(numbers: std::ops::Range<u64>) -> usize {
        let document = include_str!("../../../fixtures/schemas/customer.json");
        let schema = Schema::read(document, Origin::Elsewhere).expect("a schema");
        let checker = Checker::new(&schema.schema).expect("rules");
        let (mut scratch, mut faulty) = (Scratch::new(), 0);
        let lines = customers(numbers.clone());
        for (line, index) in lines.lines().zip(numbers) {
            let is_clean = checker.judge(line.as_bytes(), Some(&Countries), &mut scratch);
            let is_clean = is_clean.expect("a record");
            assert_eq!(is_clean, !is_faulty(index), "{line}");
            faulty += usize::from(!is_clean);
        }
        faulty
    }

    #[test]
    fn of_all_customers_as_many_are_faulty_by_the_verdict_of_their_schema_as_is_told() {
        let half = COUNT / 2;
        let all = scope(|scope| {
            let first = scope.spawn(|| faulty(0..half));
            faulty(half..COUNT) + first.join().expect("a count")
        });
        assert_eq!(all, FAULTY);
        assert_eq!(faulty_among(COUNT), FAULTY);
    }

    #[test]
    fn the_readme_tells_how_many_customers_there_are_and_how_many_of_them_are_faulty() {
        let readme = include_str!("../../../README.md");
        let words: Vec<_> = readme.split_whitespace().collect();
        let told = "adds 200,000 made-up customers, 7,928 of them faulty";
        assert!(words.join(" ").contains(told), "not told: {told}");
        assert_eq!((COUNT, FAULTY), (200_000, 7_928));
    }

    #[test]
    fn the_customers_are_the_same_each_time_and_no_key_is_there_twice() {
        assert_eq!(customers(0..50), customers(0..20) + &customers(20..50));
        let text = customers(0..2_000);
        let keys: std::collections::BTreeSet<&str> = text.lines().map(|line| &line[..29]).collect();
        assert_eq!(keys.len(), 2_000);
    }
}
