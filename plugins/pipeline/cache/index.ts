import { assistantPrefix } from '#calls/slots'
import { type Call, defined, definePlugin, type Stage, t } from '#kit'
import { target } from '#kit/slots'
import { CachedCalls, say } from './cached-calls.ts'
import { createSemantic } from './semantic.ts'

/** Gives an answer again to those who ask for the same, where the config of the call allows it. */
export default definePlugin({
  name: 'cache',
  config: t.Object({
    maxEntryBytes: t.Integer({
      default: 1024 * 1024,
      minimum: 1024,
      maximum: 64 * 1024 * 1024,
      description: 'Largest answer, in bytes, that is kept.',
    }),
    waitMs: t.Integer({
      default: 15_000,
      minimum: 0,
      description: 'Milliseconds a call waits for another one that asks for the same right now; then it goes on alone.',
    }),
    similarity: t.Number({
      default: 0.95,
      minimum: 0,
      maximum: 1,
      description: 'Cosine similarity from which on the mode `semantic` takes two questions for the same.',
    }),
    embeddings: t.Optional(
      t.Object(
        {
          provider: t.String({ minLength: 1 }),
          model: t.String({ minLength: 1 }),
          dimensions: t.Optional(t.Integer({ minimum: 1, maximum: 16_000 })),
        },
        {
          description:
            'Who makes the vectors of the mode `semantic`: `provider` (an id, or `@slug` of a stored one), `model` and perhaps `dimensions`. Absent: it works as `simple`.',
        },
      ),
    ),
  }),
  needs: ['cache', 'clock', 'deadlines', 'log', 'providers', 'semanticIndex', 'stored', 'upstream'],
  setup({ maxEntryBytes, waitMs, similarity, embeddings }, host) {
    const { semanticIndex: index } = host
    const semantic = embeddings && index && createSemantic({ host, index, embeddings, similarity })
    const calls = new CachedCalls(defined({ host, maxEntryBytes, waitMs, semantic }))
    const cache: Stage = {
      name: 'cache',
      run(call, next) {
        const to = call.get(target)
        // The rest of an answer is none by itself, to keep or to give.
        const isRest = call.find(assistantPrefix) !== undefined
        if (to.cache !== undefined && !isRest && isCacheable(call)) return calls.answer(call, next, to, to.cache)
        say(call, 'DISABLED')
        return next()
      },
    }
    return { stages: [cache] }
  },
})

/** Whether the answer to a call may be one that was given before. */
const isCacheable = (call: Call): boolean => {
  const { endpoint } = call
  return endpoint.cache !== 'never' && endpoint.isCacheable?.(call) !== false
}
