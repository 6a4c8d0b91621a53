//! Verifies a catalog, whichever engine keeps it: that each noun has what it refers to, and what was issued and uploaded its
//! owner. It only reads, and tells what is wrong in words.

use crate::catalog::Catalog;
use crate::issued_tables::IssuedTables;

/// Adds what is missing of what the catalog, and what was issued, refer to.
pub fn check(catalog: &Catalog, issued: &IssuedTables, found: &mut Vec<String>) {
    dangling(catalog, found);
    unowned(catalog, issued, found);
}

/// What is told of an uploaded file whose dataset is not there.
pub fn file_of_none(id: &str) -> String {
    format!("the file {id} has no dataset")
}

/// Nouns without their tenant, and what was issued to whoever is not there.
fn unowned(catalog: &Catalog, issued: &IssuedTables, found: &mut Vec<String>) {
    let mut owned = Vec::new();
    let domains = catalog.domains.values();
    owned.extend(domains.map(|it| ("domain", &it.id, &it.tenant)));
    owned.extend(
        catalog
            .roles
            .values()
            .map(|it| ("role", &it.id, &it.tenant)),
    );
    owned.extend(
        catalog
            .users
            .values()
            .map(|it| ("user", &it.id, &it.tenant)),
    );
    let keys = catalog.api_keys.values();
    owned.extend(keys.map(|it| ("API key", &it.id, &it.tenant)));
    owned.extend(
        catalog
            .apps
            .values()
            .map(|it| ("client", &it.id, &it.tenant)),
    );
    for (what, id, tenant) in owned {
        if !catalog.tenants.contains_key(tenant) {
            found.push(format!("the {what} {id} has no tenant"));
        }
    }
    let [clients, users] = issued.holders();
    let lost = clients
        .iter()
        .filter(|id| !catalog.apps.contains_key(&***id));
    found.extend(lost.map(|id| format!("tokens are there of the client {id}, which is not")));
    let lost = users
        .iter()
        .filter(|id| !catalog.users.contains_key(&***id));
    found.extend(lost.map(|id| format!("sessions are there of the user {id}, who is not")));
}

/// Nouns that refer to nouns that are not there.
fn dangling(catalog: &Catalog, found: &mut Vec<String>) {
    let areas = catalog.areas.values();
    let lost = areas.filter(|area| !catalog.tenants.contains_key(&area.tenant));
    found.extend(lost.map(|area| format!("the area {} has no tenant", area.id)));
    let schemas = catalog.schemas.values();
    let lost = schemas.filter(|schema| !catalog.areas.contains_key(&schema.area));
    found.extend(lost.map(|schema| format!("the schema {} has no area", schema.id)));
    let datasets = catalog.datasets.values();
    let lost = datasets.filter(|dataset| !catalog.schemas.contains_key(&dataset.schema));
    found.extend(lost.map(|dataset| format!("the dataset {} has no schema", dataset.id)));
    let mut numbers: Vec<u32> = catalog.datasets.values().map(|set| set.number).collect();
    numbers.sort_unstable();
    let shared = numbers.windows(2).filter(|pair| pair[0] == pair[1]);
    found.extend(shared.map(|pair| format!("two datasets have the number {}", pair[0])));
}
