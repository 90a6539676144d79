import { type Reply, send, textOf } from '../../management/support/http.ts'
import { API_KEY, done } from '../../management/support/scene.ts'

export interface At {
  readonly url: string
}

export const POLICIES = '/v2/policies/rate-limits'

let counter = 0
/** Metadata that only the calls of one test carry, so that tests share a gateway and no window. */
export const freshRun = (): string => `run-${Date.now()}-${++counter}`

export interface PolicyInput {
  readonly run: string
  readonly value: number
  readonly type?: 'requests' | 'tokens'
  readonly unit?: 'rpm' | 'rph' | 'rpd' | 'rpw'
  readonly more?: Readonly<Record<string, unknown>>
}

/** A policy for the calls of one run. @returns its id */
export const createPolicy = async (
  gateway: At,
  { run, value, type = 'requests', unit = 'rph', more = {} }: PolicyInput,
): Promise<string> => {
  const reply = await done(gateway, 'POST', POLICIES, {
    name: `policy of ${run}`,
    conditions: [{ key: 'metadata.run', value: run }],
    group_by: [{ key: 'api_key' }],
    type,
    unit,
    value,
    ...more,
  })
  return textOf(reply, 'id')
}

export interface CallInput {
  readonly run: string
  readonly key?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly metadata?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

export const headersOf = ({ run, metadata = {}, headers = {} }: CallInput): Record<string, string> => ({
  'x-gateway-provider': 'mock',
  'x-gateway-metadata': JSON.stringify({ run, ...metadata }),
  ...headers,
})

/** A call to the mock that belongs to a run. */
export const call = (gateway: At, input: CallInput): Promise<Reply> =>
  send(`${gateway.url}${input.path ?? '/v1/chat/completions'}`, {
    method: 'POST',
    token: input.key ?? API_KEY,
    headers: headersOf(input),
    body: { model: 'mock', messages: [{ role: 'user', content: 'Hello' }], ...input.body },
  })

/** Calls until the policy is live in the process that is asked: until then its headers are missing. */
export const untilLive = async (gateway: At, run: string): Promise<Reply> => {
  for (let tries = 0; tries < 500; tries++) {
    const reply = await call(gateway, { run })
    if (reply.status === 429 || reply.headers.has('ratelimit')) return reply
    await Bun.sleep(10)
  }
  throw new Error(`the policy of ${run} did not come to life`)
}

interface Refusal {
  readonly rate_limit?: Readonly<Record<string, unknown>>
  readonly details?: readonly { readonly metadata?: Readonly<Record<string, string>> }[]
}

/** What a refusal says of its limit. */
export const rateLimitOf = ({ body }: Reply): Readonly<Record<string, unknown>> => {
  const { error } = body as { readonly error?: Refusal }
  const told = error?.details?.find(({ metadata }) => metadata !== undefined)?.metadata
  // In Google's form all values are texts.
  if (told !== undefined) return { ...told, limit: Number(told.limit), used: Number(told.used) }
  if (error?.rate_limit === undefined) throw new Error(`no rate_limit in ${JSON.stringify(body)}`)
  return error.rate_limit
}
