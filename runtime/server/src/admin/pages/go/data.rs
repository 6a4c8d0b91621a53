//! Goals of data: the datasets that the visitor may see, its views of them, what it may do there, and their fields, which lead to
//! what is wrong or lacks in them. Nothing of it is asked of the store.

use super::best::{Best, Kind, Offer};
use crate::admin::pages::asked::Asked;
use crate::admin::pages::faults::quoted;
use crate::admin::pages::grid::COLUMNS;
use crate::admin::pages::language::own_path;
use crate::admin::pages::places::Place;
use crate::admin::pages::visit::Visit;
use crate::http::error::Failure;
use axum::http::header::REFERER;
use service::Permit as _;
use service::catalog::{Resource, Verb};
use url::Url;
use url::form_urlencoded::byte_serialize;

/// Offers them.
pub(super) fn offer(visit: &Visit, best: &mut Best) -> Result<(), Failure> {
    let places = Place::all(visit)?;
    for place in &places {
        let offer = Offer::new(&place.name, &place.area).of(Kind::Dataset);
        best.offer(offer, || Some(path_of(place)));
    }
    let views = views_of(visit, &places)?;
    for view in &views {
        let offer = Offer::new(&view.name, view.dataset).of(Kind::View);
        best.offer(offer, || Some(view.path.clone()));
    }
    for place in &places {
        offer_deeds(visit, (place, &views), best);
    }
    for place in places.iter().filter(|place| place.may_search) {
        offer_fields(visit, place, best);
    }
    let own = &visit.texts.query;
    for view in &views {
        let context = format!("{} · {}", view.dataset, view.name);
        for (label, mark) in [
            (own.view_rename, "#view"),
            (own.view_delete, "#delete-view"),
        ] {
            let path = || Some(format!("{}{mark}", view.path));
            best.offer(Offer::new(label, &context), path);
        }
    }
    Ok(())
}

fn path_of(place: &Place) -> String {
    format!("/datasets/{}", place.id)
}

/// A view that the visitor saved.
struct OwnView<'p> {
    name: String,
    /// The name of its dataset.
    dataset: &'p str,
    path: String,
}

/// The visitor's saved views of these datasets.
fn views_of<'p>(visit: &Visit, places: &'p [Place]) -> Result<Vec<OwnView<'p>>, Failure> {
    let own = visit.site.service.saved_views(&visit.caller, None)?.items;
    let views = own.into_iter().filter_map(|view| {
        let place = places.iter().find(|place| place.id == view.data_set_id)?;
        if !place.may_search && (!view.query.is_empty() || !view.sort.is_empty()) {
            return None;
        }
        let address = Asked::of_view(&view).address();
        Some(OwnView {
            path: format!("{}{address}", path_of(place)),
            name: view.name,
            dataset: &place.name,
        })
    });
    Ok(views.collect())
}

/// What the visitor may do at a dataset.
fn offer_deeds(visit: &Visit, (place, views): (&Place, &[OwnView<'_>]), best: &mut Best) {
    let (t, path) = (visit.texts, path_of(place));
    let purge = if place.may_purge() { t.past.purge } else { "" };
    let of_deleted = if place.may_delete {
        format!("{} {purge}", t.restore_record)
    } else {
        String::new()
    };
    let deeds = [
        (t.faults, "", "/faults", place.may_search),
        (t.new_record, "", "/new", place.may_add),
        (t.job.import, "", "/import", place.may_add || place.may_edit),
        (t.job.export, "", "/export", true),
        ("API", "", "/api", true),
        (t.mend_many, "", "/mend", place.may_edit && place.may_search),
        (t.deleted_records, of_deleted.as_str(), "/deleted", true),
    ];
    for (label, also, end, may) in deeds {
        let offer = Offer::new(label, &place.name).also(also);
        best.offer(offer, || may.then(|| format!("{path}{end}")));
    }
    best.offer(Offer::new(t.jobs, &place.name), || {
        Some(format!("/jobs?dataset={}", place.id))
    });
    best.offer(Offer::new(t.query.view_save, &place.name), || {
        let view = saved_as(visit, place, views)?;
        Some(format!("{path}{view}#save-view"))
    });
    let (rights, schema) = (place.permit.caller().rights(), place.permit.schema());
    let manages = |verb| rights.may(Resource::Schemas, verb) && rights.manages(&schema.area, verb);
    let may = rights.may(Resource::Areas, Verb::View) && manages(Verb::View) && manages(Verb::Edit);
    let offer = Offer::new(t.schemas.edit, &place.name).also(t.goals.change);
    best.offer(offer, || {
        may.then(|| format!("/schemas/{}/edit", schema.id))
    });
}

/// The address behind a dataset under which a view of it is saved: as the page has it that the visitor comes from, where that is
/// narrowed or in an order; else its first columns. None of what is saved already, since the form is not there.
fn saved_as(visit: &Visit, place: &Place, views: &[OwnView<'_>]) -> Option<String> {
    let here = path_of(place);
    let from = came_from(visit);
    let from = from.as_deref().and_then(|from| {
        let (path, query) = from.split_once('?')?;
        (path == here).then(|| Asked::of_address(query).with_ids(place))
    });
    let fields = place.version().schema.active_fields();
    let columns = fields.take(COLUMNS).map(|field| field.id.clone());
    let first = Asked {
        columns: columns.collect(),
        ..Asked::default()
    };
    let is_new = |asked: &Asked| {
        let address = asked.address();
        let path = format!("{here}{address}");
        address != Asked::default().address() && views.iter().all(|view| view.path != path)
    };
    let new = from.into_iter().chain([first]).find(is_new);
    new.map(|asked| asked.address())
}

/// The address among the pages that the visitor comes from, where it has a query.
fn came_from(visit: &Visit) -> Option<String> {
    let referer = visit.headers().get(REFERER)?.to_str().ok()?;
    let url = Url::parse(referer).ok()?;
    let address = format!("{}?{}", url.path(), url.query()?);
    own_path(&visit.site, &address).map(str::to_owned)
}

/// The fields of a dataset, each as the list of records that are faulty there, and of those that have nothing there.
fn offer_fields(visit: &Visit, place: &Place, best: &mut Best) {
    let (t, path) = (visit.texts, path_of(place));
    let to = |query: String| {
        let query: String = byte_serialize(query.as_bytes()).collect();
        Some(format!("{path}?q={query}"))
    };
    for field in place.version().schema.active_fields() {
        let (name, quoted) = (&field.name, quoted(&field.name));
        let faulty = format!("{name}: {}", t.faulty);
        let empty = format!("{name}: {}", t.go_empty);
        let offer = |label| Offer::new(label, &place.name).of(Kind::Field);
        best.offer(offer(&faulty), || to(format!("fault:{quoted}")));
        best.offer(offer(&empty), || to(format!("{quoted}:none")));
    }
}
