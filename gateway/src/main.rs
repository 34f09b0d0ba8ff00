//! The gateway as a process of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    farside_kit::run(&farside_gateway::PROGRAM, farside_gateway::start)
}
