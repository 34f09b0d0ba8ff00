//! The commands of the binary: one file each, a struct of arguments and a function to run it.

pub mod demo;
pub mod up;
pub mod verify;
