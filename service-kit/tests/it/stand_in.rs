//! A service to call in tests: OpenTelemetry's own `TraceService`, since the kit knows no contract of the platform.

use std::sync::Arc;

use farside_kit::grpc::{AllowList, Endpoint, Listener, Server, ServiceTokens, Traced};
use farside_kit::metrics::Metrics;
use farside_kit::shutdown::{Shutdown, Tasks};
use futures::future::BoxFuture;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use prost::Message as _;
use prost_types::{
    DescriptorProto, FileDescriptorProto, FileDescriptorSet, MethodDescriptorProto, ServiceDescriptorProto,
};
use tonic::service::Routes;
use tonic::{Request, Response, Status};

pub const SERVICE: &str = "opentelemetry.proto.collector.trace.v1.TraceService";
pub const EXPORT: &str = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

pub type Answer = Result<Response<ExportTraceServiceResponse>, Status>;
type Handler = dyn Fn(Request<ExportTraceServiceRequest>) -> BoxFuture<'static, Answer> + Send + Sync;

/// Answers with what a closure makes of the request.
#[derive(Clone)]
pub struct StandIn(Arc<Handler>);

impl StandIn {
    pub fn new<F>(handler: impl Fn(Request<ExportTraceServiceRequest>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(handler(request))))
    }

    pub fn routes(self) -> Routes {
        Routes::new(TraceServiceServer::new(self))
    }
}

#[tonic::async_trait]
impl TraceService for StandIn {
    async fn export(&self, request: Request<ExportTraceServiceRequest>) -> Answer {
        (self.0)(request).await
    }
}

pub fn ok() -> Answer {
    Ok(Response::new(ExportTraceServiceResponse::default()))
}

/// Just enough of the contract to know its method.
pub fn descriptors() -> &'static [u8] {
    let message = |name: &str| DescriptorProto { name: Some(name.to_owned()), ..DescriptorProto::default() };
    let package = "opentelemetry.proto.collector.trace.v1";
    let method = MethodDescriptorProto {
        name: Some("Export".to_owned()),
        input_type: Some(format!(".{package}.ExportTraceServiceRequest")),
        output_type: Some(format!(".{package}.ExportTraceServiceResponse")),
        ..MethodDescriptorProto::default()
    };
    let service = ServiceDescriptorProto { name: Some("TraceService".to_owned()), method: vec![method], options: None };
    let file = FileDescriptorProto {
        name: Some("trace_service.proto".to_owned()),
        package: Some(package.to_owned()),
        message_type: vec![message("ExportTraceServiceRequest"), message("ExportTraceServiceResponse")],
        service: vec![service],
        syntax: Some("proto3".to_owned()),
        ..FileDescriptorProto::default()
    };
    Box::leak(FileDescriptorSet { file: vec![file] }.encode_to_vec().into_boxed_slice())
}

/// A server under test; stops when it is dropped.
pub struct Served {
    pub metrics: Metrics,
    pub tasks: Tasks,
    pub shutdown: Shutdown,
    pub url: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.shutdown.trigger();
    }
}

pub fn serve(listener: Listener, stand_in: StandIn, tokens: &str, allow: AllowList) -> Served {
    let url = listener.local_addr().map(|address| format!("http://{address}")).unwrap_or_default();
    let served = Served { metrics: Metrics::new(), tasks: Tasks::new(), shutdown: Shutdown::new(), url };
    let server = Server::new("stand-in", &served.metrics)
        .descriptors(descriptors())
        .service(SERVICE)
        .known(tokens.parse::<ServiceTokens>().unwrap().into())
        .allow(allow);
    let shutdown = served.shutdown.clone();
    served.tasks.spawn("server", async move { server.serve(listener, stand_in.routes(), shutdown).await.unwrap() });
    served
}

/// Everybody who is known may call.
pub fn every_service() -> AllowList {
    AllowList::new().every_service(&[EXPORT])
}

pub async fn tcp() -> Listener {
    Listener::tcp("127.0.0.1:0".parse().unwrap()).await.unwrap()
}

pub fn client(endpoint: &Endpoint, token: Option<&str>) -> TraceServiceClient<Traced> {
    let token = token.map(farside_kit::config::Secret::new);
    TraceServiceClient::new(farside_kit::grpc::channel(endpoint, token.as_ref(), std::time::Duration::from_secs(20)))
}

pub async fn export(client: &mut TraceServiceClient<Traced>) -> Answer {
    client.export(ExportTraceServiceRequest::default()).await
}
