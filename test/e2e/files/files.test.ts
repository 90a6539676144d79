import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import OpenAI, { toFile } from 'openai'
import type { RunningGateway } from '../../support/command.ts'
import { API_KEY, openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'

setDefaultTimeout(SLOW_MS)

let scene: Scene
let gateway: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'pglite' })
  gateway = await scene.start()
})
afterAll(() => scene.close())

const client = (headers: Record<string, string> = {}): OpenAI =>
  new OpenAI({ apiKey: API_KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0, defaultHeaders: headers })

const CONTENT = `{"custom_id":"1"}\n`.repeat(10_000)

const upload = (files = client(), more: object = {}) =>
  files.files.create({ file: new File([CONTENT], 'über a.jsonl'), purpose: 'batch', ...more } as never)

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}/v1/files${path}`, {
    ...init,
    headers: { authorization: `Bearer ${API_KEY}`, ...(init.headers as Record<string, string>) },
  })

const form = (fields: Readonly<Record<string, string | Blob>>): RequestInit => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) body.append(name, value, 'a.jsonl')
    else body.append(name, value)
  }
  return { method: 'POST', body }
}

/** What a call of the client failed with. It asks only once somebody waits for it. */
const failureOf = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return await call
  } catch (thrown) {
    return thrown
  }
}

const FILE = new Blob(['x'])

describe('files of Weir', () => {
  test('are kept, listed, read and deleted by the official client', async () => {
    const file = await upload()
    expect(file).toMatchObject({ object: 'file', bytes: CONTENT.length, purpose: 'batch', status: 'processed' })
    expect(file.filename).toBe('über a.jsonl')
    expect(file.id).toMatch(/^file-weir-[0-9a-f]{32}$/)
    expect(await client().files.retrieve(file.id)).toEqual(file)
    const other = await client().files.create({
      file: await toFile(Buffer.from('other'), 'b.txt'),
      purpose: 'user_data',
      expires_after: { anchor: 'created_at', seconds: 3600 },
    })
    expect(other.expires_at).toBe(other.created_at + 3600)
    const page = await client().files.list({ limit: 1 })
    expect(page.data.map(({ id }) => id)).toEqual([other.id])
    expect(page.hasNextPage()).toBeTrue()
    const listed: string[] = []
    for await (const { id } of client().files.list({ limit: 1, order: 'asc' })) listed.push(id)
    expect(listed).toEqual([file.id, other.id])
    expect((await client().files.list({ purpose: 'user_data' })).data.map(({ id }) => id)).toEqual([other.id])
    const content = await client().files.content(file.id)
    expect(await content.text()).toBe(CONTENT)
    expect(await client().files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
    expect(await failureOf(client().files.retrieve(file.id))).toMatchObject({ status: 404, code: 'file_not_found' })
    expect(await failureOf(client().files.content(file.id))).toMatchObject({ status: 404 })
  })

  test('are found by their ids whatever provider is named, and kept here for one that keeps none', async () => {
    const mock = client({ 'x-gateway-provider': 'mock' })
    const file = await upload(mock)
    const theirs = client({ 'x-gateway-provider': 'openai', authorization: 'Bearer sk', 'x-gateway-api-key': API_KEY })
    expect((await theirs.files.retrieve(file.id)).id).toBe(file.id)
    expect((await mock.files.list()).data.map(({ id }) => id)).toContain(file.id)
    expect(await failureOf(mock.files.retrieve('file-other'))).toMatchObject({ status: 404, code: 'file_not_found' })
  })

  test('are read in parts', async () => {
    const { id } = await upload()
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await ask(`/${id}/content`, { headers: { range, ...more } })
      return [answer.status, answer.headers.get('content-range'), await answer.text()]
    }
    const all = CONTENT.length
    expect(await part('bytes=65530-65540')).toEqual([206, `bytes 65530-65540/${all}`, CONTENT.slice(65_530, 65_541)])
    expect(await part('bytes=-5')).toEqual([206, `bytes ${all - 5}-${all - 1}/${all}`, CONTENT.slice(-5)])
    expect(await part(`bytes=${all - 1}-`)).toEqual([206, `bytes ${all - 1}-${all - 1}/${all}`, '\n'])
    expect(await part(`bytes=${all}-`)).toEqual([416, `bytes */${all}`, ''])
    expect(await part('bytes=0-1,5-6')).toEqual([200, null, CONTENT])
    expect(await part('bytes=0-1', { 'if-range': '"other"' })).toEqual([200, null, CONTENT])
    const whole = await ask(`/${id}/content`)
    expect(whole.headers.get('content-type')).toBe('application/octet-stream')
    expect(whole.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''%C3%BCber%20a.jsonl`)
    expect(await whole.text()).toBe(CONTENT)
  })

  test.each([
    ['no purpose', form({ file: FILE }), 400, 'purpose'],
    ['an unknown purpose', form({ file: FILE, purpose: 'fun' }), 400, 'purpose'],
    ['no file', form({ purpose: 'batch' }), 400, 'file'],
    ['a text in its place', form({ file: 'x', purpose: 'batch' }), 400, 'file'],
    ['nothing in the file', form({ file: new Blob([]), purpose: 'batch' }), 400, 'file'],
    ['no form', { method: 'POST', body: '{}' }, 400, 'content-type'],
    [
      'an anchor that is none',
      form({ file: FILE, purpose: 'batch', 'expires_after[anchor]': 'x', 'expires_after[seconds]': '3600' }),
      400,
      'expires_after[anchor]',
    ],
    [
      'too short a time',
      form({ file: FILE, purpose: 'batch', 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '5' }),
      400,
      'expires_after[seconds]',
    ],
  ] as const)('are refused with %s', async (_, init, status, param) => {
    const answer = await ask('', init as RequestInit)
    expect([answer.status, ((await answer.json()) as { error: { param: string } }).error.param]).toEqual([
      status,
      param,
    ])
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=10001', 'limit'],
    ['order=up', 'order'],
  ])('are not listed with %s', async (query, param) => {
    const answer = await ask(`?${query}`)
    expect([answer.status, ((await answer.json()) as { error: { param: string } }).error.param]).toEqual([400, param])
  })

  test('need a key, and nothing is left of one whose client left', async () => {
    const answer = await fetch(`${gateway.url}/v1/files`, form({ file: FILE, purpose: 'batch' }))
    expect(answer.status).toBe(401)
    const folder = join(scene.folder, '.weir', 'files', 'own')
    const before = (await readdir(folder)).sort()
    const leaving = new AbortController()
    let pieces = 0
    const body = new ReadableStream({
      pull(controller) {
        if (pieces === 0) controller.enqueue(Buffer.from(HEAD))
        pieces++
        if (pieces === 50) leaving.abort()
        else controller.enqueue(new Uint8Array(100_000))
      },
    })
    const type = { 'content-type': 'multipart/form-data; boundary=sample' }
    const sent = ask('', { method: 'POST', body, headers: type, signal: leaving.signal })
    await expect(sent).rejects.toThrow()
    expect((await readdir(folder)).sort()).toEqual(before)
  })
})

const HEAD = `--sample\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--sample\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`

describe('a config of several targets', () => {
  test('is refused', async () => {
    const config = JSON.stringify({
      strategy: { mode: 'fallback' },
      targets: [{ provider: 'mock' }, { provider: 'mock' }],
    })
    const answer = await ask('/file-1', { headers: { 'x-gateway-config': config } })
    expect([answer.status, ((await answer.json()) as { error: { param: string } }).error.param]).toEqual([
      400,
      'config',
    ])
  })
})

test('a gateway that may keep little says so', async () => {
  await Bun.write(
    join(scene.folder, 'weir.config.yaml'),
    'files: { maxBytes: 10, workspaceBytes: 15 }\nplugins: [defaults, mock]\n',
  )
  await gateway.stop()
  gateway = await scene.start()
  const { files } = client()
  const put = (text: string) => files.create({ file: new File([text], 'a'), purpose: 'batch' })
  expect(await failureOf(put('12345678901'))).toMatchObject({ status: 413, code: 'file_too_large' })
  expect(await failureOf(put('1234567890'))).toMatchObject({ status: 429, code: 'file_quota_exceeded' })
})
