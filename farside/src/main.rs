//! The program that a newcomer runs: the platform in one process, and the tools around it.

use std::process::ExitCode;

fn main() -> ExitCode {
    farside::cli::main()
}
