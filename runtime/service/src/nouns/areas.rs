//! Business areas. Whoever makes one may do everything in it.

use super::change::Change;
use super::content::Texts;
use super::noun::{Content, Noun, Restorable};
use super::sight::Sight;
use crate::Refusal;
use crate::listing::area_item;
use store::catalog::{Area, Grant, Resource, Verb, Verbs};
use wire::Timestamp;
use wire::manage::{AreaContent, AreaView};

impl Content for AreaContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        Texts::named(&self.name, &self.description).judged()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> Option<i64> {
        self.version
    }
}

impl Noun for Area {
    const RESOURCE: Resource = Resource::Areas;
    const NAME: &'static str = "area";
    const ONE: &'static str = "an area";

    type New = AreaContent;
    type Content = AreaContent;
    type View = AreaView;

    fn view(&self) -> AreaView {
        AreaView {
            item: area_item(self),
            deleted: self.deleted,
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        _: &str,
        new: &AreaContent,
    ) -> Result<Self, Refusal> {
        let new = new.clone();
        Ok(Area {
            id,
            tenant: change.tenant().to_owned(),
            name: new.name,
            description: new.description,
            active: new.active,
            deleted: false,
            version: 1,
            stamp: change.stamp(),
        })
    }

    fn with(&self, _: &mut Change<'_>, content: &AreaContent) -> Result<Self, Refusal> {
        let content = content.clone();
        Ok(Area {
            name: content.name,
            description: content.description,
            active: content.active,
            ..self.clone()
        })
    }

    fn permit(&self, sight: Sight<'_>, verb: Verb) -> Result<(), Refusal> {
        sight.rights.require_in(Resource::Areas, verb, &self.id)
    }

    fn is_listed(&self, sight: Sight<'_>) -> bool {
        sight.rights.manages(&self.id, Verb::View)
    }

    fn after_make(&self, change: &mut Change<'_>) {
        change.grant_to_maker(&Grant {
            area: self.id.clone(),
            verbs: Verbs::ALL,
        });
    }
}

impl Restorable for Area {
    fn after_restore(&self, change: &mut Change<'_>) {
        let catalog = change.catalog;
        let schemas = catalog.schemas_of(&self.id);
        change.revalidate_all(schemas.flat_map(move |schema| catalog.datasets_of(&schema.id)));
    }
}
