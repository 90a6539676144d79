import { encodeEvent } from '../../core/bodies/sse.ts'
import { parseJson } from '../../core/json/json-depth.ts'
import { isRecord } from '../../core/json/record.ts'
import { UpstreamInvalid } from '../../errors/gateway-error.ts'
import type { Framing } from '../provider/provider.ts'
import { EVENT_STREAM, type EventMessage, eventStreamMachine } from './event-stream.ts'
import { statusOfException } from './failure.ts'

const decoder = new TextDecoder()

/** What an event of a stream says when it is the word of AWS that it failed. */
export interface StreamException {
  /** Its name: `throttlingException`. */
  readonly type: string
  readonly message: string
  readonly status: number
}

/** The exception that a message is; undefined for an event. */
export const exceptionOf = ({ headers, payload }: EventMessage): StreamException | undefined => {
  const kind = headers.get(':message-type')
  if (kind !== 'exception' && kind !== 'error') return undefined
  const type = headers.get(':exception-type') ?? headers.get(':error-code') ?? kind
  const body = jsonOf(payload)
  const words = isRecord(body) ? (body.message ?? body.Message) : undefined
  const message = typeof words === 'string' && words !== '' ? words : (headers.get(':error-message') ?? type)
  return { type, message, status: statusOfException(type) }
}

/** The JSON of a message; undefined for what is none. */
export const jsonOf = (payload: Uint8Array): unknown => {
  try {
    return parseJson(decoder.decode(payload))
  } catch {
    return undefined
  }
}

/** Name of the server-sent event that stands for an exception. */
export const EXCEPTION_EVENT = 'exception'

/** A framing whose messages become what `write` says, and whose exceptions what `fail` says. */
const framing = (
  write: (message: EventMessage) => Uint8Array | undefined,
  fail: (exception: StreamException) => Uint8Array,
): Framing => ({
  type: EVENT_STREAM,
  machine: () =>
    eventStreamMachine((message) => {
      const exception = exceptionOf(message)
      return exception === undefined ? write(message) : fail(exception)
    }),
})

/** Events by their type, with their payload as data: `event: contentBlockDelta`. An exception is an event of that name. */
export const NAMED_EVENTS: Framing = framing(
  ({ headers, payload }) => encodeEvent(decoder.decode(payload), headers.get(':event-type')),
  (exception) => encodeEvent(JSON.stringify(exception), EXCEPTION_EVENT),
)

/**
 * Events of a model in its own form, each in base64 in a message of its own (`PayloadPart`): server-sent events by their `type`, an
 * exception as `toError` says.
 * @throws UpstreamInvalid for a message that holds none
 */
export const chunkEvents = (toError: (exception: StreamException) => object): Framing =>
  framing(
    ({ payload }) => {
      const body = jsonOf(payload)
      const text = isRecord(body) && typeof body.bytes === 'string' ? Buffer.from(body.bytes, 'base64').toString() : ''
      if (text === '') throw new UpstreamInvalid('The provider sent an event that holds nothing.')
      return encodeEvent(text, typeOf(text))
    },
    (exception) => encodeEvent(JSON.stringify(toError(exception)), 'error'),
  )

/** Names are written first, so that an event need not be parsed for its own. */
const typeOf = (text: string): string | undefined => /^\{"type":"([a-z_]{1,64})"/.exec(text)?.[1] ?? parsedType(text)

const parsedType = (text: string): string | undefined => {
  const body = jsonOf(new TextEncoder().encode(text))
  return isRecord(body) && typeof body.type === 'string' && /^[a-z_]+$/.test(body.type) ? body.type : undefined
}

/** Bytes of a container, which are the events already; an exception as `toError` says. */
export const payloadBytes = (toError: (exception: StreamException) => object): Framing =>
  framing(
    ({ payload }) => payload,
    (exception) => encodeEvent(JSON.stringify(toError(exception))),
  )
