//! Webhooks of a service whose clock is put right: what was to be tried again by a clock that was ahead.

use crate::watched_server::{City, city};
use crate::webhook_receiver::{Receiver, told};
use crate::webhook_service::webhook;
use runtime::embed::Embedded;
use runtime::service::webhooks::{HttpCourier, WebhookParts, WebhookSettings};
use runtime::service::{Parts, Service};
use runtime::value::Clock as _;
use std::sync::Arc;
use std::time::Duration;
use tests::clock::ManualClock;
use tests::engine::{self, Opened};

const YEAR: i64 = 365 * 24 * 3600;
const HOUR: Duration = Duration::from_secs(3600);
/// An hour, and a quarter of it by chance.
const SETTINGS: WebhookSettings = WebhookSettings {
    first_pause: HOUR,
    pause_max: HOUR,
    tries_max: 9,
    dead_after: Duration::from_secs(5 * 24 * 3600),
};
/// Longer than a webhook rests between two looks at the clock.
const LOOKS: Duration = Duration::from_secs(3);

/// Waits until a webhook has tried so often in vain.
pub(crate) async fn failed(embedded: &Embedded, hook: &str, tries: u32) {
    let (service, by) = (embedded.service(), embedded.caller().expect("the operator"));
    let failing = async {
        loop {
            let delivery = service.webhook_delivery(&by, hook).await;
            if delivery.expect("it is there").tries == tries {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), failing)
        .await
        .expect("it fails");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_a_clock_put_off_for_a_year_is_tried_when_the_clock_is_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let Opened {
        store, deliveries, ..
    } = engine::open(folder.path()).await;
    let clock = Arc::new(ManualClock::default());
    let service = Service::open(Parts {
        clock: clock.clone(),
        webhooks: Some(WebhookParts {
            deliveries,
            courier: Arc::new(HttpCourier::new(true).expect("TLS")),
            settings: SETTINGS,
        }),
        ..Parts::new(store)
    });
    let service = service.await.expect("a service");
    let embedded = Embedded::within(service, "Acme").await.expect("a tenant");
    let cities = embedded.register::<City>("Places", "Cities").await;
    let cities = cities.expect("it fits");
    let (receiver, url) = Receiver::start().await;
    receiver.answer(&[500, 500]);
    let by = embedded.caller().expect("the operator");
    let hook = webhook(&embedded, &url).await.noun.id.clone();

    clock.forward(YEAR);
    cities.create(&city("Riga")).await.expect("created");
    failed(&embedded, &hook, 1).await;
    clock.forward(-YEAR);
    assert_eq!(told(&receiver.letters(2).await), ["create Riga"; 2]);
    failed(&embedded, &hook, 2).await;
    let delivery = embedded.service().webhook_delivery(&by, &hook).await;
    let since = delivery.expect("it is there").failing_since;
    assert!(
        since.is_some_and(|since| since < clock.now()),
        "it fails since next year: {since:?}"
    );

    // one that is put off for as long as any is waits until then
    tokio::time::sleep(LOOKS).await;
    assert_eq!(receiver.letters(2).await.len(), 2);
    clock.forward(2 * 3600);
    assert_eq!(told(&receiver.letters(3).await), ["create Riga"; 3]);
    embedded.close().await.expect("closed");
}
