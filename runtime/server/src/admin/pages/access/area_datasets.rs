//! What stands below an area: its schemas with their datasets, the deleted ones too; of many a part, or those that a filter finds.

use super::small_form::{RefusedForm, SmallForm, Stored};
use crate::admin::pages::list_levels::{Above, Entry, part_of};
use crate::admin::pages::list_part::{ListPart, Wanted};
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::visit::Visit;
use service::catalog::Shelf;
use service::manage::DatasetView;
use service::{PageRequest, Refusal};

/// A schema with its datasets.
pub(super) struct SchemaDatasets {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) datasets: Vec<DatasetRow>,
    pub(super) deleted: Vec<DatasetRow>,
    /// Whether it has no dataset at all, shown or not.
    pub(super) is_empty: bool,
    /// Whether the address leads to the form of a new one.
    pub(super) is_led_to: bool,
    pub(super) new: SmallForm,
}

/// A dataset.
pub(super) struct DatasetRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) records: String,
    pub(super) form: SmallForm,
}

impl Entry for SchemaDatasets {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.name.len()
    }
}

impl Above for SchemaDatasets {
    type Below = DatasetRow;

    fn below(&mut self) -> [&mut Vec<DatasetRow>; 2] {
        [&mut self.datasets, &mut self.deleted]
    }
}

impl Entry for DatasetRow {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.name.len() + self.form.description.len()
    }
}

/// What is shown of the schemas of an area with their datasets.
pub(super) struct Below {
    pub(super) schemas: Vec<SchemaDatasets>,
    /// What is told of them, where they are not all.
    pub(super) part: Option<ListPart>,
    /// Whether the visitor may see both.
    pub(super) is_seen: bool,
}

impl Below {
    /// The part of them that is asked for, or the one with what was changed just now or was refused.
    ///
    /// # Errors
    /// The visitor may not call any more; the store's.
    pub(super) async fn of(
        visit: &Visit<String>,
        area: &str,
        refused: Option<&RefusedForm>,
    ) -> Result<Self, Refusal> {
        let (all, is_seen) = schemas(visit, area, refused).await?;
        let changed = visit.parameter("of");
        let changed = refused.map(|refused| &*refused.of).or(changed.as_deref());
        let (schemas, part) = part_of(all, (Wanted::of(visit), changed), visit.texts);
        Ok(Below {
            schemas,
            part,
            is_seen,
        })
    }
}

/// The schemas of an area with their datasets, and whether the visitor may see both.
async fn schemas(
    visit: &Visit<String>,
    area: &str,
    refused: Option<&RefusedForm>,
) -> Result<(Vec<SchemaDatasets>, bool), Refusal> {
    let service = &visit.site.service;
    let mut all = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let found = service.schemas();
        let found = match found.list_uncounted(&visit.caller, area, Shelf::Live, &request) {
            Err(Refusal::Forbidden(_)) => return Ok((Vec::new(), false)),
            found => found?,
        };
        all.extend(found.items);
        request.key = found.next_page_key;
        if request.key.is_none() {
            break;
        }
    }
    let ids: Vec<_> = all.iter().map(|schema| &*schema.schema_id).collect();
    let live = datasets(visit, &ids, Shelf::Live, refused).await?;
    let deleted = datasets(visit, &ids, Shelf::Deleted, refused).await?;
    let is_seen = live.is_some();
    let mut live = live.unwrap_or_default().into_iter();
    let mut deleted = deleted.unwrap_or_default().into_iter();
    let led_to = visit.parameter("of");
    let schemas = all.into_iter().map(|schema| {
        let live: Vec<DatasetRow> = live.next().unwrap_or_default();
        let deleted: Vec<DatasetRow> = deleted.next().unwrap_or_default();
        SchemaDatasets {
            is_empty: live.is_empty() && deleted.is_empty(),
            is_led_to: led_to.as_deref() == Some(&*schema.schema_id),
            datasets: live,
            deleted,
            new: SmallForm::of(&schema.schema_id, &Stored::default(), refused, visit.texts),
            name: schema.name,
            id: schema.schema_id,
        }
    });
    Ok((schemas.collect(), is_seen))
}

/// The datasets of each schema; none, if the visitor may not see them.
async fn datasets(
    visit: &Visit<String>,
    schemas: &[&str],
    shelf: Shelf,
    refused: Option<&RefusedForm>,
) -> Result<Option<Vec<Vec<DatasetRow>>>, Refusal> {
    let row = |dataset: DatasetView| {
        let stored = Stored {
            name: &dataset.data_set_name,
            description: &dataset.data_set_description,
            version: Some(dataset.version),
        };
        DatasetRow {
            form: SmallForm::of(&dataset.data_set_id, &stored, refused, visit.texts),
            id: dataset.data_set_id,
            name: dataset.data_set_name,
            records: grouped(dataset.record_count.unwrap_or_default(), visit.texts),
        }
    };
    let found = visit.site.service.datasets();
    match found.list_counted_of(&visit.caller, schemas, shelf).await {
        Err(Refusal::Forbidden(_)) => Ok(None),
        found => {
            let found = found?.into_iter();
            let rows = found.map(|own| own.into_iter().map(row).collect());
            Ok(Some(rows.collect()))
        }
    }
}
