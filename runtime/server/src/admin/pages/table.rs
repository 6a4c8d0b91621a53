//! Every page and every form with its address. A form stands for an operation of management, which does the same.

mod of_access;
mod of_records;
#[cfg(test)]
mod tests;

use super::access::{area, areas, keys, nouns};
use super::schemas::{begin, downloads, editor, list, review, sample, save, show, versions};
use super::sending::Sending;
use super::texts::Texts;
use super::visit::{FormSize, ShownAgain, Site, Submission, Visit};
use super::{
    audit, dataset, exports, faults, home, imports, job_rows, jobs, language, loaded, own_password,
    sign_in, undone, whole_api,
};
use axum::handler::Handler;
use axum::routing::{self, MethodRouter};
use axum::{Extension, Router};
use service::catalog::{ApiKey, Area, SchemaEntry};
use std::sync::{Arc, LazyLock};

/// A page, or what becomes of a form.
pub(super) struct PageRoute {
    pub(super) path: &'static str,
    handler: MethodRouter<Arc<Site>>,
    /// The operation that a form stands for; a page has none. Whether management has it, and which form of the
    /// templates it is, tests compare.
    pub(super) operation: Option<&'static str>,
    /// What a form does, in words of its own, where its operation does more than it.
    does: Option<fn(&Texts) -> &'static str>,
    audience: Audience,
}

/// Who is shown a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Audience {
    /// Who has a session.
    SignedIn,
    /// Everyone.
    Everyone,
    /// Everyone, also while the store can't be reached.
    Always,
}

impl PageRoute {
    /// A page. It changes nothing.
    fn page<M: 'static, P: 'static, C: 'static>(
        path: &'static str,
        handler: impl Handler<(M, Visit<P, C>), Arc<Site>>,
    ) -> Self {
        PageRoute {
            path,
            handler: routing::get(handler),
            operation: None,
            does: None,
            audience: Audience::SignedIn,
        }
    }

    /// A form, which does what an operation of management does.
    fn form<M: 'static, P: 'static, C: 'static>(
        path: &'static str,
        operation: &'static str,
        handler: impl Handler<(M, Submission<P, C>), Arc<Site>>,
    ) -> Self {
        PageRoute {
            path,
            handler: routing::post(handler),
            operation: Some(operation),
            does: None,
            audience: Audience::SignedIn,
        }
    }

    /// The same of a form that holds a whole document or list, and may be longer than others.
    fn long_form<M: 'static, P: 'static, C: 'static>(
        path: &'static str,
        operation: &'static str,
        handler: impl Handler<(M, Submission<P, C>), Arc<Site>>,
    ) -> Self {
        PageRoute::form(path, operation, handler).of_size(FormSize::Long)
    }

    /// The same of a form that carries another one along, which was held up.
    fn carrying(self) -> Self {
        self.of_size(FormSize::Carrying)
    }

    fn of_size(self, size: FormSize) -> Self {
        PageRoute {
            handler: self.handler.layer(Extension(size)),
            ..self
        }
    }

    /// The same of a form without a session, whose page is shown again where nothing proves that it sent the form.
    fn shown_again(self, page: ShownAgain) -> Self {
        PageRoute {
            handler: self.handler.layer(Extension(page)),
            ..self
        }
    }

    /// A form that brings a file along, which is read as it comes.
    fn upload<M: 'static, P: 'static>(
        path: &'static str,
        operation: &'static str,
        handler: impl Handler<(M, Sending<P>), Arc<Site>>,
    ) -> Self {
        PageRoute {
            path,
            handler: routing::post(handler),
            operation: Some(operation),
            does: None,
            audience: Audience::SignedIn,
        }
    }

    /// The same of a form that says by itself what it does: its operation does other things, too.
    fn does(self, does: fn(&Texts) -> &'static str) -> Self {
        PageRoute {
            does: Some(does),
            ..self
        }
    }

    /// The same for everyone.
    fn for_everyone(self) -> Self {
        PageRoute {
            audience: Audience::Everyone,
            ..self
        }
    }

    /// The same for everyone, of which no store is asked anything: what says that it can't be reached loads it.
    fn always(self) -> Self {
        PageRoute {
            audience: Audience::Always,
            ..self
        }
    }
}

/// All of them.
pub(super) fn routes() -> Vec<PageRoute> {
    use PageRoute as R;
    const DATASET: &str = "/datasets/{id}";
    let mut routes = routes_of_access();
    routes.extend(routes_of_schemas());
    routes.extend(of_records::routes());
    routes.extend(of_access::routes());
    routes.extend([
        R::page("/assets/{name}", loaded::show).always(),
        R::page("/language/{code}", language::choose).for_everyone(),
        R::page("/sign-in", sign_in::show).for_everyone(),
        R::form("/sign-in", "signIn", sign_in::sign_in)
            .shown_again(ShownAgain(sign_in::again))
            .carrying()
            .for_everyone(),
        R::form("/sign-out", "signOut", sign_in::sign_out),
        R::page("/password", own_password::show),
        R::form("/password", "changePassword", own_password::change),
        R::page("/", home::show),
        R::page(DATASET, dataset::show),
        R::page("/datasets/{id}/figures", dataset::figures),
        R::page("/datasets/{id}/faults", faults::show),
        R::page("/datasets/{id}/import", imports::show),
        R::upload("/datasets/{id}/import", "importDataset", imports::import),
        R::page("/datasets/{id}/export", exports::show),
        R::form("/datasets/{id}/export", "exportDataset", exports::export),
        R::page("/jobs/{id}/export", exports::exported),
        R::page("/jobs/{id}/rejects", exports::rejects),
        R::page("/jobs", job_rows::list),
        R::page("/jobs/{id}", jobs::show),
        R::form("/jobs/{id}/cancel", "cancelJob", jobs::cancel),
        R::form("/jobs/{id}/undo", "undoJob", undone::undo),
        R::form(
            "/jobs/{id}/files/delete",
            "deleteJobFiles",
            jobs::delete_files,
        ),
    ]);
    routes
}

