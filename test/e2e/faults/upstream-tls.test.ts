import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { type Certificates, type KeyPair, makeCertificates } from './support/tls.ts'

const [ONE, TWO] = ['one.weir.test', 'two.weir.test'] as const

let folder: string
let certificates: Certificates
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-upstream-tls-'))
  certificates = await makeCertificates(folder, [ONE, TWO])
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the way out makes of these URLs, one after the other. */
const call = async (urls: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'support/call-upstream.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_EXTRA_CA_CERTS: certificates.caFile,
      ...env,
      CALLS: JSON.stringify(urls),
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return JSON.parse(await new Response(child.stdout).text())
}

interface Provider {
  port: number
  /** Bytes of requests, as the server read them after the handshake. */
  received: number
  connections: number
  close(): void
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Answers each request by the number of its bytes; `answer` may do otherwise. */
const startProvider = async (
  pair: KeyPair,
  options: { readonly ALPNProtocols?: string[]; readonly answer?: (socket: Socket) => void } = {},
): Promise<Provider> => {
  const provider: Provider = { port: 0, received: 0, connections: 0, close: () => undefined }
  const server = createTlsServer({ ...pair, ...options }, (socket) => {
    provider.connections++
    let bytes = 0
    let wanted = 0
    socket.on('error', () => undefined)
    socket.on('data', (data: Buffer) => {
      provider.received += data.length
      bytes += data.length
      const head = data.indexOf('\r\n\r\n')
      if (wanted === 0 && head !== -1) {
        wanted = head + 4 + Number(/content-length: (\d+)/.exec(data.toString('latin1'))?.[1] ?? 0)
      }
      if (bytes < wanted) return
      const body = String(bytes)
      bytes = 0
      wanted = 0
      if (options.answer === undefined) socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      else options.answer(socket)
    })
  })
  server.on('tlsClientError', () => undefined)
  provider.port = await listen(server)
  provider.close = () => void server.close()
  return provider
}

const withProvider = async (
  pair: KeyPair,
  use: (provider: Provider) => Promise<void>,
  options?: Parameters<typeof startProvider>[1],
): Promise<void> => {
  const provider = await startProvider(pair, options)
  try {
    await use(provider)
  } finally {
    provider.close()
  }
}

describe('a certificate', () => {
  const refused = (code: string) => new RegExp(`^upstream_unreachable: No answer from '[^']+': ${code}\\.$`)

  test('of the name that is called, signed by an authority that the operator added, is trusted', async () => {
    await withProvider(await certificates.of(ONE), async (provider) => {
      const [first, second] = await call([`https://${ONE}:${provider.port}/`, `https://${ONE}:${provider.port}/`])
      expect([Number(first) > 100, second]).toEqual([true, first])
      expect(provider.connections).toBe(1)
    })
  })

  test.each<[string, () => Promise<KeyPair>, string, string]>([
    ['of another name', () => certificates.of(TWO), ONE, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['of a name, for an address', () => certificates.of(ONE), '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', () => certificates.expired(ONE), ONE, 'CERT_HAS_EXPIRED'],
    ['that nobody signed', () => certificates.selfSigned(ONE), ONE, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('%s is refused before a byte is sent, whatever the environment says', async (_name, pair, host, code) => {
    await withProvider(await pair(), async (provider) => {
      const urls = Array<string>(3).fill(`https://${host}:${provider.port}/`)
      expect(await call(urls)).toEqual(Array(3).fill(expect.stringMatching(refused(code))))
      expect(await call(urls, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual(
        Array(3).fill(expect.stringMatching(refused(code))),
      )
      expect(provider.received).toBe(0)
    })
  })

  test('of an authority that nobody added is refused', async () => {
    await withProvider(await certificates.of(ONE), async (provider) => {
      const [outcome] = await call([`https://${ONE}:${provider.port}/`], { NODE_EXTRA_CA_CERTS: '' })
      expect(outcome).toMatch(refused('UNABLE_TO_VERIFY_LEAF_SIGNATURE'))
      expect(provider.received).toBe(0)
    })
  })
})

describe('over TLS', () => {
  test('the protocol is HTTP/1.1, also for a server that prefers another', async () => {
    let spoken: unknown
    await withProvider(
      await certificates.of(ONE),
      async (provider) => {
        expect(await call([`https://${ONE}:${provider.port}/`])).toEqual(['ok'])
        expect(spoken).toBe('http/1.1')
      },
      {
        ALPNProtocols: ['h2', 'http/1.1'],
        answer: (socket) => {
          spoken = 'alpnProtocol' in socket ? socket.alpnProtocol : undefined
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        },
      },
    )
  })

  test('a body of any size goes out whole', async () => {
    await withProvider(await certificates.of(ONE), async (provider) => {
      const sizes = [1, 60_000, 70_000, 5_000_000]
      const bytes = await call(sizes.map((size) => `https://${ONE}:${provider.port}/?bytes=${size}`))
      for (const [index, size] of sizes.entries()) expect(Number(bytes[index])).toBeWithin(size, size + 400)
      expect(provider.connections).toBe(1)
    })
  })

  test('a large answer comes in whole, and one that is cut off is a failure', async () => {
    const size = 3_000_000
    await withProvider(
      await certificates.of(ONE),
      async ({ port }) => {
        const [whole] = await call([`https://${ONE}:${port}/`])
        expect(whole?.length).toBe(size)
      },
      { answer: (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${'y'.repeat(size)}`) },
    )
    await withProvider(
      await certificates.of(ONE),
      async ({ port }) =>
        expect(await call([`https://${ONE}:${port}/`])).toEqual([expect.stringMatching('ECONNRESET')]),
      { answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nok') },
    )
  })

  test('a server that never shakes hands is given up at the connect deadline', async () => {
    let open = 0
    const silent = createServer((socket) => {
      open++
      socket.resume()
      socket.on('error', () => undefined)
      socket.on('close', () => open--)
    })
    const port = await listen(silent)
    const [outcome] = await call([`https://${ONE}:${port}/`])
    expect(outcome).toMatch(/^connect_timeout: /)
    for (let left = 1_000; open > 0 && left > 0; left--) await Bun.sleep(1)
    expect(open).toBe(0)
    silent.close()
  }, 15_000)
})
