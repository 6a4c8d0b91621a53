//! The set-up of a store that has no tenant yet: whoever started the program is shown a code, and who shows that makes the
//! first tenant over the network. The code is held in memory, as a hash, until it was used or the process ends.
//! docs/interface.md, "Set-up".

use super::sign_in_name::SignInOrigin;
use crate::nouns::FirstTenant;
use crate::{Operator, Refusal, Service, secrets};
use parking_lot::Mutex;
use std::sync::Arc;
use store::catalog::User;
use subtle::ConstantTimeEq as _;
use tracing::Instrument as _;

/// Letters and digits of the code behind the prefix.
const CODE_LENGTH: usize = 40;
/// What tries at the code are counted under; no account is called so.
const ACCOUNT: &str = "set-up";
/// What the trail calls whoever shows the code.
const NAME: &str = "set-up";

/// Where nobody is offered the set-up.
const NOT_OFFERED: &str =
    "this service offers no set-up; make the first tenant on its machine with `fieldstone init`";
/// What is told of a code that is another one.
const WRONG: &str = "this is not the code that the service showed when it was started";

/// The hash of the code that is good.
#[derive(Default)]
pub(crate) struct SetUpCode(Mutex<Option<String>>);

impl SetUpCode {
    fn hash(&self) -> Option<String> {
        self.0.lock().clone()
    }

    fn set(&self, hash: Option<String>) {
        *self.0.lock() = hash;
    }
}

impl Service {
    /// Offers the set-up, where there is no tenant yet: gives the code for whoever started the program, which is shown this
    /// once. One of before is good no more. Of a store that servers share there is none: a request comes to any of them, and
    /// each would have a code of its own.
    pub fn offer_set_up(&self) -> Option<String> {
        if self.has_tenants() || self.store().is_read_only() || self.is_shared() {
            return None;
        }
        let text = secrets::random_text(self.entropy(), CODE_LENGTH);
        let code = format!("{}{text}", secrets::SET_UP_PREFIX);
        self.set_up_code.set(Some(secrets::hash(&code)));
        Some(code)
    }

    /// Whether the first tenant can be made with a code.
    pub fn offers_set_up(&self) -> bool {
        !self.has_tenants() && self.set_up_code.hash().is_some()
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
        self.require_no_tenant()?;
        let hash = self.set_up_code.hash();
        let hash = hash.ok_or_else(|| Refusal::NotFound(NOT_OFFERED.into()))?;
        let attempt = self.attempt(None, ACCOUNT, origin).await?;
        let shown = secrets::hash(code);
        if !bool::from(shown.as_bytes().ct_eq(hash.as_bytes())) {
            return Err(Refusal::Forbidden(WRONG.into()));
        }
        attempt.give_back().await;
        // who shows the code reads what the program says on its machine
        let operator = Operator::of_this_machine(NAME);
        let made = self.make_first_tenant(&operator, first);
        let span = tracing::debug_span!("sessions.set_up");
        let administrator = made.instrument(span).await?;
        self.set_up_code.set(None);
        Ok(administrator)
    }
}
