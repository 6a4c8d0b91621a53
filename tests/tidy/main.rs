//! Guards of the house itself: floors only look down, files and functions stay small, every room says
//! what it is for, every dependency says why it is there, generated types stay light.

mod dependencies;
mod floors;
mod readme;
mod sizes;
mod sources;
