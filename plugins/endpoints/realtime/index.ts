import { readPassThrough } from '#calls/pass-through/pass-through'
import { definePlugin, type Route, type Stage, t } from '#kit'
import { passThrough } from '#kit/slots'
import { realtimeEndpoints } from './endpoints.ts'
import { modelOfSession } from './session-model.ts'

const MINUTE_MS = 60_000

/** Below which roots clients look for them. */
const ROOTS = ['/v1', '/openai/v1']

/** Secrets for browsers, and calls of WebRTC, which then go to the provider past Weir. */
const PATHS = ['/realtime/client_secrets', '/realtime/calls'] as const

/** Sessions of speech and text over a WebSocket, and what is asked over HTTP to have one. */
export default definePlugin({
  name: 'realtime',
  config: t.Object({
    // OpenAI ends a session after an hour (Realtime guide, "Managing conversations"; read 2026-11-24).
    idleMs: t.Integer({
      default: 15 * MINUTE_MS,
      minimum: 1,
      description: 'Silence of both sides, in milliseconds, after which a session is closed. Pings are none of it.',
    }),
    totalMs: t.Integer({
      default: 120 * MINUTE_MS,
      minimum: 1,
      description: 'The longest session, in milliseconds.',
    }),
  }),
  setup: (times) => ({
    endpoints: realtimeEndpoints(times),
    routes: PATHS.flatMap((path) =>
      ROOTS.map(
        (root): Route => ({ method: 'POST', path: `${root}${path}`, endpoint: 'proxy', stages: [asking(path)] }),
      ),
    ),
  }),
})

const asking = (path: string): Stage => ({
  name: 'realtime',
  async run(call, next) {
    const place = { name: 'realtime', path }
    call.set(passThrough, { ...(await readPassThrough(call, { place })), ...modelOfSession(call) })
    return next()
  },
})
