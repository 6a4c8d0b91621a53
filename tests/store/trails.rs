//! The audit trail: each tenant its own, the newest first, with so many of what was refused.

use crate::catalogs::decide;
use crate::engines::{each, wait};
use crate::nouns::audit_entry;
use runtime::store::catalog::{AuditAction, AuditEntry, CatalogWrite, INCIDENTS_MAX};
use runtime::store::records::PageLimit;

#[test]
fn the_trail_keeps_so_many_incidents_of_a_tenant_and_every_change() {
    each(|folder| {
        let store = folder.open();
        let incident = |tenant: &str, id: u32| AuditEntry {
            action: AuditAction::SignInFailed,
            ..audit_entry(tenant, &id.to_string())
        };
        let mut audit = vec![audit_entry("t", "change"), incident("other", 0)];
        audit.extend((0..INCIDENTS_MAX + 3).map(|id| incident("t", id)));
        audit.push(audit_entry("t", "another change"));
        let write = CatalogWrite {
            audit,
            ..CatalogWrite::default()
        };
        decide(&*store, move |_| Ok(write.clone())).expect("nothing is against it");
        let count = usize::try_from(INCIDENTS_MAX).expect("a count");
        let trail = wait(store.audit("t", None, PageLimit::of(count + 9)));
        assert_eq!(trail.len(), count + 2);
        let ids: Vec<_> = trail.iter().map(|(_, entry)| entry.id.as_str()).collect();
        assert_eq!([ids[0], ids[count + 1]], ["another change", "change"]);
        assert_eq!([ids[1], ids[count]], ["10002", "3"]);
        assert_eq!(wait(store.audit("other", None, PageLimit::of(9))).len(), 1);
    });
}

#[test]
fn the_audit_trail_is_listed_newest_first_each_tenant_its_own() {
    each(|folder| {
        let store = folder.open();
        for n in 0..10 {
            decide(&*store, move |_| {
                let tenant = if n % 2 == 0 { "t" } else { "other" };
                Ok(CatalogWrite {
                    audit: vec![audit_entry(tenant, &n.to_string())],
                    ..CatalogWrite::default()
                })
            })
            .expect("decided");
        }
        let ids = |tenant: &str, before, limit| -> Vec<(i64, String)> {
            let entries = wait(store.audit(tenant, before, PageLimit::of(limit)));
            entries
                .into_iter()
                .map(|(n, entry)| (n, entry.id))
                .collect()
        };
        let all = ids("t", None, 100);
        let named: Vec<_> = all.iter().map(|(_, id)| id.as_str()).collect();
        assert_eq!(named, ["8", "6", "4", "2", "0"]);
        assert_eq!(ids("t", None, 2), all[..2]);
        assert_eq!(ids("t", Some(all[1].0), 2), all[2..4]);
        assert_eq!(ids("t", Some(all[4].0), 2), []);
        assert_eq!(ids("nobody", None, 9), []);
        let newest = wait(store.audit("t", None, PageLimit::of(1))).remove(0).1;
        assert_eq!(newest, audit_entry("t", "8"));
    });
}
