//! A service that is away, busy or strange: what is tried again, what is not, and what is told.

use crate::watched_server::{City, Instead, NOBODY, WatchedServer, city};
use runtime::client::{Cause, Client, ClientError, Credential, DatasetPath};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

fn busy() -> Instead {
    Instead {
        status: 503,
        body: r#"{"message":"busy"}"#,
        after: false,
    }
}

#[tokio::test]
async fn reading_is_tried_again_and_writing_is_not() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let made = cities.create(&city("Rome")).await.unwrap();
    server.instead("GET", "by-pk", busy());
    server.instead(
        "GET",
        "by-pk",
        Instead {
            status: 502,
            body: "<html>",
            after: true,
        },
    );
    assert!(cities.get("Rome").await.unwrap().is_some());
    assert_eq!(server.statuses("GET", "by-pk"), [503, 502, 200]);

    server.instead("POST", "dataobjects", busy());
    let error = cities.create(&city("Oslo")).await.unwrap_err();
    assert_eq!(error.cause(), Some(Cause::Service));
    assert!(error.to_string().contains("busy"), "{error}");
    server.instead("PUT", "dataobjects", busy());
    assert!(cities.update(&made.id, 0, &city("Rome")).await.is_err());
    server.instead(
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
    assert_eq!(server.statuses("POST", "dataobjects"), [201, 503]);
    assert_eq!(server.statuses("PUT", "dataobjects"), [503]);
    assert_eq!(server.statuses("DELETE", "dataobjects"), [503]);
}

#[tokio::test]
async fn retries_have_an_end() {
    let server = WatchedServer::start().await;
    let cities = server
        .builder()
        .attempts(2)
        .build()
        .unwrap()
        .dataset_at::<City>(server.cities().await.path().clone());
    for _ in 0..3 {
        server.instead("GET", "by-pk", busy());
    }
    assert_eq!(
        cities.get("Rome").await.unwrap_err().cause(),
        Some(Cause::Service)
    );
    assert_eq!(server.statuses("GET", "by-pk"), [503, 503]);
}

#[tokio::test]
async fn a_delete_that_met_a_write_is_tried_again() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let made = cities.create(&city("Rome")).await.unwrap();
    let met = Instead {
        status: 409,
        body: r#"{"code":"DATA_OBJECT_CONCURRENT_MODIFICATION","message":"met","fields":[]}"#,
        after: false,
    };
    server.instead("DELETE", "dataobjects", met);
    server.instead("DELETE", "dataobjects", met);
    cities.delete(&made.id).await.unwrap();
    assert_eq!(server.statuses("DELETE", "dataobjects"), [409, 409, 204]);
    assert!(cities.get("Rome").await.unwrap().is_none());
}

#[tokio::test]
async fn a_service_that_is_away_is_told_without_key_and_record() {
    let away = NOBODY;
    let client = Client::new(away, Credential::api_key("geheim")).unwrap();
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
            matches!(&error, ClientError::Network { sent: false, origin, .. } if origin == away),
            "{error:?}"
        );
        let shown = format!("{error} {error:?}");
        assert!(
            !shown.contains("geheim") && !shown.contains("Jane"),
            "{shown}"
        );
        assert!(error.to_string().contains(away));
    }
}

#[tokio::test]
async fn a_service_that_does_not_answer_is_given_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let builder = runtime::client::ClientBuilder::new(&url, Credential::api_key("k"));
    let client = builder
        .timeout(Duration::from_secs(2))
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
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
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
        server.instead(
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
        server.instead("GET", "dataobjects", again);
    }
    let error = cities.list().collect().await.unwrap_err();
    assert!(error.to_string().contains("same page"), "{error}");
    // nor would one that leads round
    for key in ["A", "B", "A", "B"] {
        let body = match key {
            "A" => r#"{"items":[],"nextPageKey":"A"}"#,
            _ => r#"{"items":[],"nextPageKey":"B"}"#,
        };
        let again = Instead {
            status: 200,
            body,
            after: false,
        };
        server.instead("GET", "dataobjects", again);
    }
    let error = cities.list().collect().await.unwrap_err();
    assert!(error.to_string().contains("same page"), "{error}");
    let mut list = cities.list();
    server.instead(
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
    server.instead(
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
    let error = server
        .client()
        .dataset_at::<City>(nowhere)
        .get("Rome")
        .await
        .unwrap_err();
    assert_eq!(error.cause(), Some(Cause::NotFound));
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_not_read() {
    let server = WatchedServer::start().await;
    let path = server.cities().await.path().clone();
    let client = server.builder().answer_bytes_max(100).build().unwrap();
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

#[tokio::test]
async fn an_answer_that_breaks_off_is_told_as_one() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = vec![0; 4096];
        let _ = stream.read(&mut head).await.unwrap();
        let part = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"item";
        stream.write_all(part).await.unwrap();
        stream.shutdown().await.unwrap();
    });
    let builder = runtime::client::ClientBuilder::new(&url, Credential::api_key("k"));
    let client = builder.attempts(1).build().unwrap();
    let error = client.areas().collect().await.unwrap_err();
    assert!(
        matches!(error, ClientError::Network { answered: true, .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("broke off"), "{error}");
}
