//! `fieldstone jobs`: imports, exports, repairs and other work that goes on, waits, or has ended; what it wrote is
//! taken back here.

use crate::control::{self, Api, Sent, ServerArgs};
use crate::job_report;
use crate::job_watch::JobWatch;
use crate::settings::Common;
use crate::web_address::segment;
use axum::http::Method;
use clap::{Args, Subcommand};
use std::process::ExitCode;
use wire::Page;
use wire::manage::JobView;

#[derive(Subcommand)]
pub(crate) enum JobsCommand {
    /// List jobs, the newest first: one's own; an administrator and the operator see all
    List(ListOptions),
    /// Show a job: how far it is, what came of it, what can be downloaded
    Show(OneOptions),
    /// End a job; what it did until then stays
    Cancel(OneOptions),
    /// Take back what a job wrote; what someone wrote since stays
    Undo(OneOptions),
}

#[derive(Args)]
pub(crate) struct ListOptions {
    /// How many at most
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    most: usize,

    /// The tenant; needed where there are several
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    #[command(flatten)]
    server: ServerArgs,
}

#[derive(Args)]
pub(crate) struct OneOptions {
    /// The job's id
    #[arg(value_name = "ID")]
    id: String,

    /// The tenant; needed where there are several
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) async fn run(common: &Common, verb: JobsCommand) -> anyhow::Result<ExitCode> {
    let (JobsCommand::List(ListOptions { tenant, server, .. })
    | JobsCommand::Show(OneOptions { tenant, server, .. })
    | JobsCommand::Cancel(OneOptions { tenant, server, .. })
    | JobsCommand::Undo(OneOptions { tenant, server, .. })) = &verb;
    let api = control::open_api(server, tenant.as_deref(), common).await?;
    let done = carry_out(&api, common, &verb).await;
    let closed = api.close().await;
    done.and(closed)?;
    Ok(ExitCode::SUCCESS)
}

async fn carry_out(api: &Api, common: &Common, verb: &JobsCommand) -> anyhow::Result<()> {
    let id = match verb {
        JobsCommand::List(options) => {
            let jobs = list(api, options.most).await?;
            return job_report::list(&jobs, common.format);
        }
        JobsCommand::Show(OneOptions { id, .. }) => id,
        JobsCommand::Cancel(OneOptions { id, .. }) => {
            let job = cancelled(api, id).await?;
            return job_report::show(&job, common.format);
        }
        JobsCommand::Undo(OneOptions { id, .. }) => {
            let path = format!("/jobs/{}/undo", segment(id));
            let job: JobView = api.ask(Method::POST, &path, Sent::Nothing).await?;
            let mut watch = JobWatch::new(common.format)?;
            let ended = watch.follow(api, "undo", &job).await;
            watch.end();
            return job_report::show(&ended?, common.format);
        }
    };
    let path = format!("/jobs/{}", segment(id));
    let job: JobView = api.ask(Method::GET, &path, Sent::Nothing).await?;
    job_report::show(&job, common.format)
}

/// Ends a job. Where no server is there to do it, it ends here, so that its files do, too.
async fn cancelled(api: &Api, id: &str) -> anyhow::Result<JobView> {
    let path = format!("/jobs/{}", segment(id));
    let cancel = format!("{path}/cancel");
    let job: JobView = api.ask(Method::POST, &cancel, Sent::Nothing).await?;
    if job.state.has_ended() || api.outlives_the_command() {
        return Ok(job);
    }
    api.run_job(&job).await?;
    api.ask(Method::GET, &path, Sent::Nothing).await
}

async fn list(api: &Api, most: usize) -> anyhow::Result<Vec<JobView>> {
    let mut jobs: Vec<JobView> = Vec::new();
    let mut key: Option<String> = None;
    loop {
        let size = (most - jobs.len()).clamp(1, 100);
        let path = match &key {
            None => format!("/jobs?pageSize={size}"),
            Some(key) => format!("/jobs?pageSize={size}&pageKey={key}"),
        };
        let page: Page<JobView> = api.ask(Method::GET, &path, Sent::Nothing).await?;
        jobs.extend(page.items);
        key = page.next_page_key;
        if key.is_none() || jobs.len() >= most {
            jobs.truncate(most);
            return Ok(jobs);
        }
    }
}
