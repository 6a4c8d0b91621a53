//! Control: what the operator of the machine asks for, and the way it takes to the process that holds the
//! store, here or on another machine. A command without a server carries its request out in its own process; beside a server it sends it
//! to a listener that takes connections from this machine only and answers whoever shows the token file's
//! secret. What a request means, the manifest knows.

mod api;
mod beginning;
mod client;
mod connection;
mod remote;
mod server;
mod token_file;

pub(crate) use api::{Api, Sent};
pub(crate) use client::{
    Health, StoreNeed, backup_of_server, health_of_server, open_api, submit, submit_to,
};
pub(crate) use remote::ServerArgs;
pub(crate) use server::router;
pub(crate) use token_file::{Endpoint, Having, TokenFile};

use crate::connection_limits::ConnectionLimits;

/// Where a server tells commands of its machine whether it is ready.
const HEALTH: &str = "/health";

/// Commands at a time; they all come from this machine.
pub(crate) const CONNECTIONS: ConnectionLimits = ConnectionLimits {
    all: 16,
    an_address: 16,
};
