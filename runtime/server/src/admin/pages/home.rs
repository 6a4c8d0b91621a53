//! Home: every dataset that one may see with its records and its faulty ones, the jobs that run, and what changed lately.

use super::access::first_steps::{self, Step};
use super::health::{self, Health};
use super::job_rows::{JobRow, under_way};
use super::numbers::{grouped, percent, share};
use super::recent::{self, Change, ChangedRecord};
use super::texts::Texts;
use super::trend::Trend;
use super::unseen::{Nothing, Unseen};
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::AreaOverview;
use wire::DatasetItem;

/// Datasets that are shown at most; more are found by the search of home.
const TILES_MAX: usize = 200;

#[derive(Template)]
#[template(path = "home.html", blocks = ["live"])]
struct HomePage {
    page: Page,
    areas: Vec<AreaTiles>,
    jobs: Vec<JobRow>,
    /// The ids of these jobs, by which they are asked for again.
    jobs_shown: String,
    /// Whether a job goes on.
    is_live: bool,
    records: String,
    faulty: String,
    has_faults: bool,
    is_cut: bool,
    /// What is to be done where there is no dataset yet.
    steps: Vec<Step>,
    /// What is said where there is none to be seen, and nothing to be done.
    empty: Nothing,
    /// How many were faulty day by day.
    trend: Option<Trend>,
    /// The records that were changed last.
    changed: Vec<ChangedRecord>,
    /// What changed lately, of those who may see the trail.
    changes: Vec<Change>,
    /// How the service is, for administrators.
    health: Option<Health>,
}

struct AreaTiles {
    name: String,
    description: String,
    tiles: Vec<Tile>,
}

struct Tile {
    id: String,
    name: String,
    schema: String,
    records: String,
    faulty: String,
    has_faults: bool,
    /// How much of its records is faulty, as the width of a bar and in words.
    share: String,
    percent: String,
    jobs: u64,
}

pub(super) async fn show(visit: Visit) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let caller = &visit.caller;
    let mut found = service.overview(caller).await?;
    let (areas, is_cut) = tiles(std::mem::take(&mut found.areas), visit.texts);
    let shown_before = visit.parameter("jobs").filter(|_| visit.is_part);
    let jobs = under_way(&visit, shown_before.as_deref()).await?;
    let jobs_shown: Vec<_> = jobs.rows.iter().map(|job| &*job.id).collect();
    let unseen = if areas.is_empty() {
        Unseen::of(&visit)?
    } else {
        None
    };
    let has_steps = unseen.as_ref().is_none_or(|it| it.leaves_steps(&visit));
    let steps = if areas.is_empty() && has_steps {
        first_steps::of(&visit)?
    } else {
        Vec::new()
    };
    let nothing = || [visit.texts.no_datasets, visit.texts.no_datasets_why].map(str::to_owned);
    let empty = unseen.map_or_else(nothing, |unseen| unseen.told(visit.texts));
    // it stands outside of the part that is asked for again and again
    let (changes, changed) = if visit.is_part {
        (Vec::new(), Vec::new())
    } else {
        let changed = recent::records(&visit, &found).await?;
        (recent::of(&visit).await?, changed)
    };
    let trend = if visit.is_part {
        None
    } else {
        Trend::of(&service.overview_days(caller, &found).await?, visit.texts)
    };
    let health = if visit.is_part {
        None
    } else {
        health::of(&visit).await?
    };
    let home = HomePage {
        page: visit.page(Section::Home),
        areas,
        jobs_shown: jobs_shown.join(","),
        is_live: jobs.goes_on,
        jobs: jobs.rows,
        records: grouped(found.counts.records, visit.texts),
        faulty: grouped(found.counts.errored, visit.texts),
        has_faults: found.counts.errored > 0,
        is_cut,
        steps,
        empty,
        trend,
        changed,
        changes,
        health,
    };
    if visit.is_part {
        return shown(&home.as_live());
    }
    shown(&home)
}

/// The tiles of each area that has datasets, and whether there are more datasets than are shown.
fn tiles(found: Vec<AreaOverview>, texts: &Texts) -> (Vec<AreaTiles>, bool) {
    let mut areas = Vec::new();
    let mut count = 0;
    for AreaOverview { area, datasets } in found {
        let left = TILES_MAX.saturating_sub(count);
        count += datasets.len();
        let shown = datasets.into_iter().take(left);
        let tiles: Vec<_> = shown.map(|item| tile(item, texts)).collect();
        if !tiles.is_empty() {
            areas.push(AreaTiles {
                name: area.name,
                description: area.description,
                tiles,
            });
        }
    }
    (areas, count > TILES_MAX)
}

fn tile(item: DatasetItem, texts: &Texts) -> Tile {
    Tile {
        id: item.data_set_id,
        name: item.data_set_name,
        schema: item.schema_name,
        records: grouped(item.record_count, texts),
        faulty: grouped(item.errored_records_count, texts),
        has_faults: item.errored_records_count > 0,
        share: share(item.errored_records_count, item.record_count),
        percent: percent(item.errored_records_count, item.record_count, texts),
        jobs: item.running_jobs_count,
    }
}
