/**
 * Providers whose files and batches are OpenAI's: openai, azure-openai and groq. Answers are those of "Files" and "Batch" of OpenAI's API
 * reference (types of openai-node 7.55.0), read 2026-11-25; places of Azure as openai-node's azure.mjs has them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  failureOf,
  formOf,
  inputOf,
  type KeptScene,
  line,
  outputOf,
  PROVIDER_KEY,
  startKeptScene,
} from './support/scene.ts'

setDefaultTimeout(20_000)

const FILE = {
  id: 'file-abc123',
  object: 'file',
  bytes: 120000,
  created_at: 1677610602,
  filename: 'in.jsonl',
  purpose: 'batch',
  status: 'processed',
}
const BATCH = {
  id: 'batch_abc123',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  input_file_id: FILE.id,
  completion_window: '24h',
  status: 'completed',
  output_file_id: 'file-cvaTdG',
  error_file_id: 'file-HOWS94',
  created_at: 1711471533,
  request_counts: { total: 100, completed: 95, failed: 5 },
  metadata: null,
}

const PLACES = [
  ['openai', '/v1', '/v1', '', {}],
  ['groq', '/openai/v1', '/openai/v1', '', {}],
  ['azure-openai', '', '/openai/v1', '', {}],
  ['azure-openai', '', '/openai', '?api-version=2024-10-21', { apiVersion: '2024-10-21' }],
] as const

describe.each(PLACES)('%s at %s%s%s', (provider, basePath, at, query, more) => {
  let scene: KeptScene
  let batch: object
  beforeAll(async () => {
    const answers = {
      [`POST ${at}/files`]: () => Response.json(FILE),
      [`GET ${at}/files`]: () => Response.json({ object: 'list', data: [FILE], has_more: false }),
      [`GET ${at}/files/${FILE.id}`]: () => Response.json(FILE),
      [`DELETE ${at}/files/${FILE.id}`]: () => Response.json({ id: FILE.id, object: 'file', deleted: true }),
      [`GET ${at}/files/${BATCH.output_file_id}/content`]: () => new Response('{"custom_id":"a"}\n'),
      [`GET ${at}/files/${BATCH.error_file_id}/content`]: () => new Response('{"custom_id":"b"}\n'),
      [`POST ${at}/batches`]: () => Response.json({ ...BATCH, status: 'validating' }),
      [`GET ${at}/batches`]: () => Response.json({ object: 'list', data: [BATCH], has_more: false }),
      [`GET ${at}/batches/${BATCH.id}`]: () => Response.json(batch),
      [`POST ${at}/batches/${BATCH.id}/cancel`]: () => Response.json({ ...BATCH, status: 'cancelling' }),
    }
    scene = await startKeptScene(provider, () => answers, { basePath, settings: () => more })
  })
  afterAll(() => scene.close())
  beforeEach(() => {
    scene.seen.length = 0
    batch = BATCH
  })

  test('files pass as they are', async () => {
    const { files } = scene.client
    const input = line('a', { model: 'gpt-5-mini', messages: [] })
    expect(await files.create({ file: await inputOf([input]), purpose: 'batch' })).toMatchObject(FILE)
    const [sent] = scene.seen
    if (sent === undefined) throw new Error('nothing was sent')
    expect(sent.path).toBe(`${at}/files${query}`)
    expect(sent.headers.get(provider === 'azure-openai' ? 'api-key' : 'authorization')).toContain(PROVIDER_KEY)
    expect(await formOf(sent)).toMatchObject({ fields: { purpose: 'batch' }, text: `${input}\n` })
    expect((await files.list()).data).toHaveLength(1)
    expect((await files.retrieve(FILE.id)).bytes).toBe(120000)
    expect((await files.delete(FILE.id)).deleted).toBe(true)
  })

  test('batches too, and their output is the files that they name', async () => {
    const { batches } = scene.client
    const made = await batches.create({
      ...{ input_file_id: FILE.id, endpoint: '/v1/chat/completions', completion_window: '24h' },
    })
    expect(made.status).toBe('validating')
    expect(scene.seen[0]?.path).toBe(`${at}/batches${query}`)
    expect((await batches.list({ limit: 2 })).data).toHaveLength(1)
    expect((await batches.cancel(BATCH.id)).status).toBe('cancelling')
    expect(await outputOf(scene, provider, BATCH.id)).toEqual({
      ...{ status: 200, type: 'application/octet-stream', text: '{"custom_id":"a"}\n{"custom_id":"b"}\n' },
    })
    batch = { ...BATCH, status: 'in_progress', output_file_id: null, error_file_id: null }
    expect((await outputOf(scene, provider, BATCH.id)).status).toBe(409)
    batch = { ...BATCH, output_file_id: null, error_file_id: null }
    expect((await outputOf(scene, provider, BATCH.id)).status).toBe(404)
    expect(await failureOf(batches.retrieve('batch_none'))).toMatchObject({ status: 404 })
  })
})
