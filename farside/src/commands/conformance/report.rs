//! The report: a line for each check, for people or for machines. Pure text.

use serde_json::{Value, json};

use super::checks::{Check, Verdict};

/// The lines for people.
pub(crate) fn lines(checks: &[Check]) -> Vec<String> {
    let mut lines = Vec::new();
    for Check { name, promise, finding, read } in checks {
        lines.push(format!("{:<9} {name:<15} {promise}: {}", finding.verdict, finding.observed));
        if finding.verdict == Verdict::Failed {
            lines.push(format!("{:26}read \"{read}\" in agents.md", ""));
        }
    }
    lines.push(summary(checks));
    lines
}

/// How many checks came out how.
pub(crate) fn summary(checks: &[Check]) -> String {
    let count = |verdict| checks.iter().filter(|check| check.finding.verdict == verdict).count();
    let (passed, failed, not_seen) = (count(Verdict::Passed), count(Verdict::Failed), count(Verdict::NotSeen));
    format!("{passed} passed, {failed} failed, {not_seen} not seen")
}

/// Whether nothing failed.
pub(crate) fn is_good(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.finding.verdict != Verdict::Failed)
}

/// The report for machines.
pub(crate) fn json(checks: &[Check], seed: u64) -> Value {
    let one = |check: &Check| {
        let verdict = match check.finding.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::NotSeen => "not_seen",
        };
        json!({
            "check": check.name,
            "promise": check.promise,
            "verdict": verdict,
            "observed": check.finding.observed,
            "read": check.read,
        })
    };
    json!({ "ok": is_good(checks), "seed": seed, "checks": checks.iter().map(one).collect::<Vec<_>>() })
}
