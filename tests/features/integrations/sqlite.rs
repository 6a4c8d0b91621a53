//! Values and picklists in columns of SQLite.

use crate::generated::airport::AirportCountry;
use runtime::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Picklist, Url};
use rusqlite::types::{FromSql, ToSql};
use rusqlite::{Connection, Error};
use std::fmt::Debug;

/// What a column gives back of what was put into it, and SQLite's name of what it holds.
fn through_a_column<V: ToSql + FromSql>(value: &V) -> (V, String) {
    let database = Connection::open_in_memory().unwrap();
    let query = "SELECT value, typeof(value) FROM (SELECT ?1 AS value)";
    database
        .query_row(query, [value], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
}

fn stays<V: ToSql + FromSql + PartialEq + Debug>(value: V, kind: &str) {
    assert_eq!(through_a_column(&value), (value, kind.to_owned()));
}

/// What reading a value from a column says that holds something else.
fn refused<V: FromSql + Debug>(expression: &str) -> String {
    let database = Connection::open_in_memory().unwrap();
    let read = database.query_row(&format!("SELECT {expression}"), [], |row| {
        row.get::<_, V>(0)
    });
    match read.unwrap_err() {
        Error::FromSqlConversionFailure(_, _, cause) => cause.to_string(),
        other => other.to_string(),
    }
}

#[test]
fn a_column_keeps_a_value_of_each_type() {
    stays(Email::parse("ada@example.org").unwrap(), "text");
    stays(Url::parse("https://example.org/a").unwrap(), "text");
    stays(Phone::parse("+49 (30) 123-456").unwrap(), "text");
    stays(LatLng::parse("48.10,11.6").unwrap(), "text");
    stays(FileRef::new("f1"), "text");
    stays(Latitude::new(-90.0).unwrap(), "real");
    stays(Longitude::new(11.625).unwrap(), "real");
}

#[test]
fn a_column_keeps_every_code_of_a_generated_picklist() {
    for country in AirportCountry::ALL {
        stays(*country, "text");
    }
    stays(Some(AirportCountry::De), "text");
    stays(None::<AirportCountry>, "null");
}

#[test]
fn a_column_that_holds_a_bad_value_gives_an_error_that_does_not_repeat_it() {
    let told = refused::<AirportCountry>("'Atlantis'");
    assert_eq!(told, "not a code of the picklist");
    assert_eq!(refused::<AirportCountry>("'de'"), told);
    assert_eq!(refused::<Email>("'ada'"), "not an e-mail address");
    assert_eq!(refused::<Latitude>("90.5"), "not a latitude");
    assert!(refused::<Email>("5").contains("Invalid column type"));
    assert!(refused::<AirportCountry>("NULL").contains("Invalid column type"));
}
