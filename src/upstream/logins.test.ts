import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoginRequest } from '../core/logins.ts'
import { EgressRefused, UpstreamTooLarge } from '../errors/gateway-error.ts'
import { createLogins } from './logins.ts'
import { createResolver, type Lookup } from './resolver.ts'
import { createTrustedHosts } from './trusted-hosts.ts'
import { createUpstream } from './upstream.ts'

const now = (): number => performance.now()

const start = (environment: Readonly<Record<string, string>> = {}, lookup?: Lookup, trust: readonly string[] = []) => {
  const resolver = createResolver({ now, timeoutMs: 1_000, ...(lookup === undefined ? {} : { lookup }) })
  const trusted = createTrustedHosts(trust)
  const upstream = createUpstream({ resolver, trusted, now })
  return createLogins({ upstream, resolver, trusted, now, environment })
}

const thrownBy = (sent: Promise<unknown>): Promise<unknown> => sent.catch((error: unknown) => error)

let server: Bun.Server<undefined>
let folder: string
const heard: { method: string; path: string; header: string | null; body: string }[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-logins-'))
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      heard.push({
        method: request.method,
        path: `${pathname}${search}`,
        header: request.headers.get('metadata'),
        body: await request.text(),
      })
      if (pathname === '/large') return new Response(new Uint8Array(1024 * 1024 + 1))
      if (pathname === '/moved') return Response.redirect('/token', 302)
      return new Response('{"access_token":"t"}', { status: pathname === '/token' ? 200 : 404 })
    },
  })
})
afterAll(async () => {
  await server.stop(true)
  await rm(folder, { recursive: true })
})

const request = (path: string, more: Partial<LoginRequest> = {}): LoginRequest => ({
  method: 'GET',
  url: `http://127.0.0.1:${server.port}${path}`,
  ...more,
})

describe('a private address', () => {
  test('is not reached for a login, whether the machine’s or not', async () => {
    const logins = start()
    expect(await thrownBy(logins.send(request('/token')))).toBeInstanceOf(EgressRefused)
    expect(await thrownBy(logins.send(request('/token', { asMachine: true })))).toBeInstanceOf(EgressRefused)
  })

  test.each([
    ['IDENTITY_ENDPOINT', (port: number) => `http://127.0.0.1:${port}/msi/token`],
    ['AWS_CONTAINER_CREDENTIALS_FULL_URI', (port: number) => `http://127.0.0.1:${port}/role`],
    ['GCE_METADATA_HOST', (port: number) => `127.0.0.1:${port}`],
  ])('that %s names is reached as the machine alone', async (name, value) => {
    const logins = start({ [name]: value(server.port ?? 0) })
    const sent = request('/token?x=1', { asMachine: true, method: 'PUT', body: 'b', headers: { Metadata: 'true' } })
    expect(await logins.send(sent)).toEqual({ status: 200, text: '{"access_token":"t"}' })
    expect(heard.at(-1)).toEqual({ method: 'PUT', path: '/token?x=1', header: 'true', body: 'b' })
    expect(await thrownBy(logins.send(request('/token')))).toBeInstanceOf(EgressRefused)
    // The environment names a place, not a machine.
    const other = { ...sent, url: 'http://127.0.0.1:1/token' }
    expect(await thrownBy(logins.send(other))).toBeInstanceOf(EgressRefused)
  })

  test('that the operator trusts is reached for any login', async () => {
    const logins = start({}, undefined, ['127.0.0.1'])
    expect(await logins.send(request('/token'))).toMatchObject({ status: 200 })
    expect(await logins.send(request('/token', { asMachine: true }))).toMatchObject({ status: 200 })
  })
})

describe('a metadata service', () => {
  test.each([
    'http://169.254.169.254/latest/api/token',
    'http://169.254.170.2/v2/credentials',
    'http://169.254.170.23/v1/credentials',
    'http://[fd00:ec2::254]/latest/api/token',
    'http://metadata.google.internal/computeMetadata/v1/',
  ])('is allowed as the machine alone: %s', async (url) => {
    const logins = start({}, async () => ['169.254.169.254'])
    expect(await thrownBy(logins.send({ method: 'GET', url }))).toBeInstanceOf(EgressRefused)
    // Whatever becomes of it here, it is not the guard that refuses.
    expect(await thrownBy(logins.send({ method: 'GET', url, asMachine: true }))).not.toBeInstanceOf(EgressRefused)
  })

  test('is no way to its neighbours', async () => {
    const logins = start({}, async () => ['10.0.0.1'])
    for (const url of ['http://169.254.169.253/', 'http://169.254.170.3/', 'http://metadata.example/']) {
      expect(await thrownBy(logins.send({ method: 'GET', url, asMachine: true }))).toBeInstanceOf(EgressRefused)
    }
  })
})

describe('an answer', () => {
  test('is given whatever its status, and never by way of a redirect', async () => {
    const logins = start({}, undefined, ['127.0.0.1'])
    expect(await logins.send(request('/nowhere'))).toMatchObject({ status: 404 })
    expect(await logins.send(request('/moved'))).toMatchObject({ status: 302 })
  })

  test('is of bounded size', async () => {
    const logins = start({}, undefined, ['127.0.0.1'])
    expect(await thrownBy(logins.send(request('/large')))).toBeInstanceOf(UpstreamTooLarge)
  })
})

test('a token file is read anew each time, and of bounded size', async () => {
  const logins = start()
  const path = join(folder, 'token')
  await writeFile(path, 'one')
  expect(await logins.readFile(path)).toBe('one')
  await writeFile(path, 'two')
  expect(await logins.readFile(path)).toBe('two')
  await writeFile(path, new Uint8Array(1024 * 1024 + 1))
  expect(await thrownBy(logins.readFile(path))).toBeInstanceOf(Error)
  expect(await thrownBy(logins.readFile(join(folder, 'none')))).toBeInstanceOf(Error)
})

test('of the environment, only what clouds say to a machine is seen', () => {
  const { environment } = start({
    AZURE_CLIENT_ID: 'a',
    AWS_REGION: 'b',
    GOOGLE_APPLICATION_CREDENTIALS: 'c',
    IDENTITY_HEADER: 'd',
    HOME: 'e',
    WEIR_MASTER_KEY: 'secret',
    DATABASE_URL: 'secret',
    OPENAI_API_KEY: 'secret',
    HOMEPAGE: 'x',
  })
  expect(environment).toEqual({
    AZURE_CLIENT_ID: 'a',
    AWS_REGION: 'b',
    GOOGLE_APPLICATION_CREDENTIALS: 'c',
    IDENTITY_HEADER: 'd',
    HOME: 'e',
  })
})
