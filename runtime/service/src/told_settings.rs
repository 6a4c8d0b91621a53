//! How the service is set up, told to administrators. What there is to tell, whoever has the service says
//! ([`Settings::told`](crate::Settings)): it alone knows by which names, and where each value comes from.

use crate::{Caller, Refusal, Service};
use wire::manage::SettingsView;

/// What telling a setting takes of memory, about.
const SETTING_BYTES: usize = 1 << 10;

impl Service {
    /// How the service is set up.
    ///
    /// # Errors
    /// The caller is no administrator.
    pub fn told_settings(&self, by: &Caller) -> Result<SettingsView, Refusal> {
        let told = &self.settings.told;
        let bytes = SETTING_BYTES * (told.len() + 1);
        let _room = self.memory().reserve(by.owner(), bytes)?;
        let caller = self.newest(by)?;
        if !caller.rights().is_administrator() {
            let text = "only an administrator sees how the service is set up";
            return Err(Refusal::Forbidden(text.into()));
        }
        Ok(SettingsView {
            items: told.to_vec(),
        })
    }
}
