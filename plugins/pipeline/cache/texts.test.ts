import { describe, expect, test } from 'bun:test'
import { type Answer, type Call, UpstreamUnreachable } from '#kit'
import type { TextChoice } from '#kit/provider'
import { report } from '#kit/slots'
import { type CacheAsk, cacheWorld, HOUR, jsonAnswer } from '../../../test/support/caching.ts'
import { streamOf } from '../../../test/support/routing.ts'

const TEXT = { model: 'm-1', prompt: 'Once upon' }

const choice = (text: string, more: Partial<TextChoice> = {}): TextChoice => ({
  text,
  index: 0,
  logprobs: null,
  finish_reason: 'stop',
  ...more,
})

const HEAD = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'm-1-2026' }
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }

const whole = (choices: readonly object[], more = {}): Answer => jsonAnswer({ ...HEAD, choices, usage: USAGE, ...more })

const eventOf = (body: object): string => `data: ${JSON.stringify(body)}\n\n`
const piece = (text: string, finish: string | null = null): string =>
  eventOf({ ...HEAD, choices: [choice(text, { finish_reason: finish })] })

const streamed = (pieces: readonly string[], thrown?: unknown): Answer => ({
  status: 200,
  headers: new Headers({ 'content-type': 'text/event-stream' }),
  body: streamOf(pieces, thrown),
})

const ask = (more: Partial<CacheAsk> & Pick<CacheAsk, 'provider'>, body = {}): CacheAsk => ({
  endpoint: 'completions',
  body: { ...TEXT, ...body },
  ...more,
})

const never = (): Answer => {
  throw new UpstreamUnreachable('nobody should ask')
}

/** The pieces that a client gets, and whether the stream came to its proper end. */
const piecesOf = (events: string) => {
  const data = events
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''))
  return { ended: data.at(-1) === '[DONE]', pieces: data.slice(0, -1).map((each) => JSON.parse(each)) }
}

describe('the answer to a text completion', () => {
  test('is given again byte by byte', async () => {
    const world = await cacheWorld()
    const first = await world.ask(ask({ provider: () => whole([choice(' a time')]) }))
    const text = await first.text()
    const second = await world.ask(ask({ provider: never }))
    expect([first.status, second.status, await second.text()]).toEqual(['MISS', 'HIT', text])
  })

  test('is given as a stream, in pieces of text', async () => {
    const world = await cacheWorld()
    const logprobs = { tokens: [' a', ' time'], token_logprobs: [-1, -2] }
    const choices = [choice(' a time', { logprobs }), choice(' 🙂🙂', { index: 1, finish_reason: 'length' })]
    await world.status(ask({ provider: () => whole(choices, { system_fingerprint: 'fp' }) }))
    const options = { stream: true, stream_options: { include_usage: true } }
    const hit = await world.ask(ask({ provider: never }, options))
    const { ended, pieces } = piecesOf(await hit.text())
    expect([hit.status, ended]).toEqual(['HIT', true])
    for (const each of pieces) expect(each).toMatchObject({ ...HEAD, system_fingerprint: 'fp' })
    for (const { text, index, logprobs: of, finish_reason: reason } of choices) {
      const own: TextChoice[] = pieces.flatMap(({ choices: given }) =>
        given.filter((each: TextChoice) => each.index === index),
      )
      expect(own.map((each) => each.text).join('')).toBe(text)
      expect(own.length).toBeGreaterThan(2)
      expect(own.at(-1)).toMatchObject({ text: '', logprobs: of, finish_reason: reason })
    }
    expect(pieces.at(-1)).toMatchObject({ choices: [], usage: USAGE })
    const unasked = piecesOf(await (await world.ask(ask({ provider: never }, { stream: true }))).text())
    expect(unasked.pieces.some((each) => 'usage' in each)).toBe(false)
  })

  test('that came as a stream is given plain, and as a stream', async () => {
    const world = await cacheWorld()
    const provider = () => streamed([': ping\n\n', piece(' a'), piece(' time', 'stop'), 'data: [DONE]\n\n'])
    const first = await world.ask(ask({ provider }, { stream: true }))
    await first.text()
    const plain = await world.ask(ask({ provider: never }))
    expect([first.status, plain.status]).toEqual(['MISS', 'HIT'])
    expect(JSON.parse(await plain.text())).toEqual({ ...HEAD, choices: [choice(' a time')], usage: USAGE })
    const again = piecesOf(await (await world.ask(ask({ provider: never }, { stream: true }))).text())
    expect(again.ended).toBe(true)
  })

  test('says again that it came by way of chat', async () => {
    const world = await cacheWorld()
    const provider = (call: Call): Answer => {
      call.set(report, { provider: 'acme', model: 'm-1', droppedParams: [], stream: false, via: 'chat' })
      return whole([choice('a')])
    }
    await world.status(ask({ provider }))
    const hit = await world.ask(ask({ provider: never }))
    expect(hit.status).toBe('HIT')
    expect(hit.call.get(report).via).toBe('chat')
    expect(hit.call.replyHeaders.get('x-gateway-completions-via')).toBe('chat')
    await world.status(ask({ provider: () => whole([choice('b')]) }, { prompt: 'Else' }))
    const native = await world.ask(ask({ provider: never }, { prompt: 'Else' }))
    expect([native.status, native.call.get(report).via]).toEqual(['HIT', undefined])
    expect(native.call.replyHeaders.has('x-gateway-completions-via')).toBe(false)
  })

  test('in semantic mode is only found for the very same request', async () => {
    const world = await cacheWorld()
    const to = { cache: { ...HOUR, mode: 'semantic' } } as const
    await world.status(ask({ provider: () => whole([choice('a')]), to }))
    expect(await world.status(ask({ provider: never, to }))).toBe('HIT')
    expect(await world.status(ask({ provider: () => whole([choice('a')]), to }, { prompt: 'Once  upon' }))).toBe('MISS')
  })
})

describe('not kept is', () => {
  test.each([
    ['a text without an end', () => whole([choice('a', { finish_reason: null })])],
    ['one of whose texts one has no end', () => whole([choice('a'), choice('b', { index: 1, finish_reason: null })])],
    ['an answer without choices', () => whole([])],
    [
      'the answer of a chat',
      () => jsonAnswer({ ...HEAD, choices: [{ index: 0, message: {}, finish_reason: 'stop' }] }),
    ],
  ])('%s', async (_name, provider) => {
    const world = await cacheWorld()
    await world.status(ask({ provider }))
    expect(await world.status(ask({ provider }))).toBe('MISS')
    expect(world.asked()).toBe(2)
  })

  test.each([
    ['a stream that broke off', () => streamed([piece(' a')], new UpstreamUnreachable('reset'))],
    ['a stream without a last word', () => streamed([piece(' a'), 'data: [DONE]\n\n'])],
    ['a stream with an error', () => streamed([piece(' a', 'stop'), eventOf({ error: { message: 'no' } })])],
    ['a stream of a chat', () => streamed([eventOf({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })])],
  ])('%s', async (_name, provider) => {
    const world = await cacheWorld()
    const first = await world.ask(ask({ provider }, { stream: true }))
    await first.text().catch(() => undefined)
    expect(await world.status(ask({ provider: () => whole([choice('a')]) }))).toBe('MISS')
  })
})
