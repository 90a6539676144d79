import { definePlugin, openaiCompatible, t } from '#kit'
import { MOCK_MODELS } from './answer.ts'
import { openDoors } from './doors.ts'

/**
 * A provider without a provider: deterministic answers over a real loopback socket, and every failure on request. It
 * speaks the reference's wire format (OpenAI API reference, "Chat", "Completions", "Embeddings" and "Models", read 2026-11-21).
 * Models are listed in `answer.ts`, switches in `options.ts`, faults in `faults.ts`.
 */
const MEDIA = ['images', 'image-edits', 'image-variations', 'speech', 'transcriptions', 'translations'] as const

export default definePlugin({
  name: 'mock',
  config: t.Object({
    port: t.Integer({
      default: 0,
      minimum: 0,
      maximum: 65535,
      description:
        'Port of the mock on the loopback address, for who asks it directly. 0 takes any free port; one that is taken is waited for.',
    }),
  }),
  needs: ['log', 'trustOwnServer'],
  setup: async ({ port }, host) => {
    const { server, close } = await openDoors(port, () =>
      host.log.warn('somebody else has the port of the mock: it is taken once it is free', { port }),
    )
    host.trustOwnServer(`127.0.0.1:${server.port}`)
    return {
      providers: [
        openaiCompatible({
          id: 'mock',
          baseURL: `${server.url}/v1`,
          needsKey: false,
          endpoints: ['chat', 'completions', 'embeddings', 'models', 'moderations', 'rerank', 'ocr', ...MEDIA],
          assistantPrefix: true,
          fineTuning: {},
          realtime: true,
          models: Object.keys(MOCK_MODELS),
        }),
      ],
      close,
    }
  },
})
