//! A service that is away, busy or strange: what is tried again, what is not, and what is told.

use crate::world::{City, Instead, World, city};
use runtime::client::{Cause, Client, ClientError, Credential, DatasetPath};
use std::time::Duration;

fn busy() -> Instead {
    Instead {
        status: 503,
        body: r#"{"message":"busy"}"#,
        after: false,
    }
}

#[tokio::test]
async fn reading_is_tried_again_and_writing_is_not() {
    let world = World::start().await;
    let cities = world.cities().await;
    let made = cities.create(&city("Rome")).await.unwrap();
    world.instead("GET", "by-pk", busy());
    world.instead(
        "GET",
        "by-pk",
        Instead {
            status: 502,
            body: "<html>",
            after: true,
        },
    );
    assert!(cities.get("Rome").await.unwrap().is_some());
    assert_eq!(world.statuses("GET", "by-pk"), [503, 502, 200]);

    world.instead("POST", "dataobjects", busy());
    let error = cities.create(&city("Oslo")).await.unwrap_err();
    assert_eq!(error.cause(), Some(Cause::Service));
    assert!(error.to_string().contains("busy"), "{error}");
    world.instead("PUT", "dataobjects", busy());
    assert!(cities.update(&made.id, 0, &city("Rome")).await.is_err());
    world.instead(
        "DELETE",
        "dataobjects",
        Instead {
            after: true,
            ..busy()
        },
    );
    assert!(
        cities.delete(&made.id).await.is_err(),
        "whether it was done is not known"
    );
    assert_eq!(world.statuses("POST", "dataobjects"), [201, 503]);
    assert_eq!(world.statuses("PUT", "dataobjects"), [503]);
    assert_eq!(world.statuses("DELETE", "dataobjects"), [503]);
}

#[tokio::test]
async fn retries_have_an_end() {
    let world = World::start().await;
    let cities = world
        .builder()
        .attempts(2)
        .build()
        .unwrap()
        .dataset_at::<City>(world.cities().await.path().clone());
    for _ in 0..3 {
        world.instead("GET", "by-pk", busy());
    }
    assert_eq!(
        cities.get("Rome").await.unwrap_err().cause(),
        Some(Cause::Service)
    );
    assert_eq!(world.statuses("GET", "by-pk"), [503, 503]);
}

#[tokio::test]
async fn a_delete_that_met_a_write_is_tried_again() {
    let world = World::start().await;
    let cities = world.cities().await;
    let made = cities.create(&city("Rome")).await.unwrap();
    let met = Instead {
        status: 409,
        body: r#"{"code":"DATA_OBJECT_CONCURRENT_MODIFICATION","message":"met","fields":[]}"#,
        after: false,
    };
    world.instead("DELETE", "dataobjects", met);
    world.instead("DELETE", "dataobjects", met);
    cities.delete(&made.id).await.unwrap();
    assert_eq!(world.statuses("DELETE", "dataobjects"), [409, 409, 204]);
    assert!(cities.get("Rome").await.unwrap().is_none());
}

#[tokio::test]
async fn a_service_that_is_away_is_told_without_key_and_record() {
    let away = {
        // a port that was free a moment ago
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let client = Client::new(&away, Credential::api_key("geheim")).unwrap();
    let path = DatasetPath {
        area: "a".to_owned(),
        schema: "s".to_owned(),
        dataset: "d".to_owned(),
    };
    let cities = client.dataset_at::<City>(path);
    for error in [
        cities.get("Jane Doe").await.unwrap_err(),
        cities.create(&city("Jane Doe")).await.unwrap_err(),
    ] {
        assert!(
            matches!(&error, ClientError::Network { sent: false, origin, .. } if *origin == away),
            "{error:?}"
        );
        let shown = format!("{error} {error:?}");
        assert!(
            !shown.contains("geheim") && !shown.contains("Jane"),
            "{shown}"
        );
        assert!(error.to_string().contains(&away));
    }
}

#[tokio::test]
async fn a_service_that_does_not_answer_is_given_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let builder = runtime::client::ClientBuilder::new(&url, Credential::api_key("k"));
    let client = builder
        .timeout(Duration::from_millis(200))
        .attempts(1)
        .build()
        .unwrap();
    let error = client.areas().collect().await.unwrap_err();
    assert!(
        matches!(error, ClientError::Network { sent: true, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn strange_answers_are_errors_and_not_panics() {
    let world = World::start().await;
    let cities = world.cities().await;
    cities.create(&city("Rome")).await.unwrap();
    for body in [
        "",
        "null",
        "[]",
        "{",
        "<html>",
        r#"{"items":{}}"#,
        r#"{"items":[1]}"#,
        r#"{"items":[],"nextPageKey":5}"#,
        r#"{"items":[{"_dataObjectId":"x"}]}"#,
        r#"{"items":[{"_dataObjectId":"x","_version":-1,"_errors":[]}]}"#,
    ] {
        world.instead(
            "GET",
            "dataobjects",
            Instead {
                status: 200,
                body,
                after: false,
            },
        );
        assert!(cities.list().collect().await.is_err(), "{body}");
    }
    // a list that leads back to the same page would never end
    for _ in 0..2 {
        let again = Instead {
            status: 200,
            body: r#"{"items":[],"nextPageKey":"k"}"#,
            after: false,
        };
        world.instead("GET", "dataobjects", again);
    }
    let error = cities.list().collect().await.unwrap_err();
    assert!(error.to_string().contains("same page"), "{error}");
    let mut list = cities.list();
    world.instead(
        "GET",
        "dataobjects",
        Instead {
            status: 200,
            body: "{",
            after: false,
        },
    );
    assert!(list.next().await.unwrap().is_err());
    assert!(list.next().await.is_none(), "a list ends after an error");

    // no redirect takes the credential elsewhere
    world.instead(
        "GET",
        "by-pk",
        Instead {
            status: 302,
            body: "",
            after: false,
        },
    );
    assert_eq!(
        cities
            .get("Rome")
            .await
            .unwrap_err()
            .refusal()
            .unwrap()
            .status,
        Some(302)
    );
    // a 404 with a message is about the path, not the key
    let nowhere = DatasetPath {
        dataset: "none".to_owned(),
        ..cities.path().clone()
    };
    let error = world
        .client()
        .dataset_at::<City>(nowhere)
        .get("Rome")
        .await
        .unwrap_err();
    assert_eq!(error.cause(), Some(Cause::NotFound));
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_not_read() {
    let world = World::start().await;
    let path = world.cities().await.path().clone();
    let client = world.builder().answer_bytes_max(100).build().unwrap();
    let error = client
        .dataset_at::<City>(path)
        .create(&city("Rome"))
        .await
        .unwrap_err();
    assert!(
        matches!(error, ClientError::TooLong { limit: 100 }),
        "{error}"
    );
}
