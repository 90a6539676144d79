import { legacyRoute } from '#calls/legacy-route'
import { definePlugin, t } from '#kit'

/** `POST /v1/embed`, for applications of 2023. */
export default definePlugin({
  name: 'legacy-embed',
  config: t.Object({}),
  needs: ['endpoints'],
  setup: (_config, { endpoints }) => ({
    routes: [legacyRoute({ path: '/v1/embed', endpoint: 'embeddings', successor: '/v1/embeddings' }, endpoints)],
  }),
})
