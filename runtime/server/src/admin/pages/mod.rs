//! The application: pages for people, rendered on the server over the service alone. A page is a line of `table`, a
//! handler that asks the service and fills a template, and the template; a part of a page is a block of the same
//! template. It can do nothing that management can't: each form names the operation it stands for. `docs/application.md`
//! says how a page is added.
//!
//! | room | what it is for |
//! | - | - |
//! | `table` | every page and form with its address |
//! | `visit` | what a handler is given: the visitor, the form, the texts |
//! | `sending` | forms that bring a file along |
//! | `failure` | refusals as pages, with the form that was refused (`sent_again`, `lent`) |
//! | `own_page` | what tells our answers from a proxy's |
//! | `assets`, `loaded` | styles and scripts, under names that change with them |
//! | `texts` | every text, a file for each language |
//! | `pagination` | the way through the pages of a list |
//! | `list_part`, `list_levels` | a part of a list that is whole in memory, and the filter that finds it; of one of two levels |
//! | `code_part`, `codes_view` | a part of a long list of codes, and what was made of it; what is shown of it |
//! | `merged_codes` | one list of codes of two that were made of it at a time |
//! | `values` | values of records as texts, and texts of inputs as values |
//! | `cut_text` | as much of a long value as a list shows |
//! | `actor_names` | who did something |

mod access;
mod actor_names;
mod all_faults;
mod asked;
mod assets;
mod audit;
mod by_field;
mod cell;
mod code_part;
mod codes_view;
mod complete;
mod conflict;
mod cut_text;
mod dataset;
mod dataset_api;
mod deleted;
mod effects;
mod ended;
mod exports;
mod failure;
mod faults;
mod file_inputs;
mod filled_in;
mod form_jobs;
mod form_secret;
mod form_token;
mod found;
mod go;
mod gone_fields;
mod grid;
mod health;
mod history;
mod home;
mod import_address;
mod imports;
mod input;
mod job_faults;
mod job_figures;
mod job_rights;
mod job_rows;
mod jobs;
mod kept;
mod kept_columns;
mod kept_told;
mod labels;
mod language;
mod lent;
mod list_levels;
mod list_part;
mod loaded;
mod mend_list;
mod mends;
mod merged_codes;
mod new_forms;
mod nobody_yet;
mod numbers;
mod original;
mod own_page;
mod own_password;
mod page_bytes;
mod pagination;
mod pair_lines;
mod paste;
mod places;
mod proof;
mod read_only;
mod recent;
mod record;
mod record_files;
mod record_title;
mod record_uploads;
mod record_version;
mod reformatted;
mod revisions;
mod sample_records;
mod saved_view_forms;
mod saved_views;
mod schemas;
mod search;
mod seen;
mod seen_names;
mod selected;
mod sending;
mod sent_again;
mod shown_versions;
mod sign_in;
mod sign_in_code;
mod sought;
mod stored_faults;
mod table;
mod tabs;
mod texts;
mod trail_documents;
mod trend;
mod tried;
mod tried_file;
mod undone;
mod unseen;
mod unused_columns;
mod values;
mod visit;
mod whole_api;

pub use visit::PATH;

use crate::http::access::AccessLayer;
use crate::http::current::CurrentLayer;
use crate::http::error::Failure;
use crate::http::request_layer::RequestLayer;
use crate::http::{DoorSettings, FrontPage};
use axum::Router;
use axum::http::HeaderMap;
use axum::middleware::from_fn_with_state;
use service::Service;
use std::sync::Arc;
use table::{Routers, does_at};
use tower_layer::Layer as _;
use visit::{Site, texts_for};

/// What stands at `/` for whoever sends these headers, in the language that they tell and with the looks of the pages.
pub(crate) fn front(headers: &HeaderMap) -> FrontPage {
    FrontPage {
        texts: &texts_for(headers).front,
        sheets: ["tokens.css", "app.css", "pages.css"]
            .map(assets::hashed_name)
            .to_vec(),
        icon: assets::hashed_name("icon.svg"),
    }
}

/// The pages of the application, to be nested at the settings' `pages_path`, else at [`PATH`]. Who has no session is
/// sent to sign in, whatever address it asks for.
pub fn router_with(service: Arc<Service>, settings: &DoorSettings) -> Router {
    let settings = DoorSettings {
        cors_origins: Vec::new(),
        ..settings.clone()
    };
    let site = Arc::new(Site::new(service.clone(), &settings, does_at));
    let request = RequestLayer::new(&service, &settings);
    let current = CurrentLayer::new(&service);
    let access = AccessLayer::of_pages(service, &settings, &site.address("/sign-in"));
    let as_pages = from_fn_with_state(site.clone(), own_page::answered);
    let with_form_secret = from_fn_with_state(site.service.clone(), form_secret::with_cookie);
    let through_sign_in = from_fn_with_state(site.clone(), ended::through_sign_in);
    let Routers {
        signed_in,
        everyone,
        always,
    } = Routers::of_pages();
    let guarded: Router = signed_in
        .fallback(async || Failure::UnknownRoute)
        .method_not_allowed_fallback(async || Failure::WrongMethod)
        .with_state(site.clone());
    // whatever refuses a request, and whatever fails on its way, becomes a page
    let guarded = as_pages.layer(current.layer(through_sign_in.layer(access.layer(guarded))));
    let guarded = with_form_secret.layer(guarded);
    let public = everyone.layer(current).merge(always);
    let public = public.layer(as_pages).layer(with_form_secret);
    let public = public.layer(request.clone());
    public
        .with_state(site)
        .fallback_service(request.layer(guarded))
}
