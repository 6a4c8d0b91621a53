//! Reading manifests: YAML or JSON, and the files they name. Afterwards a manifest stands alone, so that
//! a server that does not see the files can apply it.

use crate::failure::of_manifest;
use crate::model::{Codes, Document, Domain, Manifest, Schema, Secret, Text};
use crate::record_file::{self, FileRecord};
use anyhow::{Context as _, anyhow, bail};
use schema::json::unmarked;
use serde_saphyr::{DefaultMessageFormatter, MessageFormatter};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::catalog::DomainCode;

/// Where a manifest's files come from.
pub trait Files {
    /// The content of a file.
    ///
    /// # Errors
    /// When it can't be read.
    fn read(&self, path: &str) -> anyhow::Result<String>;
}

/// Files of the disk, their paths as seen from a folder; each that is read is noted.
struct Folder<'a> {
    folder: &'a Path,
    read: RefCell<Vec<PathBuf>>,
}

impl Files for Folder<'_> {
    fn read(&self, path: &str) -> anyhow::Result<String> {
        let path = self.folder.join(path);
        let text = std::fs::read_to_string(&path);
        let text = text.with_context(|| format!("can't read {}", path.display()))?;
        self.read.borrow_mut().push(path);
        Ok(unmarked(&text).to_owned())
    }
}

/// Reads a manifest and the files it names; gives the paths of all that was read, too, its own first.
///
/// # Errors
/// Files that can't be read, and everything that is no manifest.
pub fn file(path: &Path) -> anyhow::Result<(Manifest, Vec<PathBuf>)> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("can't read {shown}"))?;
    let files = Folder {
        folder: path.parent().unwrap_or(Path::new(".")),
        read: RefCell::new(vec![path.to_owned()]),
    };
    let is_json = path.extension().is_some_and(|ending| ending == "json");
    let manifest = text_of(&text, is_json, &files).with_context(|| format!("in {shown}"))?;
    Ok((manifest, files.read.into_inner()))
}

/// Reads a manifest's text, JSON or YAML, and the files it names.
///
/// # Errors
/// Files that can't be read, and everything that is no manifest.
pub fn text_of(text: &str, is_json: bool, files: &dyn Files) -> anyhow::Result<Manifest> {
    whole(text, is_json, files).map_err(of_manifest)
}

fn whole(text: &str, is_json: bool, files: &dyn Files) -> anyhow::Result<Manifest> {
    let text = unmarked(text);
    let mut manifest = if is_json {
        of_json(text)?
    } else {
        of_yaml(text)?
    };
    if manifest.tenants.is_empty() {
        bail!(
            "it names no tenant, so it says nothing; it is to begin with `tenants:`, a list of what each holds (`fieldstone manifest schema` tells what may stand there)"
        );
    }
    for tenant in &mut manifest.tenants {
        if tenant.name.is_none() {
            bail!("a tenant has no `name`");
        }
        for domain in &mut tenant.domains {
            read_codes(domain, files)?;
        }
        for webhook in &mut tenant.webhooks {
            if let Some(secret) = &mut webhook.secret {
                let read = secret_of(secret, files);
                read.with_context(|| format!("in the webhook {}", webhook.name))?;
            }
        }
        for schema in tenant.areas.iter_mut().flat_map(|area| &mut area.schemas) {
            read_schema(schema, files)?;
        }
    }
    Ok(manifest)
}

/// Reads the codes of a domain that names a file.
fn read_codes(domain: &mut Domain, files: &dyn Files) -> anyhow::Result<()> {
    let Codes::From(from) = &domain.codes else {
        return Ok(());
    };
    let text = files.read(&from.file)?;
    let codes = codes(&text, &from.code, from.description.as_deref());
    let codes = codes.with_context(|| format!("in {}", from.file))?;
    domain.codes = Codes::Written(codes);
    Ok(())
}

/// Reads the document of a schema, and the records of its datasets, where these are files.
fn read_schema(schema: &mut Schema, files: &dyn Files) -> anyhow::Result<()> {
    if let Document::File(path) = &schema.document {
        let (path, text) = (path.clone(), files.read(path)?);
        schema.document = Document::Text(Text { path, text });
    }
    let datasets = schema.datasets.iter_mut();
    for records in datasets.flat_map(|dataset| &mut dataset.records) {
        if records.text.is_none() {
            records.text = Some(files.read(&records.file)?);
        }
    }
    Ok(())
}

