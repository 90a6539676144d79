import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { ChatCompletionChunk, ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { SETTINGS as AZURE_SETTINGS } from '../../../plugins/providers/azure-openai/address.ts'
import { SETTINGS as WORKERS_SETTINGS } from '../../../plugins/providers/workers-ai/account.ts'
import type { Fixture } from '../../../src/kit/testing/fixture.ts'
import { CONFORM_CALL_ID } from '../../../src/kit/testing/subject.ts'
import type { Door } from './support/door.ts'
import { providerClient } from './support/openai-client.ts'
import { loadWireFixtures, startWireUpstream, type WireProvider, type WireUpstream } from './support/wire-upstream.ts'

const CREATED_SECONDS = 1_700_000_000

const OF_THEIR_OWN = ['anthropic', 'google', 'azure-openai', 'groq', 'mistral-ai', 'deepseek'] as const

/** Every recorded chat of a provider, asked for by the openai client and answered in the provider's own wire format. */
export const fixtureSuite = (door: () => Door, providers: readonly WireProvider[] = OF_THEIR_OWN): void => {
  let upstream: WireUpstream
  beforeAll(async () => {
    upstream = await startWireUpstream()
  })
  afterAll(() => upstream.close())

  describe.each([...providers])('the openai client through %s', (provider) => {
    const chats = [...loadWireFixtures(provider)].filter(([, { endpoint }]) => endpoint === 'chat')

    test.each(chats)('%s', async (name, fixture) => {
      const client = providerClient(door(), provider, upstream.baseURL(provider, name), {
        gateway: {
          ...settingHeaders(provider, fixture),
          ...(fixture.strict === false ? { 'strict-open-ai-compliance': 'false' } : {}),
          ...(fixture.ownFinishReason === true ? { 'finish-reason': 'provider' } : {}),
        },
      })
      const request = requestOf(fixture)
      const outcome = await run(client, request)
      if (fixture.upstream !== undefined) expectSent(upstream, fixture, request)
      if (fixture.upstream !== undefined) expect(lostIn(outcome.headers)).toEqual([...(fixture.upstream.dropped ?? [])])
      if (fixture.failure !== undefined) return expectFailure(outcome, provider, fixture)
      if (outcome.failure !== undefined) throw outcome.failure
      if ('reply' in fixture) expect(outcome.items).toEqual(atOneTime([fixture.reply]))
      if (fixture.chunks !== undefined) expect(outcome.items).toEqual(atOneTime(fixture.chunks))
      if (fixture.request.stream !== true) return
      // However a stream goes on, the client sees it end with a reason.
      const reasons = (outcome.items as readonly ChatCompletionChunk[]).flatMap(({ choices }) =>
        choices.map(({ finish_reason: reason }) => reason),
      )
      expect(reasons.at(-1)).toBeString()
    })
  })
}

interface Outcome {
  /** The reply or the chunks, with the id and the time of a recording. */
  readonly items: readonly unknown[]
  readonly headers: Headers
  readonly failure?: unknown
}

/** Fixtures are checked when they are loaded; what some of them ask for no type allows. */
const requestOf = ({ request, includeUsage }: Fixture): ChatCompletionCreateParamsNonStreaming => {
  const options = includeUsage === true && request.stream === true ? { stream_options: { include_usage: true } } : {}
  return { ...request, ...options } as unknown as ChatCompletionCreateParamsNonStreaming
}

const run = async (client: OpenAI, request: ChatCompletionCreateParamsNonStreaming): Promise<Outcome> => {
  const items: unknown[] = []
  let headers = new Headers()
  try {
    if ('stream' in request && request.stream) {
      const { data, response } = await client.chat.completions.create({ ...request, stream: true }).withResponse()
      headers = response.headers
      for await (const chunk of data) items.push(chunk)
    } else {
      const { data, response } = await client.chat.completions.create(request).withResponse()
      headers = response.headers
      items.push(data)
    }
  } catch (failure) {
    const failed = failure instanceof OpenAI.APIError ? (failure.headers ?? headers) : headers
    return { items: asRecorded(items, failed), headers: failed, failure }
  }
  return { items: asRecorded(items, headers), headers }
}

/** The call's own id is that of the recording. */
const asRecorded = (items: readonly unknown[], headers: Headers): unknown[] => {
  const id = headers.get('x-gateway-request-id') ?? ''
  return atOneTime(items.map((item) => JSON.parse(JSON.stringify(item).replaceAll(id, CONFORM_CALL_ID))))
}

const atOneTime = (items: readonly unknown[]): unknown[] =>
  items.map((item) =>
    JSON.parse(JSON.stringify(item), (key, value: unknown) =>
      key === 'created' ? CREATED_SECONDS : key === '_request_id' ? undefined : value,
    ),
  )

const lostIn = (headers: Headers): readonly string[] =>
  (headers.get('x-gateway-dropped-params') ?? '').split(', ').filter((name) => name !== '')

const expectSent = (upstream: WireUpstream, { upstream: wanted }: Fixture, request: object): void => {
  const { path, body, text } = upstream.last()
  expect(path).toBe(wanted?.path ?? path)
  if (wanted?.body === undefined) return
  if (wanted.body !== null) expect(body).toEqual(wanted.body)
  else expect(text).toStartWith(JSON.stringify(request).slice(0, -1))
}

const expectFailure = ({ failure, items }: Outcome, provider: WireProvider, fixture: Fixture): void => {
  const wanted = fixture.failure
  expect(failure).toBeInstanceOf(OpenAI.APIError)
  const { status, message, code, type } = failure as InstanceType<typeof OpenAI.APIError>
  expect(message).toContain(`${provider}: `)
  expect(message).toContain(wanted?.message ?? '')
  const answered = fixture.status ?? wanted?.status
  // An error after tokens has no status of its own any more.
  if (items.length === 0 && answered !== undefined) expect(status).toBe(answered)
  if (wanted?.code !== undefined) expect(code ?? null).toBe(wanted.code)
  if (wanted?.type !== undefined && wanted.type !== null) expect(type).toBe(wanted.type)
  expect(items).toEqual(atOneTime(fixture.chunks ?? []).slice(0, items.length))
}

const SETTINGS: Readonly<Record<string, string>> = {
  ...AZURE_SETTINGS,
  ...WORKERS_SETTINGS,
  fireworks_account_id: 'fireworks-account-id',
}

const settingHeaders = (provider: WireProvider, { settings = {} }: Fixture): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const header = SETTINGS[name]
      if (header === undefined) throw new Error(`${provider} has no setting ${name}`)
      return [header, value]
    }),
  )
