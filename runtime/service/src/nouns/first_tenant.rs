//! The first tenant of a store and its administrator, made in one change, and only while there is no tenant: of two that
//! come at once, on however many servers, the catalog takes one.

use super::content::Texts;
use super::noun::Noun as _;
use super::profile::{HashedUser, Profile, judge};
use super::tenants::put_with_roles;
use crate::{Operator, Refusal, Service, ids, passwords, set_up_codes};
use std::sync::Arc;
use store::catalog::{AuditAction, Row as _, User};
use tracing::Instrument as _;
use wire::manage::Password;

/// What a store begins with.
pub struct FirstTenant {
    /// The name of the tenant.
    pub tenant: String,
    /// The user name of its administrator.
    pub username: String,
    /// The administrator's full name; the user name, where it is empty.
    pub full_name: String,
    /// The administrator's e-mail address.
    pub email: String,
    /// The password that the administrator chose.
    pub password: Password,
}

impl FirstTenant {
    /// Refuses what is wrong with it, whatever the store holds.
    pub(crate) fn judge(&self) -> Result<(), Refusal> {
        Texts::default().name("$.tenant", &self.tenant).judged()?;
        let names = [&self.username, self.shown_name(), &self.email];
        judge(names, Some(&self.password))
    }

    fn shown_name(&self) -> &String {
        if self.full_name.is_empty() {
            &self.username
        } else {
            &self.full_name
        }
    }
}

impl Service {
    /// Refuses where there is a tenant.
    pub(crate) fn require_no_tenant(&self) -> Result<(), Refusal> {
        if self.has_tenants() {
            return Err(there_is_one());
        }
        Ok(())
    }

    /// Makes the first tenant with its administrator, where the code with this hash, if one is asked for, is good by then.
    ///
    /// # Errors
    /// What is wrong with them; [`Refusal::Conflict`] where there is a tenant by now, [`Refusal::NotFound`] where the code has
    /// ended.
    pub(crate) async fn make_first_tenant(
        &self,
        operator: &Operator,
        first: FirstTenant,
        code: Option<String>,
    ) -> Result<Arc<User>, Refusal> {
        first.judge()?;
        let [tenant, administrator, member, user] =
            [(); 4].map(|()| ids::new_id(self.now(), self.entropy()));
        let words = [
            &*first.username,
            &first.full_name,
            &first.email,
            &first.tenant,
        ];
        self.require_fit_password(&tenant, &first.password, "$.password", &words)
            .await?;
        let hashing = passwords::hashed(&self.hash_pool, &first.password, &tenant, self.entropy());
        let hashed = HashedUser {
            password_hash: hashing.await?,
            profile: Profile {
                full_name: first.shown_name().clone(),
                username: first.username,
                email: first.email,
                second_factor_required: None,
                active: true,
                roles: vec![administrator.clone()],
                grants: Vec::new(),
            },
            must_change_password: false,
            invitation: None,
        };
        let by = operator.principal(&tenant);
        let span = tracing::debug_span!("tenants.create_first", id = tenant);
        let name = first.tenant;
        let new_ids = [tenant, administrator, member];
        let made = self.change_by_operator(by, move |change| {
            if !change.catalog.tenants.is_empty() {
                return Err(there_is_one());
            }
            let good = || set_up_codes::hashes(change.catalog, change.at);
            if code.as_ref().is_some_and(|code| !good().contains(code)) {
                return Err(Refusal::NotFound(NOT_OFFERED.into()));
            }
            put_with_roles(change, &new_ids, &name)?;
            let user = Arc::new(User::make(change, user.clone(), "", &hashed)?);
            change.put(User::row(user.clone()));
            user.after_make(change);
            change.remember::<User>(AuditAction::Create, None, Some(&user));
            Ok(user)
        });
        made.instrument(span).await
    }
}

/// Where nobody is offered the set-up.
pub(crate) const NOT_OFFERED: &str =
    "this service offers no set-up; make the first tenant on its machine with `fieldstone init`";

fn there_is_one() -> Refusal {
    Refusal::Conflict("there is a tenant already, so nothing was set up; sign in".into())
}
