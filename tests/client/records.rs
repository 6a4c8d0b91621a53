//! What a handle does with records, over HTTP: typed, raw, faulty, stale, many.

use crate::airport::Airport;
use crate::watched_server::{City, WatchedServer, city};
use runtime::client::{Cause, ClientError};
use runtime::{Decimal, NaiveDate, Record, Typed};
use tests::fixture;

/// The first airports of the fixtures.
fn airports(count: usize) -> Vec<Airport> {
    let data = fixture("data/airport.ndjson");
    let lines = data.lines().take(count);
    lines
        .map(|line| Airport::from_json(line.as_bytes()).unwrap())
        .collect()
}

#[tokio::test]
async fn generated_types_write_and_read_through_the_server() {
    let server = WatchedServer::start().await;
    let id = server.schema("airport").await;
    assert_eq!(id, Airport::SCHEMA.id, "the operator's schema keeps its id");
    let inside = server
        .embedded
        .register::<Airport>("Places", "Airports")
        .await
        .unwrap();
    let client = server.client();
    let dataset = client
        .dataset::<Airport>("Places", "Airport", "Airports")
        .await
        .unwrap();
    assert_eq!(dataset.path(), inside.path());
    assert_eq!(dataset.differences().await.unwrap(), Vec::<String>::new());
    let check = dataset.check_types().await.unwrap();
    assert!(check.is_same && check.fits());
    assert_eq!(check.type_version, Airport::SCHEMA.version);
    let asked = client.check_types::<Airport>("Places", "Airport").await;
    assert_eq!(asked.unwrap(), check);

    let airports = airports(250);
    for airport in &airports {
        let made = dataset.create(airport).await.unwrap();
        assert_eq!(made.version, 0);
        assert!(made.record.clean().is_some_and(|record| record == *airport));
    }
    let all = dataset.list().collect().await.unwrap();
    assert_eq!(
        all.len(),
        airports.len(),
        "three pages, in order of creation"
    );
    for (stored, airport) in all.iter().zip(&airports) {
        assert!(
            stored
                .record
                .clone()
                .clean()
                .is_some_and(|record| record == *airport)
        );
        assert!(stored.unknown.is_empty());
    }
    let last = airports.last().unwrap();
    let found = dataset
        .get(&last.primary_key().unwrap())
        .await
        .unwrap()
        .unwrap();
    assert!(found.record.clean().is_some_and(|record| record == *last));
    assert!(dataset.get("ZZZZ").await.unwrap().is_none());
}

#[tokio::test]
async fn every_value_comes_back_and_an_update_replaces_what_the_type_has() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let riga = City {
        name: "Rīga \"1201\" \\ 🏙".to_owned(),
        population: Some(605_273),
        founded: NaiveDate::from_ymd_opt(1201, 8, 18),
        budget: Some(Decimal::new(105, 1)),
        twins: vec!["Bremen".to_owned(), "Kobe".to_owned()],
    };
    let made = cities.create(&riga).await.unwrap();
    assert!(made.record.clean().is_some_and(|record| record == riga));
    let smaller = City {
        twins: Vec::new(),
        budget: None,
        ..riga.clone()
    };
    let version = cities
        .update(&made.id, made.version, &smaller)
        .await
        .unwrap();
    assert_eq!(version, 1);
    // the version after a success can be sent without reading
    assert_eq!(cities.update(&made.id, version, &riga).await.unwrap(), 2);
    let stored = cities.get(&riga.name).await.unwrap().unwrap();
    assert_eq!(stored.version, 2);
    assert!(stored.record.clean().is_some_and(|record| record == riga));
}

#[tokio::test]
async fn a_record_with_faults_comes_raw_and_can_be_mended() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let made = cities
        .raw()
        .create(r#"{"Name": "Rome", "Population": -1.50}"#)
        .await
        .unwrap();
    assert_eq!(made.errors[0].name, "Population");
    cities.create(&city("Paris")).await.unwrap();

    let all = cities.list().collect().await.unwrap();
    let Typed::Faulty { json, errors } = &all[0].record else {
        panic!("it has faults");
    };
    assert!(
        json.contains(r#""Population":-1.50"#),
        "as it was sent: {json}"
    );
    assert_eq!(*errors, made.errors);
    assert!(matches!(all[1].record, Typed::Clean(_)));
    assert!(
        !format!("{all:?}").contains("-1.50"),
        "faulty values are not shown"
    );

    let error = cities
        .change("Rome", |city| city.population = Some(1))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, ClientError::Faulty(errors) if *errors == made.errors),
        "{error}"
    );
    cities
        .update_json(&made.id, 0, r#"{"Population": 2}"#)
        .await
        .unwrap();
    let stored = cities.get("Rome").await.unwrap().unwrap();
    assert_eq!(stored.record.clean().unwrap().population, Some(2));
}

