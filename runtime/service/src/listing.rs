//! Endpoints 2 to 5: areas, schemas and datasets, as the interface lists them. A page key is tied to the name of
//! its list, and a list whose order changes takes another name, so that no key of before skips an entry.

use super::pager::NounList;
use super::{AreaPermit, Caller, PageRequest, Permit as _, Refusal, SchemaPermit, Service};
use store::StoreError;
use store::catalog::{Actor, ActorKind, Area, Catalog, Dataset, Resource, SchemaEntry, User, Verb};
use wire::{AreaItem, DatasetItem, Page, SchemaItem};

impl Service {
    /// The areas the caller may access.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role; a bad page key.
    pub fn list_areas(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Page<AreaItem>, Refusal> {
        caller.require(Resource::Areas, Verb::View)?;
        let tenant = caller.tenant();
        let rights = caller.rights();
        let own = caller
            .catalog()
            .areas_of(tenant)
            .filter(|area| rights.reaches(&area.id, Verb::View));
        let list = NounList {
            scope: &format!("list of areas {tenant}"),
            page,
            owner: caller.owner(),
        };
        let made = |area: &Area| area.stamp.created_at;
        self.noun_page(&list, own, made, |area| area_item(area))
    }

    /// The schemas of an area.
    ///
    /// # Errors
    /// A bad page key.
    pub async fn list_schemas(
        &self,
        permit: &AreaPermit,
        page: &PageRequest,
    ) -> Result<Page<SchemaItem>, Refusal> {
        let (catalog, area) = (permit.caller().catalog(), permit.area());
        let list = NounList {
            scope: &format!("list of schemas {}", area.id),
            page,
            owner: permit.caller().owner(),
        };
        let (own, made) = (catalog.schemas_of(&area.id), |schema: &SchemaEntry| {
            schema.stamp.created_at
        });
        let mut found = self.noun_page(&list, own, made, |schema| {
            schema_item(catalog, area, schema)
        })?;
        self.count_jobs(&mut found.items).await?;
        Ok(found)
    }

    /// Counts the jobs under way of these schemas.
    pub(super) async fn count_jobs(&self, schemas: &mut [SchemaItem]) -> Result<(), StoreError> {
        let running = self.store.running_jobs().await?;
        for item in schemas {
            let own = running.iter().filter(|job| job.schema == item.schema_id);
            item.running_jobs_count = own.count() as u64;
        }
        Ok(())
    }

    /// The schema-detail document of a schema: without what management alone sets.
    pub fn schema_detail(&self, permit: &SchemaPermit) -> String {
        let entry = permit.schema();
        let mut schema = entry.current().schema.clone();
        schema.id.clone_from(&entry.id);
        schema.area_id = Some(permit.area().id.clone());
        schema.area_name = Some(permit.area().name.clone());
        let stamp = &entry.stamp;
        for field in &mut schema.fields {
            field.searched = None;
        }
        let catalog = permit.caller().catalog();
        schema.provenance.created_by = Some(email_now(catalog, &stamp.created_by));
        schema.provenance.updated_by = Some(email_now(catalog, &stamp.updated_by));
        schema.provenance.created_date = Some(stamp.created_at.to_string());
        schema.provenance.updated_date = Some(stamp.updated_at.to_string());
        schema.to_json()
    }

    /// The datasets of a schema, with exact counts.
    ///
    /// # Errors
    /// A bad page key; the store's.
    pub async fn list_datasets(
        &self,
        permit: &SchemaPermit,
        page: &PageRequest,
    ) -> Result<Page<DatasetItem>, Refusal> {
        let (catalog, area, schema) = (permit.caller().catalog(), permit.area(), permit.schema());
        let list = NounList {
            scope: &format!("list of datasets {}", schema.id),
            page,
            owner: permit.caller().owner(),
        };
        let own = catalog.datasets_of(&schema.id);
        let made = |dataset: &Dataset| dataset.stamp.created_at;
        let found = self.noun_page(&list, own, made, |dataset| {
            let item = dataset_item(catalog, area, schema, dataset);
            (dataset.number, item)
        })?;
        let running = self.store.running_jobs().await?;
        let numbers = found.items.iter().map(|(number, _)| *number);
        let counts = self.store.counts_of(numbers.collect()).await?;
        let mut items = Vec::with_capacity(found.items.len());
        for ((_, item), counts) in found.items.into_iter().zip(counts) {
            let own = running.iter().filter(|job| job.dataset == item.data_set_id);
            items.push(DatasetItem {
                running_jobs_count: own.count() as u64,
                record_count: counts.records,
                errored_records_count: counts.errored,
                ..item
            });
        }
        Ok(Page {
            items,
            next_page_key: found.next_page_key,
        })
    }
}

/// The e-mail address that a user had then; the name of what has none.
pub(super) fn email(actor: &Actor) -> String {
    actor.email.as_ref().unwrap_or(&actor.name).clone()
}

/// A user as it is now; nothing for one who is gone, and for who is none.
fn user<'c>(catalog: &'c Catalog, actor: &Actor) -> Option<&'c User> {
    let is_user = actor.kind == ActorKind::User;
    let user = is_user.then(|| catalog.users.get(&actor.id)).flatten();
    user.map(|user| &**user)
}

