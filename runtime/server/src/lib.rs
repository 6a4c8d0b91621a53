//! The doors over HTTP, as axum routers: the data interface, management, and the OpenAPI document that
//! describes both. They decide nothing about the business: each handler extracts, calls one function of the
//! service, and shapes the answer.
//!
//! | room | what it is for |
//! | - | - |
//! | [`http`] | the data interface |
//! | [`admin`] | management |
//! | [`openapi`] | what describes them |

pub mod admin;
pub mod http;
pub mod openapi;
