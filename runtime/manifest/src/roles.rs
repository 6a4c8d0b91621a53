//! Roles of a manifest.

use crate::access::Access;
use crate::model::Role;
use crate::spec::{Edit, Receipt, Spec};
use anyhow::bail;
use service::Refusal;
use service::manage::RoleContent;
use store::catalog::{self, Permission, Verbs};

impl Spec for Role {
    type Noun = catalog::Role;
    type Content = RoleContent;

    fn name(&self) -> &str {
        &self.name
    }

    fn content(&self, _: &Access, _: Option<&catalog::Role>) -> anyhow::Result<RoleContent> {
        let mut permissions = Vec::new();
        for (name, verbs) in &self.permissions {
            let Some(resource) = name.resource() else {
                bail!("there is no such resource");
            };
            let verbs = Verbs::from(verbs.clone());
            permissions.push(Permission { resource, verbs });
        }
        Ok(RoleContent {
            name: self.name.clone(),
            description: self.description.clone(),
            permissions,
        })
    }

    fn is_same(&self, old: &catalog::Role, content: &RoleContent) -> bool {
        let is_granted = |wanted: &Permission| old.verbs(wanted.resource) == wanted.verbs;
        old.description == content.description
            && content.permissions.iter().all(is_granted)
            && content.permissions.len() == old.permissions.len()
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        edit.put().await
    }
}
