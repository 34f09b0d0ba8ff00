//! Any text as a record and as facts.

#![no_main]

use farside_rules::record::{seal, verify_json};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = verify_json(text, &[]);
    if let Ok(sealed) = seal(text) {
        let unsigned = verify_json(&sealed.json, &[]).expect("what was sealed is a record");
        assert_eq!(unsigned.fault.expect("it is not signed yet").detail, "missing field `signature`");
    }
});
