//! The admin port over HTTP.

use farside_kit::Context;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

async fn get(address: std::net::SocketAddr, path: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn readiness_names_each_check() {
    let context = Context::new();
    let database = context.readiness.register("database");
    let address = farside_kit::process::serve_admin(&context, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let answer = get(address, "/readyz").await;
    assert!(
        answer.starts_with("HTTP/1.1 503") && answer.ends_with(r#"{"ready":false,"checks":{"database":false}}"#),
        "{answer}"
    );
    database.set(true);
    let answer = get(address, "/readyz").await;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with(r#"{"ready":true,"checks":{"database":true}}"#),
        "{answer}"
    );
    assert!(get(address, "/healthz").await.starts_with("HTTP/1.1 200"));
    let metrics = get(address, "/metrics").await;
    assert!(metrics.contains("application/openmetrics-text") && metrics.ends_with("# EOF\n"), "{metrics}");
    context.shutdown.trigger();
    assert!(context.tasks.drain(std::time::Duration::from_secs(20)).await);
}
