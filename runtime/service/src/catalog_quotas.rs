//! What a tenant may have of the catalog, which is in memory as a whole: bytes of schemas and data domains, and a number of
//! resources of each kind. A change is held to it when it is decided. docs/interface.md, "Quotas".

use crate::quota::{Quota, Quotas};
use crate::quota_rooms::require;
use crate::{Caller, Refusal, Service};
use store::catalog::{
    ApiKey, App, Area, Catalog, Dataset, Domain, Noun, Role, Row, SchemaEntry, User, Webhook,
};

/// Refuses rows of a tenant that would be more than it may have. What takes less than before is never refused.
///
/// # Errors
/// [`Refusal::QuotaExceeded`].
pub(crate) fn require_room(
    (catalog, tenant): (&Catalog, &str),
    quotas: &Quotas,
    put: &[Noun],
) -> Result<(), Refusal> {
    for kind in KINDS {
        kind.require(catalog, tenant, put, (Quota::Resources, quotas.resources))?;
    }
    let webhooks = (Quota::Webhooks, quotas.webhooks);
    CountedKind::of::<Webhook>().require(catalog, tenant, put, webhooks)?;
    let (mut before, mut after) = (0, 0);
    for noun in put {
        match noun {
            Noun::Schema(new) => {
                after += living_bytes(new);
                let old = catalog.schemas.get(&new.id);
                before += old.map_or(0, |old| living_bytes(old));
            }
            Noun::Domain(new) => {
                after += new.bytes();
                before += catalog.domains.get(&new.id).map_or(0, |old| old.bytes());
            }
            _ => {}
        }
    }
    if after <= before {
        return Ok(());
    }
    let quota = quotas.catalog_bytes;
    let used = bytes(catalog, tenant, quota);
    require(Quota::CatalogBytes, quota, used, after - before)
}

/// Kinds of which a tenant may have so many resources each.
const KINDS: [CountedKind; 8] = [
    CountedKind::of::<Area>(),
    CountedKind::of::<SchemaEntry>(),
    CountedKind::of::<Dataset>(),
    CountedKind::of::<Domain>(),
    CountedKind::of::<Role>(),
    CountedKind::of::<User>(),
    CountedKind::of::<ApiKey>(),
    CountedKind::of::<App>(),
];

/// A kind of resources that are counted.
struct CountedKind {
    /// How many of them count: [`number`].
    number: fn(&Catalog, &str, u64) -> u64,
    /// How many of these rows make one.
    new: fn(&Catalog, &[Noun]) -> usize,
}

impl CountedKind {
    const fn of<N: Row>() -> Self {
        CountedKind {
            number: number::<N>,
            new: new::<N>,
        }
    }

    fn require(
        &self,
        catalog: &Catalog,
        tenant: &str,
        put: &[Noun],
        (what, quota): (Quota, u64),
    ) -> Result<(), Refusal> {
        match (self.new)(catalog, put) as u64 {
            0 => Ok(()),
            new => require(what, quota, (self.number)(catalog, tenant, quota), new),
        }
    }
}

/// How many of these rows make a resource of a kind.
fn new<N: Row>(catalog: &Catalog, put: &[Noun]) -> usize {
    let own = put.iter().filter(|noun| noun.kind() == N::KIND);
    own.filter(|noun| !N::all(catalog).contains_key(&noun.key().id))
        .count()
}

/// Resources of a kind that count: those that are not deleted, and what those that are have beyond the quota, since nothing
/// else bounds what is made and deleted again and again.
pub(crate) fn number<N: Row>(catalog: &Catalog, tenant: &str, quota: u64) -> u64 {
    let own = N::all(catalog).values().filter(|it| it.tenant() == tenant);
    let (living, deleted) = own.fold((0, 0_u64), |(living, deleted), it| {
        let is_deleted = u64::from(it.is_deleted());
        (living + 1 - is_deleted, deleted + is_deleted)
    });
    living + deleted.saturating_sub(quota)
}

/// The number of resources of the kind that has most.
pub(crate) fn resources(catalog: &Catalog, tenant: &str, quota: u64) -> u64 {
    let numbers = KINDS
        .iter()
        .map(|kind| (kind.number)(catalog, tenant, quota));
    numbers.max().unwrap_or_default()
}

/// Bytes of schemas and data domains that count, as [`number`] has it.
pub(crate) fn bytes(catalog: &Catalog, tenant: &str, quota: u64) -> u64 {
    let schemas = catalog.schemas.values().filter(|it| it.tenant == tenant);
    let (living, deleted) = schemas.fold((0, 0_u64), |(living, deleted), it| {
        let own = living_bytes(it);
        (living + own, deleted + it.bytes() - own)
    });
    let domains = catalog.domains.values().filter(|it| it.tenant == tenant);
    let domains: u64 = domains.map(|domain| domain.bytes()).sum();
    living + domains + deleted.saturating_sub(quota)
}

fn living_bytes(schema: &SchemaEntry) -> u64 {
    if schema.deleted { 0 } else { schema.bytes() }
}

impl Service {
    /// Bytes of the schemas and data domains of the caller's tenant, for who takes memory for all of them.
    pub fn catalog_bytes(&self, caller: &Caller) -> usize {
        let bytes = bytes(caller.catalog(), caller.tenant(), u64::MAX);
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }
}
