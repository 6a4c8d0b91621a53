//! What a webhook is sent of several datasets, while others write. How letters are sent, the suite of clients shows.

use crate::test_server::TestServer;
use crate::tricks::tricky;
use runtime::service::webhooks::{Courier, Letter, Undelivered, WebhookParts, WebhookSettings};
use runtime::store::Records as _;
use runtime::store::catalog::Webhook;
use runtime::store::records::{Change, NewContent, Write, WriteVerdict};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tests::trick_store::by_someone;

/// Notes what is sent.
#[derive(Default)]
struct Noting(Mutex<String>);

impl Courier for Noting {
    fn deliver(
        &self,
        letter: Letter,
    ) -> Pin<Box<dyn Future<Output = Result<(), Undelivered>> + Send + '_>> {
        self.0
            .lock()
            .expect("no panic holds it")
            .push_str(&letter.body);
        Box::pin(std::future::ready(Ok(())))
    }
}

pub(crate) fn created(dataset: u32, key: &str) -> Write {
    let content = NewContent {
        body: format!(r#"{{"Code":"{key}","Name":"N"}}"#),
        primary_key: Some(key.to_owned()),
        schema_version: 1,
        errors: None,
        hidden: None,
    };
    by_someone(dataset, Change::Create { nonce: 1, content })
}

/// A webhook of some datasets of a server whose first change it does not tell.
fn hook(server: &TestServer, datasets: &[&String]) -> Webhook {
    let added = datasets.iter().map(|id| (String::clone(id), 1));
    Webhook {
        id: "01890000-0000-7000-8000-000000000001".to_owned(),
        tenant: server.names.tenant.clone(),
        name: "Both".to_owned(),
        description: String::new(),
        url: "https://example.org/hook".to_owned(),
        secret: format!("whsec_{}=", "A".repeat(43)),
        datasets: datasets.iter().copied().cloned().collect(),
        active: true,
        begins_behind: 1,
        added_behind: added.collect(),
        stamp: server.stamp(),
    }
}

/// Puts webhooks to work, and waits until the creations of these keys were sent.
fn require_sent(server: &TestServer, keys: [&str; 2]) {
    let courier = Arc::new(Noting::default());
    let inside = server.runtime.enter();
    server.service.use_webhooks(WebhookParts {
        deliveries: server.opened().deliveries.clone(),
        courier: courier.clone(),
        settings: WebhookSettings::default(),
    });
    drop(inside);
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let told = courier.0.lock().expect("no panic holds it").clone();
        let is_told = |key: &str| told.contains(&format!(r#""Code":"{key}""#));
        if keys.into_iter().all(is_told) {
            break;
        }
        assert!(Instant::now() < until, "{told}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// It looks at one dataset after the other: the change of the first one is older than that of the second one.
#[test]
fn a_webhook_passes_by_no_change_that_is_written_while_its_datasets_are_looked_at() {
    let (server, store) = tricky();
    let datasets = [&server.names.dataset, &server.names.other_dataset];
    store.put_before_write(vec![hook(&server, &datasets).into()]);
    server.created(r#"{"Code":"0","Name":"N"}"#);

    let catalog = server.service.store().catalog();
    let [first, second] = datasets.map(|id| catalog.datasets[id].number);
    store.write_behind_changes(vec![created(first, "1"), created(second, "2")]);
    require_sent(&server, ["1", "2"]);
}

#[test]
fn a_webhook_passes_by_no_change_of_a_dataset_that_another_server_gave_it_just_now() {
    let (server, store) = tricky();
    let datasets = [&server.names.dataset, &server.names.other_dataset];
    let [first, second] = datasets;
    store.put_before_write(vec![hook(&server, &[first]).into()]);
    server.created(r#"{"Code":"0","Name":"N"}"#);

    let catalog = server.service.store().catalog();
    store.hold_catalog_back();
    store.put_before_write(vec![hook(&server, &datasets).into()]);
    // the change of the dataset that is new to it is older than that of the one that it has
    for (dataset, key) in [(second, "2"), (first, "1")] {
        let write = created(catalog.datasets[dataset].number, key);
        let verdict = server.runtime.block_on(store.write(write));
        let verdict = verdict.expect("it is written");
        assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
    }
    assert!(store.is_catalog_held_back());
    require_sent(&server, ["1", "2"]);
}
