//! Webhooks of a service whose clock is put right or forward: what was to be tried again by a clock that was ahead, and the days after
//! which one is switched off.

use crate::watched_server::{City, city};
use crate::webhook_receiver::{Receiver, told};
use crate::webhook_service::{Home, switched_off, webhook};
use runtime::client::Dataset;
use runtime::embed::Embedded;
use runtime::service::webhooks::{HttpCourier, WebhookParts, WebhookSettings};
use runtime::service::{PageRequest, Parts, Service};
use runtime::value::Clock as _;
use std::sync::Arc;
use std::time::Duration;
use tests::clock::ManualClock;
use tests::engine::Opened;

const DAY: i64 = 24 * 3600;
const YEAR: i64 = 365 * DAY;
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

/// The same, and each letter is given up at once.
const ONE_TRY: WebhookSettings = WebhookSettings {
    tries_max: 1,
    ..SETTINGS
};

/// A service by a clock, with a webhook for somebody who takes letters.
struct Clocked {
    /// It is there for as long as the service.
    _home: Home,
    clock: Arc<ManualClock>,
    embedded: Embedded,
    cities: Dataset<City>,
    receiver: Receiver,
    hook: String,
}

impl Clocked {
    /// One whose receiver answers this first.
    async fn start(settings: WebhookSettings, answers: &[u16]) -> Self {
        let home = Home::new();
        let Opened {
            store, deliveries, ..
        } = home.place.open(home.folder.path()).await;
        let clock = Arc::new(ManualClock::default());
        let service = Service::open(Parts {
            clock: clock.clone(),
            webhooks: Some(WebhookParts {
                deliveries,
                courier: Arc::new(HttpCourier::new(true).expect("TLS")),
                settings,
            }),
            ..Parts::new(store)
        });
        let service = service.await.expect("a service");
        let embedded = Embedded::within(service, "Acme").await.expect("a tenant");
        let cities = embedded.register::<City>("Places", "Cities").await;
        let cities = cities.expect("it fits");
        let (receiver, url) = Receiver::start().await;
        receiver.answer(answers);
        let hook = webhook(&embedded, &url).await.noun.id.clone();
        Clocked {
            _home: home,
            clock,
            embedded,
            cities,
            receiver,
            hook,
        }
    }

    async fn create(&self, name: &str) {
        self.cities.create(&city(name)).await.expect("created");
    }

    /// Waits until so many letters were given up; the webhook is on then.
    async fn gave_up(&self, count: usize) {
        let (service, by) = (self.embedded.service(), self.embedded.caller());
        let (by, first) = (by.expect("the operator"), PageRequest::default());
        let giving_up = async {
            loop {
                let dead = service.dead_letters(&by, &self.hook, &first).await;
                if dead.expect("a page").items.len() == count {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let given_up = tokio::time::timeout(Duration::from_secs(60), giving_up).await;
        given_up.expect("it is given up");
        assert!(service.store().catalog().webhooks[&self.hook].active);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_a_clock_put_off_for_a_year_is_tried_when_the_clock_is_right() {
    let clocked = Clocked::start(SETTINGS, &[500, 500]).await;
    let Clocked {
        clock,
        embedded,
        receiver,
        hook,
        ..
    } = &clocked;
    let by = embedded.caller().expect("the operator");

    clock.forward(YEAR);
    clocked.create("Riga").await;
    failed(embedded, hook, 1).await;
    clock.forward(-YEAR);
    assert_eq!(told(&receiver.letters(2).await), ["create Riga"; 2]);
    failed(embedded, hook, 2).await;
    let delivery = embedded.service().webhook_delivery(&by, hook).await;
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
    clocked.embedded.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_is_switched_off_after_days_in_which_letter_after_letter_was_given_up() {
    let clocked = Clocked::start(ONE_TRY, &[500; 4]).await;
    for (given_up, name) in (1..).zip(["Riga", "Bonn", "Oslo"]) {
        clocked.create(name).await;
        clocked.gave_up(given_up).await;
        clocked.clock.forward(2 * DAY);
    }
    clocked.create("Kyiv").await;
    switched_off(&clocked.embedded, &clocked.hook).await;
    clocked.embedded.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_arrives_begins_the_days_anew_after_which_one_is_switched_off() {
    let answers = [500, 500, 204, 500, 500, 500];
    let clocked = Clocked::start(ONE_TRY, &answers).await;
    // the days until the next one, and how many were given up by then
    for (name, given_up, days) in [
        ("Riga", 1, 2),
        ("Bonn", 2, 1),
        ("Oslo", 2, 1),
        ("Kyiv", 3, 2),
        ("Rome", 4, 3),
    ] {
        clocked.create(name).await;
        if name == "Oslo" {
            // that it arrived is noted before the next one is sent
            clocked.receiver.letters(3).await;
        }
        clocked.gave_up(given_up).await;
        clocked.clock.forward(days * DAY);
    }
    // five days behind the first that did not arrive since
    clocked.create("Bern").await;
    switched_off(&clocked.embedded, &clocked.hook).await;
    clocked.embedded.close().await.expect("closed");
}
