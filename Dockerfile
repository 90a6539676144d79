FROM oven/bun:1.4.5 AS build
WORKDIR /weir
COPY package.json bun.lock ./
# With what the console is built of.
RUN bun install --frozen-lockfile
COPY tsconfig.json ./
COPY console console
COPY src src
COPY plugins plugins
RUN bun run build

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --user-group --no-create-home weir \
  && install --directory --owner=weir --group=weir /data
COPY --from=build /weir/dist/weir /usr/local/bin/weir
ENV HOST=0.0.0.0 \
  PORT=8787 \
  WEIR_DATA_DIR=/data
USER 10001
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["weir", "healthcheck"]
ENTRYPOINT ["weir"]
CMD ["start"]
