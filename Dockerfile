# One small image with all programs; which one runs is the container's command (`farside` unless another is named).
#
#   docker build -t farside .
#   docker run --rm -p 8080:8080 -v farside-data:/data farside
#
# Needs BuildKit. Dependencies and what was compiled are kept in BuildKit's caches, so a change of a source file compiles
# that crate and no other, and a change of this file compiles nothing again.
ARG RUST_IMAGE=rust:1-bookworm
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${RUST_IMAGE} AS build
WORKDIR /src
COPY . .
ARG CARGO_FLAGS=""
RUN --mount=type=cache,target=/usr/local/cargo/registry,sharing=locked \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo build --release --locked ${CARGO_FLAGS} \
        -p farside -p rules-svc -p match-svc -p ledger-svc -p rating-svc -p gateway --bins \
    && mkdir -p /out \
    && for program in farside rules-svc match-svc ledger-svc rating-svc gateway; do \
           cp "target/release/$program" /out/; \
       done

FROM ${RUNTIME_IMAGE}
# Nothing is installed: TLS and SQLite are part of the programs, and the health check is a script for bash.
RUN groupadd --system --gid 10001 farside \
    && useradd --system --uid 10001 --gid farside --home-dir /data --no-create-home --shell /usr/sbin/nologin farside \
    && mkdir -p /data && chown farside:farside /data
COPY --from=build /out/ /usr/local/bin/
COPY deploy/docker/healthcheck /usr/local/bin/healthcheck
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV FARSIDE_DATA=/data \
    FARSIDE_LISTEN=0.0.0.0:8080 \
    FARSIDE_ADMIN_LISTEN=0.0.0.0:9080
EXPOSE 8080 9080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 CMD ["healthcheck"]
STOPSIGNAL SIGTERM
CMD ["farside"]
