//! What `serve` tells a newcomer: what there is, how to get in, and what to try next.

use crate::{demo, demo_customers};
use manifest::ApplyReport;
use serde_json::Value;
use service::Service;
use service::manage::Operator;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use store::Catalog;
use store::catalog::{Dataset, Resource, Verb};

/// Tells of a store without a tenant, and of the link by which the first one is made.
pub(crate) fn empty(data: &Path, is_in_database: bool, link: Option<&str>) -> String {
    let place = if is_in_database {
        "--database URL".to_owned()
    } else {
        format!("--data {}", shell_word(&data.display().to_string()))
    };
    let way = format!(
        "the store has no tenant yet; beside this server, run\n  fieldstone init {place} --tenant NAME --email ADDRESS"
    );
    let lasts = if is_in_database {
        "for a week, at each server of the database"
    } else {
        "while this server runs"
    };
    match link {
        None => way,
        Some(link) => format!(
            "{way}\nor make it in a browser, by this link, which is good once and {lasts}\n  {link}"
        ),
    }
}

/// Tells of the demo: what was just made, or how to get a new key; and how many customers a job makes up for it.
pub(crate) async fn demo(
    service: &Service,
    applied: Option<&ApplyReport>,
    url: &str,
    data: &Path,
    customers: u64,
) -> anyhow::Result<String> {
    let catalog = service.store().catalog();
    let data = shell_word(&data.display().to_string());
    let mut text = String::new();
    let (mut records, mut errored, mut datasets) = (0, 0, 0);
    for dataset in own_datasets(&catalog) {
        let counts = service.store().counts(dataset.number).await?;
        records += counts.records;
        errored += counts.errored;
        datasets += 1;
    }
    writeln!(
        text,
        "\nthe demo: {records} records in {datasets} datasets, {errored} with faults"
    )?;
    // it is begun where the demo was just made, and no second time
    if customers > 0 && applied.is_some() {
        let faulty = demo_customers::faulty_among(customers);
        writeln!(
            text,
            "a job imports {customers} made-up customers, {faulty} of them with faults"
        )?;
    }
    writeln!(text)?;
    writeln!(text, "  address   {url}")?;
    let key = tell_credentials(&mut text, applied, &data)?;
    next_steps(&mut text, service, url, key).await?;
    Ok(text)
}

/// Tells the demo's credentials where they were made just now, else how to make a key; the key that commands are shown with.
fn tell_credentials<'a>(
    text: &mut String,
    applied: Option<&'a ApplyReport>,
    data: &str,
) -> anyhow::Result<&'a str> {
    let secret = |what: &str, name: &str| {
        let step = applied.and_then(|applied| applied.step(what, name));
        step.and_then(|step| Some((step.id.as_deref()?, step.secret.as_deref()?)))
    };
    if let (Some((_, password)), Some((_, key)), Some((client, client_secret))) = (
        secret("user", "admin"),
        secret("API key", "demo"),
        secret("application client", "demo client"),
    ) {
        writeln!(text, "  sign in   user admin, password {password}")?;
        writeln!(text, "  API key   {key}")?;
        writeln!(text, "  client    id {client}, secret {client_secret}")?;
        writeln!(
            text,
            "\nnone of these is shown again. Try next, in another terminal:\n"
        )?;
        return Ok(key);
    }
    writeln!(
        text,
        "\nit was there already. Its secrets are shown once; this makes a new key:\n"
    )?;
    let tenant = demo::TENANT;
    writeln!(
        text,
        "  fieldstone key create NAME --tenant {tenant} --role MEMBER --area '*' --data {data}\n"
    )?;
    writeln!(text, "and with it, in another terminal:\n")?;
    Ok("$KEY")
}

