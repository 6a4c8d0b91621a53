//! Application clients: tokens are exchanged once, renewed before they run out, and replaced when the
//! service no longer takes them.

use crate::watched_server::{Instead, WatchedServer, city};
use runtime::client::{Cause, Client, ClientBuilder, ClientError, Credential};
use runtime::service::Settings;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tests::clock::ManualClock;

fn client(server: &WatchedServer, id: &str, secret: &str) -> Client {
    Client::new(&server.url, Credential::client(id, secret)).unwrap()
}

/// The time of a service and of its clients, which stands until it is set forward.
struct Time {
    service: Arc<ManualClock>,
    seconds: Arc<AtomicU64>,
}

impl Time {
    async fn serve() -> (Self, WatchedServer) {
        let time = Time {
            service: Arc::default(),
            seconds: Arc::default(),
        };
        let clock = time.service.clone();
        let server = WatchedServer::with_clock(clock, Settings::default()).await;
        (time, server)
    }

    fn client(&self, server: &WatchedServer, id: &str, secret: &str) -> ClientBuilder {
        let (start, seconds) = (Instant::now(), self.seconds.clone());
        let now = move || start + Duration::from_secs(seconds.load(Ordering::SeqCst));
        ClientBuilder::new(&server.url, Credential::client(id, secret)).clock(now)
    }

    fn forward(&self, seconds: u32) {
        self.seconds.fetch_add(seconds.into(), Ordering::SeqCst);
        self.service.forward(seconds.into());
    }
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
    const SECONDS: usize = 20;
    let (time, server) = Time::serve().await;
    // a request that takes two seconds comes in time still
    let app = server.app(10).await;
    let client = time.client(&server, &app.noun.id, &app.secret);
    let client = client.build().unwrap();
    for _ in 0..SECONDS {
        client.areas().collect().await.unwrap();
        time.forward(1);
    }
    let answers = server.statuses("GET", "businessareas");
    assert_eq!(answers, [200; SECONDS]);
    let tokens = server.statuses("POST", "/oauth2/token");
    assert_eq!(
        tokens, [200; 3],
        "at its beginning, and after 8 seconds each"
    );
}

#[tokio::test]
async fn a_renewal_that_fails_harms_nobody_while_the_token_is_good() {
    let (time, server) = Time::serve().await;
    let app = server.app(20).await;
    let builder = time.client(&server, &app.noun.id, &app.secret);
    let client = builder.attempts(1).build().unwrap();
    client.areas().collect().await.unwrap();
    // from the sixteenth second on it would be renewed
    time.forward(17);
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
    let (time, server) = Time::serve().await;
    let app = server.app(30).await;
    let builder = time.client(&server, &app.noun.id, &app.secret);
    let client = builder
        .timeout(Duration::from_millis(1500))
        .build()
        .unwrap();
    client.areas().collect().await.unwrap();
    // from the twenty-fourth second on it would be renewed
    time.forward(25);
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
