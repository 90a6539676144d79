import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawCall } from '../../../plugins/providers/mock/test-support/raw-client.ts'
import { text } from '../../../plugins/providers/mock/test-support/stream.ts'
import { type ChildGateway, startChildGateway } from './support/child.ts'
import { CALL_HEADERS, chat } from './support/probe.ts'
import { makeCertificates } from './support/tls.ts'

const [ONE, TWO, WRONG] = ['one.weir.test', 'two.weir.test', 'wrong.weir.test'] as const

interface Seen {
  readonly host: string | null
  readonly connection: string
}

let folder: string
let upstream: Bun.Server<undefined>
let child: ChildGateway
const seen: Seen[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-tls-'))
  const certificates = await makeCertificates(folder, [ONE, TWO])
  upstream = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // The certificate is chosen by the name that the client asks for; the first one serves every other name.
    tls: [
      { serverName: ONE, ...(await certificates.of(ONE)) },
      { serverName: TWO, ...(await certificates.of(TWO)) },
    ],
    fetch(request, server) {
      seen.push({ host: request.headers.get('host'), connection: String(server.requestIP(request)?.port) })
      return Response.json({ choices: [] })
    },
  })
  child = await startChildGateway({
    script: 'test/e2e/faults/support/serve-tls.ts',
    env: {
      NODE_EXTRA_CA_CERTS: certificates.caFile,
      NAMES: [ONE, TWO, WRONG].join(','),
      UPSTREAM_PORT: String(upstream.port),
    },
  })
}, 60_000)
afterAll(async () => {
  await child.close()
  await upstream.stop(true)
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  seen.length = 0
})

const call = (name: string) =>
  rawCall({
    port: child.port,
    body: chat(),
    headers: { ...CALL_HEADERS, 'x-gateway-provider': name.replaceAll('.', '-') },
  })

test('the address is dialled, and the name is what TLS verifies and Host says', async () => {
  for (const name of [ONE, TWO]) {
    // Each is only trusted with the certificate that its own name selects.
    expect((await call(name)).status).toBe(200)
    expect(seen.at(-1)?.host).toBe(`${name}:${upstream.port}`)
  }
})

test('two names on one address never share a connection, though each keeps its own', async () => {
  const connectionsOf = (name: string) =>
    new Set(seen.filter(({ host }) => host === `${name}:${upstream.port}`).map(({ connection }) => connection))
  // Kept alive, once the server has left them alone for a moment: not one connection a call.
  const isKept = (name: string, calls: number): boolean => connectionsOf(name).size < calls
  let rounds = 0
  do {
    rounds++
    expect((await call(ONE)).status).toBe(200)
    expect((await call(TWO)).status).toBe(200)
  } while (rounds < 1_000 && !(isKept(ONE, rounds) && isKept(TWO, rounds)))
  expect([isKept(ONE, rounds), isKept(TWO, rounds)]).toEqual([true, true])
  expect(connectionsOf(ONE).isDisjointFrom(connectionsOf(TWO))).toBe(true)
  expect(seen).toHaveLength(2 * rounds)
})

test('a certificate of another name is refused before a byte of the request is sent', async () => {
  const answer = await call(WRONG)
  expect([answer.status, JSON.parse(text(answer)).error.code]).toEqual([502, 'upstream_unreachable'])
  expect(seen).toEqual([])
  // Also right after the right name was served by the same address.
  expect((await call(ONE)).status).toBe(200)
  expect((await call(WRONG)).status).toBe(502)
  expect(seen).toHaveLength(1)
})
