//! The process of match-svc.

use std::process::ExitCode;

fn main() -> ExitCode {
    farside_kit::run(farside_match::NAME, farside_match::start)
}
