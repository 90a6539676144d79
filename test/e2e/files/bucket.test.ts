import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import OpenAI from 'openai'
import { openBucket, type TestBucket } from '../../support/bucket.ts'
import type { RunningGateway } from '../../support/command.ts'
import { API_KEY, openScene, type Scene } from '../management/support/scene.ts'

setDefaultTimeout(120_000)

let bucket: TestBucket
let scene: Scene
let gateway: RunningGateway

beforeAll(async () => {
  bucket = await openBucket()
  scene = await openScene({ store: 'pglite' })
  gateway = await scene.start({ WEIR_FILES_URL: bucket.url, ...bucket.env })
})
afterAll(async () => {
  await scene.close()
  await bucket.stop()
})

const client = () => new OpenAI({ apiKey: API_KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
const upload = (content: Uint8Array) =>
  client().files.create({ file: new File([Buffer.from(content)], 'a.bin'), purpose: 'user_data' })
const failureOf = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return await call
  } catch (thrown) {
    return thrown
  }
}
const place = async (): Promise<unknown> => {
  const state = (await (await fetch(`${gateway.url}/readyz`)).json()) as { ready: boolean; files: unknown }
  return [state.ready, state.files]
}

test('files lie in a bucket, in objects, whole and in part, and are gone with it', async () => {
  const content = randomBytes(20_000_000)
  const file = await upload(content)
  expect(await bucket.keys()).toEqual([0, 1, 2].map((part) => `some/prefix/${file.id}/00000${part}`))
  expect(Buffer.from(await (await client().files.content(file.id)).arrayBuffer()).equals(content)).toBeTrue()
  const range = 'bytes=8388500-8388700'
  const part = await client().files.content(file.id, { headers: { range } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(8_388_500, 8_388_701))).toBeTrue()
  expect(await place()).toEqual([true, { place: 'bucket', ok: true }])
  await client().files.delete(file.id)
  expect(await bucket.keys()).toEqual([])
})

test('while the bucket is away files are 503, calls to models go on, and no secret of it is told', async () => {
  const kept = await upload(randomBytes(10))
  await bucket.stop()
  expect(await failureOf(upload(randomBytes(10)))).toMatchObject({ status: 503, code: 'store_unavailable' })
  expect(await failureOf(client().files.content(kept.id))).toMatchObject({ status: 503, code: 'store_unavailable' })
  expect(await place()).toEqual([true, { place: 'bucket', ok: false }])
  const chat = { model: 'mock', messages: [{ role: 'user' as const, content: 'Hello' }] }
  const mock = new OpenAI({
    apiKey: API_KEY,
    baseURL: `${gateway.url}/v1`,
    defaultHeaders: { 'x-gateway-provider': 'mock' },
  })
  expect((await mock.chat.completions.create(chat)).choices).toHaveLength(1)
  // It can be deleted all the same: for its workspace it is gone.
  expect((await client().files.delete(kept.id)).deleted).toBeTrue()
  await bucket.start()
  expect((await upload(randomBytes(10))).bytes).toBe(10)
  expect(await place()).toEqual([true, { place: 'bucket', ok: true }])
  expect(scene.output()).not.toContain('a-secret-of-the-bucket')
})
