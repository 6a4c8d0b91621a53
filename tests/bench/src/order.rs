//! The record that is read in every race: an order of 20 fields of mixed types, once as a record of
//! ours and once as serde's derive reads it. Schema and record stand in `fixtures/bench`.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, ParseResult};
use rust_decimal::Decimal;
use serde::de::{Deserializer, Error, Visitor};
use std::fmt;

/// A customer's order on its way; the record that benchmarks read.
#[derive(Clone, PartialEq, runtime::Record)]
pub struct Order {
    /// Printed on the invoice.
    #[field(name = "Order Number", primary_key, alphanumeric, min = 6, max = 12)]
    pub order_number: String,
    /// Who ordered, by name.
    #[field(name = "Customer", min = 1, max = 80)]
    pub customer: String,
    /// Where the customer is told of the order.
    #[field(name = "Email", pii, max = 120)]
    pub email: runtime::Email,
    /// The carrier's page about the parcel.
    #[field(name = "Tracking Page", max = 200)]
    pub tracking_page: runtime::Url,
    /// Where the carrier calls.
    #[field(name = "Phone", pii)]
    pub phone: runtime::Phone,
    /// How many things are in it.
    #[field(name = "Items", min = 1, max = 999)]
    pub items: i64,
    /// What it weighs, in kilograms.
    #[field(name = "Weight (kg)", min = 0, max = 5000)]
    pub weight: f64,
    /// What it costs in all.
    #[field(name = "Total", min = 0)]
    pub total: Decimal,
    /// Whether it is wrapped as a present.
    #[field(name = "Gift", booleans = "Y/N")]
    pub gift: bool,
    /// The day of the order.
    #[field(name = "Ordered On", date_format = "DD$MM$YYYY", date_separator = "/")]
    pub ordered_on: NaiveDate,
    /// The day it is promised for.
    #[field(name = "Due On", date_format = "DD$MMM$YYYY", date_separator = " ")]
    pub due_on: NaiveDate,
    /// When it left the warehouse.
    #[field(
        name = "Dispatched",
        date_format = "DD$MM$YYYY",
        date_separator = ".",
        time_format = "hh:mm:ss a"
    )]
    pub dispatched: NaiveDateTime,
    /// When the carrier comes for it.
    #[field(name = "Pick-up Time", time_format = "HH:mm")]
    pub pick_up_time: NaiveTime,
    /// How far it is.
    #[field(name = "Status", picklist)]
    pub status: Status,
    /// Where it goes, north of the equator.
    #[field(name = "Latitude")]
    pub latitude: runtime::Latitude,
    /// Where it goes, east of Greenwich.
    #[field(name = "Longitude")]
    pub longitude: runtime::Longitude,
    /// Where it was packed.
    #[field(name = "Warehouse")]
    pub warehouse: runtime::LatLng,
    /// Words to find it by.
    #[field(name = "Tags", max = 30)]
    pub tags: Vec<String>,
    /// What the customer asks for.
    #[field(name = "Note", max = 500)]
    pub note: Option<String>,
    /// Where the carrier calls if nobody answers.
    #[field(name = "Second Phone")]
    pub second_phone: Option<runtime::Phone>,
}

/// How far an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, runtime::Picklist)]
pub enum Status {
    /// Not looked at yet.
    #[code("NEW")]
    New,
    /// Money is here.
    #[code("PAID")]
    Paid,
    /// Ready for the carrier.
    #[code("PACKED")]
    Packed,
    /// With the carrier.
    #[code("SENT")]
    Sent,
    /// With the customer.
    #[code("DONE")]
    Done,
    /// Returned.
    #[code("BACK")]
    Back,
}

/// The same order for serde's derive, which believes every text it reads. Where ours has a type of
/// its own for a text, this one has the bare text, which is the least work.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub struct Plain {
    /// Printed on the invoice.
    #[serde(rename = "Order Number")]
    pub order_number: String,
    /// Who ordered, by name.
    #[serde(rename = "Customer")]
    pub customer: String,
    /// Where the customer is told of the order.
    #[serde(rename = "Email")]
    pub email: String,
    /// The carrier's page about the parcel.
    #[serde(rename = "Tracking Page")]
    pub tracking_page: String,
    /// Where the carrier calls.
    #[serde(rename = "Phone")]
    pub phone: String,
    /// How many things are in it.
    #[serde(rename = "Items")]
    pub items: i64,
    /// What it weighs, in kilograms.
    #[serde(rename = "Weight (kg)")]
    pub weight: f64,
    /// What it costs in all.
    #[serde(rename = "Total")]
    pub total: Decimal,
    /// Whether it is wrapped as a present.
    #[serde(rename = "Gift")]
    pub gift: bool,
    /// The day of the order.
    #[serde(rename = "Ordered On", deserialize_with = "ordered_on")]
    pub ordered_on: NaiveDate,
    /// The day it is promised for.
    #[serde(rename = "Due On", deserialize_with = "due_on")]
    pub due_on: NaiveDate,
    /// When it left the warehouse.
    #[serde(rename = "Dispatched", deserialize_with = "dispatched")]
    pub dispatched: NaiveDateTime,
    /// When the carrier comes for it.
    #[serde(rename = "Pick-up Time", deserialize_with = "pick_up_time")]
    pub pick_up_time: NaiveTime,
    /// How far it is.
    #[serde(rename = "Status")]
    pub status: PlainStatus,
    /// Where it goes, north of the equator.
    #[serde(rename = "Latitude")]
    pub latitude: f64,
    /// Where it goes, east of Greenwich.
    #[serde(rename = "Longitude")]
    pub longitude: f64,
    /// Where it was packed.
    #[serde(rename = "Warehouse")]
    pub warehouse: String,
    /// Words to find it by.
    #[serde(rename = "Tags")]
    pub tags: Vec<String>,
    /// What the customer asks for.
    #[serde(rename = "Note")]
    pub note: Option<String>,
    /// Where the carrier calls if nobody answers.
    #[serde(rename = "Second Phone")]
    pub second_phone: Option<String>,
}

/// The same codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub enum PlainStatus {
    /// Not looked at yet.
    #[serde(rename = "NEW")]
    New,
    /// Money is here.
    #[serde(rename = "PAID")]
    Paid,
    /// Ready for the carrier.
    #[serde(rename = "PACKED")]
    Packed,
    /// With the carrier.
    #[serde(rename = "SENT")]
    Sent,
    /// With the customer.
    #[serde(rename = "DONE")]
    Done,
    /// Returned.
    #[serde(rename = "BACK")]
    Back,
}

fn ordered_on<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    parsed(deserializer, |text| {
        NaiveDate::parse_from_str(text, "%d/%m/%Y")
    })
}

fn due_on<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    parsed(deserializer, |text| {
        NaiveDate::parse_from_str(text, "%d %b %Y")
    })
}

fn dispatched<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDateTime, D::Error> {
    parsed(deserializer, |text| {
        NaiveDateTime::parse_from_str(text, "%d.%m.%Y %I:%M:%S %P")
    })
}

fn pick_up_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveTime, D::Error> {
    parsed(deserializer, |text| {
        NaiveTime::parse_from_str(text, "%H:%M")
    })
}

/// Parses a text where it stands, without a copy of it.
fn parsed<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    parse: impl FnOnce(&str) -> ParseResult<T>,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(Parsed(parse))
}

struct Parsed<F>(F);

impl<T, F: FnOnce(&str) -> ParseResult<T>> Visitor<'_> for Parsed<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a date or a time")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }
}
