//! rating-svc as a process of its own. By default it listens at 127.0.0.1:7104, its admin port at 127.0.0.1:9104.

use std::process::ExitCode;

fn main() -> ExitCode {
    farside_kit::run(farside_rating::NAME, farside_rating::start)
}
