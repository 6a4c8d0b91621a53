//! `fieldstone manifest`: manifests of what is there. `fieldstone apply` applies one.

use crate::control::{self, ServerArgs, StoreNeed};
use crate::outside::require_outside;
use crate::record_files::{RecordFiles, path_in};
use crate::settings::{Common, Format};
use crate::standard_output::standard_output;
use crate::watch::Watch;
use clap::{Args, Subcommand};
use manifest::operations::{Outcome, Request};
use manifest::{ExportRequest, Manifest, write};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum ManifestCommand {
    /// Write a tenant as a manifest to standard output; secrets and passwords are not in it
    Export(ExportOptions),
    /// Print the JSON Schema of manifests, for editors
    Schema,
}

#[derive(Args)]
pub(crate) struct ExportOptions {
    /// The tenant; needed where there are several
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    /// Write the records, too: NDJSON files in this folder, which is made where it is not
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) async fn run(common: &Common, verb: ManifestCommand) -> anyhow::Result<ExitCode> {
    let options = match verb {
        ManifestCommand::Export(options) => options,
        ManifestCommand::Schema => {
            let schema = manifest::json_schema();
            standard_output().write_all(schema.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let request = Request::Export(ExportRequest {
        tenant: options.tenant.clone(),
        records: options.records.is_some(),
    });
    let mut watch = Watch::new(common.format);
    if let Some(folder) = &options.records {
        require_outside(Some("--records"), folder, &common.data)?;
        watch = watch.with_records(RecordFiles::new(folder, &common.data));
    }
    let (tenant, need) = (options.tenant.as_deref(), StoreNeed::Existing);
    let asked = control::submit_to(&options.server, tenant, common, need, request, &mut watch);
    let outcome = asked.await?;
    watch.end()?;
    let Outcome::Exported(mut manifest) = outcome else {
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(folder) = &options.records {
        name_records(&mut manifest, folder)?;
    }
    let text = match common.format {
        Format::Text => write::yaml(&manifest)?,
        Format::Json => serde_json::to_string_pretty(&manifest)? + "\n",
    };
    standard_output().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Names the record files by their places in a folder.
fn name_records(manifest: &mut Manifest, folder: &Path) -> anyhow::Result<()> {
    let tenants = manifest.tenants.iter_mut();
    let areas = tenants.flat_map(|tenant| &mut tenant.areas);
    let schemas = areas.flat_map(|area| &mut area.schemas);
    let datasets = schemas.flat_map(|schema| &mut schema.datasets);
    for records in datasets.flat_map(|dataset| &mut dataset.records) {
        records.file = path_in(folder, &records.file)?.display().to_string();
    }
    Ok(())
}
