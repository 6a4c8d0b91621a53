//! From where on a webhook is sent what: datasets that it gets and loses, and what a stop broke off.

use crate::watched_server::{City, city};
use crate::webhook_receiver::{header, told};
use crate::webhook_service::{Hooked, QUICK, content, open, webhook};
use runtime::embed::Embedded;
use runtime::service::manage::WebhookContent;

/// Gives a webhook these datasets, by their names, and switches it on or off.
async fn give(embedded: &Embedded, (hook, url): (&str, &str), names: &[&str], active: bool) {
    let (service, by) = (embedded.service(), embedded.caller().expect("the operator"));
    let catalog = service.store().catalog();
    let named = |name: &&str| {
        let mut all = catalog.datasets.values();
        let found = all.find(|dataset| dataset.name == **name);
        found.expect("a dataset").id.clone()
    };
    let content = WebhookContent {
        datasets: names.iter().map(named).collect(),
        active,
        ..content(embedded, url)
    };
    let done = service.webhooks().update(&by, hook, content).await;
    done.expect("changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dataset_that_is_added_is_sent_from_then_on_while_changes_of_another_wait() {
    let Hooked {
        home: _home,
        embedded,
        cities,
        receiver,
        url,
    } = Hooked::start(QUICK).await;
    let more = embedded.register::<City>("Places", "More").await;
    let more = more.expect("it fits");
    let hook = webhook(&embedded, &url).await.noun.id.clone();
    let hook = (&*hook, &*url);

    give(&embedded, hook, &["Cities"], false).await;
    more.create(&city("before")).await.expect("created");
    cities.create(&city("Riga")).await.expect("created");
    more.create(&city("between")).await.expect("created");
    give(&embedded, hook, &["Cities", "More"], true).await;
    more.create(&city("Oslo")).await.expect("created");
    let letters = receiver.letters(2).await;
    assert_eq!(told(&letters), ["create Riga", "create Oslo"]);

    // one that comes back begins anew, and one that stays goes on
    give(&embedded, hook, &["Cities"], false).await;
    cities.create(&city("Bonn")).await.expect("created");
    more.create(&city("away")).await.expect("created");
    give(&embedded, hook, &["More", "Cities"], true).await;
    more.create(&city("Kyiv")).await.expect("created");
    let letters = receiver.letters(4).await;
    assert_eq!(told(&letters[2..]), ["create Bonn", "create Kyiv"]);
    embedded.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_a_stop_broke_off_comes_again_under_its_id_without_what_was_written_since() {
    let Hooked {
        home,
        embedded,
        cities,
        receiver,
        url,
    } = Hooked::start(QUICK).await;
    webhook(&embedded, &url).await;
    receiver.silent(true);
    cities.create(&city("Riga")).await.expect("created");
    receiver.letters(1).await;
    cities.create(&city("Bonn")).await.expect("created");
    embedded.close().await.expect("closed");
    receiver.silent(false);
    drop(cities);
    let (embedded, _cities) = open(&home, QUICK, true).await;
    let letters = receiver.letters(3).await;
    let meant = ["create Riga", "create Riga", "create Bonn"];
    assert_eq!(told(&letters), meant);
    let ids: Vec<_> = letters.iter().map(|it| header(it, "webhook-id")).collect();
    assert!(ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");
    embedded.close().await.expect("closed");
}
