//! A service with webhooks at work, as their stories have it.

use crate::watched_server::{City, city};
use crate::webhook_receiver::Receiver;
use runtime::client::Dataset;
use runtime::embed::Embedded;
use runtime::service::manage::{NewSecret, WebhookContent};
use runtime::service::webhooks::{HttpCourier, WebhookParts, WebhookSettings};
use runtime::service::{Caller, Parts, Service};
use runtime::store::catalog::Webhook;
use std::sync::Arc;
use std::time::Duration;
use tests::engine::{self, Opened, Place};

/// Pauses that no story waits for.
pub(crate) const QUICK: WebhookSettings = WebhookSettings {
    first_pause: Duration::from_millis(10),
    pause_max: Duration::from_millis(20),
    tries_max: 3,
    dead_after: Duration::from_secs(3600),
};

/// Where a service's store is.
pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) place: Place,
}

impl Home {
    pub(crate) fn new() -> Self {
        Home {
            folder: tempfile::tempdir().expect("a folder"),
            place: engine::place(),
        }
    }
}

/// A service with webhooks at work, and a dataset of cities.
pub(crate) async fn open(
    home: &Home,
    settings: WebhookSettings,
    allows_private: bool,
) -> (Embedded, Dataset<City>) {
    let courier = HttpCourier::new(allows_private).expect("TLS");
    open_with(home, settings, courier).await
}

/// The same, with who brings its letters.
pub(crate) async fn open_with(
    home: &Home,
    settings: WebhookSettings,
    courier: HttpCourier,
) -> (Embedded, Dataset<City>) {
    let Opened {
        store, deliveries, ..
    } = home.place.open(home.folder.path()).await;
    let service = Service::open(Parts {
        webhooks: Some(WebhookParts {
            deliveries,
            courier: Arc::new(courier),
            settings,
        }),
        ..Parts::new(store)
    });
    let service = service.await.expect("a service");
    let embedded = Embedded::within(service, "Acme").await.expect("a tenant");
    let cities = embedded.register::<City>("Places", "Cities").await;
    (embedded, cities.expect("it fits"))
}

/// What most stories begin with: a service with webhooks at work, a dataset of cities, and somebody who takes letters.
pub(crate) struct Hooked {
    pub(crate) home: Home,
    pub(crate) embedded: Embedded,
    pub(crate) cities: Dataset<City>,
    pub(crate) receiver: Receiver,
    /// Where the receiver is.
    pub(crate) url: String,
}

impl Hooked {
    pub(crate) async fn start(settings: WebhookSettings) -> Self {
        let home = Home::new();
        let (embedded, cities) = open(&home, settings, true).await;
        let (receiver, url) = Receiver::start().await;
        Hooked {
            home,
            embedded,
            cities,
            receiver,
            url,
        }
    }

    /// Makes a webhook of all datasets for the receiver, and tells its id.
    pub(crate) async fn webhook(&self) -> String {
        let made = webhook(&self.embedded, &self.url).await;
        made.noun.id.clone()
    }

    /// Creates a city of this name.
    pub(crate) async fn create(&self, name: &str) {
        let created = self.cities.create(&city(name)).await;
        created.expect("created");
    }

    /// Switches a webhook on or off.
    pub(crate) async fn switch(&self, hook: &str, on: bool) {
        let (service, by) = self.operator();
        let done = service.webhooks().set_active(&by, hook, on).await;
        done.expect("switched");
    }

    /// Spoils the newest change of a city, as a disk may.
    pub(crate) fn spoil_change_of(&self, name: &str) {
        let statement = format!(
            "UPDATE change_log SET actor = 'nobody'
             WHERE number = (SELECT last_change FROM records WHERE body LIKE '%{name}%')"
        );
        self.home.place.spoil(self.home.folder.path(), &statement);
    }

    /// The service, and its operator as a caller.
    pub(crate) fn operator(&self) -> (&Arc<Service>, Caller) {
        let operator = self.embedded.caller().expect("the operator");
        (self.embedded.service(), operator)
    }

    /// Ends the service.
    pub(crate) async fn close(self) {
        self.embedded.close().await.expect("closed");
    }
}

/// A webhook of all datasets.
pub(crate) fn content(embedded: &Embedded, url: &str) -> WebhookContent {
    let catalog = embedded.service().store().catalog();
    WebhookContent {
        name: "Warehouse".to_owned(),
        description: String::new(),
        url: url.to_owned(),
        datasets: catalog.datasets.keys().cloned().collect(),
        active: true,
    }
}

/// Makes that webhook.
pub(crate) async fn webhook(embedded: &Embedded, url: &str) -> NewSecret<Webhook> {
    let by = embedded.caller().expect("the operator");
    let made = embedded
        .service()
        .webhooks()
        .mint(&by, content(embedded, url));
    made.await.expect("a webhook")
}

/// Waits until a webhook is switched off.
pub(crate) async fn switched_off(embedded: &Embedded, hook: &str) {
    let off = async {
        while embedded.service().store().catalog().webhooks[hook].active {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), off)
        .await
        .expect("it is switched off");
}
