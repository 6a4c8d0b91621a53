//! Data domains, and what a change of one would do.

use super::noun::NounRoutes;
use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::created_among;
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{DomainContent, DomainDraft, JobView, SchemaEffects};
use store::catalog::Domain;
use wire::ErrorCode;

pub(super) fn routes() -> Vec<Route> {
    let nouns = NounRoutes::<Domain>::at("/domains", "Domain", "a data domain");
    let nouns = nouns.may_stay().under_quota();
    let effects = O::management(
        "judgeDomain",
        "Show what a change to a data domain would make faulty",
    )
    .takes::<DomainContent>()
    .gives::<SchemaEffects>(200)
    .refuses(&[404, 409]);
    let judged = O::management(
        "judgeDatasetByDomain",
        "Show what a change to a data domain would make faulty in a dataset, as a job",
    )
    .takes::<DomainDraft>()
    .gives::<JobView>(201)
    .codes(403, &[ErrorCode::QuotaExceeded])
    .refuses(&[409]);
    let mut routes = nouns.all();
    routes.extend([
        Route::post("/domains/{id}/effects", self::effects, effects),
        Route::post("/datasets/{id}/domain-effects", judge_dataset, judged),
    ]);
    routes
}

pub(super) async fn effects(mut call: Call<String>) -> Answer {
    let sent: DomainContent = body(&mut call).await?;
    let service = call.service.clone();
    let effects = service.domain_effects(&call.caller, &call.ids, sent);
    response::value(&effects.await?)
}

pub(super) async fn judge_dataset(mut call: Call<String>) -> Answer {
    let sent: DomainDraft = body(&mut call).await?;
    let service = call.service.clone();
    let job = service.dataset_domain_effects(&call.caller, &call.ids, sent);
    let job = job.await?;
    created_among(&call, "jobs", &job.job_id, &job)
}
