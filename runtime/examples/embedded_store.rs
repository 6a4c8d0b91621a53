//! A program that keeps its records in a store of its own: validated, with primary keys, versions and an
//! audit trail, and without a server.
//!
//! `cargo run -p runtime --features embed --example embedded_store -- /tmp/meters`

use runtime::embed::Embedded;
use runtime::{NaiveDate, Record};
use std::path::Path;

/// A reading of an electricity meter.
#[derive(Record)]
struct Reading {
    #[field(name = "Reading No", primary_key)]
    number: i64,
    #[field(name = "Read On", date_format = "DD$MM$YYYY", date_separator = ".")]
    read_on: NaiveDate,
    #[field(name = "Kilowatt Hours", min = 0, max = 999_999)]
    kilowatt_hours: f64,
}

/// Adds a reading to those in the folder; answers how many there are and what they sum up to.
pub(crate) async fn run(folder: &Path) -> Result<(usize, f64), Box<dyn std::error::Error>> {
    let embedded = Embedded::open(folder, "Household").await?;
    let readings = embedded.register::<Reading>("Energy", "Readings").await?;
    let before = readings.list().collect().await?;
    let reading = Reading {
        number: i64::try_from(before.len())? + 1,
        read_on: NaiveDate::from_ymd_opt(2026, 1, 31).ok_or("no such day")?,
        kilowatt_hours: 12.5,
    };
    // the same judgement as the store's, before anything is sent
    let verdict = reading.validate();
    if !verdict.is_clean() {
        return Err(verdict.to_string().into());
    }
    readings.create(&reading).await?;

    let all = readings.list().collect().await?;
    let clean = all.into_iter().filter_map(|stored| stored.record.clean());
    let amounts: Vec<f64> = clean.map(|reading| reading.kilowatt_hours).collect();
    embedded.close().await?;
    Ok((amounts.len(), amounts.iter().sum()))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("name a folder for the store")?;
    let (count, sum) = run(Path::new(&folder)).await?;
    println!("{count} readings, {sum} kWh");
    Ok(())
}
