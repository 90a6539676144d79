import { describe, expect, test } from 'bun:test'
import { type ConsoleBundle, toBundle } from './bundle.ts'
import { mountConsole, refuseConsole } from './mount.ts'
import { createBundleOpener } from './open-bundle.ts'

type Handler = (request: Request) => Response | Promise<Response>

const FILES: readonly (readonly [string, string])[] = [
  ['main-abc123.js', 'export {}'],
  ['main-abc123.css', 'body {}'],
  ['icon-abc123.svg', '<svg/>'],
  ['chunk-def456.js', 'export const later = 1'],
]
const bundle = toBundle(FILES.map(([name, text]) => [name, Bun.gzipSync(Buffer.from(text))]))

const served = (open: () => Promise<ConsoleBundle>, basePath = '', prefix = basePath) => {
  const handlers = new Map<string, Handler>()
  const lines: string[] = []
  const log = { error: (message: string) => void lines.push(message) }
  mountConsole((_method, path, handler) => handlers.set(path, handler), {
    ...{ open, basePath, prefix, probes: '', log },
  })
  const ask = (path: string, headers: Record<string, string> = {}): Response | Promise<Response> | undefined =>
    handlers.get(`${basePath}/console/*`)?.(new Request(`http://weir.test${path}`, { headers }))
  return { ask, handlers, lines }
}

describe('the page', () => {
  const { ask } = served(async () => bundle)

  test('is one for every address, allows its own script alone, and no frame', async () => {
    for (const path of ['/console/', '/console/records', '/console/records/an-id?x=1']) {
      const response = await ask(path)
      expect(response?.status).toBe(200)
      const policy = response?.headers.get('content-security-policy') ?? ''
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; ")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      for (const [name, value] of [
        ['cache-control', 'no-store'],
        ['x-content-type-options', 'nosniff'],
        ['referrer-policy', 'no-referrer'],
        ['x-frame-options', 'DENY'],
      ] as const) {
        expect(response?.headers.get(name)).toBe(value)
      }
      const html = (await response?.text()) ?? ''
      expect(html).toContain('<script type="module" src="/console/assets/main-abc123.js"></script>')
      expect(html).not.toMatch(/<script(?![^>]*src=)|<style| style=| on[a-z]+=/)
    }
  })

  test('gives each answer a nonce of its own, which its policy names', async () => {
    const nonces = new Set<string>()
    for (let turn = 0; turn < 5; turn++) {
      const response = await ask('/console/')
      const [, nonce = ''] = /name="csp-nonce" content="([^"]+)"/.exec((await response?.text()) ?? '') ?? []
      expect(response?.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`)
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(5)
  })

  test('names its files behind the prefix that browsers see', async () => {
    const behindProxy = served(async () => bundle, '/llm', '/tools/llm')
    const response = await behindProxy.ask('/llm/console/')
    expect(await response?.text()).toContain('src="/tools/llm/console/assets/main-abc123.js"')
    const begin = await behindProxy.handlers.get('/llm/')?.(new Request('http://weir.test/llm/'))
    expect([begin?.status, begin?.headers.get('location')]).toEqual([302, '/tools/llm/console/'])
  })
})

describe('its files', () => {
  const { ask } = served(async () => bundle)

  test('never change under their names, and go out compressed to whoever takes that', async () => {
    const response = await ask('/console/assets/chunk-def456.js', { 'accept-encoding': 'br, gzip' })
    expect(response?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response?.headers.get('content-encoding')).toBe('gzip')
    expect(response?.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response?.headers.get('vary')).toBe('accept-encoding')
    const plain = await ask('/console/assets/chunk-def456.js')
    expect(plain?.headers.get('content-encoding')).toBeNull()
    expect(await plain?.text()).toBe('export const later = 1')
  })

  test('are not sent again to whoever has them', async () => {
    const response = await ask('/console/assets/main-abc123.css', { 'if-none-match': '"main-abc123.css"' })
    expect([response?.status, await response?.text()]).toEqual([304, ''])
  })

  test('are these and no other', async () => {
    for (const name of ['main.js', '../main-abc123.js', '%2e%2e/embedded.ts', '']) {
      const response = await ask(`/console/assets/${name}`)
      if (response?.headers.get('content-type')?.startsWith('text/html')) continue
      expect([name, response?.status]).toEqual([name, 404])
    }
  })
})

test('a console that cannot be built is said so, and tried again', async () => {
  let fails = true
  const { ask, lines } = served(async () => {
    if (fails) throw new Error('no packages')
    return bundle
  })
  expect((await ask('/console/'))?.status).toBe(503)
  expect(lines).toEqual(['the console cannot be shown'])
  fails = false
  expect((await ask('/console/'))?.status).toBe(200)
})

test('a data plane has none', async () => {
  const answers: Response[] = []
  refuseConsole('/llm')((_method, _path, handler) => {
    answers.push(handler(new Request('http://weir.test/llm/')) as Response)
  })
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
})

test('from source it is built at the first look, once', async () => {
  const open = createBundleOpener()
  const opened = await open()
  expect([...opened.files.keys()]).toEqual(expect.arrayContaining([opened.script, opened.style, opened.icon]))
  expect(await open()).toBe(opened)
  const script = Buffer.from(Bun.gunzipSync(opened.files.get(opened.script)?.gzip ?? new Uint8Array())).toString()
  // What only some pages need is not in the first file.
  expect(script).not.toContain('uplot')
}, 60_000)
