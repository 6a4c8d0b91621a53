//! Roles of a manifest.

use crate::access::Access;
use crate::access::names;
use crate::model::Role;
use crate::report::PropertyChange;
use crate::spec::{Edit, Receipt, Spec, said};
use anyhow::bail;
use service::Refusal;
use service::manage::RoleContent;
use store::catalog::{self, Permission, Resource, Verbs};

impl Spec for Role {
    type Noun = catalog::Role;
    type Content = RoleContent;

    fn name(&self) -> &str {
        &self.name
    }

    fn content(&self, _: &Access, old: Option<&catalog::Role>) -> anyhow::Result<RoleContent> {
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
            description: said(self.description.as_ref(), old.map(|role| &role.description)),
            permissions,
            second_factor_required: self.second_factor_required,
        })
    }

    fn changes(&self, old: &catalog::Role, content: &RoleContent) -> Vec<PropertyChange> {
        let is_required = content.second_factor_required;
        let mut changes = PropertyChange::among([
            (
                "description",
                old.description.as_str().into(),
                content.description.as_str().into(),
            ),
            (
                "secondFactorRequired",
                old.second_factor_required.into(),
                is_required.unwrap_or(old.second_factor_required).into(),
            ),
        ]);
        for resource in Resource::ALL {
            let mut wanted = content.permissions.iter();
            let wanted = wanted.find(|it| it.resource == resource);
            let (was, is) = (
                old.verbs(resource),
                wanted.map_or_else(Verbs::default, |it| it.verbs),
            );
            let name = resource.name();
            changes.extend(PropertyChange::among([(&name, names(was), names(is))]));
        }
        changes
    }

    async fn write(edit: Edit<'_, Self>) -> Result<Receipt, Refusal> {
        edit.put().await
    }
}
