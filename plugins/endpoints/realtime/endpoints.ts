import { readPassThrough } from '#calls/pass-through/pass-through'
import type { SessionTimes } from '#core/session'
import { type Call, defineEndpoint, type Endpoint, InvalidRequest, type Stage } from '#kit'
import { passThrough } from '#kit/slots'
import { openaiSessions } from './events.ts'
import { liveSessions } from './live.ts'

/** What passes to a place of the provider, as a WebSocket. */
const toPlace = (name: string, path: string, check: (call: Call) => void): Stage => ({
  name,
  async run(call, next) {
    if (call.request.headers.get('upgrade') === null) {
      throw new InvalidRequest('This is the address of a WebSocket: ask for it with `Upgrade: websocket`.', {
        param: 'upgrade',
      })
    }
    const asked = await readPassThrough(call, { place: { name, path } })
    check(call)
    call.set(passThrough, asked)
    return next()
  },
})

/** What stands for a model in OpenAI's queries: a call that is under way, or a session that only listens. */
const INSTEAD_OF_MODEL = ['call_id', 'intent']

const needsModel = ({ request: { query } }: Call): void => {
  if ((query.get('model') ?? '') !== '' || INSTEAD_OF_MODEL.some((name) => query.has(name))) return
  throw new InvalidRequest('Name the model of the session in the query: `?model=gpt-realtime`.', { param: 'model' })
}

const COMMON = {
  operation: 'realtime',
  body: { kind: 'none' },
  singleTarget: true,
  replay: 'never',
  isWritten: true,
} as const

/** Google's versions of its API. */
const VERSIONS = ['v1beta', 'v1alpha'] as const

const anyModel = (): void => undefined

const live = (version: (typeof VERSIONS)[number], times: SessionTimes): Endpoint => {
  const path = `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
  return defineEndpoint({
    ...COMMON,
    id: version === 'v1beta' ? 'live' : `live-${version}`,
    described: {
      operationId: version === 'v1beta' ? 'createLiveSession' : 'createLiveAlphaSession',
      summary: `Open a WebSocket of Google's Live API, ${version}.`,
    },
    routes: [{ method: 'GET', path, roots: [''] }],
    requestTypes: ['realtime'],
    answer: { kind: 'upgrade', session: liveSessions, times },
    stages: [toPlace('live', path, anyModel)],
  })
}

/** @param times that sessions may take */
export const realtimeEndpoints = (times: SessionTimes): readonly Endpoint[] => [
  defineEndpoint({
    ...COMMON,
    id: 'realtime',
    described: {
      operationId: 'createRealtimeSession',
      summary: 'Open a WebSocket for speech and text in both directions.',
    },
    routes: [{ method: 'GET', path: '/realtime' }],
    requestTypes: ['realtime'],
    answer: { kind: 'upgrade', session: openaiSessions, times },
    stages: [toPlace('realtime', '/realtime', needsModel)],
  }),
  ...VERSIONS.map((version) => live(version, times)),
]
