import { type Answer, type Call, fromPieces, InvalidRequest, isRecord, ResponseNotFound } from '#kit'
import type { ResponsesReply } from '#kit/provider'
import { principal } from '#kit/slots'
import { writeEvent } from '../events.ts'
import { toEvents } from '../whole-events.ts'
import type { KeptResponses } from './keeping.ts'
import { pageOf } from './page.ts'

type Fields = Readonly<Record<string, unknown>>

/** Answers a call about one response that Weir keeps. @throws ResponseNotFound, InvalidRequest, StoreUnavailable */
export type Tell = (call: Call, id: string, responses: KeptResponses | undefined) => Promise<Answer>

const find = async (call: Call, id: string, responses: KeptResponses | undefined) => {
  const kept = await responses?.find(call.get(principal).workspaceId ?? '', id)
  if (kept === undefined) throw notFound(id)
  return kept
}

const notFound = (id: string): ResponseNotFound => new ResponseNotFound(`Response with id '${id}' not found.`)

const tellResponse: Tell = async (call, id, responses) => {
  const { response } = await find(call, id, responses)
  if (call.params.stream !== true) return json(response)
  const headers = new Headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  return { status: 200, headers, body: fromPieces(eventsOf(response, startingAfter(call))) }
}

function* eventsOf(response: Fields, after: number): Iterable<Uint8Array> {
  for (const event of toEvents(response as unknown as ResponsesReply)) {
    if (event.sequence_number > after) yield encoder.encode(writeEvent(event))
  }
}

/** Number of the last event that the client has. */
const startingAfter = ({ request: { query } }: Call): number => {
  const text = query.get('starting_after')
  if (text === null) return -1
  if (!/^[0-9]{1,9}$/.test(text)) {
    throw new InvalidRequest('`starting_after` must be a whole number.', { param: 'starting_after' })
  }
  return Number(text)
}

const tellInput: Tell = async (call, id, responses) => {
  const { input } = await find(call, id, responses)
  return json(pageOf(input, call.request.query))
}

const forget: Tell = async (call, id, responses) => {
  const isGone = await responses?.delete(call.get(principal).workspaceId ?? '', id)
  if (isGone !== true) throw notFound(id)
  return json({ id, object: 'response', deleted: true })
}

/** Those of ours are never made in the background. */
const refuseCancel: Tell = async (call, id, responses) => {
  await find(call, id, responses)
  throw new InvalidRequest('Cannot cancel a synchronous response.')
}

/** By the id of the endpoint. */
export const TELLS: ReadonlyMap<string, Tell> = new Map([
  ['response', tellResponse],
  ['response-delete', forget],
  ['response-cancel', refuseCancel],
  ['response-input-items', tellInput],
])

const encoder = new TextEncoder()

const json = (body: unknown): Answer => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: encoder.encode(JSON.stringify(isRecord(body) ? body : {})),
})