#[tokio::test]
async fn a_refusal_tells_status_code_fields_and_request() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let made = cities.create(&city("Oslo")).await.unwrap();
    cities.update(&made.id, 0, &city("Oslo")).await.unwrap();

    let stale = cities.update(&made.id, 0, &city("Oslo")).await.unwrap_err();
    assert!(stale.is_version_conflict());
    let refused = stale.refusal().unwrap();
    assert_eq!(refused.status, Some(400));
    assert_eq!(
        refused.code.as_deref(),
        Some("DATA_OBJECT_VERSION_CONFLICT")
    );
    assert_eq!(refused.fields[0].name, "_version");
    assert!(refused.request_id.as_ref().is_some_and(|id| !id.is_empty()));
    assert!(
        stale.to_string().contains("DATA_OBJECT_VERSION_CONFLICT"),
        "{stale}"
    );

    let taken = cities.create(&city(" Oslo ")).await.unwrap_err();
    assert!(taken.is_duplicate_key());
    assert_eq!(taken.refusal().unwrap().fields[0].name, "Name");
    let empty = cities.create(&city(" ")).await.unwrap_err();
    assert_eq!(empty.cause(), Some(Cause::PrimaryKeyRequired));
    let unknown = cities
        .raw()
        .create(r#"{"Name": "A", "Mayor": "B"}"#)
        .await
        .unwrap_err();
    assert_eq!(unknown.cause(), Some(Cause::InvalidBody));
    assert_eq!(unknown.refusal().unwrap().fields[0].name, "Mayor");

    cities.delete(&made.id).await.unwrap();
    for gone in [
        cities.delete(&made.id).await.unwrap_err(),
        cities.update(&made.id, 1, &city("Oslo")).await.unwrap_err(),
    ] {
        assert_eq!(gone.cause(), Some(Cause::RecordNotFound));
        assert!(gone.is_not_found());
    }
    assert!(cities.get("Oslo").await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_many_writers_are_all_there() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    cities
        .create(&City {
            population: Some(0),
            ..city("Rome")
        })
        .await
        .unwrap();
    let writers: Vec<_> = (0..3)
        .map(|_| {
            let cities = cities.clone();
            tokio::spawn(async move {
                for _ in 0..10 {
                    let version = cities
                        .change("Rome", |city| {
                            city.population = city.population.map(|n| n + 1);
                        })
                        .await
                        .unwrap();
                    assert!(version.is_some());
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let stored = cities.get("Rome").await.unwrap().unwrap();
    assert_eq!(
        (stored.version, stored.record.clean().unwrap().population),
        (30, Some(30))
    );
}

#[tokio::test]
async fn lists_walk_their_pages_and_places_are_found_by_id_or_name() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    for name in ["A", "B", "C", "D", "E"] {
        cities.create(&city(name)).await.unwrap();
    }
    let client = server.builder().page_size(2).build().unwrap();
    let path = cities.path().clone();
    let all = client
        .dataset_at::<City>(path.clone())
        .list()
        .collect()
        .await
        .unwrap();
    let names: Vec<_> = all
        .into_iter()
        .map(|stored| stored.record.clean().unwrap().name)
        .collect();
    assert_eq!(names, ["A", "B", "C", "D", "E"]);
    assert_eq!(server.statuses("GET", "pageSize=2").len(), 3);

    let areas = client.areas().collect().await.unwrap();
    assert_eq!(
        areas
            .iter()
            .map(|area| area.name.as_str())
            .collect::<Vec<_>>(),
        ["Places"]
    );
    let schemas = client.schemas(&path.area).collect().await.unwrap();
    assert_eq!(schemas[0].schema_id, path.schema);
    let datasets = client
        .datasets(&path.area, &path.schema)
        .collect()
        .await
        .unwrap();
    assert_eq!(
        (datasets[0].data_set_name.as_str(), datasets[0].record_count),
        ("Cities", 5)
    );
    assert_eq!(
        client.schema(&path.area, &path.schema).await.unwrap().name,
        "City"
    );

    for [area, schema, dataset] in [
        ["Places", "City", "Cities"],
        [&path.area, &path.schema, &path.dataset],
        [&path.area, "City", &path.dataset],
    ] {
        assert_eq!(
            *client.records(area, schema, dataset).await.unwrap().path(),
            path
        );
    }
    for (names, noun) in [
        (["Nowhere", "City", "Cities"], "business area"),
        (["Places", "Town", "Cities"], "schema"),
        (["Places", "City", "cities"], "dataset"),
    ] {
        let error = client
            .records(names[0], names[1], names[2])
            .await
            .unwrap_err();
        assert!(error.to_string().contains(noun), "{error}");
        assert!(matches!(error, ClientError::Unknown { .. }));
    }
}

#[tokio::test]
async fn raw_records_need_no_type() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let raw = server
        .client()
        .records("Places", "City", "Cities")
        .await
        .unwrap();
    let made = raw
        .create(r#"{"Name": "Bern", "Budget": 1.500}"#)
        .await
        .unwrap();
    let expected = r#"{"Name":"Bern","Population":null,"Founded":null,"Budget":1.5,"Twins":null}"#;
    assert_eq!(made.json, expected);
    assert_eq!(raw.get("Bern").await.unwrap(), Some(made.clone()));
    assert_eq!(
        raw.update(&made.id, 0, "{}").await.unwrap(),
        1,
        "a change of nothing is one"
    );
    // read, change, write: the values go back as they came
    assert_eq!(raw.update(&made.id, 1, &made.json).await.unwrap(), 2);
    let all = raw.list().collect().await.unwrap();
    assert_eq!(
        (all.len(), all[0].version, all[0].json.as_str()),
        (1, 2, expected)
    );
    raw.delete(&made.id).await.unwrap();
    assert!(cities.list().collect().await.unwrap().is_empty());
}
