//! Whose turn a webhook's letters are: a server that stood still while it sent one takes back nothing of what another one, which went on
//! meanwhile, has noted.

use crate::watched_server::{City, city};
use crate::webhook_service::{QUICK, webhook};
use runtime::embed::Embedded;
use runtime::service::webhooks::{Courier, Letter, Undelivered, WebhookParts};
use runtime::service::{Parts, Service};
use runtime::store::deliveries::{Deliveries, Delivery};
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tests::engine::{self, Opened};

/// Longer than the pauses between tries, and than a webhook rests between two looks.
const LOOKS: Duration = Duration::from_secs(2);
const IN_TIME: Duration = Duration::from_secs(20);

/// Stands still over the first letter until another server has brought it, and gone on.
struct Slow {
    deliveries: Arc<dyn Deliveries>,
    hook: OnceLock<String>,
    brought: Mutex<Vec<String>>,
}

impl Slow {
    fn brought(&self) -> Vec<String> {
        self.brought.lock().expect("no panic").clone()
    }

    /// Has it as another server leaves it that has brought what is under way.
    async fn go_on(&self) {
        let hook = self.hook.get().expect("it is told");
        let known = self.deliveries.delivery(hook).await.expect("it is read");
        let known = known.expect("it has begun");
        let position = known.batch_end.expect("where it ends is noted");
        let gone_on = Delivery {
            position,
            ..Delivery::default()
        };
        let noted = self.deliveries.note_delivery(hook, gone_on, None);
        noted.await.expect("it is noted");
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
            self.go_on().await;
            Err(Undelivered::ForNow("too late".to_owned()))
        })
    }
}

/// Waits until it was given so many letters.
async fn comes_to(courier: &Slow, count: usize) {
    while courier.brought().len() < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stood_still_over_a_letter_takes_back_nothing_of_one_that_went_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let Opened {
        store, deliveries, ..
    } = engine::open(folder.path()).await;
    let courier = Arc::new(Slow {
        deliveries: deliveries.clone(),
        hook: OnceLock::new(),
        brought: Mutex::default(),
    });
    let service = Service::open(Parts {
        webhooks: Some(WebhookParts {
            deliveries: deliveries.clone(),
            courier: courier.clone(),
            settings: QUICK,
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

    cities.create(&city("Riga")).await.expect("created");
    let first = tokio::time::timeout(IN_TIME, comes_to(&courier, 1)).await;
    first.expect("the first one is sent");
    tokio::time::sleep(LOOKS).await;
    assert_eq!(courier.brought().len(), 1, "{:?}", courier.brought());
    cities.create(&city("Bonn")).await.expect("created");
    let second = tokio::time::timeout(IN_TIME, comes_to(&courier, 2)).await;
    second.expect("the next one is sent");
    let brought = courier.brought();
    assert!(brought[1].contains("Bonn"), "{brought:?}");
    assert!(!brought[1].contains("Riga"), "{brought:?}");
    let told = deliveries.delivery(&hook).await.expect("it is read");
    assert_eq!(told.map(|it| it.tries), Some(0));
    embedded.close().await.expect("closed");
}
