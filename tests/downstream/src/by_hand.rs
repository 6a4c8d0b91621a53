//! The airport as someone would write it who has no schema file: names, types and bounds; the docs
//! become descriptions, and ids follow from the names.

use runtime::{Latitude, Longitude, Record};

pub use crate::generated::airport::AirportCountry as Country;

/// An airport or landing strip.
#[derive(Clone, PartialEq, Record)]
pub struct Airport {
    /// Four-character location indicator.
    #[field(name = "ICAO", primary_key, sort_key, min = 4, max = 4)]
    pub icao: String,
    /// Three-letter location code.
    #[field(name = "IATA", min = 3, max = 3, alphanumeric)]
    pub iata: Option<String>,
    /// Official name.
    #[field(name = "Name", sort_key, max = 100)]
    pub name: String,
    /// City served.
    #[field(name = "City", max = 80)]
    pub city: Option<String>,
    /// State, province or region.
    #[field(name = "Subdivision", max = 60)]
    pub subdivision: Option<String>,
    /// Where it lies.
    #[field(name = "Country", picklist)]
    pub country: Country,
    /// In feet above the sea.
    #[field(name = "Elevation", min = -1_500, max = 30_000)]
    pub elevation: f64,
    /// In degrees.
    #[field(name = "Latitude")]
    pub latitude: Latitude,
    /// In degrees.
    #[field(name = "Longitude")]
    pub longitude: Longitude,
    /// Name in the IANA time zone database.
    #[field(name = "Time Zone", min = 3, max = 40)]
    pub time_zone: String,
    /// The identifier of the FAA, where it has one.
    #[field(name = "FAA LID", min = 3, max = 7)]
    pub faa_lid: Option<String>,
}
