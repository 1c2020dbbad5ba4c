# The base is named by its version and not by its digest, which only a registry can tell: nobody has looked it up for this
# file yet. To pin what you build and run, take what this prints into both FROM lines (node:24-slim@sha256:…):
#   docker buildx imagetools inspect node:24-slim --format '{{.Manifest.Digest}}'
# Build with every tool, ship with none: the sandbox's database and chain are development dependencies.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --include=dev --workspaces=false --ignore-scripts
COPY . .
RUN node scripts/build.mjs && node scripts/sbom.mjs > dist/sbom.cdx.json && npm prune --omit=dev --workspaces=false --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/views ./views
COPY --from=build /app/public ./public
COPY --from=build /app/docs/snippets ./docs/snippets
# `docker run … rappen …` is the operator's command line.
RUN ln -s /app/dist/cli/main.js /usr/local/bin/rappen
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=70s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT??3000)+'/health/live').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# node itself is process 1 and gets SIGTERM: it finishes what is under way and stops.
CMD ["node", "dist/main.js"]
