import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ANSWER, healthy, LAST_CHUNK, streamed, whole } from '../../../support/fault-server/answers.ts'
import { STREAM_FAULTS } from '../../../support/fault-server/faults.ts'
import { WIRES, type Wire } from '../../../support/fault-server/wires.ts'
import { expectBroken, expectWhole, readStream } from './support/client.ts'
import { ask, expectedBody, type Scene, startScene } from './support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ restartPatienceMs: 2_000 })
})
afterAll(() => scene.close())

const wireOf = (provider: Wire['provider']): Wire => {
  const wire = WIRES.find((each) => each.provider === provider)
  if (wire === undefined) throw new Error(`no format of ${provider}`)
  return wire
}
const openai = wireOf('openai')
const anthropic = wireOf('anthropic')

const breaking = Object.entries(STREAM_FAULTS).filter(([, { outcome }]) => outcome.kind === 'breaks')

describe.each(WIRES)('a stream of $provider with a fallback', (wire) => {
  test.each(breaking)('restart: %s: the client gets the answer of the fallback, whole', async (_name, fault) => {
    for (const fallback of WIRES) {
      const reply = await ask(scene, { fault, wire, stream: true, fallback, strategy: { stream_recovery: 'restart' } })
      expectWhole(reply, true)
      expect([...readStream(reply.text).models]).toEqual([fallback.model])
      expect(reply.headers.get('x-gateway-last-used-option-index')).toBe('config.targets[1]')
      expect(reply.primary.map(({ body }) => body)).toEqual([expectedBody(wire, true)])
      expect(reply.secondary.map(({ body }) => body)).toEqual([expectedBody(fallback, true)])
      expect(reply.record).toMatchObject({
        outcome: 'completed',
        provider: fallback.provider,
        usage: { input_tokens: 7, output_tokens: 4 },
        attempts: [{ provider: wire.provider }, { provider: fallback.provider }],
      })
    }
  })

  test.each(breaking)('continue: %s: Anthropic goes on from the text', async (_name, fault) => {
    const strategy = { stream_recovery: 'continue' }
    const reply = await ask(scene, { fault, wire, stream: true, fallback: anthropic, strategy })
    expectWhole(reply, true)
    expect([...readStream(reply.text).models]).toEqual([wire.model])
    const [request] = reply.secondary
    const last = Object(request?.body.messages).at(-1)
    const begun: string = last.content[0].text
    expect([last.role, begun.length > 0, ANSWER.startsWith(begun)]).toEqual(['assistant', true, true])
    // The tokens of both: those of the first are counted by Weir where it was cut before it said them.
    expect(reply.record).toMatchObject({ outcome: 'completed', attempts: [{}, { provider: 'anthropic', status: 200 }] })
    expect(Object(reply.record.usage).output_tokens).toBeGreaterThan(4)
  })

  test.each(breaking)('continue: %s: OpenAI begins anew, and what was sent is skipped', async (_name, fault) => {
    const strategy = { stream_recovery: 'continue' }
    const reply = await ask(scene, { fault, wire, stream: true, fallback: openai, strategy })
    expectWhole(reply, true)
    expect([...readStream(reply.text).models]).toEqual([wire.model])
    expect(reply.secondary.map(({ body }) => body)).toEqual([expectedBody(openai, true)])
  })

  test('continue: a model that refuses to go on is asked from the beginning', async () => {
    const fault = STREAM_FAULTS['cut after tokens']
    if (fault === undefined) throw new Error('no such fault')
    const strategy = { stream_recovery: 'continue' }
    const pending = ask(scene, { fault, wire, stream: true, fallback: anthropic, strategy })
    scene.secondary.play = (request) =>
      anthropic.prefixOf(request) === ''
        ? healthy(anthropic)(request)
        : [whole(anthropic.error('invalid_request_error', 'This model does not go on.'), { status: 400 })]
    const reply = await pending
    expectWhole(reply, true)
    expect(reply.record).toMatchObject({ attempts: [{}, { status: 400 }, { provider: 'anthropic', status: 200 }] })
    expect(reply.secondary.map(({ body }) => Object(body.messages).at(-1).role)).toEqual(['assistant', 'user'])
  })

  test('continue: another answer is never glued to the first', async () => {
    const fault = STREAM_FAULTS['cut after tokens']
    if (fault === undefined) throw new Error('no such fault')
    const asked = { fault, wire, stream: true, fallback: openai, strategy: { stream_recovery: 'continue' } }
    const pending = ask(scene, asked)
    const { lead, tokens, tail } = openai.events(['Quite', ' different'])
    scene.secondary.play = () => [...streamed(...lead, ...tokens, ...tail), LAST_CHUNK]
    const reply = await pending
    expectBroken(reply)
    expect(readStream(reply.text).errorCode).toBe('stream_truncated')
    expect(reply.record).toMatchObject({ outcome: 'truncated' })
  })

  test('continue: the rest of an answer is not kept in the cache', async () => {
    const [cut] = breaking
    if (cut === undefined) throw new Error('nothing breaks')
    const asked = { wire, stream: true, fallback: anthropic, strategy: { stream_recovery: 'continue' } }
    const body = { user: `cached ${wire.provider}` }
    const config = { cache: { mode: 'simple' } }
    const first = await ask(scene, { ...asked, fault: cut[1], config, body })
    expectWhole(first, true)
    const second = await ask(scene, { ...asked, fault: () => ['reset'], config, body })
    expectWhole(second, true)
    expect(second.headers.get('x-gateway-cache-status')).toBe('MISS')
    const third = await ask(scene, { ...asked, fault: () => ['reset'], config, body })
    expectWhole(third, true)
    expect([third.headers.get('x-gateway-cache-status'), third.secondary.length]).toEqual(['HIT', 0])
  })

  test('continue: the usage that the client asked for is that of both', async () => {
    const fault = STREAM_FAULTS['cut after tokens']
    if (fault === undefined) throw new Error('no such fault')
    const reply = await ask(scene, {
      fault,
      wire,
      stream: true,
      fallback: anthropic,
      strategy: { stream_recovery: 'continue' },
      body: { stream_options: { include_usage: true } },
    })
    const [usage, ...more] = readStream(reply.text).usage
    expect(more).toEqual([])
    expect(usage).toMatchObject({
      prompt_tokens: Object(reply.record.usage).input_tokens,
      completion_tokens: Object(reply.record.usage).output_tokens,
    })
    expect(Number(usage?.prompt_tokens)).toBeGreaterThan(7)
  })
})

test.each([50, 60_000])(
  'a held stream begins with a comment, and has one in each silence of %d ms',
  async (keepAliveMs) => {
    const slow = await startScene({ restartPatienceMs: 0 }, { server: { keepAliveMs } })
    try {
      const { lead, tokens, tail } = openai.events(['One', ' answer', ' in', ' words.'])
      const fault = () => [...streamed(...lead, ...tokens), { waitMs: 300 }, ...streamed(...tail).slice(1), LAST_CHUNK]
      const strategy = { stream_recovery: 'restart' }
      const reply = await ask(slow, { fault, wire: openai, stream: true, fallback: anthropic, strategy })
      expectWhole(reply, true)
      expect(reply.text).toStartWith(': keep-alive\n\n')
      const comments = reply.text.split(': keep-alive').length - 1
      expect(comments === 1).toBe(keepAliveMs > 1_000)
    } finally {
      await slow.close()
    }
  },
)