/// Reads a secret from where it is kept.
fn secret_of(secret: &mut Secret, files: &dyn Files) -> anyhow::Result<()> {
    let text = match (&secret.file, &secret.environment, &secret.text) {
        (_, _, Some(_)) => bail!(
            "a secret does not stand in a manifest; write `file` or `environment`, which say where it is kept"
        ),
        (Some(file), None, None) => files.read(file)?,
        (None, Some(name), None) => std::env::var(name)
            .with_context(|| format!("the secret of the environment variable {name}"))?,
        _ => bail!("`secret` has either `file` or `environment`"),
    };
    secret.text = Some(text.trim().to_owned());
    Ok(())
}

/// A manifest of JSON; a mistake is told with the path it stands at, its line and its column.
fn of_json(text: &str) -> anyhow::Result<Manifest> {
    let mut from = serde_json::Deserializer::from_str(text);
    let manifest = serde_path_to_error::deserialize(&mut from)
        .map_err(|error| told(error.path(), error.inner()))?;
    from.end()?;
    Ok(manifest)
}

/// A manifest of YAML; a mistake is told the same way.
fn of_yaml(text: &str) -> anyhow::Result<Manifest> {
    let mut path = None;
    let manifest = serde_saphyr::with_deserializer_from_str(text, |from| {
        serde_path_to_error::deserialize(from).map_err(|error| {
            path = Some(error.path().clone());
            error.into_inner()
        })
    });
    manifest.map_err(|error| {
        let text = error.without_snippet().render_with_formatter(&YamlWords);
        match path {
            Some(path) => told(&path, &text),
            None => anyhow!(text),
        }
    })
}

/// A mistake and where it is; what stands at a key is told with the path of what has the key.
fn told(path: &serde_path_to_error::Path, error: &dyn std::fmt::Display) -> anyhow::Error {
    match path.to_string().trim_end_matches('?').trim_end_matches('.') {
        "" => anyhow!("{error}"),
        path => anyhow!("at {path}: {error}"),
    }
}

/// What is wrong with YAML, told to who writes a manifest where the library would tell who writes a program.
struct YamlWords;

impl MessageFormatter for YamlWords {
    fn format_message<'a>(&self, error: &'a serde_saphyr::Error) -> Cow<'a, str> {
        use serde_saphyr::Error as E;
        match error {
            E::NullIntoString { .. } => {
                "nothing stands where a text is expected; write one, or leave the property out"
                    .into()
            }
            E::DuplicateMappingKey { key: Some(key), .. } => {
                format!("`{key}` stands here twice; write it once").into()
            }
            E::DuplicateMappingKey { key: None, .. } => {
                "a property stands here twice; write it once".into()
            }
            E::MultipleDocuments { .. } => {
                "a second document begins here; put it in a file of its own, and name both files"
                    .into()
            }
            E::RecursiveReferencesRequireWeakTypes { .. } => {
                "what is named by an anchor refers to itself; write it out".into()
            }
            other => DefaultMessageFormatter.format_message(other),
        }
    }
}

fn codes(text: &str, code: &str, description: Option<&str>) -> anyhow::Result<Vec<DomainCode>> {
    let mut found = BTreeMap::new();
    for FileRecord { line, text } in record_file::records(text)? {
        let record: BTreeMap<String, serde_json::Value> =
            serde_json::from_str(text).with_context(|| format!("line {line}"))?;
        let text = |name: &str| record.get(name).and_then(|value| value.as_str());
        let Some(code) = text(code) else {
            bail!("the record of line {line} has no text in `{code}`");
        };
        let description = description.and_then(text).unwrap_or_default();
        found.insert(code.to_owned(), description.to_owned());
    }
    let codes = found.into_iter();
    Ok(codes
        .map(|(code, description)| DomainCode { code, description })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_an_editor_began_with_a_mark_is_one() {
        let files = Folder {
            folder: Path::new("."),
            read: RefCell::default(),
        };
        for (text, is_json) in [
            ("\u{feff}{\"tenants\":[{\"name\":\"Acme\"}]}", true),
            ("\u{feff}tenants:\n  - name: Acme\n", false),
        ] {
            let manifest = text_of(text, is_json, &files).unwrap();
            assert_eq!(manifest.tenants.len(), 1, "{text}");
        }
    }
}
