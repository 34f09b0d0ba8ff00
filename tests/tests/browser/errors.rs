//! What is not there, or may not be done, is a page that helps on.

use farside_tests::browser::scenario;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_a_page_that_leads_on() {
    scenario("errors", async |scene| {
        let browser = scene.browser().await;
        browser.forgive("status of 404").await;
        for path in [
            "/nowhere",
            "/sets/set_00000000000000000000000000",
            "/sets/nonsense",
            "/games/chess",
            "/games/chess/leaderboard",
            "/bots/nobody",
            "/players/nobody",
            "/challenges/chal_00000000000000000000000000",
            "/play/set_00000000000000000000000000",
        ] {
            browser.open(path).await;
            let heading = browser.text("main h1").await;
            assert!(!heading.is_empty() && !heading.contains("404"), "{path}: {heading}");
            assert!(browser.count("main a[href]").await > 0, "{path} leads on");
            assert_eq!(browser.barriers().await, Vec::<String>::new(), "{path}");
        }
        browser.open("/me").await;
        browser.arrive("the page to sign in", |path| path == "/sign-in?next=/me").await;
    })
    .await;
}
