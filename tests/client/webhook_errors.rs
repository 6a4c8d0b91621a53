//! Why a letter did not arrive, in sentences that pages have in every language.

use crate::watched_server::city;
use crate::webhook_service::{Home, QUICK, open, webhook};
use std::time::Duration;
use tokio::net::TcpListener;

/// Why nothing arrives at a port of this machine.
async fn told(port: u16) -> String {
    let home = Home::new();
    let (embedded, cities) = open(&home, QUICK, true).await;
    let url = format!("http://127.0.0.1:{port}/hook?token=hunter2");
    let hook = webhook(&embedded, &url).await.noun.id.clone();
    cities.create(&city("Riga")).await.expect("created");
    let (service, by) = (embedded.service(), embedded.caller().expect("the operator"));
    let failing = async {
        loop {
            let found = service.webhook_delivery(&by, &hook).await;
            if let Some(error) = found.expect("it is there").error {
                return error;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let error = tokio::time::timeout(Duration::from_secs(20), failing).await;
    embedded.close().await.expect("closed");
    error.expect("it fails")
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_listens_and_where_nobody_answers_is_told_without_layers_of_programs() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let silent = tokio::spawn(async move {
        // each who comes is left at once
        while let Ok((stream, _)) = listener.accept().await {
            drop(stream);
        }
    });
    let broken = told(port).await;
    assert!(broken.starts_with("the connection broke off: "), "{broken}");
    silent.abort();
    // who listened is gone once the task has ended
    assert!(silent.await.is_err());
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
