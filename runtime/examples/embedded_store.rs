//! A program that keeps its records in a store of its own: validated, with files, primary keys,
//! versions and an audit trail, and without a server.
//!
//! `cargo run -p runtime --features embed --example embedded_store -- /tmp/meters`

use runtime::embed::Embedded;
use runtime::{FileRef, NaiveDate, Record};
use std::path::Path;

/// A reading of an electricity meter.
#[derive(Clone, Record)]
struct Reading {
    #[field(name = "Reading No", primary_key)]
    number: i64,
    #[field(name = "Read On", date_format = "DD$MM$YYYY", date_separator = ".")]
    read_on: NaiveDate,
    #[field(name = "Kilowatt Hours", min = 0, max = 999_999)]
    kilowatt_hours: f64,
    #[field(name = "Bill", type = "document")]
    bill: Option<FileRef>,
}

/// Adds a reading to those in the folder; answers how many there are and what they sum up to.
pub(crate) async fn run(folder: &Path) -> Result<(usize, f64), Box<dyn std::error::Error>> {
    let embedded = Embedded::open(folder, "Household").await?;
    let readings = embedded.register::<Reading>("Energy", "Readings").await?;
    let before = readings.list().collect().await?;
    // a file is uploaded first; the record names it
    let bill = readings.upload("bill.txt", "text/plain", "12.5 kWh, 4.20 EUR");
    let reading = Reading {
        number: i64::try_from(before.len())? + 1,
        read_on: NaiveDate::from_ymd_opt(2026, 1, 31).ok_or("no such day")?,
        kilowatt_hours: 12.5,
        bill: Some(bill.await?.reference()),
    };
    // the same judgement as the store's, before anything is sent
    let verdict = reading.validate();
    if !verdict.is_clean() {
        return Err(verdict.to_string().into());
    }
    readings.create(&reading).await?;

    let all = readings.list().collect().await?;
    // what a record shows of a file is a link, good for a while
    let last = all.last().and_then(|stored| stored.record.clone().clean());
    let bill = last.and_then(|reading| reading.bill).ok_or("no bill")?;
    let text = readings.download(&bill).await?.bytes().await?;
    println!("the last bill: {}", String::from_utf8_lossy(&text));
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
