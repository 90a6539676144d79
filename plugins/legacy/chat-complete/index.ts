import { legacyRoute } from '#calls/legacy-route'
import { definePlugin, t } from '#kit'

/** `POST /v1/chatComplete`, for applications of 2023. */
export default definePlugin({
  name: 'legacy-chat-complete',
  config: t.Object({}),
  needs: ['endpoints'],
  setup: (_config, { endpoints }) => ({
    routes: [legacyRoute({ path: '/v1/chatComplete', endpoint: 'chat', successor: '/v1/chat/completions' }, endpoints)],
  }),
})
