//! Searching through a handle, over HTTP and in process.

use crate::watched_server::{City, WatchedServer, city};
use runtime::client::{Cause, Search};
use runtime::service::search::WAIT_MAX;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_finds_what_was_just_written_typed_and_page_by_page() {
    let server = WatchedServer::start().await;
    let index = server.opened.index(server.folder.path()).await;
    server.embedded.service().start_search(index, WAIT_MAX);
    let cities = server.cities().await;
    let villages = server
        .embedded
        .register::<City>("Places", "Villages")
        .await
        .unwrap();
    for n in 0..5 {
        cities
            .create(&city(&format!("Neustadt {n}")))
            .await
            .unwrap();
    }
    cities.create(&city("Rome")).await.unwrap();
    villages
        .create(&city("Neustadt am Rübenberge"))
        .await
        .unwrap();

    let client = server.builder().page_size(2).build().unwrap();
    let found = client.search(Search::new("neustadt")).await.unwrap();
    assert_eq!(found.total, 6);
    assert_eq!(found.hits.collect().await.unwrap().len(), 6);
    assert_eq!(server.statuses("GET", "pageSize=2").len(), 3);

    for dataset in [
        client.dataset_at::<City>(cities.path().clone()),
        client
            .dataset::<City>("Places", "City", "Cities")
            .await
            .unwrap(),
        server.in_process(&cities),
    ] {
        let found = dataset.search("neustadt AND NOT 3").await.unwrap();
        let hits = found.hits.collect().await.unwrap();
        assert_eq!((found.total, hits.len()), (4, 4));
        for hit in hits {
            assert_eq!(
                (hit.path.clone(), hit.dataset_name.as_str()),
                (cities.path().clone(), "Cities")
            );
            let city = hit.record::<City>().unwrap().clean().unwrap();
            assert!(city.name.starts_with("Neustadt ") && city.name != "Neustadt 3");
            let stored = dataset.get(&city.name).await.unwrap().unwrap();
            assert_eq!(stored.id, hit.id);
            assert!(hit.errors.is_empty());
            assert!(
                !format!("{hit:?}").contains("Neustadt"),
                "values are not shown"
            );
        }
        let error = dataset.search("(").await.unwrap_err();
        assert_eq!(error.cause(), Some(Cause::Other), "{error}");
    }
}
