import type { Static } from '@sinclair/typebox'
import { wholeOfEvents } from '../../../calls/messages/whole-stream.ts'
import type { Endpoint } from '../../../core/endpoint.ts'
import { isRecord } from '../../../core/json/record.ts'
import type { BodySide, CallRecord } from '../../../core/records.ts'
import type { OpenedMessage } from '../../../records/seals.ts'
import { toMs, toTime } from '../fields.ts'
import type { Log } from './fields.ts'
import { type Names, toMetrics } from './metrics.ts'

/** What is shown of a record besides itself. */
export interface Shown {
  readonly names: Names
  /** Messages by the ids of their records. */
  readonly messages: ReadonlyMap<string, readonly OpenedMessage[]>
  readonly endpoints: readonly Pick<Endpoint, 'id' | 'answer'>[]
}

const GATEWAY_HEADER = 'x-gateway-'

/** A record in the documented form, with those of its attempts beside it (interface contract, section 5.3). */
export const toLog = (record: CallRecord, attempts: readonly CallRecord[], shown: Shown): Static<typeof Log> => {
  const { request, response, ...parts } = toParts(record, shown)
  const gatewayHeaders = Object.entries(request.headers).filter(([name]) => name.startsWith(GATEWAY_HEADER))
  return {
    _id: record.id,
    request: { ...request, gatewayHeaders: Object.fromEntries(gatewayHeaders) },
    response,
    organisation_id: record.organisationId,
    created_at: toTime(record.time),
    ...parts,
    attempts: attempts.map((each) => {
      const { request: _, ...ofAttempt } = toParts(each, shown, request)
      return ofAttempt
    }),
  }
}

type ShownMessage = Static<typeof Log>['request']

/** @param asked the request of the call, for one of its attempts */
const toParts = (
  record: CallRecord,
  { names, messages, endpoints }: Shown,
  asked?: Omit<ShownMessage, 'gatewayHeaders'>,
) => {
  const kept = new Map<BodySide, OpenedMessage>((messages.get(record.id) ?? []).map((each) => [each.side, each]))
  const message = (side: BodySide) => {
    const found = kept.get(side)
    return found === undefined
      ? undefined
      : toMessage(found, record, side === 'sent' || side === 'request' ? [] : endpoints)
  }
  const [request = asked ?? { url: record.path, method: record.method, headers: {}, body: null }, response] = [
    message('request'),
    message('answer') ?? message('received'),
  ]
  const [sent, received] = [message('sent'), message('received')]
  return {
    request,
    response: {
      status: record.status,
      headers: response?.headers ?? {},
      body: response?.body ?? null,
      ...(response?.truncated === undefined ? {} : { truncated: response.truncated }),
      responseTime: toMs(record.totalUs),
      lastUsedOptionJsonPath: record.optionPath ?? null,
    },
    metrics: toMetrics(record, names),
    hook_results: toHookResults(kept.get('hooks'), record),
    finalUntransformedRequest: kept.has('request') || asked !== undefined ? request : null,
    // Without a body of their own they went on as they were.
    transformedRequest: sent === undefined ? null : { ...sent, body: sent.body ?? request.body },
    originalResponse:
      received === undefined
        ? null
        : {
            ...received,
            body: received.body ?? response?.body ?? null,
            url: sent?.url ?? record.sentUrl ?? '',
            method: sent?.method ?? record.method,
          },
  }
}

/** As guardrails said it, where that is kept; else as the record has it. What was cut or redacted may be no JSON any more. */
const toHookResults = (
  said: OpenedMessage | undefined,
  { hookResults }: CallRecord,
): Static<typeof Log>['hook_results'] => {
  const whole = said?.body === undefined ? undefined : toJson(said.body)
  return (isRecord(whole) ? whole : (hookResults ?? null)) as Static<typeof Log>['hook_results']
}

const toMessage = (
  { url = '', method = '', status, headers, body, truncated }: OpenedMessage,
  record: CallRecord,
  endpoints: Shown['endpoints'],
) => ({
  url,
  method,
  ...(status === undefined ? {} : { status }),
  headers: { ...headers },
  body: body === undefined ? null : (wholeOf(body, record, endpoints) ?? toJson(body)),
  ...(truncated === undefined ? {} : { truncated }),
})

/** The answer that a stream was, where its events make one. */
const wholeOf = (body: string, { stream, endpoint: id }: CallRecord, endpoints: Shown['endpoints']): unknown => {
  if (!stream || body.startsWith('{')) return undefined
  const answer = endpoints.find((endpoint) => endpoint.id === id)?.answer
  return answer?.kind === 'events' ? wholeOfEvents(answer.form, Buffer.from(body)) : undefined
}

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
