//! The same handles in process: same answers, same refusals, and types that find or make their schemas.

use crate::watched_server::{City, WatchedServer, city, new_key};
use runtime::Record;
use runtime::client::{Cause, Client};
use runtime::embed::{Embedded, RegisterError};
use runtime::store::catalog::{Grant, Verb, Verbs};

/// What a client tells of everything there is, as text.
async fn told(client: &Client) -> String {
    let mut told = Vec::new();
    for area in client.areas().collect().await.unwrap() {
        told.push(format!("{area:?}"));
        for schema in client
            .schemas(&area.business_area_id)
            .collect()
            .await
            .unwrap()
        {
            told.push(format!("{schema:?}"));
            told.push(
                client
                    .schema_json(&area.business_area_id, &schema.schema_id)
                    .await
                    .unwrap(),
            );
            let datasets = client.datasets(&area.business_area_id, &schema.schema_id);
            for dataset in datasets.collect().await.unwrap() {
                told.push(format!("{dataset:?}"));
                let names = [&area.name, &schema.name, &dataset.data_set_name];
                let records = client.records(names[0], names[1], names[2]).await.unwrap();
                for record in records.list().collect().await.unwrap() {
                    told.push(format!("{record:?} {}", record.json));
                }
            }
        }
    }
    told.join("\n")
}

#[tokio::test]
async fn both_transports_give_the_same_answers() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    for n in 0..120 {
        cities.create(&city(&format!("City {n}"))).await.unwrap();
    }
    cities
        .raw()
        .create(r#"{"Name": "Faulty", "Founded": "yesterday"}"#)
        .await
        .unwrap();
    let (over_http, in_process) = (
        told(&server.client()).await,
        told(&server.embedded.client()).await,
    );
    assert!(over_http.lines().count() > 120);
    assert_eq!(over_http, in_process);
    assert_eq!(
        told(&server.embedded.client_of(&server.key)).await,
        in_process
    );
}

#[tokio::test]
async fn both_transports_give_the_same_refusals() {
    let server = WatchedServer::start().await;
    let over_http = server.cities().await;
    let in_process = server.in_process(&over_http);
    let made = over_http.create(&city("Rome")).await.unwrap();
    over_http.update(&made.id, 0, &city("Rome")).await.unwrap();
    let mut both = Vec::new();
    for dataset in [&over_http, &in_process] {
        let refusals = [
            dataset.create(&city("Rome")).await.map(|_| ()),
            dataset.create(&city("")).await.map(|_| ()),
            dataset.raw().create("[]").await.map(|_| ()),
            dataset.raw().create(r#"{"No": 1}"#).await.map(|_| ()),
            dataset.update(&made.id, 0, &city("Rome")).await.map(|_| ()),
            dataset.update("none", 0, &city("Rome")).await.map(|_| ()),
            dataset.delete("none").await,
        ];
        both.push(refusals.map(|result| {
            let error = result.unwrap_err();
            let refused = error.refusal().unwrap().clone();
            let fields: Vec<String> = refused.fields.into_iter().map(|field| field.name).collect();
            (refused.cause, refused.code, fields)
        }));
    }
    assert_eq!(both[0], both[1]);
}

#[tokio::test]
async fn a_credential_has_its_own_rights_in_process_too() {
    let server = WatchedServer::start().await;
    let path = server.cities().await.path().clone();
    let (service, caller) = (server.embedded.service(), server.embedded.caller().unwrap());
    let made = new_key(&server.embedded, "reader").await;
    let mut content = runtime::service::manage::ApiKeyContent {
        name: "reader".to_owned(),
        description: String::new(),
        expires_at: runtime::service::manage::KeyExpiry::Unchanged,
        active: true,
        roles: made.noun.roles.clone(),
        grants: vec![Grant {
            area: path.area.clone(),
            verbs: Verbs::of(Verb::View),
        }],
    };
    service
        .api_keys()
        .update(&caller, &made.noun.id, content.clone())
        .await
        .unwrap();
    let cities = server
        .embedded
        .client_of(&made.secret)
        .dataset_at::<City>(path);
    assert!(cities.list().collect().await.unwrap().is_empty());
    let error = cities.create(&city("Rome")).await.unwrap_err();
    assert_eq!(error.cause(), Some(Cause::Forbidden));
    content.active = false;
    service
        .api_keys()
        .update(&caller, &made.noun.id, content)
        .await
        .unwrap();
    let error = cities.list().collect().await.unwrap_err();
    assert_eq!(error.cause(), Some(Cause::Unauthenticated));
    let unknown = server.embedded.client_of("geheim");
    let error = unknown.areas().collect().await.unwrap_err();
    assert!(!format!("{error:?} {unknown:?}").contains("geheim"));
}

mod grown {
    //! The city of a later program: one field more, one bound moved, one gone.

    #[derive(runtime::Record)]
    #[record(name = "City")]
    pub(crate) struct City {
        #[field(name = "Name", primary_key, max = 100)]
        pub(crate) name: String,
        #[field(name = "Mayor")]
        pub(crate) mayor: Option<String>,
    }
}

#[tokio::test]
#[cfg_attr(on_a_database, ignore = "what is embedded is in a folder")]
async fn a_type_is_registered_once_and_a_schema_that_does_not_fit_is_told_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let embedded = Embedded::open(folder.path(), "Tenant").await.unwrap();
    let first = embedded.register::<City>("Places", "Cities").await.unwrap();
    first.create(&city("Rome")).await.unwrap();
    let again = embedded.register::<City>("Places", "Cities").await.unwrap();
    assert_eq!(first.path(), again.path());
    let other = embedded
        .register::<City>("Places", "Villages")
        .await
        .unwrap();
    assert_eq!(first.path().schema, other.path().schema);
    assert!(other.list().collect().await.unwrap().is_empty());

    let Err(RegisterError::Differs {
        schema,
        differences,
    }) = embedded.register::<grown::City>("Places", "Cities").await
    else {
        panic!("it does not fit");
    };
    assert_eq!(schema, "City");
    assert_eq!(
        differences,
        [
            "field \"Name\": max is 300 in the schema and 100 in the type",
            "the schema has no active field \"Mayor\"",
        ]
    );
    let caller = embedded.caller().unwrap();
    let entry = &caller.catalog().schemas[&first.path().schema];
    assert_eq!(entry.versions.len(), 1);
    let grown = grown::City {
        name: "A".to_owned(),
        mayor: None,
    };
    assert_eq!(grown.primary_key().as_deref(), Some("A"));
    assert_eq!(grown.mayor, None);
}