/// The e-mail address that a user has, or had when it went.
fn email_now(catalog: &Catalog, actor: &Actor) -> String {
    user(catalog, actor).map_or_else(|| email(actor), |user| user.email.clone())
}

/// The full name that a user has, or had when it went; the name of what has none.
fn full_name_now(catalog: &Catalog, actor: &Actor) -> String {
    let then = || actor.full_name.as_ref().unwrap_or(&actor.name).clone();
    user(catalog, actor).map_or_else(then, |user| user.full_name.clone())
}

pub(super) fn area_item(area: &Area) -> AreaItem {
    let stamp = &area.stamp;
    AreaItem {
        business_area_id: area.id.clone(),
        name: area.name.clone(),
        description: area.description.clone(),
        active: area.active,
        created_by: stamp.created_by.name.clone(),
        updated_by: stamp.updated_by.name.clone(),
        created_date: stamp.created_at.to_string(),
        updated_date: stamp.updated_at.to_string(),
        version: area.version,
    }
}

pub(super) fn schema_item(catalog: &Catalog, area: &Area, entry: &SchemaEntry) -> SchemaItem {
    let (stamp, schema) = (&entry.stamp, &entry.current().schema);
    SchemaItem {
        schema_id: entry.id.clone(),
        name: schema.name.clone(),
        description: schema.description.clone().unwrap_or_default(),
        business_area_id: area.id.clone(),
        business_area_name: area.name.clone(),
        active: entry.active,
        state: entry.state.clone(),
        fields_count: schema.fields.len() as u64,
        data_set_count: catalog.datasets_of(&entry.id).count() as u64,
        version: entry.current().number,
        created_by: stamp.created_by.id.clone(),
        updated_by: stamp.updated_by.id.clone(),
        created_by_email: email_now(catalog, &stamp.created_by),
        updated_by_email: email_now(catalog, &stamp.updated_by),
        created_date: stamp.created_at.to_string(),
        updated_date: stamp.updated_at.to_string(),
        running_jobs_count: 0,
        deleted: entry.deleted,
    }
}

/// A dataset whose records and jobs are not counted yet.
pub(super) fn dataset_item(
    catalog: &Catalog,
    area: &Area,
    schema: &SchemaEntry,
    dataset: &Dataset,
) -> DatasetItem {
    let stamp = &dataset.stamp;
    DatasetItem {
        data_set_id: dataset.id.clone(),
        data_set_name: dataset.name.clone(),
        data_set_description: dataset.description.clone(),
        business_area_id: area.id.clone(),
        business_area_name: area.name.clone(),
        schema_id: schema.id.clone(),
        schema_name: schema.current().schema.name.clone(),
        record_count: 0,
        errored_records_count: 0,
        running_jobs_count: 0,
        version: dataset.version,
        created_by: stamp.created_by.id.clone(),
        updated_by: stamp.updated_by.id.clone(),
        created_by_email: email_now(catalog, &stamp.created_by),
        updated_by_email: email_now(catalog, &stamp.updated_by),
        created_by_name: full_name_now(catalog, &stamp.created_by),
        updated_by_name: full_name_now(catalog, &stamp.updated_by),
        created_date: stamp.created_at.to_string(),
        updated_date: stamp.updated_at.to_string(),
        deleted: dataset.deleted,
    }
}
