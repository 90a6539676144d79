import type { CustomFetch } from 'openid-client'
import { collect } from '../../core/bodies/answer.ts'
import type { Deadlines, Upstream } from '../../core/ports.ts'

/** Longer answers are none of an issuer: neither its description, nor its keys, nor a token. */
const MAX_BYTES = 1024 * 1024
const DEADLINES: Deadlines = { connectMs: 3_000, firstByteMs: 8_000, idleMs: 5_000, totalMs: 10_000 }

/** Statuses that may have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304])

/** Calls issuers through the guard of all outgoing calls, within deadlines. Follows no redirect, as the library wants it. */
export const createIssuerAsking =
  (upstream: Upstream): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const { status, ...answer } = await upstream.send({
      method,
      url,
      headers: new Headers(headers),
      body: body === undefined || body === null ? undefined : toBytes(body),
      signal: signal ?? new AbortController().signal,
      deadlines: DEADLINES,
    })
    const bytes = await collect(answer.body, MAX_BYTES)
    const given = new Headers()
    answer.headers.forEach((value, name) => {
      given.append(name, value)
    })
    return new Response(EMPTY.has(status) ? null : new Uint8Array(bytes), { status, headers: given })
  }

/** The library sends forms, and nothing else. */
const toBytes = (body: Exclude<Parameters<CustomFetch>[1]['body'], undefined | null>): string => {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('a body that is no form')
}
