//! Reading manifests: YAML or JSON, and the files they name. Afterwards a manifest stands alone, so that
//! a server that does not see the files can apply it.

use super::model::{Codes, Document, Manifest, Records, Text};
use anyhow::{Context as _, bail};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::Path;
use store::catalog::DomainCode;

/// Where a manifest's files come from.
pub(crate) trait Files {
    /// The content of a file.
    fn read(&self, path: &str) -> anyhow::Result<String>;
}

/// Files of the disk, their paths as seen from a folder.
pub(crate) struct Folder<'a>(pub(crate) &'a Path);

impl Files for Folder<'_> {
    fn read(&self, path: &str) -> anyhow::Result<String> {
        let path = self.0.join(path);
        std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))
    }
}

/// Reads a manifest and the files it names.
pub(crate) fn file(path: &Path) -> anyhow::Result<Manifest> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("can't read {shown}"))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let is_json = path.extension().is_some_and(|ending| ending == "json");
    text_of(&text, is_json, &Folder(folder)).with_context(|| format!("in {shown}"))
}

/// Reads a manifest's text and the files it names.
pub(crate) fn text_of(text: &str, is_json: bool, files: &dyn Files) -> anyhow::Result<Manifest> {
    let mut manifest: Manifest = if is_json {
        serde_json::from_str(text)?
    } else {
        serde_saphyr::from_str(text)?
    };
    for tenant in &mut manifest.tenants {
        if tenant.name.is_none() {
            bail!("a tenant has no `name`");
        }
        for domain in &mut tenant.domains {
            if let Codes::From(from) = &domain.codes {
                let text = files.read(&from.file)?;
                let codes = codes(&text, &from.code, from.description.as_deref());
                let codes = codes.with_context(|| format!("in {}", from.file))?;
                domain.codes = Codes::Written(codes);
            }
        }
        for schema in tenant.areas.iter_mut().flat_map(|area| &mut area.schemas) {
            if let Document::File(path) = &schema.document {
                let (path, text) = (path.clone(), files.read(path)?);
                schema.document = Document::Text(Text { path, text });
            }
            let datasets = schema.datasets.iter_mut();
            for records in datasets.flat_map(|dataset| &mut dataset.records) {
                if let Records::File(path) = records {
                    let (path, text) = (path.clone(), files.read(path)?);
                    *records = Records::Text(Text { path, text });
                }
            }
        }
    }
    Ok(manifest)
}

/// The records of a file: of an array, or one a line; each as it was written.
pub(crate) fn records(text: &str) -> anyhow::Result<Vec<&str>> {
    if text.trim_start().starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(text)?;
        return Ok(items.into_iter().map(RawValue::get).collect());
    }
    let lines = text.lines().map(str::trim);
    Ok(lines.filter(|line| !line.is_empty()).collect())
}

fn codes(text: &str, code: &str, description: Option<&str>) -> anyhow::Result<Vec<DomainCode>> {
    let mut found = BTreeMap::new();
    for (index, record) in records(text)?.into_iter().enumerate() {
        let record: BTreeMap<String, serde_json::Value> =
            serde_json::from_str(record).with_context(|| format!("record {}", index + 1))?;
        let text = |name: &str| record.get(name).and_then(|value| value.as_str());
        let Some(code) = text(code) else {
            bail!("record {} has no text in `{code}`", index + 1);
        };
        let description = description.and_then(text).unwrap_or_default();
        found.insert(code.to_owned(), description.to_owned());
    }
    let codes = found.into_iter();
    Ok(codes
        .map(|(code, description)| DomainCode { code, description })
        .collect())
}
