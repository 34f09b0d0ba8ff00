//! Waiting for an event by looking for it again and again. Nothing here waits for a time to pass.

use std::time::Duration;

/// How often it is looked for.
const POLL: Duration = Duration::from_millis(10);

/// The longest that a test waits for anything: far beyond what a loaded machine needs, so that only a fault meets it.
pub const LIMIT: Duration = Duration::from_secs(60);

/// Waits until `look` finds something.
///
/// # Panics
///
/// When it does not within [`LIMIT`]; `what` says what was waited for.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let found = tokio::time::timeout(LIMIT, async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            tokio::time::sleep(POLL).await;
        }
    });
    found.await.unwrap_or_else(|_| panic!("waited {} s in vain for {what}", LIMIT.as_secs()))
}
