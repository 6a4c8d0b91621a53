//! A receiver of webhooks at an address of this machine, and what the letters that came there say.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Somebody who takes letters: what came, and what is answered to the next ones, 204 if nothing is said.
#[derive(Clone, Default)]
pub(crate) struct Receiver {
    pub(crate) came: Arc<Mutex<Vec<(HeaderMap, String)>>>,
    pub(crate) answers: Arc<Mutex<VecDeque<u16>>>,
    /// Whether what came is answered only when it is not so any more.
    is_silent: Arc<AtomicBool>,
}

impl Receiver {
    /// One at an address of this machine.
    pub(crate) async fn start() -> (Self, String) {
        let receiver = Receiver::default();
        let take = async |State(own): State<Receiver>, headers: HeaderMap, body: Bytes| {
            let body = String::from_utf8(body.to_vec()).expect("UTF-8");
            own.came.lock().expect("no panic").push((headers, body));
            while own.is_silent.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let answer = own.answers.lock().expect("no panic").pop_front();
            let status = StatusCode::from_u16(answer.unwrap_or(204)).expect("a status");
            (status, [("location", "/elsewhere")])
        };
        let router = axum::Router::new().route("/", axum::routing::post(take));
        let router = router.with_state(receiver.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, router).await });
        (receiver, url)
    }

    pub(crate) fn answer(&self, statuses: &[u16]) {
        self.answers.lock().expect("no panic").extend(statuses);
    }

    /// Whether it leaves what comes unanswered.
    pub(crate) fn silent(&self, is_silent: bool) {
        self.is_silent.store(is_silent, Ordering::Relaxed);
    }

    /// So many letters, once they came.
    pub(crate) async fn letters(&self, count: usize) -> Vec<(HeaderMap, String)> {
        let all = async {
            loop {
                let came = self.came.lock().expect("no panic").clone();
                if came.len() >= count {
                    return came;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), all)
            .await
            .expect("they come")
    }
}

/// The changes of letters: each as its action and the record's name, a purge by its action alone, since it leaves no record.
pub(crate) fn told(letters: &[(HeaderMap, String)]) -> Vec<String> {
    let mut all = Vec::new();
    for (_, body) in letters {
        let body: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(body["type"], "dataobjects.changed");
        for item in body["data"]["items"].as_array().expect("items") {
            let action = item["action"].as_str().expect("a text");
            all.push(match &item["record"] {
                Value::Null => action.to_owned(),
                record => format!("{action} {}", record["Name"].as_str().expect("a text")),
            });
        }
    }
    all
}

pub(crate) fn header<'h>(letter: &'h (HeaderMap, String), name: &str) -> &'h str {
    letter.0[name].to_str().expect("a text")
}
