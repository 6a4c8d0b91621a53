//! `fieldstone repair`: the values of one field in many records, changed by a job, or only tried.

use crate::control::{self, Api, Sent, ServerArgs};
use crate::dataset_path::DatasetPath;
use crate::job_report;
use crate::job_watch::JobWatch;
use crate::settings::Common;
use crate::standard_output::standard_output;
use crate::web_address::segment;
use anyhow::{Context as _, bail};
use axum::http::Method;
use clap::Args;
use std::collections::BTreeMap;
use std::process::ExitCode;
use wire::RawJson;
use wire::manage::{JobView, RepairAction, RepairOptions};

/// The examples under `fieldstone repair --help`.
const EXAMPLES: &str = "\
Examples:
  fieldstone repair Sales/Customer/Customers --field Size --regex '^(\\d+) km$' --with '$1' --dry-run
                                  what would change, and which faults would come and go
  fieldstone repair Sales/Customer/Customers --query fault:Country --field Country --map D=DE --map F=FR
  fieldstone repair Sales/Customer/Customers --field Name --trim
  fieldstone jobs undo ID         takes all of it back";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The dataset: AREA/SCHEMA/DATASET, each by name or id, or its id
    #[arg(value_name = "DATASET")]
    dataset: DatasetPath,

    /// The field, by its display name
    #[arg(long, value_name = "NAME")]
    field: String,

    /// Which records, as a search has it; without, all
    #[arg(long, value_name = "QUERY")]
    query: Option<String>,

    #[command(flatten)]
    action: ActionArgs,

    /// What takes the place of what --replace or --regex finds
    #[arg(long, value_name = "TEXT")]
    with: Option<String>,

    /// Only count and show what would change
    #[arg(long)]
    dry_run: bool,

    /// The tenant; needed where there are several
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    #[command(flatten)]
    server: ServerArgs,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct ActionArgs {
    /// Put this value in place of whatever is there: JSON, or a text; `null` clears
    #[arg(long, value_name = "VALUE")]
    set: Option<String>,

    /// Take the white space at both ends of texts away
    #[arg(long)]
    trim: bool,

    /// Replace each occurrence of a text; needs --with
    #[arg(long, value_name = "TEXT", requires = "with")]
    replace: Option<String>,

    /// Replace each match of a regular expression; needs --with, in which $1 is its first group (${1} before letters and digits)
    #[arg(long, value_name = "PATTERN", requires = "with")]
    regex: Option<String>,

    /// Replace a whole value by another: FROM=TO, several times; TO is JSON or a text
    #[arg(long, value_name = "FROM=TO")]
    map: Vec<String>,
}

impl Options {
    fn of_job(&self) -> anyhow::Result<RepairOptions> {
        let with = || self.with.clone().unwrap_or_default();
        let ActionArgs {
            set,
            trim,
            replace,
            regex,
            map,
        } = &self.action;
        let action = match (set, replace, regex) {
            (Some(value), _, _) => RepairAction::Set(value_of(value)),
            (_, Some(text), _) => RepairAction::Replace {
                text: text.clone(),
                with: with(),
            },
            (_, _, Some(pattern)) => RepairAction::Regex {
                pattern: pattern.clone(),
                with: with(),
            },
            _ if *trim => RepairAction::Trim,
            _ => RepairAction::Map(entries(map)?),
        };
        if self.with.is_some()
            && !matches!(
                action,
                RepairAction::Replace { .. } | RepairAction::Regex { .. }
            )
        {
            bail!("--with goes with --replace or --regex; leave it out");
        }
        Ok(RepairOptions {
            query: self.query.clone(),
            field: self.field.clone(),
            action,
            dry_run: self.dry_run,
            trial: None,
        })
    }
}

fn entries(map: &[String]) -> anyhow::Result<BTreeMap<String, RawJson>> {
    let mut all = BTreeMap::new();
    for text in map {
        let (from, to) = text.split_once('=').with_context(|| {
            format!("--map {text:?} is no FROM=TO; say what takes the place of what")
        })?;
        let to = value_of(to);
        let other = all.insert(from.to_owned(), to.clone());
        if other.is_some_and(|other| other != to) {
            bail!("--map names two values for {from:?}; keep one of them");
        }
    }
    Ok(all)
}

/// What stands on the command line: JSON, or else a text.
fn value_of(text: &str) -> RawJson {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

pub(crate) async fn run(common: &Common, options: Options) -> anyhow::Result<ExitCode> {
    let said = options.of_job()?;
    let mut watch = JobWatch::new(common.format)?;
    let api = control::open_api(&options.server, options.tenant.as_deref(), common).await?;
    let mut jobs = Vec::new();
    let done = repair(&api, &options, &said, &mut watch, &mut jobs).await;
    watch.end();
    let closed = api.close().await;
    let other = done.and(closed).err();
    let exit = job_report::report(&jobs, common.format, other, &mut standard_output())?;
    Ok(exit.into())
}

async fn repair(
    api: &Api,
    options: &Options,
    said: &RepairOptions,
    watch: &mut JobWatch,
    jobs: &mut Vec<JobView>,
) -> anyhow::Result<()> {
    let dataset = options.dataset.find(api).await?;
    let path = format!("/datasets/{}/repairs", segment(&dataset));
    let said = RawJson::of(said)?;
    let job: JobView = api.ask(Method::POST, &path, Sent::Json(said)).await?;
    jobs.push(watch.follow(api, "repair", &job).await?);
    Ok(())
}
