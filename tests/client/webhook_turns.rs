//! Whose turn a webhook's letters are: a server that stood still while it sent one, or before it noted what became of that, takes back
//! nothing of what another one, which went on meanwhile, has noted. And what one leaves that went no further behind its note.

use crate::watched_server::{City, city};
use crate::webhook_figures::DeadLetters;
use crate::webhook_service::{QUICK, webhook};
use runtime::client::Dataset;
use runtime::embed::Embedded;
use runtime::service::webhooks::{Courier, Letter, Undelivered, WebhookParts, WebhookSettings};
use runtime::service::{Parts, Service};
use runtime::store::StoreFuture;
use runtime::store::deliveries::{DeadLetter, Deliveries, Delivery, ReadDeadLetter, ReadDelivery};
use runtime::value::Timestamp;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tests::engine::{self, Opened};

/// Longer than the pauses between tries, and than a webhook rests between two looks.
const LOOKS: Duration = Duration::from_secs(2);
const IN_TIME: Duration = Duration::from_secs(60);

/// What the server is about when it stands still until another one has brought the first letter, and gone on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    OverLetter,
    BeforeNote,
    /// And goes no further, as one that is killed there.
    BehindNote,
}

/// Brings what it is given but for the first letter.
struct Slow {
    deliveries: Arc<dyn Deliveries>,
    hook: OnceLock<String>,
    brought: Mutex<Vec<String>>,
    stands: Stands,
    has_stood: AtomicBool,
}

impl Slow {
    fn brought(&self) -> Vec<String> {
        self.brought.lock().expect("no panic").clone()
    }

    /// Stands still, once, if this is where; and has it then as another server leaves it that has brought what is under way.
    async fn stand(&self, here: Stands) {
        if self.stands != here || self.has_stood.swap(true, Ordering::Relaxed) {
            return;
        }
        let hook = self.hook.get().expect("it is told");
        let known = self.deliveries.delivery(hook).await.expect("it is read");
        let known = known.expect("it has begun");
        let position = known.batch_end.expect("where it ends is noted");
        let gone_on = Delivery {
            position,
            ..Delivery::default()
        };
        let noted = self.deliveries.note_delivery(hook, known, gone_on, None);
        assert!(noted.await.expect("it is noted"));
    }
}

impl Courier for Slow {
    fn deliver(
        &self,
        letter: Letter,
    ) -> Pin<Box<dyn Future<Output = Result<(), Undelivered>> + Send + '_>> {
        Box::pin(async move {
            let is_first = {
                let mut brought = self.brought.lock().expect("no panic");
                brought.push(letter.body);
                brought.len() == 1
            };
            if !is_first {
                return Ok(());
            }
            self.stand(Stands::OverLetter).await;
            Err(Undelivered::ForNow("too late".to_owned()))
        })
    }
}

/// The deliveries of a server that stands still before it notes something.
struct SlowNotes(Arc<Slow>);

impl Deliveries for SlowNotes {
    fn delivery(&self, webhook: &str) -> StoreFuture<'_, Option<Delivery>> {
        self.0.deliveries.delivery(webhook)
    }

    fn deliveries_of(&self, webhooks: Vec<String>) -> StoreFuture<'_, Vec<ReadDelivery>> {
        self.0.deliveries.deliveries_of(webhooks)
    }

    fn note_delivery(
        &self,
        webhook: &str,
        seen: Delivery,
        next: Delivery,
        dead: Option<DeadLetter>,
    ) -> StoreFuture<'_, bool> {
        let webhook = webhook.to_owned();
        Box::pin(async move {
            if !self.0.brought().is_empty() {
                self.0.stand(Stands::BeforeNote).await;
            }
            let deliveries = &self.0.deliveries;
            let noted = deliveries.note_delivery(&webhook, seen, next, dead).await;
            if self.0.stands == Stands::BehindNote && !self.0.brought().is_empty() {
                std::future::pending::<()>().await;
            }
            noted
        })
    }

    fn note_arrival(&self, webhook: &str, at: Timestamp) -> StoreFuture<'_, ()> {
        self.0.deliveries.note_arrival(webhook, at)
    }

    fn dead_letters(
        &self,
        webhook: &str,
        after: u64,
        max: usize,
    ) -> StoreFuture<'_, Vec<ReadDeadLetter>> {
        self.0.deliveries.dead_letters(webhook, after, max)
    }

    fn remove_dead_letter(&self, webhook: &str, number: u64) -> StoreFuture<'_, bool> {
        self.0.deliveries.remove_dead_letter(webhook, number)
    }

    fn forget_delivery(&self, webhook: &str) -> StoreFuture<'_, ()> {
        self.0.deliveries.forget_delivery(webhook)
    }
}

