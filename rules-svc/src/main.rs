//! The process of rules-svc when it runs apart.

use std::process::ExitCode;

fn main() -> ExitCode {
    farside_kit::run(&farside_rules::PROGRAM, farside_rules::start)
}
