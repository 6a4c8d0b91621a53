//! How much of the trail is read for a page of it.

use crate::admin_server::AdminServer;
use runtime::service::manage::{AuditFilter, Kind};
use runtime::service::{PageRequest, Service, Settings};
use serde_json::json;
use std::sync::Arc;
use tests::clock::SeededEntropy;
use tests::trick_store::TrickStore;

/// Entries of the trail, which are more than a page of it.
const ROLES: usize = 120;

#[test]
fn a_page_of_the_trail_reads_one_entry_more_than_it_shows() {
    let server = AdminServer::start();
    for number in 0..ROLES {
        let role = json!({"name": format!("Role {number}"), "description": "", "permissions": []});
        server.make("/roles", role);
    }
    let store = TrickStore::new(server.opened.store.clone());
    let (clock, entropy) = (server.clock.clone(), SeededEntropy::default());
    let service = Service::new(store.clone(), clock, Arc::new(entropy), Settings::default());
    let service = server.tokio.block_on(service).expect("a service");
    let caller = service.authenticate(&server.root).expect("a caller");
    let narrow = AuditFilter {
        noun: Some(Kind::Role),
        ..AuditFilter::default()
    };
    for filter in [AuditFilter::default(), narrow] {
        let (mut key, mut shown) = (None, 0);
        for _ in 0..3 {
            let page = PageRequest {
                key,
                size: Some("10".to_owned()),
            };
            let before = store.audited();
            let found = service.audit_trail(&caller, &filter, &page);
            let found = server.tokio.block_on(found).expect("a page").into_page();
            assert_eq!(found.items.len(), 10, "{filter:?}");
            assert_eq!(store.audited() - before, 11, "{filter:?}");
            shown += found.items.len();
            key = found.next_page_key;
            assert!(key.is_some(), "others follow: {filter:?}");
        }
        assert_eq!(shown, 30);
    }
}
