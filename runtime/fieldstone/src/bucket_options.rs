//! What an operator can set about the bucket that uploaded files go to.

use crate::failure::usage;
use crate::plain_links::PlainLinks;
use crate::secret_input;
use anyhow::Context as _;
use clap::Args;
use service::files::{FileStorage, StorageProblem};
use std::path::{Path, PathBuf};

/// Where the bucket is, and what opens it.
#[derive(Args)]
#[command(next_help_heading = "Settings of uploaded files")]
pub(crate) struct BucketOptions {
    /// A bucket of S3-compatible storage for files; without it, they are in the data folder
    #[arg(long = "s3-bucket", env = "FIELDSTONE_S3_BUCKET", value_name = "NAME")]
    bucket: Option<String>,

    /// What the names of all objects in the bucket begin with
    #[arg(
        long = "s3-prefix",
        env = "FIELDSTONE_S3_PREFIX",
        value_name = "PREFIX",
        default_value = ""
    )]
    prefix: String,

    /// The storage's address, where it is not Amazon's
    #[arg(
        long = "s3-endpoint",
        env = "FIELDSTONE_S3_ENDPOINT",
        value_name = "URL"
    )]
    endpoint: Option<String>,

    /// The storage's region
    #[arg(
        long = "s3-region",
        env = "FIELDSTONE_S3_REGION",
        value_name = "REGION",
        default_value = "us-east-1"
    )]
    region: String,

    /// The id of the storage's access key
    #[arg(
        long = "s3-access-key-id",
        env = "FIELDSTONE_S3_ACCESS_KEY_ID",
        value_name = "ID"
    )]
    access_key_id: Option<String>,

    /// A file with the storage's access key, `-` for standard input
    #[arg(
        long = "s3-secret-access-key-file",
        env = "FIELDSTONE_S3_SECRET_ACCESS_KEY_FILE",
        value_name = "FILE"
    )]
    secret_access_key_file: Option<PathBuf>,

    /// The storage's access key, from the environment or the settings file; refused on the command line,
    /// where `ps` shows it
    #[arg(
        id = "s3_secret_access_key",
        long = "s3-secret-access-key",
        env = "FIELDSTONE_S3_SECRET_ACCESS_KEY",
        value_name = "KEY",
        hide_env_values = true,
        hide_default_value = true
    )]
    secret_access_key: Option<String>,
}

impl BucketOptions {
    /// Refuses settings that are for nothing: who begins to serve would look for files where they are not. Other commands take
    /// the settings of a server as they are, whose backups may be in a bucket.
    pub(crate) fn require_bucket(&self) -> anyhow::Result<()> {
        let others = [&self.endpoint, &self.access_key_id, &self.secret_access_key];
        let is_any = others.iter().any(|other| other.is_some())
            || self.secret_access_key_file.is_some()
            || !self.prefix.is_empty();
        if is_any && self.bucket.is_none() {
            return Err(usage(
                "settings of S3 are given without --s3-bucket; give the bucket, or leave them out to keep files in the data folder",
            ));
        }
        Ok(())
    }

    /// The file with the storage's access key.
    pub(crate) fn secret_file(&self) -> Option<&Path> {
        self.secret_access_key_file.as_deref()
    }

    /// The bucket for files, where there is one; otherwise they are in the data folder.
    pub(crate) async fn bucket(&self, links: PlainLinks) -> anyhow::Result<Option<FileStorage>> {
        let Some(bucket) = &self.bucket else {
            return Ok(None);
        };
        let place = NamedBucket {
            bucket,
            named_by: "--s3-bucket",
            what: "files",
        };
        Ok(Some(self.opened(place, &self.prefix, links).await?))
    }

    /// A bucket for backups, by the same settings; what is kept there has this prefix.
    pub(crate) async fn bucket_for_backups(
        &self,
        bucket: &str,
        prefix: &str,
        links: PlainLinks,
    ) -> anyhow::Result<FileStorage> {
        if bucket.is_empty() {
            return Err(usage("name the bucket: s3://BUCKET/NAME"));
        }
        let place = NamedBucket {
            bucket,
            named_by: &format!("the address s3://{bucket}"),
            what: "backups",
        };
        self.opened(place, prefix, links).await
    }

    async fn opened(
        &self,
        place: NamedBucket<'_>,
        prefix: &str,
        links: PlainLinks,
    ) -> anyhow::Result<FileStorage> {
        if let Some(endpoint) = &self.endpoint {
            links.require("--s3-endpoint", endpoint, "files travel")?;
        }
        let secret = match &self.secret_access_key_file {
            Some(path) => Some(secret_input::read(path)?),
            None => self.secret_access_key.clone(),
        };
        let NamedBucket { bucket, what, .. } = place;
        let settings = self.s3_settings(bucket, secret.as_deref());
        let storage = FileStorage::s3(settings, prefix)
            .with_context(|| format!("the bucket {bucket} can't be used for {what}"))?;
        self.try_out(&storage, place).await?;
        Ok(storage)
    }

    /// The settings of a bucket, by the names that its client has for them.
    fn s3_settings<'o>(
        &'o self,
        bucket: &'o str,
        secret: Option<&'o str>,
    ) -> Vec<(&'static str, &'o str)> {
        let mut options = vec![("aws_bucket", bucket), ("aws_region", &self.region)];
        let given = [
            ("aws_endpoint", self.endpoint.as_deref()),
            ("aws_access_key_id", self.access_key_id.as_deref()),
            ("aws_secret_access_key", secret),
        ];
        let given = given.into_iter();
        options.extend(given.filter_map(|(name, value)| Some((name, value?))));
        if self
            .endpoint
            .as_ref()
            .is_some_and(|address| address.starts_with("http://"))
        {
            options.push(("aws_allow_http", "true"));
        }
        options
    }

    /// Asks the storage before anyone uploads: what is set wrong is told now. One that is away may come
    /// back, and records need it not.
    async fn try_out(&self, storage: &FileStorage, place: NamedBucket<'_>) -> anyhow::Result<()> {
        let NamedBucket {
            bucket,
            named_by,
            what,
        } = place;
        let shown = self.endpoint.as_deref().unwrap_or("Amazon S3");
        match storage.probe().await {
            Ok(()) => Ok(()),
            Err(problem @ StorageProblem::Refused(_)) => {
                Err(problem).with_context(|| {
                    format!("the bucket {bucket} at {shown} can't be used for {what}; check {named_by}, --s3-region and the access key")
                })
            }
            Err(problem) => {
                tracing::warn!(
                    error = &problem as &dyn std::error::Error,
                    bucket,
                    endpoint = shown,
                    "files can't be taken or given until their storage answers"
                );
                Ok(())
            }
        }
    }
}

/// A bucket, as it was said.
#[derive(Clone, Copy)]
struct NamedBucket<'p> {
    bucket: &'p str,
    /// What names it: a setting, or an address.
    named_by: &'p str,
    /// What it is for.
    what: &'static str,
}
