//! Data domains of a manifest. Codes that people added by other ways stay, unless the manifest says that its own are all.

use crate::access::Access;
use crate::model::{Codes, Domain, DomainMode};
use crate::report::{CodeChanges, PropertyChange};
use crate::spec::{Edit, Receipt, Spec};
use anyhow::bail;
use service::Refusal;
use service::manage::DomainContent;
use std::collections::{BTreeMap, BTreeSet};
use store::catalog::{self, DomainCode};

impl Spec for Domain {
    type Noun = catalog::Domain;
    type Content = DomainContent;
    const WHAT: &'static str = "data domain";

    fn name(&self) -> &str {
        &self.name
    }

    fn content(&self, _: &Access, old: Option<&catalog::Domain>) -> anyhow::Result<DomainContent> {
        let Codes::Written(codes) = &self.codes else {
            bail!("its codes were not read from their file");
        };
        let mut codes = match (old, self.mode.unwrap_or_default()) {
            (Some(old), DomainMode::Merge) => merged(&old.codes, codes),
            _ => codes.clone(),
        };
        codes.sort_by(|one, other| one.code.cmp(&other.code));
        Ok(DomainContent {
            name: self.name.clone(),
            codes,
            version: None,
        })
    }

    fn is_same(&self, old: &catalog::Domain, content: &DomainContent) -> bool {
        self.compare(old, content).is_none()
    }

    fn changes(&self, _: &catalog::Domain, _: &DomainContent) -> Vec<PropertyChange> {
        Vec::new()
    }

    fn codes(&self, old: &catalog::Domain, content: &DomainContent) -> Option<CodeChanges> {
        let changes = self.compare(old, content);
        (changes != CodeChanges::default()).then_some(changes)
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        edit.put().await
    }
}

impl Domain {
    /// What becomes of the codes that are there; their order does not count.
    fn compare(&self, old: &catalog::Domain, content: &DomainContent) -> CodeChanges {
        let by_code = |codes: &'_ [DomainCode]| -> BTreeMap<String, String> {
            let codes = codes.iter();
            codes
                .map(|it| (it.code.clone(), it.description.clone()))
                .collect()
        };
        let written: BTreeSet<&str> = match &self.codes {
            Codes::Written(codes) => codes.iter().map(|it| it.code.as_str()).collect(),
            Codes::From(_) => BTreeSet::new(),
        };
        let (was, is) = (by_code(&old.codes), by_code(&content.codes));
        let mut changes = CodeChanges::default();
        for (code, description) in &is {
            match was.get(code) {
                None => changes.added.add(code),
                Some(before) if before != description => changes.changed.add(code),
                Some(_) if !written.contains(code.as_str()) => changes.kept.add(code),
                Some(_) => {}
            }
        }
        for code in was.keys().filter(|code| !is.contains_key(*code)) {
            changes.removed.add(code);
        }
        changes
    }
}

/// The codes that are there with those of a manifest.
fn merged(old: &[DomainCode], wanted: &[DomainCode]) -> Vec<DomainCode> {
    let places = old.iter().enumerate();
    let places: BTreeMap<&str, usize> = places.map(|(at, it)| (it.code.as_str(), at)).collect();
    let mut seen = BTreeSet::new();
    let mut codes = old.to_vec();
    for code in wanted {
        match places.get(code.code.as_str()) {
            Some(&at) if seen.insert(&code.code) => {
                if !code.description.is_empty() {
                    codes[at].description.clone_from(&code.description);
                }
            }
            // one that stands there twice is told when it is judged
            _ => codes.push(code.clone()),
        }
    }
    codes
}
