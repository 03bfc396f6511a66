# The program in an image: `docker run --rm -v "$PWD":/src warplog check .`
#
# The first stage builds the archive of `make dist`; the second holds what is in it and git, which `check --diff` asks.

FROM rust:1.95-slim-bookworm AS build
# A version of a package that is named here is gone from the archive when its next one comes.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends binutils g++ make python3 python3-pip \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /warplog
COPY . .
RUN make dist && mkdir /dist && tar --extract --gzip --strip-components=1 --directory /dist --file target/dist/warplog-*.tar.gz

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    # What is mounted belongs to somebody else.
    && git config --system --add safe.directory '*'
COPY --from=build /dist /usr/local
# By number, so that a cluster sees that it is not root: nobody.
USER 65534
ENV WARPLOG_CACHE_DIR=/tmp/warplog
WORKDIR /src
ENTRYPOINT ["warplog"]
CMD ["check", "."]
