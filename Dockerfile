# One image for orchestrator, worker and migrations; the command says which one runs.
FROM node:20-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The folder that sessions name as projectRoot; a volume that is mounted here first takes its owner from the image.
RUN mkdir /workspace && chown node:node /workspace
USER node
EXPOSE 4400
CMD ["node", "dist/apps/orchestrator/src/main.js"]