/// The demo's datasets.
fn own_datasets(catalog: &Catalog) -> impl Iterator<Item = &Arc<Dataset>> {
    let tenant = catalog
        .tenants
        .values()
        .find(|tenant| tenant.name == demo::TENANT);
    let areas = tenant
        .into_iter()
        .flat_map(|tenant| catalog.areas_of(&tenant.id));
    let schemas = areas.flat_map(|area| catalog.schemas_of(&area.id));
    schemas.flat_map(|schema| catalog.datasets_of(&schema.id))
}

/// The key of a faulty record of the demo, and one that mends it.
const FAULTY_KEY: &str = "EDDM2";
const MENDED_KEY: &str = "ZDDM";

/// A record, as far as a change of it takes it.
struct Faulty {
    id: String,
    version: i64,
}

/// The faulty record, while nobody has mended it.
async fn faulty(service: &Service, dataset: &Dataset) -> anyhow::Result<Option<Faulty>> {
    let operator = Operator::of_this_machine("fieldstone");
    let Some(caller) = service.operator(&operator, &dataset.tenant) else {
        return Ok(None);
    };
    let path = [&*dataset.area, &*dataset.schema, &*dataset.id];
    let permit = caller.permit_dataset(Resource::Records, Verb::View, path)?;
    let Some(record) = service.record_by_key(&permit, FAULTY_KEY).await? else {
        return Ok(None);
    };
    let record: Value = serde_json::from_str(&record)?;
    let id = record["_dataObjectId"].as_str().map(str::to_owned);
    Ok(id
        .zip(record["_version"].as_i64())
        .map(|(id, version)| Faulty { id, version }))
}

/// Commands that show something at once.
async fn next_steps(
    text: &mut String,
    service: &Service,
    url: &str,
    key: &str,
) -> anyhow::Result<()> {
    let catalog = service.store().catalog();
    let quote = if key.starts_with('$') { '"' } else { '\'' };
    let curl = format!("curl -H {quote}Authorization: {key}{quote}");
    let json = "-H 'Content-Type: application/json'";
    let airports = own_datasets(&catalog).find(|dataset| dataset.name == "Airports");
    if let Some(dataset) = airports {
        let (area, schema, id) = (&dataset.area, &dataset.schema, &dataset.id);
        let datasets = format!("{url}/v1/businessareas/{area}/schemas/{schema}/datasets");
        let records = format!("{datasets}/{id}/dataobjects");
        writeln!(
            text,
            "  # an airport of Reference Data / Airport / Airports"
        )?;
        writeln!(text, "  {curl} {records}/by-pk/EDDM")?;
        if let Some(Faulty { id, version }) = faulty(service, dataset).await? {
            writeln!(
                text,
                "  # one with a fault is kept as it came, and says so in _errors"
            )?;
            writeln!(text, "  {curl} {records}/by-pk/{FAULTY_KEY}")?;
            writeln!(text, "  # how many there are: erroredRecordsCount")?;
            writeln!(text, "  {curl} {datasets}")?;
            writeln!(
                text,
                "  # mended, as of the version that was seen; the count falls by one"
            )?;
            writeln!(
                text,
                "  {curl} {json} -X PUT -d '{{\"_version\": {version}, \"ICAO\": \"{MENDED_KEY}\"}}' {records}/{id}"
            )?;
            writeln!(text, "  {curl} {datasets}")?;
        }
        writeln!(text, "  # a new one, and all that is wrong with it")?;
        writeln!(
            text,
            "  {curl} {json} -d '{{\"ICAO\": \"ZZZZ\", \"Latitude\": 91}}' {records}"
        )?;
    }
    writeln!(
        text,
        "  # a search over everything; _errors tells which hits are faulty"
    )?;
    writeln!(text, "  {curl} '{url}/v1/dataobjects/search?query=munich'")?;
    writeln!(text, "  # Rust types for a schema")?;
    writeln!(
        text,
        "  FIELDSTONE_API_KEY={key} cargo run -p generator -- fetch {url} --schema Airport --out target/airport"
    )?;
    Ok(())
}

/// A text as one word of a shell.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
