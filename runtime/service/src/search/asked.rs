//! What a query asks for in some datasets, and that the trail tells who asks for personal values by it: that nothing is found
//! tells of values, too. docs/interface.md, "Personal data".

use super::by_value;
use super::fields;
use super::forms;
use super::names::{self, VisibleFields};
use super::query;
use super::targets::{Looker, Target};
use crate::personal::Look;
use crate::{Refusal, Service};
use std::collections::BTreeMap;
use store::catalog::Kind;
use store::search::Expression;

/// What is asked for.
pub(super) struct Asked {
    pub(super) expression: Expression,
    /// The numbers of the datasets of which it asks for values of a personal field that it names.
    personal: Vec<u32>,
}

/// Reads a query. Each field that it names is to be one in each of the datasets' schemas.
///
/// # Errors
/// [`Refusal::Parameter`] for one that does not parse or whose names are not clear, [`Refusal::Forbidden`] for personal values that who looks does not see.
pub(super) fn read(
    looker: Looker<'_>,
    text: &str,
    targets: &BTreeMap<u32, Target<'_>>,
) -> Result<Asked, Refusal> {
    let schemas = targets.values().map(|target| target.schema.current());
    let has_field = |name: &str| {
        let mut all = schemas.clone();
        all.any(|version| names::has_field(&version.schema, name))
    };
    let query = query::parse(text, &has_field)?;
    if query.fields.is_empty() {
        return Ok(Asked {
            expression: query.expression,
            personal: Vec::new(),
        });
    }
    let visible = VisibleFields::of(looker.caller);
    let personal = if looker.is_told() && looker.caller.sees_personal() {
        fields::asked_of_personal(&visible, targets, &query)
    } else {
        Vec::new()
    };
    fields::require_seen(looker, &visible, targets, &query)?;
    let compared = by_value::compared(looker, &visible, &query);
    let named = fields::Named {
        query: text,
        fields: &query.fields,
        compared: &compared,
    };
    fields::require(looker, &visible, targets, &named)?;
    for field in &query.fields {
        visible.require_one(targets, "query", &field.name)?;
    }
    let mut expression = forms::expression(looker, &visible, query)?;
    by_value::put(&mut expression, compared);
    Ok(Asked {
        expression,
        personal,
    })
}

impl Service {
    /// Reads a query as [`read`], and tells the trail of the personal values that it asks for before they are looked for.
    ///
    /// # Errors
    /// As [`read`]; the store's.
    pub(super) async fn asked(
        &self,
        looker: Looker<'_>,
        text: &str,
        targets: &BTreeMap<u32, Target<'_>>,
    ) -> Result<Expression, Refusal> {
        let asked = read(looker, text, targets)?;
        if looker.is_told() {
            let own = asked.personal.iter().filter_map(|it| targets.get(it));
            let looks = own.map(|own| Look::now(own.schema, (Kind::Dataset, &own.dataset.id)));
            let looks: Vec<_> = looks.collect();
            self.tell_looks(looker.caller, &looks).await?;
        }
        Ok(asked.expression)
    }
}
