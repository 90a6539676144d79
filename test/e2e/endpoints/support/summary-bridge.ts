import { definePlugin, isRecord, t } from '#kit'
import type { Bridge } from '#kit/provider'

/** Summaries of a provider that only has chat. */
const summariesByChat: Bridge = {
  from: 'example/summaries',
  to: 'chat',
  request: ({ model, text, tone }) => ({
    request: { model, messages: [{ role: 'user', content: `Say in few words: ${text}` }] },
    dropped: tone === undefined ? [] : ['tone'],
  }),
  reply: ({ choices }) => {
    const [choice]: unknown[] = Array.isArray(choices) ? choices : []
    const message = isRecord(choice) && isRecord(choice.message) ? choice.message : {}
    return { summary: message.content }
  },
  stream: () => ({ push: () => '', end: () => '' }),
}

export default definePlugin({
  name: 'example-summaries-by-chat',
  config: t.Object({}),
  setup: () => ({ bridges: [summariesByChat] }),
})
