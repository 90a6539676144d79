import { createHash } from 'node:crypto'
import { isRecord } from '#kit'
import { MOCK_CREATED } from '../answer.ts'
import { jsonPlan, type Plan, textPlan } from '../plan.ts'

const LIFE_SECONDS = 600

/** A secret for a browser, and the session that it is for (openai-node 7.55.0, client-secrets.d.ts, read 2026-11-24). */
const clientSecret = (body: Uint8Array): Plan => {
  const asked: unknown = body.length === 0 ? {} : JSON.parse(new TextDecoder().decode(body))
  const session = isRecord(asked) && isRecord(asked.session) ? asked.session : {}
  const value = `ek_mock_${createHash('sha256').update(body).digest('hex').slice(0, 24)}`
  return jsonPlan(200, {
    value,
    expires_at: MOCK_CREATED + LIFE_SECONDS,
    session: { id: 'sess_mock', object: 'realtime.session', type: 'realtime', ...session },
  })
}

/** The answer of a call of WebRTC: no more than its form. */
const call = (): Plan =>
  textPlan(201, 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=mock\r\nt=0 0\r\n', {
    'content-type': 'application/sdp',
    location: '/v1/realtime/calls/rtc_mock',
  })

/** What is asked over HTTP to have a session, by its path. */
export const SECRETS: ReadonlyMap<string, (body: Uint8Array) => Plan> = new Map([
  ['/v1/realtime/client_secrets', clientSecret],
  ['/v1/realtime/calls', call],
])
