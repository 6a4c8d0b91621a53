//! Uploads to a dataset, and downloads by signed link. A link needs no credential; what is downloaded is
//! shown by no browser as anything but what its content was found to be.

mod download;
mod file_name;
mod multipart;
mod time_budget;
mod upload;

pub(crate) use download::attachment;
pub(super) use download::download;
#[cfg(feature = "pages")]
pub(crate) use download::media_type_of;
#[cfg(feature = "pages")]
pub(crate) use file_name::file_name;
#[cfg(feature = "pages")]
pub(crate) use multipart::{Form as FileForm, PART as FILE_PART, unusable};
pub(crate) use time_budget::TimeBudget;
pub(crate) use upload::receive;
pub(super) use upload::upload;
