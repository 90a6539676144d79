import { fromWeb } from '#core/bodies/ready-stream'
import { eventsOf } from '#core/mcp/messages'
import { type Call, type Host, isRecord, UpstreamInvalid } from '#kit'

export type Fields = Readonly<Record<string, unknown>>

/** One event of an answer. */
export interface TurnEvent {
  readonly name: string | undefined
  readonly fields: Fields
}

/** What asking the model once came to: an answer, its events, or a refusal to hand on. */
export type Turn =
  | { readonly kind: 'whole'; readonly response: Response; readonly fields: Fields }
  | { readonly kind: 'events'; readonly response: Response; readonly events: AsyncGenerator<TurnEvent> }
  | { readonly kind: 'refused'; readonly response: Response }

/** Asks the model once, as the client would: through the whole chain. */
export const askModel = async (
  { innerCalls }: Pick<Host, 'innerCalls'>,
  call: Call,
  route: string,
  body: Fields,
): Promise<Turn> => {
  const response = await innerCalls.open(call, { route, body })
  if (response.status !== 200) return { kind: 'refused', response }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream) return { kind: 'events', response, events: turnEvents(response) }
  const fields: unknown = await response.json()
  if (!isRecord(fields)) throw new UpstreamInvalid('The model answered with no object.')
  return { kind: 'whole', response, fields }
}

async function* turnEvents({ body }: Response): AsyncGenerator<TurnEvent> {
  for await (const { event: name, data } of eventsOf(fromWeb(body))) {
    if (data === '' || data === '[DONE]') continue
    const fields: unknown = JSON.parse(data)
    if (isRecord(fields)) yield { name, fields }
  }
}

/** Said where the refusal itself says nothing. */
export const NOT_AGAIN = 'The model could not be asked again.'

/** The words of a later turn that was refused: the stream that has begun ends with them. */
export const refusalIn = async (turn: Exclude<Turn, { readonly kind: 'events' }>): Promise<Fields> => {
  const fields: unknown = turn.kind === 'whole' ? {} : await turn.response.json().catch(() => ({}))
  return isRecord(fields) && isRecord(fields.error) ? fields.error : { message: NOT_AGAIN }
}

/** Headers of an answer of the model that are the answer's of the client too. */
export const answerHeaders = ({ headers }: Response): Headers => {
  const kept = new Headers()
  headers.forEach((value, name) => {
    if (name === 'content-type' || name === 'cache-control' || name.startsWith('x-gateway-')) kept.set(name, value)
  })
  return kept
}

/** A refusal of the model's side as it is. */
export const handOn = async (response: Response) => {
  const headers = new Headers()
  response.headers.forEach((value, name) => {
    if (!name.startsWith('x-request-id') && name !== 'content-length') headers.set(name, value)
  })
  return { status: response.status, headers, body: await response.bytes() }
}

/** Numbers of two usages, added up. */
export const addUsage = (one: unknown, other: unknown): unknown => {
  if (!isRecord(other)) return one
  if (!isRecord(one)) return other
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => {
      const [left, right] = [one[name], other[name]]
      if (typeof left === 'number' && typeof right === 'number') return [name, left + right]
      return [name, isRecord(left) || isRecord(right) ? addUsage(left, right) : (right ?? left)]
    }),
  )
}