#[tokio::test]
#[cfg_attr(on_a_database, ignore = "what is embedded is in a folder")]
async fn a_type_whose_area_was_deleted_gets_a_new_home() {
    let folder = tempfile::tempdir().unwrap();
    let embedded = Embedded::open(folder.path(), "Tenant").await.unwrap();
    let first = embedded.register::<City>("Places", "Cities").await.unwrap();
    first.create(&city("Rome")).await.unwrap();
    let (service, caller) = (embedded.service(), embedded.caller().unwrap());
    let gone = service.areas().delete(&caller, &first.path().area).await;
    gone.unwrap();
    let error = first.get("Rome").await.unwrap_err();
    assert_eq!(error.cause(), Some(Cause::NotFound));
    let second = embedded.register::<City>("Places", "Cities").await.unwrap();
    assert_ne!(first.path().area, second.path().area);
    assert!(second.get("Rome").await.unwrap().is_none());
    second.create(&city("Rome")).await.unwrap();
    let again = embedded.register::<City>("Places", "Cities").await.unwrap();
    assert_eq!(second.path(), again.path());
}

#[tokio::test]
#[cfg_attr(on_a_database, ignore = "what is embedded is in a folder")]
async fn a_closed_store_opens_again_with_all_that_was_in_it() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..3_u64 {
        let embedded = Embedded::open(folder.path(), "Tenant").await.unwrap();
        let cities = embedded.register::<City>("Places", "Cities").await.unwrap();
        cities.create(&city(&format!("City {n}"))).await.unwrap();
        assert_eq!(cities.list().collect().await.unwrap().len() as u64, n + 1);
        let locked = Embedded::open(folder.path(), "Tenant").await;
        assert!(
            matches!(locked, Err(RegisterError::Store(_))),
            "one program has the folder"
        );
        let found = cities.search("city").await.unwrap();
        assert_eq!(
            found.total,
            n + 1,
            "what was written before the last start is found too"
        );
        drop((cities, found));
        embedded.close().await.unwrap();
    }
}
