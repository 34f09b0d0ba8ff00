//! How a page is looked at: the size of the screen, light or dark, and pictures of it.

use std::{fs, path::PathBuf};

use base64::Engine as _;
use serde_json::json;

use super::Browser;
use crate::program::built;

/// What the system prefers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Scheme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// A screen.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// For names of pictures.
    pub name: &'static str,
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// Light or dark.
    pub scheme: Scheme,
}

/// A desktop and a small phone, each in light and dark.
pub const LOOKS: [Look; 4] = [
    Look { name: "desktop-light", width: 1280, height: 900, scheme: Scheme::Light },
    Look { name: "desktop-dark", width: 1280, height: 900, scheme: Scheme::Dark },
    Look { name: "phone-light", width: 360, height: 740, scheme: Scheme::Light },
    Look { name: "phone-dark", width: 360, height: 740, scheme: Scheme::Dark },
];

impl Browser {
    /// Looks at pages on that screen from now on.
    pub async fn look(&self, look: &Look) {
        let size =
            json!({ "width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": look.width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
        let scheme = if look.scheme == Scheme::Dark { "dark" } else { "light" };
        // Without motion: whoever judges colours while they fade into each other judges none that is meant.
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Puts a picture of the whole page into `target/screenshots/NAME.png`.
    pub async fn take_picture(&self, name: &str) {
        let wish = json!({ "format": "png", "captureBeyondViewport": true });
        let picture = self.devtools("Page.captureScreenshot", wish).await;
        let data = picture["data"].as_str().expect("a picture");
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).expect("a picture");
        let file = pictures().join(format!("{name}.png"));
        fs::create_dir_all(file.parent().expect("pictures are in a folder")).expect("a folder for pictures");
        fs::write(file, bytes).expect("room for a picture");
    }

    /// What does not fit the screen: the whole page when it can be moved sideways, with what reaches out of it.
    pub async fn overflow(&self) -> Vec<String> {
        let found = self.run(include_str!("overflow.js"), vec![]).await;
        found.as_array().into_iter().flatten().filter_map(|part| part.as_str().map(str::to_owned)).collect()
    }
}

/// Beside the programs' folder of the target.
fn pictures() -> PathBuf {
    let programs = built("farside");
    let target = programs.parent().and_then(|folder| folder.parent()).expect("programs are in a folder of the target");
    target.join("screenshots")
}
