# The image contains the built program and its few runtime packages. It runs as an unprivileged user.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM ${NODE_IMAGE}
ENV NODE_ENV=production SANDBOX_HOST=0.0.0.0 SANDBOX_PORT=4010
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/openapi ./openapi
COPY --from=build /app/fixtures ./fixtures
COPY --from=build /app/dist ./dist
RUN ln -s /app/dist/bundle/main.js /usr/local/bin/lp-sandbox && mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "/app/dist/bundle/main.js", "ready"]
CMD ["node", "/app/dist/bundle/main.js", "start"]
