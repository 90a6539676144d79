import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Portkey } from 'portkey-ai'
import { Portkey as OldPortkey } from 'portkey-ai-old'
import type { RunningGateway } from '../../support/command.ts'
import { type Reply, send, textOf, within } from '../management/support/http.ts'
import {
  ADMIN_KEY,
  API_KEY,
  done,
  openScene,
  type Scene,
  SLOW_MS,
  SPREAD_MS,
  storeProvider,
} from '../management/support/scene.ts'

setDefaultTimeout(SLOW_MS)

let scene: Scene
let first: RunningGateway
let second: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  first = await scene.start({ WEIR_HEADER_PREFIXES: 'x-portkey-' })
  second = await scene.start({ WEIR_HEADER_PREFIXES: 'x-portkey-' })
  await storeProvider(scene, first, { slug: 'prompted', key: 'sk-prompted-0123456789abcdef' })
})
afterAll(() => scene.close())

const template = (text: string): string =>
  JSON.stringify([
    { role: 'system', content: 'Be {{mood}}.' },
    { role: 'user', content: text },
  ])

const create = async (text = 'One {{question}}', more: Readonly<Record<string, unknown>> = {}) => {
  const made = await done(first, 'POST', '/v1/prompts', {
    name: 'life',
    collection_id: 'default',
    string: template(text),
    parameters: { max_tokens: 20, stream: true },
    virtual_key: 'prompted',
    model: 'mock',
    ...more,
  })
  return textOf(made, 'slug')
}
const VARIABLES = { mood: 'kind', question: 'Why?' }
const call = (gateway: RunningGateway, path: string, body: unknown = { variables: VARIABLES }) =>
  send(`${gateway.url}/v1/prompts/${path}`, { method: 'POST', token: API_KEY, body })
/** The user message that a rendering holds; the status of one that failed. */
const messageIn = ({ status, body }: Reply): unknown => {
  if (status !== 200) return status
  const { messages } = body.data as { messages: readonly { content: string }[] }
  return messages[1]?.content
}
const renders = async (gateway: RunningGateway, reference: string): Promise<unknown> =>
  messageIn(await call(gateway, `${reference}/render`))
const until = (gateway: RunningGateway, reference: string, wanted: unknown) =>
  within(
    SPREAD_MS,
    () => call(gateway, `${reference}/render`),
    (reply) => messageIn(reply) === wanted,
  )

