//! `fieldstone manifest`: manifests of what is there. `fieldstone apply` applies one.

use crate::control::{self, ServerArgs, StoreNeed};
use crate::outside::require_outside;
use crate::settings::{Common, Format};
use crate::standard_output::standard_output;
use crate::watch::Watch;
use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use manifest::operations::{Outcome, Request};
use manifest::{ExportRequest, Manifest, write};
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
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
    if let Some(folder) = &options.records {
        require_outside(Some("--records"), folder, &common.data)?;
    }
    let mut watch = Watch::new(common.format);
    let (tenant, need) = (options.tenant.as_deref(), StoreNeed::Existing);
    let asked = control::submit_to(&options.server, tenant, common, need, request, &mut watch);
    let outcome = asked.await?;
    let Outcome::Exported(mut manifest) = outcome else {
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(folder) = &options.records {
        write_records(&mut manifest, folder)?;
    }
    let text = match common.format {
        Format::Text => write::yaml(&manifest)?,
        Format::Json => serde_json::to_string_pretty(&manifest)? + "\n",
    };
    standard_output().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Moves the texts of record files into files of a folder.
fn write_records(manifest: &mut Manifest, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    let tenants = manifest.tenants.iter_mut();
    let areas = tenants.flat_map(|tenant| &mut tenant.areas);
    let schemas = areas.flat_map(|area| &mut area.schemas);
    let datasets = schemas.flat_map(|schema| &mut schema.datasets);
    for records in datasets.flat_map(|dataset| &mut dataset.records) {
        let own = Path::new(&records.file);
        // a server elsewhere names them, and is to write nowhere else
        if !own
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
        {
            bail!(
                "the server names a file outside of the folder: {}",
                records.file
            );
        }
        let path = folder.join(own);
        let text = records.text.take().unwrap_or_default();
        std::fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
        records.file = path.display().to_string();
    }
    Ok(())
}
