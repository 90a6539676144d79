import { collect } from '../../core/bodies/answer.ts'
import { createBoundedMap } from '../../core/bounded-map.ts'
import { isRecord } from '../../core/json/record.ts'
import type { Clock, Deadlines, Upstream } from '../../core/ports.ts'
import { GatewayError } from '../../errors/gateway-error.ts'
import { type App, AppRefused, readApp } from './app.ts'

/**
 * Apps whose id is the address of a document about them (draft-ietf-oauth-client-id-metadata-document-00; MCP specification
 * 2025-11-25, "Client ID Metadata Documents").
 */
export interface AppDocuments {
  /** @throws AppRefused for a document that cannot be had, or is none */
  find(id: string): Promise<App>
}

export interface AppDocumentsOptions {
  /** Guards every address: none of a private network unless the operator trusts it. */
  readonly upstream: Upstream
  /** Whether the operator trusts a private host, which alone may do without https. */
  readonly isTrusted: (host: URL) => boolean
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** As the draft has it, section 6.6. */
const MAX_BYTES = 5 * 1024
const MAX_ADDRESS = 512
const KEPT_MS = 600_000
const MAX_KEPT = 1_000
const DEADLINES: Deadlines = { connectMs: 3_000, firstByteMs: 4_000, idleMs: 4_000, totalMs: 5_000 }

/** Whether an id may be that of a document: no other app is called so. */
export const isDocumentId = (id: string): boolean => /^https?:\/\//i.test(id)

export const createAppDocuments = ({ upstream, isTrusted, clock }: AppDocumentsOptions): AppDocuments => {
  const kept = createBoundedMap<string, { readonly app: App; readonly untilMs: number }>(MAX_KEPT)
  const running = new Map<string, Promise<App>>()
  const fetchApp = async (id: string): Promise<App> => {
    const address = addressOf(id, isTrusted)
    const app = { id, host: address.host, ...readApp(await fetchDocument(upstream, address)) }
    kept.set(id, { app, untilMs: clock.monotonicMs() + KEPT_MS })
    return app
  }
  return {
    async find(id) {
      const known = kept.get(id)
      if (known !== undefined && clock.monotonicMs() < known.untilMs) return known.app
      const already = running.get(id)
      if (already !== undefined) return already
      const started = fetchApp(id).finally(() => running.delete(id))
      running.set(id, started)
      return started
    },
  }
}

/** Section 3 of the draft. @throws AppRefused */
const addressOf = (id: string, isTrusted: (host: URL) => boolean): URL => {
  const address = id.length <= MAX_ADDRESS ? URL.parse(id) : null
  const isWhole =
    address !== null &&
    address.href === id &&
    address.pathname !== '/' &&
    address.hash === '' &&
    address.username === '' &&
    address.password === ''
  if (isWhole && (address.protocol === 'https:' || isTrusted(address))) return address
  throw new AppRefused(
    'invalid_client_metadata',
    'A client_id that is an address must be that of a document, with https.',
  )
}

const fetchDocument = async (upstream: Upstream, address: URL): Promise<Readonly<Record<string, unknown>>> => {
  const refuse = (why: string, cause?: unknown): AppRefused =>
    new AppRefused('invalid_client_metadata', `The document of the app at ${address.host} ${why}.`, cause)
  let value: unknown
  try {
    const { status, body } = await upstream.send({
      method: 'GET',
      url: address.href,
      headers: new Headers({ accept: 'application/json' }),
      signal: new AbortController().signal,
      deadlines: DEADLINES,
    })
    const bytes = await collect(body, MAX_BYTES)
    if (status !== 200) throw refuse(`cannot be had: status ${status}`)
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw refuse('is no JSON', thrown)
    // Where an address leads inside is nobody's business.
    if (thrown instanceof GatewayError) throw refuse('cannot be had', thrown)
    throw thrown
  }
  if (!isRecord(value) || value.client_id !== address.href) throw refuse('is about another client_id')
  if (value.client_secret !== undefined) throw refuse('tells a secret')
  return value
}
