//! Writing manifests as people read them: YAML. A manifest that is written and read again says the same.

use crate::model::Manifest;

/// A manifest as YAML.
///
/// # Errors
/// None that a manifest can bring about.
pub fn yaml(manifest: &Manifest) -> anyhow::Result<String> {
    Ok(serde_saphyr::to_string(manifest)?)
}
