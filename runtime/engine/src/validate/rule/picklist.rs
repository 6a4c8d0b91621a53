//! Picklists: static ones know their codes, dynamic ones ask for them.
//!
//! Where the data domain `currencies` has the code `EUR`:
//!
//! ```text
//! {"dataType": "picklist", "picklistType": "static", "staticPicklist": [{"code": "DE"}, {"code": "FR"}]}
//! "DE"  is stored as "DE"
//! "de"  must be one of DE or FR
//!
//! {"dataType": "picklist", "picklistType": "dynamic", "dataDomainId": "currencies"}
//! "EUR"  is stored as "EUR"
//! "DEM"  must be a code of the data domain currencies
//! ```

use super::scalar::Scalar;
use crate::validate::fault::Rule;
use crate::validate::judge::Judge;
use crate::validate::lookups::CodeLookup;
use crate::validate::slot::{Slot, narrow};
use crate::value::Value;
use rustc_hash::FxHashMap;
use schema::Field;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct StaticPicklistRule {
    codes: Arc<[Box<str>]>,
    index: FxHashMap<Box<str>, u32>,
    /// Whether a code that is not among them is kept: what a type says with `Open`, never a schema.
    keeps_unknown: bool,
}

impl StaticPicklistRule {
    pub(super) fn compile(field: &Field) -> Self {
        let entries = field.static_picklist.as_deref().unwrap_or_default();
        let codes: Arc<[Box<str>]> = entries
            .iter()
            .map(|entry| entry.code.as_str().into())
            .collect();
        let index = codes
            .iter()
            .zip(0..)
            .map(|(code, at)| (code.clone(), at))
            .collect();
        StaticPicklistRule {
            codes,
            index,
            keeps_unknown: false,
        }
    }

    /// Keeps codes that are not among its own.
    pub(crate) fn keep_unknown(&mut self) {
        self.keeps_unknown = true;
    }

    /// The code at an index that [`read`](Self::read) gave out.
    pub(crate) fn code(&self, index: u32) -> &str {
        &self.codes[index as usize]
    }

    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let found = match scalar {
            Scalar::Text(text, piece) => {
                let unknown = self.keeps_unknown.then_some(Slot::Text(piece));
                self.find(text).map(Slot::Code).or(unknown)
            }
            _ => None,
        };
        if found.is_none() {
            to.fault(Rule::Picklist(self.codes.clone()));
        }
        found.map(|slot| to.sent(slot, true))
    }

    /// A handful of codes is compared faster than it is hashed.
    fn find(&self, text: &str) -> Option<u32> {
        if self.codes.len() <= 8 {
            self.codes
                .iter()
                .position(|code| **code == *text)
                .map(narrow)
        } else {
            self.index.get(text).copied()
        }
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        let known = match value {
            Value::Code(code) | Value::Text(code) => {
                self.keeps_unknown || self.find(code).is_some()
            }
            _ => false,
        };
        if !known {
            to.fault(Rule::Picklist(self.codes.clone()));
        }
    }
}

#[derive(Debug)]
pub(crate) struct DynamicPicklistRule {
    domain: Arc<str>,
}

impl DynamicPicklistRule {
    pub(super) fn compile(domain: &str) -> Self {
        DynamicPicklistRule {
            domain: domain.into(),
        }
    }

    pub(super) fn read(&self, scalar: Scalar<'_>, to: &mut Judge<'_>) -> Option<Slot> {
        let Scalar::Text(text, piece) = scalar else {
            self.refuse(Rule::Domain, to);
            return None;
        };
        let holds = self.judge(text, to);
        holds.then(|| to.sent(Slot::Text(piece), true))
    }

    fn judge(&self, code: &str, to: &mut Judge<'_>) -> bool {
        let Some(lookups) = to.lookups else {
            to.unjudged = true;
            return true;
        };
        match lookups.code(&self.domain, code) {
            CodeLookup::Known => return true,
            CodeLookup::Unknown => self.refuse(Rule::Domain, to),
            CodeLookup::NoDomain => self.refuse(Rule::DomainMissing, to),
        }
        false
    }

    pub(super) fn judge_value(&self, value: &Value<'_>, to: &mut Judge<'_>) {
        match value {
            Value::Text(code) => {
                self.judge(code, to);
            }
            _ => self.refuse(Rule::Domain, to),
        }
    }

    /// Records a fault that tells the domain's name, or its id where look-ups don't know the name.
    #[cold]
    fn refuse(&self, rule: fn(Arc<str>) -> Rule, to: &mut Judge<'_>) {
        let name = to.lookups.and_then(|it| it.domain_name(&self.domain));
        to.fault(rule(name.map_or_else(|| self.domain.clone(), Arc::from)));
    }
}
