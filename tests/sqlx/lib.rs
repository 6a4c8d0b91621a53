//! Values and picklists of generated types in the columns of a real SQLite, by `sqlx`. What a column holds is read as any
//! other text: a bad one is an error, which does not repeat it.

#![cfg(test)]

#[allow(dead_code, missing_docs, unreachable_pub, reason = "a crate of its own is where it belongs")]
#[rustfmt::skip] // the generator lays it out
#[path = "../../fixtures/generated/mod.rs"]
mod generated;

use generated::airport::AirportCountry;
use runtime::{Email, FileRef, LatLng, Latitude, Longitude, Open, Phone, Picklist, Url};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Connection, Decode, Encode, Error, Row, Sqlite, Type};
use std::fmt::Debug;

trait Column:
    for<'q> Encode<'q, Sqlite> + for<'r> Decode<'r, Sqlite> + Type<Sqlite> + Send + 'static
{
}
impl<V> Column for V where
    V: for<'q> Encode<'q, Sqlite> + for<'r> Decode<'r, Sqlite> + Type<Sqlite> + Send + 'static
{
}

async fn database() -> SqliteConnection {
    SqliteConnection::connect("sqlite::memory:").await.unwrap()
}

/// A column gives back what was put into it, and holds it as this.
async fn stays<V: Column + Clone + PartialEq + Debug>(value: V, kind: &str) {
    let query =
        sqlx::query("SELECT value, typeof(value) FROM (SELECT ?1 AS value)").bind(value.clone());
    let row: SqliteRow = query.fetch_one(&mut database().await).await.unwrap();
    assert_eq!(row.get::<V, _>(0), value);
    assert_eq!(row.get::<String, _>(1), kind);
}

/// What reading a value from a column says that holds something else.
async fn refused<V: Column + Debug>(query: &'static str) -> String {
    let row: SqliteRow = sqlx::query(query)
        .fetch_one(&mut database().await)
        .await
        .unwrap();
    match row.try_get::<V, _>(0).unwrap_err() {
        Error::ColumnDecode { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}

#[tokio::test]
async fn a_column_keeps_a_value_of_each_type() {
    stays(Email::parse("ada@example.org").unwrap(), "text").await;
    stays(Url::parse("https://example.org/a").unwrap(), "text").await;
    stays(Phone::parse("+49 (30) 123-456").unwrap(), "text").await;
    stays(LatLng::parse("48.10,11.6").unwrap(), "text").await;
    stays(FileRef::new("f1"), "text").await;
    stays(Latitude::new(-90.0).unwrap(), "real").await;
    stays(Longitude::new(11.625).unwrap(), "real").await;
}

#[tokio::test]
async fn a_column_keeps_every_code_of_a_generated_picklist() {
    for country in AirportCountry::ALL {
        stays(*country, "text").await;
    }
    stays(Some(AirportCountry::De), "text").await;
    stays(None::<AirportCountry>, "null").await;
}

#[tokio::test]
async fn a_column_keeps_a_code_that_the_enum_does_not_have_where_the_type_is_open() {
    let open = |code| Open::<AirportCountry>::from_code(code).unwrap();
    assert_eq!(open("Atlantis").known(), None);
    stays(open("Atlantis"), "text").await;
    stays(Open::from(AirportCountry::De), "text").await;
    assert_eq!(
        refused::<Open<AirportCountry>>("SELECT ' '").await,
        "not a code of the picklist"
    );
}

#[tokio::test]
async fn a_column_that_holds_a_bad_value_gives_an_error_that_does_not_repeat_it() {
    let told = refused::<AirportCountry>("SELECT 'Atlantis'").await;
    assert_eq!(told, "not a code of the picklist");
    assert_eq!(refused::<AirportCountry>("SELECT 'de'").await, told);
    assert_eq!(
        refused::<Email>("SELECT 'ada'").await,
        "not an e-mail address"
    );
    assert_eq!(refused::<Latitude>("SELECT 90.5").await, "not a latitude");
    assert!(
        refused::<Email>("SELECT 5")
            .await
            .contains("mismatched types")
    );
    // SQLite would make an empty text or 0 of it
    for told in [
        refused::<AirportCountry>("SELECT NULL").await,
        refused::<Open<AirportCountry>>("SELECT NULL").await,
        refused::<FileRef>("SELECT NULL").await,
        refused::<Latitude>("SELECT NULL").await,
    ] {
        assert!(told.contains("unexpected null"), "{told}");
    }
}
