//! What was refused and whoever watches over a tenant should know: wrong passwords, those who ask too often, changes
//! without a session's token, bad links. They are counted together, those of one minute, cause, source and route as
//! one, and become entries of the trail when the minute is over. Their number is limited, in a minute and in all, so
//! nobody fills the disk by being refused. Whoever was refused has had its answer long before.

use crate::nouns::area_of;
use crate::source::network;
use crate::{Caller, Service};
use parking_lot::Mutex;
use serde_json::value::to_raw_value;
use std::collections::BTreeMap;
use std::net::IpAddr;
use store::StoreError;
use store::catalog::{Actor, ActorKind, AuditAction, AuditEntry, Catalog, CatalogWrite, Kind};
use wire::Timestamp;

/// Kinds of incidents of a tenant that are told apart in a minute; the rest of a cause counts as one.
const OF_MINUTE_MAX: usize = 100;
/// Milliseconds of a minute.
const MINUTE: i64 = 60_000;

/// Something that was refused.
#[derive(Debug)]
pub struct Incident<'a> {
    /// The cause: one of those that are incidents ([`AuditAction::is_incident`]).
    pub cause: AuditAction,
    /// The address it came from, where that is known.
    pub address: Option<IpAddr>,
    /// The method and the pattern of the route, where one was found.
    pub route: Option<String>,
    /// Who asked, where the credential was one.
    pub caller: Option<&'a Caller>,
    /// What it was about, where that is known.
    pub about: About,
}

/// What something that was refused was about.
#[derive(Clone, Debug, Default)]
pub enum About {
    /// The caller, or nothing that is known.
    #[default]
    Caller,
    /// The account of a user name, which nobody may have.
    Username {
        /// The name of the tenant, where it was said.
        tenant: Option<String>,
        /// The user's name.
        username: String,
    },
    /// An application client by its id, which none may have.
    App(String),
    /// The dataset that a link was of, which may not be there.
    Dataset(String),
}

/// What counts as one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Bucket {
    minute: i64,
    tenant: String,
    cause: AuditAction,
    address: Option<IpAddr>,
    route: Option<String>,
    actor: Option<(Kind, String)>,
    about: Option<(Kind, String)>,
}

/// How often, and what is remembered of the first.
struct Count {
    count: u64,
    actor: Actor,
}

/// Those that were not written yet.
#[derive(Default)]
pub(crate) struct Incidents {
    buckets: Mutex<BTreeMap<Bucket, Count>>,
}

impl Incidents {
    fn note(&self, mut bucket: Bucket, actor: Actor) {
        let mut buckets = self.buckets.lock();
        if !buckets.contains_key(&bucket) {
            let alike =
                |other: &&Bucket| other.minute == bucket.minute && other.tenant == bucket.tenant;
            if buckets.keys().filter(alike).count() >= OF_MINUTE_MAX {
                bucket = Bucket {
                    address: None,
                    route: None,
                    actor: None,
                    about: None,
                    ..bucket
                };
                let others = buckets.entry(bucket).or_insert(Count {
                    count: 0,
                    actor: unknown(),
                });
                others.count += 1;
                return;
            }
        }
        let of_bucket = buckets.entry(bucket).or_insert(Count { count: 0, actor });
        of_bucket.count += 1;
    }

    /// Takes those of minutes before this one.
    fn take(&self, minute: i64) -> BTreeMap<Bucket, Count> {
        let mut buckets = self.buckets.lock();
        let all = std::mem::take(&mut *buckets);
        let (over, rest) = all
            .into_iter()
            // one that is to come was counted before the clock was set back
            .partition(|(bucket, _)| bucket.minute != minute);
        *buckets = rest;
        over
    }
}

fn unknown() -> Actor {
    Actor {
        kind: ActorKind::Unknown,
        id: String::new(),
        name: String::new(),
        email: None,
        full_name: None,
        via: None,
        job: None,
    }
}

/// The tenant that something is of, and what it is.
fn resolve(catalog: &Catalog, about: &About) -> Option<(String, Kind, String)> {
    let of = |tenant: &String, kind, id: &str| (tenant.clone(), kind, id.to_owned());
    match about {
        About::Caller => None,
        About::Username { tenant, username } => {
            let mut tenants = catalog.tenants.values();
            let tenant = match tenant {
                Some(name) => tenants.find(|tenant| tenant.name == *name)?,
                None => tenants.next().filter(|_| catalog.tenants.len() == 1)?,
            };
            let user = catalog.user_named(&tenant.id, username);
            Some(user.map_or_else(
                || of(&tenant.id, Kind::Tenant, &tenant.id),
                |user| of(&tenant.id, Kind::User, &user.id),
            ))
        }
        About::App(id) => {
            let app = catalog.apps.get(id)?;
            Some(of(&app.tenant, Kind::App, id))
        }
        About::Dataset(id) => {
            let schema = catalog.schemas.get(&catalog.datasets.get(id)?.schema)?;
            let area = catalog.areas.get(&schema.area)?;
            Some(of(&area.tenant, Kind::Dataset, id))
        }
    }
}

