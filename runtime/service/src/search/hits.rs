//! Hits as an answer tells them: each the whole record with the names of where it is. What is found says the index; this
//! reads the records, and writes them.

use super::live_index::Freshness;
use super::position::{Order, page_key};
use super::targets::{Looker, Target};
use super::{Extent, TOTAL_MAX, WhenBehind};
use crate::pieces::Pieces;
use crate::{Refusal, Service};
use schema::json::write_string;
use std::collections::BTreeMap;
use store::records::StoredRecord;
use store::search::{Expression, Position, Search, SortField};

/// Bytes of records that are read together for a page of hits.
const HIT_BYTES_AT_ONCE: usize = 256 << 10;

/// A page of hits that is asked for.
pub(super) struct HitPage<'s> {
    pub(super) expression: Expression,
    pub(super) sort: Vec<SortField>,
    pub(super) after: Option<Position>,
    pub(super) size: usize,
    pub(super) scope: &'s str,
    pub(super) when_behind: WhenBehind,
    pub(super) extent: Extent,
}

impl Service {
    /// The body of an answer: a page of hits, and how many there are where that is asked for.
    pub(super) async fn hits(
        &self,
        looker: Looker<'_>,
        page: HitPage<'_>,
        targets: &BTreeMap<u32, Target<'_>>,
    ) -> Result<String, Refusal> {
        let (size, scope, extent) = (page.size, page.scope, page.extent);
        let sort = page.sort.clone();
        let order = Order::of(scope, &sort, targets);
        let is_about_missing = !page.sort.is_empty() || page.expression.is_about_missing();
        let ready = self.ready(looker, targets, is_about_missing);
        let ready = match page.when_behind {
            WhenBehind::Tell => ready.await?,
            WhenBehind::Refuse => ready.await?.require_current()?,
        };
        let counted = match extent {
            Extent::Page => Some(TOTAL_MAX),
            Extent::Counted(most) => Some(most),
            Extent::Few => None,
        };
        let is_page = counted.is_some();
        let search = Search {
            expression: page.expression,
            aims: ready.aims,
            sort: page.sort,
            after: page.after,
            // one more tells that there are more
            limit: size + usize::from(is_page),
            total_max: counted.map_or(0, |most| most + 1),
            unordered: !is_page,
            deadline: ready.deadline,
        };
        let found = ready.index.index.find(search).await;
        let found = self.answered(ready.emptied, found)?;
        drop(ready.place);
        let page_bytes = self.settings.page_bytes;
        let owner = looker.caller.owner();
        let mut room = self.memory.reserve_records_page(owner, page_bytes)?;
        let mut json = String::from("{\"hits\":[");
        let (mut shown, mut pieces) = (0, Pieces::default());
        let mut names = HitNames::default();
        let mut places = &found.places[..found.places.len().min(size)];
        'page: while !places.is_empty() {
            let records = self.store.get_some(places, HIT_BYTES_AT_ONCE).await?;
            places = places.get(records.len().max(1)..).unwrap_or_default();
            for record in records {
                let before = json.len();
                self.write_hit(&mut json, targets, &mut names, record?)?;
                pieces.made(json.len() - before).await;
                shown += 1;
                if json.len() >= room.bytes() && !room.grow() {
                    break 'page;
                }
            }
        }
        json.push(']');
        if let Some(most) = counted {
            write_total(&mut json, found.total, most);
        }
        if ready.freshness == Freshness::Behind {
            json.push_str(",\"isBehind\":true");
        }
        if is_page && shown < found.places.len() {
            let (place, keys) = (found.places[shown - 1], found.keys.get(shown - 1));
            let keys = keys.cloned().unwrap_or_default();
            let key = page_key(&self.ids, order, &Position { place, keys });
            json.push_str(",\"nextPageKey\":");
            write_string(&mut json, &key);
        }
        json.push('}');
        Ok(json)
    }

    /// Appends a hit. A record that was deleted in this very moment is none.
    fn write_hit(
        &self,
        out: &mut String,
        targets: &BTreeMap<u32, Target<'_>>,
        names: &mut HitNames,
        record: Option<StoredRecord>,
    ) -> Result<(), Refusal> {
        let Some(record) = record.filter(|record| !record.deleted) else {
            return Ok(());
        };
        let number = record.id.place.dataset;
        let Some(target) = targets.get(&number) else {
            return Ok(());
        };
        if !out.ends_with('[') {
            out.push(',');
        }
        out.push_str("{\"_dataObjectId\":\"");
        out.push_str(&self.ids.record(record.id));
        out.push('"');
        out.push_str(names.of(number, target));
        self.write_members(out, target.schema, target.dataset, &record)
    }
}

/// Appends how many there are, which is told up to a number.
fn write_total(json: &mut String, total: u64, most: u64) {
    json.push_str(",\"total\":");
    json.push_str(itoa::Buffer::new().format(total.min(most)));
    if total > most {
        json.push_str(",\"totalIsAtLeast\":true");
    }
}

/// What hits of a dataset are called, as members of an object that has others before them. Hits come dataset after
/// dataset, unless they are sorted.
#[derive(Default)]
struct HitNames {
    dataset: Option<u32>,
    members: String,
}

impl HitNames {
    fn of(&mut self, number: u32, target: &Target<'_>) -> &str {
        if self.dataset != Some(number) {
            self.dataset = Some(number);
            self.members.clear();
            let (area, schema, dataset) = (target.area, target.schema, target.dataset);
            for (name, text) in [
                ("_businessAreaId", area.id.as_str()),
                ("_businessAreaName", area.name.as_str()),
                ("_schemaId", schema.id.as_str()),
                ("_schemaName", schema.current().schema.name.as_str()),
                ("_dataSetId", dataset.id.as_str()),
                ("_dataSetName", dataset.name.as_str()),
            ] {
                self.members.push(',');
                write_string(&mut self.members, name);
                self.members.push(':');
                write_string(&mut self.members, text);
            }
        }
        &self.members
    }
}
