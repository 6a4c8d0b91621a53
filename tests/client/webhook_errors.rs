//! Why a letter did not arrive, in sentences that pages have in every language.

use crate::watched_server::city;
use crate::webhook_receiver::{Receiver, header, told as told_in};
use crate::webhook_service::{Home, QUICK, open, open_with, webhook};
use runtime::embed::Embedded;
use runtime::service::webhooks::{HttpCourier, WebhookSettings};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};

/// Why nothing arrives at a webhook, once it failed.
async fn error_of(embedded: &Embedded, hook: &str) -> String {
    let (service, by) = (embedded.service(), embedded.caller().expect("the operator"));
    let failing = async {
        loop {
            let found = service.webhook_delivery(&by, hook).await;
            if let Some(error) = found.expect("it is there").error {
                return error;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let error = tokio::time::timeout(Duration::from_secs(60), failing).await;
    error.expect("it fails")
}

/// Why nothing arrives at a port of this machine.
async fn told(port: u16) -> String {
    let home = Home::new();
    let (embedded, cities) = open(&home, QUICK, true).await;
    let url = format!("http://127.0.0.1:{port}/hook?token=hunter2");
    let hook = webhook(&embedded, &url).await.noun.id.clone();
    cities.create(&city("Riga")).await.expect("created");
    let error = error_of(&embedded, &hook).await;
    embedded.close().await.expect("closed");
    error
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_listens_and_where_nobody_answers_is_told_without_layers_of_programs() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        // each who comes is left at once
        while let Ok((stream, _)) = listener.accept().await {
            drop(stream);
        }
    });
    let broken = told(port).await;
    assert!(broken.starts_with("the connection broke off: "), "{broken}");
    // it is taken, so that nobody else listens there meanwhile
    let deaf = TcpSocket::new_v4().expect("a socket");
    deaf.bind("127.0.0.1:0".parse().expect("an address"))
        .expect("a port");
    let port = deaf.local_addr().expect("an address").port();
    let refused = told(port).await;
    assert!(
        refused.starts_with("there was no connection: "),
        "{refused}"
    );
    for error in [broken, refused] {
        for layer in ["client error", "error sending", "hunter2"] {
            assert!(!error.contains(layer), "{error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_a_letter_and_is_silent_is_told_so_and_gets_it_again() {
    let home = Home::new();
    let patience = Duration::from_millis(300);
    let courier = HttpCourier::of_patience(true, patience).expect("TLS");
    let settings = WebhookSettings {
        tries_max: 100,
        ..QUICK
    };
    let (embedded, cities) = open_with(&home, settings, courier).await;
    let (receiver, url) = Receiver::start().await;
    receiver.silent(true);
    let hook = webhook(&embedded, &url).await.noun.id.clone();
    cities.create(&city("Riga")).await.expect("created");
    let error = error_of(&embedded, &hook).await;
    assert_eq!(error, "it did not answer in time");

    receiver.silent(false);
    // the first one was given up, so that a second one comes, or has come and is answered now
    let letters = receiver.letters(2).await;
    assert!(told_in(&letters).iter().all(|told| told == "create Riga"));
    let id = header(&letters[0], "webhook-id");
    for letter in &letters {
        assert_eq!(header(letter, "webhook-id"), id, "it is the same letter");
    }
    embedded.close().await.expect("closed");
}