/// Those of what holds data, and of who may reach it.
fn routes_of_access() -> Vec<PageRoute> {
    use PageRoute as R;
    vec![
        R::page("/areas", areas::list),
        R::form("/areas", "createArea", areas::create),
        R::page("/areas/{id}", area::show),
        R::form("/areas/{id}", "updateArea", area::update),
        R::form("/areas/{id}/delete", "deleteArea", nouns::delete::<Area>),
        R::form("/areas/{id}/restore", "restoreArea", areas::restore),
        R::form(
            "/schemas/{id}/datasets",
            "createManagedDataset",
            area::create_dataset,
        ),
        R::form(
            "/datasets/{id}/settings",
            "updateManagedDataset",
            area::update_dataset,
        ),
        R::form(
            "/datasets/{id}/delete",
            "deleteManagedDataset",
            area::delete_dataset,
        ),
        R::form(
            "/datasets/{id}/restore",
            "restoreManagedDataset",
            area::restore_dataset,
        ),
        R::page("/keys", keys::list),
        R::form("/keys", "createApiKey", keys::create),
        R::form("/keys/{id}/secret", "rotateApiKey", keys::rotate),
        R::form("/keys/{id}/enable", "enableApiKey", nouns::enable::<ApiKey>),
        R::form(
            "/keys/{id}/disable",
            "disableApiKey",
            nouns::disable::<ApiKey>,
        ),
        R::form("/keys/{id}/delete", "deleteApiKey", nouns::delete::<ApiKey>),
        R::page("/audit", audit::list),
    ]
}

/// Those of schemas.
fn routes_of_schemas() -> Vec<PageRoute> {
    use PageRoute as R;
    const AREA: &str = "/areas/{id}/schemas";
    vec![
        R::page("/schemas", list::list),
        R::page("/schemas/{id}", show::show),
        R::page("/schemas/{id}/versions", versions::show),
        R::page("/schemas/{id}/as/{kind}", downloads::download),
        R::form(
            "/schemas/{id}/delete",
            "deleteManagedSchema",
            nouns::delete::<SchemaEntry>,
        ),
        R::form(
            "/schemas/{id}/restore",
            "restoreManagedSchema",
            show::restore,
        ),
        R::page("/areas/{id}/schemas/new", begin::show),
        R::long_form("/areas/{id}/schemas/new", "trySchema", begin::from_document),
        R::upload(
            "/areas/{id}/schemas/document",
            "trySchema",
            begin::from_file,
        ),
        R::upload("/areas/{id}/schemas/sample", "inferSchema", sample::propose),
        R::page("/schemas/{id}/edit", editor::show),
        R::long_form("/areas/{id}/schemas/editor", "trySchema", editor::edit),
        R::long_form(AREA, "createManagedSchema", save::create),
        R::long_form("/schemas/{id}", "updateManagedSchema", save::update),
        R::long_form("/schemas/{id}/effects", "judgeSchema", review::effects),
        R::long_form(
            "/datasets/{id}/effects",
            "judgeDataset",
            review::judge_dataset,
        ),
    ]
}

/// What is told of a form: where it goes, its operation, and what it does in words of its own.
struct FormLine {
    path: &'static str,
    operation: &'static str,
    does: Option<fn(&Texts) -> &'static str>,
}

/// Those of all forms, without their handlers: each form that is refused looks one up.
static FORMS: LazyLock<Vec<FormLine>> = LazyLock::new(|| {
    let forms = routes().into_iter().filter_map(|route| {
        Some(FormLine {
            path: route.path,
            operation: route.operation?,
            does: route.does,
        })
    });
    forms.collect()
});

/// What a form does that goes to this address, in short.
pub(super) fn does_at(address: &str, texts: &Texts) -> Option<String> {
    let form = form_at(address)?;
    match form.does {
        Some(does) => Some(does(texts).to_owned()),
        None => whole_api::in_short(form.operation, texts),
    }
}

/// The form that goes to this address.
fn form_at(address: &str) -> Option<&'static FormLine> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let words: Vec<_> = path.split('/').collect();
    // how many words of a path are in the address as they are; none where it is another
    let alike = |form: &FormLine| {
        let own: Vec<_> = form.path.split('/').collect();
        let mut pairs = own.iter().zip(&words);
        let is_at = own.len() == words.len()
            && pairs.all(|(own, word)| own.starts_with('{') || own == word);
        is_at.then(|| own.iter().filter(|own| !own.starts_with('{')).count())
    };
    let forms = FORMS.iter().filter_map(|it| Some((alike(it)?, it)));
    let nearest = forms.max_by_key(|(alike, _)| *alike);
    nearest.map(|(_, form)| form)
}

/// The pages by who is shown them.
pub(super) struct Routers {
    pub(super) signed_in: Router<Arc<Site>>,
    pub(super) everyone: Router<Arc<Site>>,
    pub(super) always: Router<Arc<Site>>,
}

impl Routers {
    /// Those of all pages.
    pub(super) fn of_pages() -> Self {
        let router = |audience: Audience| {
            let own = routes().into_iter().filter(|it| it.audience == audience);
            own.fold(Router::new(), |router, route| {
                router.route(route.path, route.handler)
            })
        };
        Routers {
            signed_in: router(Audience::SignedIn),
            everyone: router(Audience::Everyone),
            always: router(Audience::Always),
        }
    }
}
