//! The set-up of a store that has no tenant yet: whoever started the program is shown a code, and who shows that makes the
//! first tenant over the network. The code of a store that one server has to itself is held in memory, as a hash, until it was
//! used or the process ends; where servers share a store, it keeps the hashes of all, since a request comes to any of them
//! (`set_up_codes.rs`). docs/interface.md, "Set-up".

use super::sign_in_name::SignInOrigin;
use crate::nouns::{FirstTenant, NOT_OFFERED};
use crate::{Operator, Refusal, Service, secrets, set_up_codes};
use std::sync::Arc;
use store::StoreError;
use store::catalog::{CatalogWrite, User};
use subtle::ConstantTimeEq as _;
use tracing::Instrument as _;

/// Letters and digits of the code behind the prefix.
const CODE_LENGTH: usize = 40;
/// What tries at the code are counted under; no account is called so.
const ACCOUNT: &str = "set-up";
/// What the trail calls whoever shows the code.
const NAME: &str = "set-up";

/// What is told of a code that is another one.
const WRONG: &str = "this is not the code that the service showed when it was started";

impl Service {
    /// Offers the set-up, where there is no tenant yet: gives the code for whoever started the program, which is shown this
    /// once. One of before is good no more, unless servers share the store: there it is another server's, too, and each is good.
    ///
    /// # Errors
    /// The store's, where it can't keep the code.
    pub async fn offer_set_up(&self) -> Result<Option<String>, StoreError> {
        if self.has_tenants() || self.store().is_read_only() {
            return Ok(None);
        }
        let text = secrets::random_text(self.entropy(), CODE_LENGTH);
        let code = format!("{}{text}", secrets::SET_UP_PREFIX);
        let hash = secrets::hash(&code);
        if !self.is_shared() {
            self.set_up_code.set(Some(hash));
            return Ok(Some(code));
        }
        let now = self.now();
        let decided = self.store().decide(Box::new(move |catalog| {
            if !catalog.tenants.is_empty() {
                return Err(String::new());
            }
            Ok(CatalogWrite {
                put: vec![set_up_codes::with(catalog, &hash, now).into()],
                ..CatalogWrite::default()
            })
        }));
        // it is refused where a tenant was made beside
        Ok(decided.await?.ok().map(|_| code))
    }

    /// Whether the first tenant can be made with a code.
    pub fn offers_set_up(&self) -> bool {
        !self.has_tenants() && !self.set_up_hashes().is_empty()
    }

    /// The hashes of the codes that are good: its own, or, where servers share the store, those of all.
    fn set_up_hashes(&self) -> Vec<String> {
        if self.is_shared() {
            return set_up_codes::hashes(&self.store().catalog(), self.now());
        }
        self.set_up_code.hash().into_iter().collect()
    }

    /// Makes the first tenant and its administrator, for who shows the code.
    ///
    /// # Errors
    /// What is wrong with them; [`Refusal::Conflict`] where there is a tenant, [`Refusal::NotFound`] where the set-up is
    /// not offered; [`Refusal::Forbidden`] for another code, [`Refusal::TooOften`] after many of them.
    pub async fn set_up(
        &self,
        code: &str,
        first: FirstTenant,
        origin: &SignInOrigin,
    ) -> Result<Arc<User>, Refusal> {
        first.judge()?;
        let hashes = self.set_up_hashes();
        // asked behind it: with a tenant the codes are gone
        self.require_no_tenant()?;
        if hashes.is_empty() {
            return Err(Refusal::NotFound(NOT_OFFERED.into()));
        }
        let attempt = self.attempt(None, ACCOUNT, origin).await?;
        let shown = secrets::hash(code);
        let is_shown = |hash: &String| bool::from(shown.as_bytes().ct_eq(hash.as_bytes()));
        if !hashes.iter().any(is_shown) {
            return Err(Refusal::Forbidden(WRONG.into()));
        }
        attempt.give_back().await;
        // who shows the code reads what the program says on its machine
        let operator = Operator::of_this_machine(NAME);
        let made = self.make_first_tenant(&operator, first, self.is_shared().then_some(shown));
        let span = tracing::debug_span!("sessions.set_up");
        let administrator = made.instrument(span).await?;
        self.set_up_code.set(None);
        Ok(administrator)
    }
}