describe('a prompt that was made on one process', () => {
  test('is rendered, run and streamed on another soon', async () => {
    const slug = await create()
    await until(second, slug, 'One Why?')
    const run = await call(second, `${slug}/completions`)
    expect([run.status, run.body.object]).toEqual([200, 'chat.completion'])
    const request = scene.upstream.requests.at(-1)
    expect(request?.headers.get('authorization')).toBe('Bearer sk-prompted-0123456789abcdef')
    expect(JSON.parse(new TextDecoder().decode(request?.body))).toEqual({
      max_tokens: 20,
      model: 'mock',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'One Why?' },
      ],
    })
    const streamed = await call(second, `${slug}/completions`, { variables: VARIABLES, stream: true })
    expect(streamed.text).toEndWith('data: [DONE]\n\n')
  })

  test('is pinned, labelled, published and rolled back while calls run', async () => {
    const slug = await create()
    await until(first, slug, 'One Why?')
    await until(second, slug, 'One Why?')
    const failed: unknown[] = []
    const seen = new Set<unknown>()
    let running = true
    const traffic = [first, second].map(async (gateway) => {
      while (running) {
        const { status, text } = await call(gateway, `${slug}/completions`)
        if (status !== 200) failed.push(text)
        seen.add(/(One|Two) Why/.exec(text)?.[1])
      }
    })
    try {
      await done(first, 'PUT', `/v1/prompts/${slug}`, { string: template('Two {{question}}'), patch: true })
      await until(second, `${slug}@latest`, 'Two Why?')
      expect(await renders(second, slug)).toBe('One Why?')
      expect(await renders(second, `${slug}@1`)).toBe('One Why?')
      expect(await renders(second, `${slug}@2`)).toBe('Two Why?')
      expect(await renders(second, `${slug}@3`)).toBe(404)

      const labels = (await done(first, 'GET', '/v1/labels')).body.data as readonly { id: string; name: string }[]
      const staging = labels.find(({ name }) => name === 'staging')?.id
      expect(await renders(second, `${slug}@staging`)).toBe(404)
      await done(first, 'PUT', `/v1/prompts/${slug}/versions/2`, { label_id: staging })
      await until(second, `${slug}@staging`, 'Two Why?')
      await done(first, 'PUT', `/v1/prompts/${slug}/versions/1`, { label_id: staging })
      await until(second, `${slug}@staging`, 'One Why?')

      await done(first, 'PUT', `/v1/prompts/${slug}/makeDefault`, { version: 2 })
      await until(second, slug, 'Two Why?')
      await done(second, 'PUT', `/v1/prompts/${slug}/makeDefault`, { version: 1 })
      await until(first, slug, 'One Why?')
    } finally {
      running = false
      await Promise.all(traffic)
    }
    expect(failed).toEqual([])
    expect(seen).toEqual(new Set(['One', 'Two']))
    await done(first, 'DELETE', `/v1/prompts/${slug}`)
    await until(second, slug, 404)
  })

  test('changes with its partial, and says which one is missing', async () => {
    const made = await done(first, 'POST', '/v1/prompts/partials', { name: 'sign', string: 'Signed {{mood}}' })
    const partial = textOf(made, 'slug')
    const slug = await create(`{{>${partial}}}`)
    await until(second, slug, 'Signed kind')
    await done(first, 'PUT', `/v1/prompts/partials/${partial}`, { string: 'Sealed {{mood}}' })
    await done(first, 'PUT', `/v1/prompts/partials/${partial}/makeDefault`, { version: 2 })
    await until(second, slug, 'Sealed kind')
    await done(first, 'DELETE', `/v1/prompts/partials/${partial}`)
    await until(second, slug, 400)
    expect((await call(second, `${slug}/render`)).text).toContain(partial)
  })

  test('is limited by its slug', async () => {
    const slug = await create()
    const other = await create()
    await until(second, other, 'One Why?')
    await done(first, 'POST', '/v1/policies/rate-limits', {
      conditions: [{ key: 'prompt', value: slug }],
      group_by: [{ key: 'prompt' }],
      type: 'requests',
      unit: 'rpd',
      value: 1,
    })
    await within(
      SPREAD_MS,
      () => call(second, `${slug}/completions`),
      ({ status }) => status === 429,
    )
    expect((await call(second, `${other}/completions`)).status).toBe(200)
    expect((await call(second, `${slug}/render`)).status).toBe(200)
  })
})

describe('the counterpart’s client', () => {
  test('of today makes, renders, runs and streams one', async () => {
    const client = new Portkey({ apiKey: API_KEY, baseURL: `${first.url}/v1` })
    // The key of the environment calls models, and no more.
    const maker = new Portkey({ apiKey: ADMIN_KEY, baseURL: `${first.url}/v1` })
    const made = await maker.prompts.create({
      name: 'from the client',
      collection_id: 'default',
      string: template('Client {{question}}'),
      parameters: { max_tokens: 20 },
      virtual_key: 'prompted',
      model: 'mock',
    })
    const promptID = String(made.slug)
    await until(first, promptID, 'Client Why?')
    const rendered = await client.prompts.render({ promptID, variables: VARIABLES })
    expect(rendered.data.messages?.[1]?.content).toBe('Client Why?')
    const run = await client.prompts.completions.create({ promptID, variables: VARIABLES })
    expect(JSON.stringify(run)).toContain('Client Why?')
    let streamed = ''
    const stream = await client.prompts.completions.create({ promptID, variables: VARIABLES, stream: true })
    for await (const chunk of stream as AsyncIterable<{ choices: readonly { delta?: { content?: string } }[] }>) {
      streamed += chunk.choices[0]?.delta?.content ?? ''
    }
    expect(streamed).toContain('Client Why?')
    const versions = await maker.prompts.versions.list(promptID)
    expect(versions.data).toHaveLength(1)
  })

  test('of 2023 generates from it', async () => {
    const slug = await create()
    await until(first, slug, 'One Why?')
    const client = new OldPortkey({
      apiKey: API_KEY,
      baseURL: first.url,
      mode: 'single',
      llms: [{ provider: 'openai' }],
    })
    const made = await client.generations.create({ promptId: slug, variables: VARIABLES })
    expect(made).toMatchObject({ success: true, data: { object: 'chat.completion' } })
  })
})
