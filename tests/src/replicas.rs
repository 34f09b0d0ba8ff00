//! Several processes of match-svc on one platform, any of which may be killed while the others go on. The gateway
//! calls the first.

use crate::{
    apart::{Apart, listen},
    callers::Callers,
    program::Program,
};

/// The five services with more than one match-svc.
#[derive(Debug)]
pub struct Replicas {
    more: Vec<Program>,
    urls: Vec<String>,
    /// The five.
    pub platform: Apart,
}

impl Replicas {
    /// Starts everything with `count` processes of match-svc.
    pub async fn start(count: usize) -> Self {
        let platform = Apart::start().await;
        let mut more: Vec<Program> = (1..count).map(|_| platform.matches.twin()).collect();
        let mut urls = vec![platform.matches.setting("FARSIDE_MATCH_URL").to_owned()];
        urls.extend(more.iter_mut().map(listen));
        for program in &mut more {
            program.spawn();
        }
        for program in &mut more {
            program.ready().await;
        }
        Self { more, urls, platform }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.urls.len()
    }

    /// One of them, counted from 0.
    pub fn replica(&mut self, index: usize) -> &mut Program {
        match index.checked_sub(1) {
            None => &mut self.platform.matches,
            Some(index) => &mut self.more[index],
        }
    }

    /// Callers of all of them.
    #[must_use]
    pub fn callers(&self) -> Callers {
        Callers::new(&self.urls, &self.platform)
    }
}