/// The entry that is written of them. Its moment is the one at which it is, as that of every other entry, so that the trail is in
/// the order of its moments; which minute they are of stands in its document.
fn entry(catalog: &Catalog, bucket: Bucket, count: Count, at: Timestamp) -> AuditEntry {
    let (noun, id) = bucket
        .about
        .or(bucket.actor)
        .unwrap_or_else(|| (Kind::Tenant, bucket.tenant.clone()));
    let address = bucket.address.map(|address| address.to_string());
    let area = area_of(catalog, noun, &id).map(str::to_owned);
    AuditEntry {
        tenant: bucket.tenant,
        at,
        actor: count.actor,
        action: bucket.cause,
        noun,
        id,
        area,
        before: None,
        after: to_raw_value(&serde_json::json!({
            "count": count.count,
            "address": address,
            "route": bucket.route,
            "minute": Timestamp::from_millis(bucket.minute * MINUTE),
        }))
        .ok(),
    }
}

impl Service {
    /// Notes something that was refused. What belongs to no tenant that can be told is in the log alone, unless
    /// there is but one tenant.
    pub fn note_incident(&self, incident: Incident<'_>) {
        let catalog = self.store().catalog();
        let known = resolve(&catalog, &incident.about);
        let (about, of) = match known {
            Some((tenant, kind, id)) => (Some((kind, id)), Some(tenant)),
            None => (None, None),
        };
        let of_caller = || incident.caller.map(|caller| caller.tenant().to_owned());
        let only = || {
            let only = catalog.tenants.keys().next().cloned();
            only.filter(|_| catalog.tenants.len() == 1)
        };
        let tenant = of.or_else(of_caller).or_else(only).unwrap_or_default();
        let of_credential = |caller: &Caller| Some((caller.kind()?, caller.id().to_owned()));
        let bucket = Bucket {
            minute: self.now().millis().div_euclid(MINUTE),
            tenant,
            cause: incident.cause,
            address: incident.address.map(network),
            route: incident.route,
            actor: incident.caller.and_then(of_credential),
            about,
        };
        let actor = incident
            .caller
            .map_or_else(unknown, |caller| caller.actor().clone());
        self.incidents.note(bucket, actor);
    }

    /// Writes the incidents of the minutes that are over, and tells each in the log. [`open`](Self::open) sees to it
    /// that it is done every few seconds.
    ///
    /// # Errors
    /// When the store fails; these incidents are in the log alone then.
    pub async fn flush_incidents(&self) -> Result<(), StoreError> {
        let minute = self.now().millis().div_euclid(MINUTE);
        self.write_incidents(minute).await
    }

    /// Writes all incidents, at the end.
    pub(crate) async fn flush_all_incidents(&self) -> Result<(), StoreError> {
        self.write_incidents(i64::MAX).await
    }

    async fn write_incidents(&self, minute: i64) -> Result<(), StoreError> {
        let (mut audit, at) = (Vec::new(), self.now());
        let catalog = self.store().catalog();
        for (bucket, count) in self.incidents.take(minute) {
            tracing::warn!(
                cause = bucket.cause.as_str(),
                count = count.count,
                address = bucket.address.map(tracing::field::display),
                route = bucket.route,
                "refused"
            );
            if !bucket.tenant.is_empty() {
                audit.push(entry(&catalog, bucket, count, at));
            }
        }
        // where nothing can be written, the log has them
        if audit.is_empty() || self.store().is_read_only() {
            return Ok(());
        }
        let write = move |_: &Catalog| {
            Ok(CatalogWrite {
                audit: audit.clone(),
                ..CatalogWrite::default()
            })
        };
        self.store().decide(Box::new(write)).await.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(tenant: &str, last: u16) -> Bucket {
        Bucket {
            minute: 7,
            tenant: tenant.to_owned(),
            cause: AuditAction::SignInFailed,
            address: Some(IpAddr::from([
                10,
                0,
                last.to_be_bytes()[0],
                last.to_be_bytes()[1],
            ])),
            route: None,
            actor: None,
            about: None,
        }
    }

    #[test]
    fn a_minute_has_so_many_of_a_tenant_and_the_rest_counts_as_one() {
        let incidents = Incidents::default();
        for last in 0..1000 {
            incidents.note(bucket("a", last), unknown());
            incidents.note(bucket("a", 5), unknown());
        }
        incidents.note(bucket("b", 1), unknown());
        assert!(incidents.take(7).is_empty(), "the minute is not over");
        let taken = incidents.take(8);
        assert_eq!(taken.len(), OF_MINUTE_MAX + 2);
        let sum: u64 = taken.values().map(|count| count.count).sum();
        assert_eq!(sum, 2001);
        let others = taken.iter().find(|(bucket, _)| bucket.address.is_none());
        assert_eq!(others.map(|(_, count)| count.count), Some(900));
        assert!(incidents.take(i64::MAX).is_empty());
        incidents.note(bucket("b", 1), unknown());
        assert_eq!(incidents.take(6).len(), 1, "the clock was set back");
    }
}
