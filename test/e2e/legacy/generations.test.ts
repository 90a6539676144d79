import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  type CounterpartScene,
  callRecords,
  clientOf2023,
  clientOfToday,
  headersOf,
  openCounterpartScene,
  recordsOf,
  STORED_KEY,
  soon,
} from '../clients/support/counterpart.ts'
import { all } from '../clients/support/openai-client.ts'
import { textOf } from '../management/support/http.ts'
import { done, SLOW_MS } from '../management/support/scene.ts'

const MESSAGES = [{ role: 'user', content: 'Hello' }]
const SAID = 'Mock answer to: Hello'

interface Application {
  /** Its own key of the workspace. */
  readonly keyId: string
  readonly key: string
}

let opened: CounterpartScene
let old: Application
let today: Application
let slug = ''

const register = async (name: string): Promise<Application> => {
  const body = { name, scopes: ['completions.write', 'configs.create'] }
  const made = await done(opened.gateway, 'POST', '/v2/api-keys/service', body)
  return { keyId: textOf(made, 'id'), key: textOf(made, 'key') }
}

beforeAll(async () => {
  opened = await openCounterpartScene()
  old = await register('of 2023')
  today = await register('of today')
  // Saved today, named by both.
  const config = { virtual_key: 'prod', override_params: { model: 'mock' } }
  const client = clientOfToday(opened.gateway, { apiKey: today.key })
  slug = (await client.configs.create({ name: 'of both', config })).slug ?? ''
  await soon(() =>
    clientOfToday(opened.gateway, { apiKey: today.key, config: slug }).chat.completions.create({ messages: MESSAGES }),
  )
}, SLOW_MS)
afterAll(() => opened.close())

/** What the application of 2023 does all day; its calls by route. */
const workOf2023 = async (): Promise<Readonly<Record<string, number>>> => {
  const single = clientOf2023(opened.gateway, {
    apiKey: old.key,
    mode: 'single',
    llms: [{ virtual_key: 'prod', model: 'mock' }],
  })
  const saved = clientOf2023(opened.gateway, { apiKey: old.key, config: slug })
  const chunks = await all(await single.chatCompletions.create({ messages: MESSAGES, stream: true }))
  expect(chunks.map(({ choices }) => choices[0]?.delta?.content ?? '').join('')).toBe(SAID)
  expect(await saved.chatCompletions.create({ messages: MESSAGES })).toMatchObject({
    choices: [{ message: { content: SAID } }],
  })
  expect(await saved.completions.create({ prompt: 'Hello' })).toMatchObject({ choices: [{ text: SAID }] })
  const proxied = await fetch(`${opened.gateway.url}/v1/proxy/chat/completions`, {
    method: 'POST',
    headers: { 'x-portkey-api-key': old.key, 'x-portkey-virtual-key': 'prod', 'x-portkey-mode': 'proxy openai' },
    body: JSON.stringify({ model: 'mock', messages: MESSAGES }),
  })
  expect([proxied.status, await proxied.json()]).toMatchObject([200, { choices: [{ message: { content: SAID } }] }])
  return { '/v1/chatComplete': 2, '/v1/complete': 1, '/v1/proxy/*': 1 }
}

/** What the application of today does beside it. */
const workOfToday = async (): Promise<number> => {
  const client = clientOfToday(opened.gateway, { apiKey: today.key, config: slug })
  const chat = await client.chat.completions.create({ messages: MESSAGES })
  expect([chat.choices?.[0]?.message?.content, headersOf(chat)['last-used-option-index']]).toEqual([SAID, 'config'])
  const chunks = await all(await client.chat.completions.create({ messages: MESSAGES, stream: true }))
  expect(chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('')).toBe(SAID)
  expect(await client.completions.create({ prompt: 'Hello' })).toMatchObject({ choices: [{ text: SAID }] })
  return 3
}

describe('an application of 2023 and one of today, against one gateway', () => {
  const ROUNDS = 8

  test('both work at once, unchanged', async () => {
    const before = callRecords(opened.gateway).length
    const requests = opened.scene.upstream.counters.received
    const [works, others] = await Promise.all([
      Promise.all(Array.from({ length: ROUNDS }, workOf2023)),
      Promise.all(Array.from({ length: ROUNDS }, workOfToday)),
    ])
    const count = works.reduce((sum, work) => sum + Object.values(work).reduce((all, each) => all + each, 0), 0)
    const sum = others.reduce((all, each) => all + each, count)
    expect(opened.scene.upstream.counters.received).toBe(requests + sum)
    await recordsOf(opened.gateway, before + sum, () => true)
  })

  test('the log says who still uses which old route, and how often', async () => {
    const work = { '/v1/chatComplete': 2, '/v1/complete': 1, '/v1/proxy/*': 1 }
    const all = Object.values(work).reduce((sum, calls) => sum + calls * ROUNDS, 0)
    await recordsOf(opened.gateway, all, ({ legacy_calls }) => legacy_calls !== undefined)
    const legacy = callRecords(opened.gateway).filter(({ legacy_calls }) => legacy_calls !== undefined)
    expect(new Set(legacy.map(({ api_key_id }) => api_key_id))).toEqual(new Set([old.keyId]))
    for (const [route, calls] of Object.entries(work)) {
      const counts = legacy.filter((record) => record.route === route).map(({ legacy_calls }) => legacy_calls)
      const expected = Array.from({ length: calls * ROUNDS }, (_, index) => index + 1)
      expect([route, counts]).toEqual([route, expected])
    }
    const others = callRecords(opened.gateway).filter(({ api_key_id }) => api_key_id === today.keyId)
    expect(others.length).toBeGreaterThan(ROUNDS)
    for (const { route } of others) expect(['/v1/chat/completions', '/v1/completions']).toContain(String(route))
  })

  test('the provider saw its own key, and nothing that tells the two apart', () => {
    const { requests } = opened.scene.upstream
    expect(new Set(requests.map(({ headers }) => headers.get('authorization')))).toEqual(
      new Set([`Bearer ${STORED_KEY}`]),
    )
    for (const { headers, body } of requests) {
      const all = JSON.stringify([...headers]) + new TextDecoder().decode(body)
      for (const secret of [old.key, today.key]) expect(all).not.toContain(secret)
      expect([...headers.keys()].filter((name) => /^x-(?:portkey|gateway)-/.test(name))).toEqual([])
    }
  })

  test('what anybody wrote holds no key', () => {
    const output = opened.scene.output()
    for (const secret of [old.key, today.key, STORED_KEY]) expect(output).not.toContain(secret)
  })
})
