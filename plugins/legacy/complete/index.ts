import { legacyRoute } from '#calls/legacy-route'
import { definePlugin, t } from '#kit'

/** `POST /v1/complete`, for applications of 2023. */
export default definePlugin({
  name: 'legacy-complete',
  config: t.Object({}),
  needs: ['endpoints'],
  setup: (_config, { endpoints }) => ({
    routes: [legacyRoute({ path: '/v1/complete', endpoint: 'completions', successor: '/v1/completions' }, endpoints)],
  }),
})