/// Waits until it was given so many letters.
async fn comes_to(courier: &Slow, count: usize) {
    while courier.brought().len() < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A server that stands still, with a webhook for its courier.
struct Standing {
    /// It is there for as long as the server.
    _folder: tempfile::TempDir,
    courier: Arc<Slow>,
    embedded: Embedded,
    cities: Dataset<City>,
    hook: String,
}

impl Standing {
    async fn start(stands: Stands, settings: WebhookSettings) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let Opened {
            store, deliveries, ..
        } = engine::open(folder.path()).await;
        let courier = Arc::new(Slow {
            deliveries,
            hook: OnceLock::new(),
            brought: Mutex::default(),
            stands,
            has_stood: AtomicBool::new(false),
        });
        let service = Service::open(Parts {
            webhooks: Some(WebhookParts {
                deliveries: Arc::new(SlowNotes(courier.clone())),
                courier: courier.clone(),
                settings,
            }),
            ..Parts::new(store)
        });
        let service = service.await.expect("a service");
        let embedded = Embedded::within(service, "Acme").await.expect("a tenant");
        let cities = embedded.register::<City>("Places", "Cities").await;
        let cities = cities.expect("it fits");
        let made = webhook(&embedded, "https://example.org/hook").await;
        let hook = made.noun.id.clone();
        courier.hook.set(hook.clone()).expect("once");
        Standing {
            _folder: folder,
            courier,
            embedded,
            cities,
            hook,
        }
    }

    async fn create(&self, name: &str) {
        self.cities.create(&city(name)).await.expect("created");
    }

    /// How far the webhook has come; nothing as long as it never tried.
    async fn delivery(&self) -> Option<Delivery> {
        let delivery = self.courier.deliveries.delivery(&self.hook).await;
        delivery.expect("it is read")
    }
}

/// A server that stood still takes back nothing of what another one did meanwhile.
async fn takes_nothing_back(stands: Stands) {
    let standing = Standing::start(stands, QUICK).await;
    let courier = &standing.courier;
    standing.create("Riga").await;
    let first = tokio::time::timeout(IN_TIME, comes_to(courier, 1)).await;
    first.expect("the first one is sent");
    tokio::time::sleep(LOOKS).await;
    assert_eq!(courier.brought().len(), 1, "{:?}", courier.brought());
    standing.create("Bonn").await;
    let second = tokio::time::timeout(IN_TIME, comes_to(courier, 2)).await;
    second.expect("the next one is sent");
    let brought = courier.brought();
    assert!(brought[1].contains("Bonn"), "{brought:?}");
    assert!(!brought[1].contains("Riga"), "{brought:?}");
    let told = standing.delivery().await;
    assert_eq!(told.map(|it| it.tries), Some(0));
    standing.embedded.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stood_still_over_a_letter_takes_back_nothing_of_one_that_went_on() {
    takes_nothing_back(Stands::OverLetter).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stood_still_before_its_note_takes_back_nothing_of_one_that_went_on() {
    takes_nothing_back(Stands::BeforeNote).await;
}

#[tokio::test]
async fn a_letter_that_another_server_brought_meanwhile_is_not_counted_as_given_up() {
    let dead = DeadLetters::default();
    let _listening = dead.listen();
    let settings = WebhookSettings {
        tries_max: 1,
        ..QUICK
    };
    let standing = Standing::start(Stands::BeforeNote, settings).await;
    standing.create("Riga").await;
    let first = tokio::time::timeout(IN_TIME, comes_to(&standing.courier, 1)).await;
    first.expect("it is sent");
    standing.create("Bonn").await;
    // it is sent when what became of the one before would have been noted
    let second = tokio::time::timeout(IN_TIME, comes_to(&standing.courier, 2)).await;
    second.expect("the next one is sent");
    assert_eq!(dead.count(), 0);
    standing.embedded.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_before_it_switches_a_webhook_off_leaves_it_for_the_next_turn() {
    let settings = WebhookSettings {
        tries_max: 1,
        dead_after: Duration::ZERO,
        ..QUICK
    };
    let standing = Standing::start(Stands::BehindNote, settings).await;
    standing.create("Riga").await;
    let noting = async {
        loop {
            let known = standing.delivery().await;
            if let Some(known) = known.filter(|it| it.error.is_some()) {
                return known;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let noted = tokio::time::timeout(IN_TIME, noting).await;
    let noted = noted.expect("it is noted");
    let catalog = standing.embedded.service().store().catalog();
    assert!(catalog.webhooks[&standing.hook].active);
    // by these, the next try that fails switches it off
    assert_eq!(noted.tries, 1);
    assert!(noted.failing_since.is_some(), "{noted:?}");
    standing.embedded.close().await.expect("closed");
}
