import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chat, headersOf, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const STREAM = { stream: true }

describe('the record of a stream', () => {
  test('has the usage that the provider says last, also where the client did not ask for it', async () => {
    const { record, text } = await world.ask('/v1/chat/completions', chat(STREAM))
    expect(text).toEndWith('data: [DONE]\n\n')
    expect(record).toMatchObject({
      stream: true,
      requestType: 'stream-chatComplete',
      status: 200,
      outcome: 'completed',
      success: true,
      attempts: 1,
      model: 'mock',
      bytesOut: text.length,
    })
    expect(record.inputTokens).toBeGreaterThan(0)
    expect(record.outputTokens).toBeGreaterThan(0)
    expect(record.estimated).toBeUndefined()
    expect(record.cost?.total).toBe(2 * (record.inputTokens ?? 0) + 3 * (record.outputTokens ?? 0))
  })

  test('that breaks half-way is cut short, and costs what came of it', async () => {
    const { record, text } = await world.ask(
      '/v1/chat/completions',
      chat({ ...STREAM, mock: { fault: 'cut-mid-stream' } }),
    )
    expect(text).toContain('"error"')
    expect(record).toMatchObject({
      status: 200,
      outcome: 'truncated',
      success: false,
      errorCode: 'stream_truncated',
      estimated: true,
    })
    expect(record.outputTokens).toBeGreaterThan(0)
    expect(record.cost?.output).toBe(3 * (record.outputTokens ?? 0))
  })

  test('that is refused with its first event is a failure that costs nothing', async () => {
    const { record } = await world.ask(
      '/v1/chat/completions',
      chat({ ...STREAM, mock: { fault: 'first-event-error' } }),
    )
    expect(record).toMatchObject({ outcome: 'failed', success: false, attempts: 1 })
    expect([record.cost, record.unpriced]).toEqual([undefined, undefined])
  })

  test('whose client leaves says so, and costs what was delivered', async () => {
    const response = await fetch(`${world.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: headersOf(),
      body: JSON.stringify(chat({ ...STREAM, mock: { fault: 'hang-mid-stream' } })),
    })
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const [record] = await world.recordsOf(response)
    expect(record).toMatchObject({ outcome: 'client_closed', success: false, estimated: true, attempts: 1 })
    expect(record?.cost?.total).toBeGreaterThan(0)
    expect(record?.firstByteUs).toBeGreaterThan(0)
  })

  test('times: its first byte comes before its end, and the provider has answered before that', async () => {
    const { record } = await world.ask('/v1/chat/completions', chat(STREAM))
    const { firstByteUs = 0, upstreamUs = 0, beforeUs = 0, parsingUs = 0, totalUs } = record
    expect(beforeUs + parsingUs + upstreamUs).toBeLessThanOrEqual(firstByteUs + 5)
    expect(firstByteUs).toBeLessThanOrEqual(totalUs)
  })
})

test('a client that leaves before there is an answer is left with what it asked', async () => {
  const leaving = new AbortController()
  const closed = world.recorder.closed.length
  const asked = fetch(`${world.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: headersOf(),
    signal: leaving.signal,
    body: JSON.stringify(chat({ mock: { fault: 'never-answer' } })),
  }).catch(() => undefined)
  while (world.upstream.counters.received === 0 || world.recorder.opened.length <= closed) await Bun.sleep(1)
  leaving.abort()
  await asked
  while (world.recorder.closed.length === closed) await Bun.sleep(1)
  const [record] = world.recorder.closed.at(-1) ?? []
  expect(record).toMatchObject({ status: 499, outcome: 'client_closed', success: false, attempts: 1, bytesOut: 0 })
  expect(record?.firstByteUs).toBeUndefined()
})
