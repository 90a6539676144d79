import { nextPiece } from '../core/bodies/ready-stream.ts'
import { HeaderList } from '../core/header-fields.ts'
import type { Upstream } from '../core/ports.ts'
import { GatewayError } from '../errors/gateway-error.ts'
import type { Alert, Attempted } from '../store/objects/alerts.ts'
import { signedHeaders } from './signature.ts'

/** Where a message goes, and what proves where it is from. */
export interface Receiver {
  readonly url: string
  readonly secret: string
  /** The workspace that chose the address. Absent: the operator. */
  readonly workspaceId?: string | undefined
}

export interface DeliverOptions {
  readonly upstream: Upstream
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const DEADLINE_MS = 15_000
const DEADLINES = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 5_000, totalMs: DEADLINE_MS }
/** Receivers have nothing to say that is read. */
const MAX_ANSWER_BYTES = 64 * 1024

/** What is told: an alert, or anything else that has a kind. */
export interface Told extends Pick<Alert, 'id' | 'createdAt' | 'data'> {
  readonly kind: string
}

/** The message, as JSON: `{type, timestamp, data}`. */
export const messageOf = ({ kind, createdAt, data }: Omit<Told, 'id'>): string =>
  JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data })

/** Sends a message once. Never throws: what went wrong is told by a code, never by the words of the receiver. */
export const deliver = async (
  message: Told,
  { url, secret, workspaceId }: Receiver,
  { upstream, now }: DeliverOptions,
): Promise<Attempted & { readonly isDelivered: boolean }> => {
  const body = messageOf(message)
  const headers = new HeaderList()
  headers.set('content-type', 'application/json')
  headers.set('user-agent', 'Weir-Webhooks/1.0')
  for (const [name, value] of Object.entries(signedHeaders(secret, message.id, now(), body))) headers.set(name, value)
  const signal = AbortSignal.timeout(DEADLINE_MS)
  try {
    const answer = await upstream.send({
      method: 'POST',
      url,
      headers,
      body,
      hostOwner: workspaceId,
      signal,
      deadlines: DEADLINES,
    })
    await drain(answer.body)
    const isDelivered = answer.status >= 200 && answer.status < 300
    return { isDelivered, lastStatus: answer.status, lastError: isDelivered ? null : 'refused' }
  } catch (thrown) {
    return { isDelivered: false, lastStatus: null, lastError: thrown instanceof GatewayError ? thrown.code : 'failed' }
  }
}

/** Reads an answer to its end, so that the connection can be used again; a long one is given up. */
const drain = async (body: Awaited<ReturnType<Upstream['send']>>['body']): Promise<void> => {
  let bytes = 0
  for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) {
    bytes += piece.length
    if (bytes > MAX_ANSWER_BYTES) return body.cancel()
  }
}
