//! The process of rating-svc. Everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    farside_kit::run(&farside_rating::PROGRAM, farside_rating::start)
}
