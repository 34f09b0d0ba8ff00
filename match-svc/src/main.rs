//! The process of match-svc.

use std::process::ExitCode;

fn main() -> ExitCode {
    farside_kit::run(&farside_match::PROGRAM, farside_match::start)
}
