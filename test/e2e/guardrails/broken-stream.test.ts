import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { GuardrailDefinition, StoredGuardrail } from '../../../src/core/guardrails.ts'
import { definePlugin, isRecord, t } from '../../../src/kit/index.ts'
import { allEvents, chunk, LAST_CHUNK, PAUSE, streamHead } from '../../support/fault-server/answers.ts'
import type { SeenRequest } from '../../support/fault-server/request.ts'
import { type FaultServer, type Step, startFaultServer } from '../../support/fault-server/server.ts'
import { WIRES, type Wire } from '../../support/fault-server/wires.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { CARD, streamChecks, waiting } from './support/stream-checks.ts'
import { guardrail } from './support/world.ts'

const LONG = 'All of this is said one word after the other. '.repeat(12)
const [openai] = WIRES as readonly [Wire]

/** A text as tokens. */
const tokensOf = (text: string): string[] => text.match(/ ?\S+| +$/g) ?? []

let first: FaultServer
let second: FaultServer
let running: TestGateway
let defaults: { readonly input: readonly StoredGuardrail[]; readonly output: readonly StoredGuardrail[] }

beforeAll(async () => {
  first = await startFaultServer(() => [])
  second = await startFaultServer(() => [])
  defaults = { input: [], output: [] }
  running = await startTestGateway({
    plugins: [definePlugin({ name: 'test-parts', config: t.Object({}), setup: () => ({ checks: streamChecks }) })],
    config: { plugins: ['defaults', 'test-parts'], server: { keepAliveMs: 200 } },
    deps: { guardrails: { find: () => undefined, defaultsOf: () => defaults } },
  })
})
afterAll(async () => {
  await running.close()
  await Promise.all([first.close(), second.close()])
})
afterEach(() => {
  waiting.length = 0
})

const hold = (id: string, more: Partial<GuardrailDefinition> = {}, parameters = {}): void => {
  const definition = guardrail([{ id, parameters }], { stream_mode: 'window', ...more })
  const stored: StoredGuardrail = {
    id: 'pg-out',
    slug: 'pg-out',
    versionId: 'v',
    name: 'pg-out',
    scope: 'workspace',
    target: 'llm',
    definition,
  }
  defaults = { input: [], output: [stored] }
}

const ask = (config: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${running.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gateway-api-key': API_KEY,
      'x-gateway-config': JSON.stringify(config),
    },
    body: JSON.stringify({ model: 'gpt-test', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    ...(signal === undefined ? {} : { signal }),
  })

const at = (provider: string, server: FaultServer) => ({
  provider,
  api_key: 'provider-key',
  custom_host: `${server.url}/v1`,
})

const said = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .flatMap((line) => JSON.parse(line.slice(6)).choices ?? [])
    .map(({ delta }) => delta.content ?? '')
    .join('')

/** The answer until it breaks. */
const broken = (text: string, end: Step, later = ''): Step[] => {
  const { lead, tokens } = openai.events(tokensOf(text))
  const more = openai.events(tokensOf(later)).tokens
  return [streamHead(), ...[...lead, ...tokens].map(chunk), PAUSE, ...more.map(chunk), PAUSE, end]
}

const whole = (text: string): Step[] => [streamHead(), ...allEvents(openai, tokensOf(text)).map(chunk), LAST_CHUNK]

/** The beginning of the answer that is to be gone on from. */
const prefixOf = ({ body }: SeenRequest): string => {
  const last: unknown = Array.isArray(body.messages) ? body.messages.at(-1) : undefined
  return isRecord(last) && last.role === 'assistant' && typeof last.content === 'string' ? last.content : ''
}

const until = async (isSo: () => boolean): Promise<void> => {
  const deadline = Date.now() + 10_000
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('it took too long')
    await Bun.sleep(5)
  }
}

