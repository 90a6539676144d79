import { beforeEach, describe, expect, test } from 'bun:test'
import { endpoint } from '../../test/support/endpoints.ts'
import type { Answer } from '../core/bodies/answer.ts'
import { fromReader } from '../core/bodies/ready-stream.ts'
import type { Call } from '../core/call.ts'
import type { Finish } from '../core/finish.ts'
import { type GatewayError, InvalidRequest, ShuttingDown, UpstreamError } from '../errors/gateway-error.ts'
import { type Calls, createCalls } from './calls.ts'
import type { RunningRoute } from './running-route.ts'

const ROUTE: Omit<RunningRoute, 'pipeline'> = {
  method: 'POST',
  path: '/v1/chat/completions',
  endpoint: endpoint('chat'),
  plugin: 'built-in',
  chain: [],
  headers: [],
}
const encoder = new TextEncoder()

let lines: string[]
let finishes: Finish[]
let calls: Calls
let durable: Promise<void> | undefined
let isFull: boolean
beforeEach(() => {
  lines = []
  finishes = []
  let ids = 0
  durable = undefined
  isFull = false
  const log = (message: string, fields: unknown): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`)
  }
  calls = createCalls({
    clock: { now: () => 0, monotonicMs: () => 0 },
    log: { info: log, warn: log, error: log },
    randomId: () => `id-${++ids}`,
    maxBodyBytes: 1_000,
    maxUploadBytes: 1_000_000,
    bodyTimeoutMs: 1_000,
    maxConcurrentCalls: 2,
    keepAliveMs: 0,
    records: { durable: () => durable },
    refusesCalls: () => isFull,
  })
})

const request = (signal?: AbortSignal): Request =>
  new Request('http://x/v1/chat/completions', {
    method: 'POST',
    body: '{}',
    ...(signal === undefined ? {} : { signal }),
  })
const run = async (stage: (call: Call) => Promise<Answer>, signal?: AbortSignal): Promise<Response> =>
  calls.run(
    request(signal),
    {
      ...ROUTE,
      pipeline: (call) => {
        call.onFinish((finish) => finishes.push(finish))
        return stage(call)
      },
    },
    {},
  )
const whole = async (): Promise<Answer> => ({ status: 200, headers: new Headers(), body: encoder.encode('{}') })
/** A stage that waits until its call is aborted, as a call to a provider does. */
const untilAborted = (call: Call): Promise<Answer> =>
  new Promise((_, reject) => {
    call.signal.addEventListener('abort', () => reject(call.signal.reason))
  })
/** A stream of these pieces, which then ends or throws. */
const streaming = (pieces: readonly string[], failure?: unknown) => async (): Promise<Answer> => {
  const left = pieces.map((piece) => encoder.encode(piece))
  return {
    status: 200,
    headers: new Headers(),
    body: fromReader({
      read: async () => {
        const piece = left.shift()
        if (piece === undefined && failure !== undefined) throw failure
        return piece
      },
      cancel: () => undefined,
    }),
  }
}

describe('a call', () => {
  test('is counted until its last byte is out', async () => {
    const response = await run(streaming(['a', 'b']))
    expect(calls.running).toBe(1)
    expect(await response.text()).toBe('ab')
    expect(calls.running).toBe(0)
    expect(finishes).toMatchObject([{ outcome: 'completed', status: 200 }])
  })

  test('that is refused has its status, its id, and one end', async () => {
    const response = await run(() => Promise.reject(new InvalidRequest('No.', { param: 'model' })))
    expect([response.status, response.headers.get('x-gateway-request-id')]).toEqual([400, 'id-1'])
    expect(await response.json()).toMatchObject({ error: { message: 'No.', param: 'model' } })
    expect(finishes).toMatchObject([{ outcome: 'failed', status: 400 }])
    expect(lines).toEqual([])
  })

  test.each([
    [{}, 'id-1'],
    [{ 'x-request-id': 'theirs', 'request-id': 'other' }, 'theirs'],
    [{ 'request-id': 'req_1' }, 'req_1'],
    [{ 'x-amzn-requestid': 'amzn' }, 'amzn'],
    [{ 'apim-request-id': 'apim' }, 'apim'],
  ])('shows the request id of the provider, else its own, also when it fails: %o', async (given, id) => {
    const headers = new Headers(given)
    const good = await run(async () => ({ ...(await whole()), headers }))
    expect(good.headers.get('x-request-id')).toBe(id)
    const bad = await run(() => Promise.reject(new UpstreamError('Busy.', { status: 529, headers })))
    expect([bad.status, bad.headers.get('x-request-id')]).toEqual([529, id.replace('id-1', 'id-2')])
  })

  test('of an SDK of Anthropic that fails has its id under the name that it looks for', async () => {
    const asAnthropic = (headers: Record<string, string>, error: GatewayError) =>
      calls.run(
        new Request('http://x/v1/messages', { method: 'POST', headers }),
        {
          ...ROUTE,
          pipeline: () => Promise.reject(error),
        },
        {},
      )
    const version = { 'anthropic-version': '2023-06-01' }
    expect((await asAnthropic(version, new InvalidRequest('No.'))).headers.get('request-id')).toBe('id-1')
    const headers = new Headers({ 'request-id': 'req_1' })
    const theirs = await asAnthropic(version, new UpstreamError('Busy.', { headers }))
    expect(theirs.headers.get('request-id')).toBe('req_1')
    expect((await asAnthropic({}, new InvalidRequest('No.'))).headers.has('request-id')).toBe(false)
  })

  test('that breaks for a reason of ours says nothing of it to the client, and all of it to the log', async () => {
    const response = await run(() => Promise.reject(new TypeError('secret detail')))
    expect(response.status).toBe(500)
    const body = await response.text()
    expect(body).toContain('id-1')
    expect(body).not.toContain('secret detail')
    expect(lines.join('\n')).toContain('secret detail')
    expect(lines.join('\n')).toContain('id-1')
  })

  test('that a provider refused with a 500 is no fault of ours', async () => {
    const response = await run(() =>
      Promise.reject(new UpstreamError('It broke.', { status: 500, provider: 'openai' })),
    )
    expect(response.status).toBe(500)
    expect(lines).toEqual([])
  })

  test('a fault of ours repeats no more than a little of what it was about, but all of its stack', async () => {
    await run(() => Promise.reject(new TypeError(`Unexpected "sk-0123456789abcdef ${'private '.repeat(100)}"`)))
    expect(lines.join('')).not.toContain('sk-0123456789abcdef')
    expect(lines.join('')).not.toContain('private '.repeat(30))
    expect(lines.join('')).toContain('calls.test.ts')
  })

  test('whose stream breaks ends with an error event', async () => {
    const response = await run(streaming(['data: 1\n\n'], new TypeError('secret detail')))
    const body = await response.text()
    expect(body).toStartWith('data: 1\n\ndata: {"error":')
    expect(body).toContain('"internal_error"')
    expect(body).not.toContain('secret detail')
    expect(finishes).toMatchObject([{ outcome: 'truncated', status: 200, error: { code: 'internal_error' } }])
  })

  test('ends when its client leaves, whether it waits or streams', async () => {
    const waiting = new AbortController()
    const answer = run(untilAborted, waiting.signal)
    waiting.abort()
    expect((await answer).status).toBe(499)
    const response = await run(streaming(['a', 'b', 'c']))
    await response.body?.cancel()
    expect(calls.running).toBe(0)
    expect(finishes.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['client_closed', 499],
      ['client_closed', 499],
    ])
  })

  test('of a client that left before it was looked at does not run on', async () => {
    const response = await run(async (call) => {
      if (call.signal.aborted) throw call.signal.reason
      return whole()
    }, AbortSignal.abort())
    expect(response.status).toBe(499)
    expect(calls.running).toBe(0)
  })

  test('whose client left while a stage waited is no fault of ours, whatever the stage then runs into', async () => {
    const leaving = new AbortController()
    const response = await run(async (call) => {
      leaving.abort()
      // As a stage does that was not waiting for the client.
      call.onFinish(() => undefined)
      return whole()
    }, leaving.signal)
    expect(response.status).toBe(500)
    expect(lines).toEqual([])
    expect(finishes.map(({ outcome, status }) => [outcome, status])).toEqual([['client_closed', 499]])
    expect(calls.running).toBe(0)
  })
})

describe('all calls together', () => {
  test('is answered when its record is safe, whether it succeeds or fails', async () => {
    for (const stage of [
      async (): Promise<Answer> => ({ status: 200, headers: new Headers(), body: encoder.encode('whole') }),
      async (): Promise<Answer> => {
        throw new InvalidRequest('no')
      },
    ]) {
      const { promise, resolve } = Promise.withResolvers<void>()
      durable = promise
      let isAnswered = false
      const answered = run(stage).then((response) => {
        isAnswered = true
        return response.text()
      })
      await Bun.sleep(5)
      expect(isAnswered).toBe(false)
      expect(calls.running).toBe(0)
      resolve()
      expect(await answered).toMatch(/whole|no/)
    }
  })

  test('is refused where its record could not be kept', async () => {
    isFull = true
    const response = await run(async () => ({ status: 200, headers: new Headers(), body: new Uint8Array(0) }))
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await response.text()).toContain('no room for records')
    isFull = false
    expect((await run(async () => ({ status: 200, headers: new Headers(), body: new Uint8Array(0) }))).status).toBe(200)
  })

  test('one too many is refused with a hint when to come again', async () => {
    const held = [run(untilAborted), run(untilAborted)]
    const refused = await run(whole)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } })
    calls.abortAll(new ShuttingDown('Stop.'))
    await Promise.all(held)
    expect((await run(whole)).status).toBe(200)
  })

  test('a stop refuses new ones, waits for the running ones, and can end them', async () => {
    const held = run(untilAborted)
    calls.refuseNew()
    const refused = await run(whole)
    expect([refused.status, refused.headers.get('connection')]).toEqual([503, 'close'])
    expect(await refused.json()).toMatchObject({ error: { code: 'shutting_down' } })
    let idle = false
    const waiting = calls.idle().then(() => {
      idle = true
    })
    await Promise.resolve()
    expect(idle).toBe(false)
    calls.abortAll(new ShuttingDown('Stop.'))
    expect((await held).status).toBe(503)
    await waiting
    await calls.idle()
  })
})
