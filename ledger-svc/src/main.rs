//! The process of ledger-svc. Everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    farside_kit::run(&farside_ledger::PROGRAM, farside_ledger::start)
}