describe('a stream that breaks', () => {
  test('is let out as far as it came, changed, before the error', async () => {
    hold('test.redactsCards')
    first.play = () => broken(`${LONG}My card is ${CARD}. And`, 'reset')
    const text = await (await ask(at('openai', first))).text()
    expect(said(text)).toBe(`${LONG}My card is [CARD]. And`)
    expect(text).toContain('"error"')
    expect(text).not.toContain('[DONE]')
  })

  test('before anything went out goes to the next target', async () => {
    hold('test.redactsCards')
    first.play = () => broken('Not much. And', 'reset')
    second.play = () => whole('All is well.')
    const config = { strategy: { mode: 'fallback' }, targets: [at('openai', first), at('openai', second)] }
    expect(said(await (await ask(config)).text())).toBe('All is well.')
  })

  test('and goes on elsewhere is looked at over the joint', async () => {
    hold('test.redactsCards')
    const full = `${LONG}My card is ${CARD}, you know. ${LONG}`
    // Within the card.
    const brokenAt = full.indexOf(CARD) + 14
    first.play = () => broken(full.slice(0, brokenAt), 'reset')
    let prefix = ''
    second.play = (request) => {
      prefix = prefixOf(request)
      return whole(full.slice(prefix.length))
    }
    const config = { strategy: { mode: 'fallback' }, targets: [at('openai', first), at('mistral-ai', second)] }
    const text = await (await ask(config)).text()
    expect(said(text)).toBe(full.replace(CARD, '[CARD]'))
    expect(text).toContain('[DONE]')
    expect(prefix.length).toBeGreaterThan(0)
    expect(prefix).not.toContain('4111')
  })

  test('and goes on elsewhere with the rest of what must not go out is refused there', async () => {
    hold('test.forbids', { deny: true }, { word: 'nobody but us knows' })
    first.play = () => broken(`${LONG}nobody but `, 'reset')
    second.play = (request) => {
      const prefix = prefixOf(request)
      return whole(`${LONG}nobody but us knows this. ${LONG}`.slice(prefix.length))
    }
    const config = { strategy: { mode: 'fallback' }, targets: [at('openai', first), at('mistral-ai', second)] }
    const text = await (await ask(config)).text()
    expect(said(text)).not.toContain('us knows')
    expect(text).toContain('hooks_failed')
  })
})

describe('a refusal', () => {
  test('gives the connection of the provider up', async () => {
    hold('test.forbids', { deny: true }, { word: 'secret' })
    first.play = () => broken(LONG, 'hang', `a secret. ${LONG}`)
    const text = await (await ask(at('openai', first))).text()
    expect(text).toContain('"finish_reason":"content_filter"')
    expect(text).toContain('hooks_failed')
    await until(() => first.open === 0)
  })

  test('with nothing sent yet gives it up, too, and goes to the next target where the config says so', async () => {
    hold('test.forbids', { deny: true }, { word: 'secret' })
    first.play = () => broken(`A secret. ${LONG}`, 'hang')
    second.play = () => whole('All is well.')
    const strategy = { mode: 'fallback', on_status_codes: [446] }
    const answer = await ask({ strategy, targets: [at('openai', first), at('openai', second)] })
    expect([answer.status, said(await answer.text())]).toEqual([200, 'All is well.'])
    await until(() => first.open === 0)
    expect((await ask(at('openai', first))).status).toBe(446)
  })
})

describe('a check that takes its time', () => {
  test('holds the stream up, and comments keep the connection awake', async () => {
    hold('test.waits')
    first.play = () => whole(`${LONG}${LONG}`)
    const asked = ask(at('openai', first))
    await until(() => waiting.length === 1)
    waiting.shift()?.()
    const reader = (await asked).body?.getReader()
    const decoder = new TextDecoder()
    let text = ''
    let keptAwake = false
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      text += decoder.decode(piece.value, { stream: true })
      keptAwake ||= said(text) !== '' && text.includes(': keep-alive')
      if (keptAwake) for (const release of waiting.splice(0)) release()
      else continue
      // Those that come from now on are not held.
      waiting.push = (release: () => void) => {
        release()
        return 0
      }
    }
    Reflect.deleteProperty(waiting, 'push')
    expect([keptAwake, said(text)]).toEqual([true, `${LONG}${LONG}`])
  })

  test('does not keep the provider when the client leaves', async () => {
    hold('test.waits')
    first.play = () => broken(`${LONG}${LONG}`, 'hang')
    const client = new AbortController()
    const asked = ask(at('openai', first), client.signal)
    await until(() => waiting.length === 1)
    client.abort()
    await asked.catch(() => undefined)
    await until(() => first.open === 0)
    const record = await running.record(({ outcome }) => outcome === 'client_closed')
    expect(record).toMatchObject({ status: 499 })
  })
})
