import { afterEach, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import OpenAI from 'openai'
import { FileStorageFull, StoreUnavailable } from '../../../src/errors/gateway-error.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { memoryFiles } from '../../support/own-files.ts'

let provider: Server | undefined
let gateway: TestGateway | undefined
afterEach(async () => {
  await gateway?.close()
  provider?.close()
})

/** A provider that does something of its own with each connection. */
const startProvider = async (talk: (socket: Socket) => void): Promise<number> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    talk(socket)
  })
  provider = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider has no port')
  return address.port
}

const upload = async (headers: Record<string, string> = {}): Promise<unknown> => {
  const client = new OpenAI({
    ...{ apiKey: API_KEY, baseURL: `${gateway?.url}/v1`, maxRetries: 0, defaultHeaders: headers },
  })
  try {
    return await client.files.create({ file: new File([Buffer.alloc(3_000_000, 'x')], 'a'), purpose: 'user_data' })
  } catch (thrown) {
    return thrown
  }
}

const OPENAI = { 'x-gateway-provider': 'openai', 'x-gateway-api-key': API_KEY, authorization: 'Bearer sk-provider' }

test('a provider that dies in the middle of an upload is told of', async () => {
  const port = await startProvider((socket) => {
    let received = 0
    socket.on('data', (piece: Buffer) => {
      received += piece.length
      if (received > 500_000) socket.destroy()
    })
  })
  gateway = await startTestGateway({
    config: { plugins: ['defaults', { openai: { baseURL: `http://127.0.0.1:${port}/v1` } }] },
  })
  expect(await upload(OPENAI)).toMatchObject({ status: 502, type: 'upstream_error' })
})

test('a provider that never answers to one is given up', async () => {
  const port = await startProvider((socket) => socket.resume())
  gateway = await startTestGateway({
    config: {
      deadlines: { connectMs: 5_000, firstByteMs: 300, idleMs: 300, totalMs: 5_000 },
      plugins: ['defaults', { openai: { baseURL: `http://127.0.0.1:${port}/v1` } }],
    },
  })
  expect(await upload(OPENAI)).toMatchObject({ status: 504 })
})

test.each([
  [new FileStorageFull('There is no room for more files here.'), 507, 'file_storage_full'],
  [new StoreUnavailable('The place where files are kept cannot be reached now.'), 503, 'store_unavailable'],
])('a place that says %s is told of', async (error, status, code) => {
  gateway = await startTestGateway({ deps: { files: { ...memoryFiles(), create: () => Promise.reject(error) } } })
  expect(await upload()).toMatchObject({ status, code })
})
