//! Jobs that wait in the middle of their work: another server works on them, whose store holds the first step that they come to.

use crate::admin_server::AdminServer;
use runtime::service::{Service, Settings};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tests::clock::SeededEntropy;
use tests::trick_store::TrickStore;

/// Another server, which works on the jobs there are and has come to the end of a first step, which its store holds.
pub(crate) fn begun(server: &AdminServer) -> (Arc<Service>, Arc<TrickStore>) {
    let store = TrickStore::new(server.opened.store.clone());
    store.hold_steps();
    let service = at_work(server, &store);
    let patience = Instant::now() + Duration::from_secs(60);
    while !store.is_step_held() {
        assert!(Instant::now() < patience, "no job is begun");
        std::thread::sleep(Duration::from_millis(1));
    }
    (service, store)
}

/// Another server, which works on the jobs there are by this store.
pub(crate) fn at_work(server: &AdminServer, store: &Arc<TrickStore>) -> Arc<Service> {
    at_work_as(server, store, Settings::default())
}

/// The same with settings of its own.
pub(crate) fn at_work_as(
    server: &AdminServer,
    store: &Arc<TrickStore>,
    settings: Settings,
) -> Arc<Service> {
    let (clock, entropy) = (server.clock.clone(), SeededEntropy::default());
    let service = Service::new(store.clone(), clock, Arc::new(entropy), settings);
    let service = Arc::new(server.tokio.block_on(service).expect("a service"));
    service.use_job_files(server.folder.path().join("jobs"));
    let inside = server.tokio.enter();
    service.start_jobs();
    drop(inside);
    service
}
