//! Application clients: tokens are exchanged once, renewed before they run out, and replaced when the
//! service no longer takes them.

use crate::watched_server::{Instead, WatchedServer, city};
use runtime::client::{Cause, Client, ClientError, Credential};
use std::time::{Duration, Instant};

fn client(server: &WatchedServer, id: &str, secret: &str) -> Client {
    Client::new(&server.url, Credential::client(id, secret)).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_requests_share_one_token() {
    let server = WatchedServer::start().await;
    let app = server.app(3600).await;
    let path = server.cities().await.path().clone();
    let cities = client(&server, &app.noun.id, &app.secret).dataset_at(path);
    let requests: Vec<_> = (0..20)
        .map(|n| {
            let cities = cities.clone();
            tokio::spawn(async move { cities.create(&city(&format!("City {n}"))).await })
        })
        .collect();
    for request in requests {
        request.await.unwrap().unwrap();
    }
    assert_eq!(server.statuses("POST", "/oauth2/token"), [200]);
}

#[tokio::test]
async fn a_token_is_renewed_before_it_runs_out() {
    let server = WatchedServer::start().await;
    // a request that takes two seconds comes in time still
    let app = server.app(10).await;
    let client = client(&server, &app.noun.id, &app.secret);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        client.areas().collect().await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let answers = server.statuses("GET", "businessareas");
    assert!(
        answers.len() > 10 && answers.iter().all(|status| *status == 200),
        "{answers:?}"
    );
    let tokens = server.statuses("POST", "/oauth2/token").len();
    assert!(
        (2..=4).contains(&tokens),
        "{tokens} tokens in twenty seconds"
    );
}

#[tokio::test]
async fn a_renewal_that_fails_harms_nobody_while_the_token_is_good() {
    let server = WatchedServer::start().await;
    let app = server.app(20).await;
    let credential = Credential::client(&app.noun.id, &app.secret);
    let builder = runtime::client::ClientBuilder::new(&server.url, credential).attempts(1);
    let client = builder.build().unwrap();
    let start = Instant::now();
    client.areas().collect().await.unwrap();
    // from the sixteenth second on it would be renewed
    tokio::time::sleep(Duration::from_secs(17).saturating_sub(start.elapsed())).await;
    let away = Instead {
        status: 503,
        body: "",
        after: false,
    };
    server.instead("POST", "/oauth2/token", away);
    client.areas().collect().await.unwrap();
    assert_eq!(server.statuses("POST", "/oauth2/token"), [200, 503]);
    // one that says no is believed
    let (service, caller) = (server.embedded.service(), server.embedded.caller().unwrap());
    let off = service.apps().set_active(&caller, &app.noun.id, false);
    off.await.unwrap();
    let error = client.areas().collect().await.unwrap_err();
    assert!(matches!(error, ClientError::Token(_)), "{error}");
}

#[tokio::test]
async fn a_renewal_that_stands_still_holds_up_the_one_request_that_makes_it() {
    let server = WatchedServer::start().await;
    let app = server.app(30).await;
    let credential = Credential::client(&app.noun.id, &app.secret);
    let builder = runtime::client::ClientBuilder::new(&server.url, credential);
    let client = builder
        .timeout(Duration::from_millis(1500))
        .build()
        .unwrap();
    let start = Instant::now();
    client.areas().collect().await.unwrap();
    // from the twenty-fourth second on it would be renewed
    tokio::time::sleep(Duration::from_millis(24_500).saturating_sub(start.elapsed())).await;
    server.watch.lock().unwrap().held = Some(("POST", "/oauth2/token"));
    let requests: Vec<_> = (0..6)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.areas().collect().await })
        })
        .collect();
    for request in requests {
        request.await.unwrap().unwrap();
    }
    // nor does every request after it try again
    client.areas().collect().await.unwrap();
    assert_eq!(server.statuses("POST", "/oauth2/token"), [200, 0]);
    assert_eq!(server.statuses("GET", "businessareas"), [200; 8]);
}

#[tokio::test]
async fn a_token_that_is_dead_early_is_replaced_once_whatever_the_request() {
    let server = WatchedServer::start().await;
    let app = server.app(3600).await;
    let path = server.cities().await.path().clone();
    let cities = client(&server, &app.noun.id, &app.secret).dataset_at(path);
    cities.create(&city("A")).await.unwrap();
    let (service, caller) = (server.embedded.service(), server.embedded.caller().unwrap());
    for active in [false, true] {
        service
            .apps()
            .set_active(&caller, &app.noun.id, active)
            .await
            .unwrap();
    }
    cities.create(&city("B")).await.unwrap();
    assert_eq!(server.statuses("POST", "dataobjects"), [201, 401, 201]);
    assert_eq!(server.statuses("POST", "/oauth2/token"), [200, 200]);

    service
        .apps()
        .set_active(&caller, &app.noun.id, false)
        .await
        .unwrap();
    let error = cities.get("A").await.unwrap_err();
    assert!(matches!(error, ClientError::Token(_)), "{error}");
    assert_eq!(error.cause(), Some(Cause::Unauthenticated));
    assert_eq!(server.statuses("GET", "by-pk"), [401]);
}

#[tokio::test]
async fn a_wrong_credential_is_told_without_showing_it_and_not_tried_again() {
    let server = WatchedServer::start().await;
    let app = server.app(3600).await;
    let wrong = client(&server, &app.noun.id, "geheim");
    let error = wrong.areas().collect().await.unwrap_err();
    assert!(matches!(error, ClientError::Token(_)), "{error}");
    assert!(!format!("{error} {error:?} {wrong:?}").contains("geheim"));
    assert_eq!(server.statuses("POST", "/oauth2/token"), [401]);

    let wrong = Client::new(&server.url, Credential::api_key("fst_geheim")).unwrap();
    let error = wrong.areas().collect().await.unwrap_err();
    assert_eq!(error.cause(), Some(Cause::Unauthenticated));
    assert_eq!(error.refusal().unwrap().status, Some(401));
    assert!(!format!("{error} {error:?} {wrong:?}").contains("geheim"));
    assert_eq!(server.statuses("GET", "businessareas"), [401]);
}
