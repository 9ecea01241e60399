# Pinned by digest for reproducible builds. Change the version and the digest together.
ARG NODE_IMAGE=node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Skips the install scripts, which only fetch Node and PostgreSQL for development checkouts.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts/build.ts scripts/bundle.ts scripts/require-node.cjs scripts/
COPY languages languages
COPY src src
RUN npm run -s build

FROM ${NODE_IMAGE}
# MALLOC_ARENA_MAX and the options of node save memory, as in bin/claimcheck.js.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data/claimcheck MALLOC_ARENA_MAX=1
WORKDIR /app
COPY package.json LICENSE CHANGELOG.md ./
COPY bin bin
COPY docs docs
COPY --from=build /app/dist dist
# sharp (image processing) contains native code and can't be bundled, so it is copied with its dependencies.
COPY --from=build /app/node_modules/sharp node_modules/sharp
COPY --from=build /app/node_modules/@img node_modules/@img
COPY --from=build /app/node_modules/detect-libc node_modules/detect-libc
COPY --from=build /app/node_modules/semver node_modules/semver
# A new volume inherits this mode, so the container can run as any user. The service creates folders in the volumes that
# only this user can read, and writes nowhere else.
RUN mkdir -m 1777 /data /backups
USER node
VOLUME /data
EXPOSE 3000
# Uses Bash, because starting Node for each check would take far more CPU time.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${PORT:-3000} && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200 '* ]]"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "--max-old-space-size=1024", "--", "bin/claimcheck.js"]
CMD ["serve"]
