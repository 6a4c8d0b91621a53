//! Links to other machines have to be encrypted, unless the operator allows others: one rule for storage, webhooks, traces and
//! servers. That of a database stands in its address (`sslmode`).

use crate::web_address;
use anyhow::bail;
use clap::{ArgAction, Args};

/// Whether links to other machines may be plain.
#[derive(Args, Clone, Copy)]
pub(crate) struct PlainLinks {
    /// Use storage (--s3-endpoint), webhooks, traces (--traces-to) and servers (--server) on other machines by plain HTTP:
    /// whoever is on the way reads what is sent, and can change it
    #[arg(
        id = "allow-plain-links",
        long = "allow-plain-links",
        global = true,
        env = "FIELDSTONE_ALLOW_PLAIN_LINKS",
        action = ArgAction::SetTrue
    )]
    pub(crate) are_allowed: bool,
}

impl PlainLinks {
    /// Refuses the address of a setting that is plain HTTP beyond this machine, where that is not allowed, and warns of it
    /// where it is.
    pub(crate) fn require(
        self,
        setting: &str,
        address: &str,
        at_stake: &str,
    ) -> anyhow::Result<()> {
        if !address.starts_with("http://") || web_address::is_on_this_machine(address) {
            return Ok(());
        }
        if !self.are_allowed {
            bail!(
                "{setting} {address} is plain HTTP beyond this machine, where {at_stake} in the clear; use an https address, or allow it with --allow-plain-links on a network that no one else is on"
            );
        }
        tracing::warn!(
            address,
            "plain HTTP beyond this machine ({setting}): {at_stake} in the clear"
        );
        Ok(())
    }
}
