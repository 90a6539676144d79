import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { consolePaths } from '../../../src/console/paths.ts'
import type { RunningGateway } from '../../support/command.ts'
import { send } from './support/http.ts'
import { keyLifeSuite } from './support/key-life-suite.ts'
import { providerLifeSuite } from './support/provider-life-suite.ts'
import { openScene, type Scene, SLOW_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

describe.each(['pglite', 'postgres'] as const)('on %s', (store) => {
  let scene: Scene
  let gateway: RunningGateway

  beforeAll(async () => {
    scene = await openScene({ store })
    gateway = await scene.start()
  })
  afterAll(() => scene.close())

  describe('a key', () => keyLifeSuite(() => gateway))
  describe('a stored provider', () =>
    providerLifeSuite(
      () => scene,
      () => gateway,
    ))

  describe('the OpenAPI document', () => {
    test('is of version 3.1, refers to nothing that is missing, and tells of every route there is', async () => {
      const { status, headers, body, text } = await send(`${gateway.url}/openapi.json`)
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(String(body.openapi)).toMatch(/^3\.1\.\d$/)
      expect(Object(body.info).title).toBe('Weir')
      for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
        const found = pointer.split('/').reduce<unknown>((value, part) => Reflect.get(Object(value), part), body)
        expect({ pointer, found: typeof found }).toEqual({ pointer, found: 'object' })
      }
      const documented = documentedRoutes(body.paths)
      const pages = new Set(consolePaths('').map(({ method, path }) => `${method} ${path.replace('*', '{}')}`))
      const { code, stdout } = await scene.run(['routes'])
      expect(code).toBe(0)
      const routes = stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/))
      expect(routes.length).toBeGreaterThan(100)
      const missing = routes
        .flatMap(([method = '', path = '']) =>
          // The document has no word for any method.
          (method === 'ALL' ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : [method]).map(
            (each) => `${each} ${path.replaceAll(/:[a-zA-Z_]+|\*/g, '{}')}`,
          ),
        )
        // The console's pages are no part of the interface.
        .filter((route) => !documented.has(route) && !pages.has(route))
      expect(missing).toEqual([])
    })

    test('has a page for people, which loads nothing from elsewhere', async () => {
      const { status, headers, text } = await send(`${gateway.url}/docs`)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text).toContain('<h1')
      expect(text).toContain('/v2/api-keys/service')
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\//)
    })
  })
})

interface Operation {
  readonly operationId?: unknown
  readonly responses?: unknown
  readonly 'x-weir-aliases'?: readonly string[]
}

/** `GET /path/{}` of everything in the document, aliases too. */
const documentedRoutes = (paths: unknown): ReadonlySet<string> => {
  const routes = new Set<string>()
  for (const [path, item] of Object.entries(paths as Record<string, Record<string, Operation>>)) {
    expect(path).toStartWith('/')
    for (const [method, operation] of Object.entries(item)) {
      expect(typeof operation.operationId).toBe('string')
      expect(Object.keys(Object(operation.responses)).length).toBeGreaterThan(0)
      for (const place of [path, ...(operation['x-weir-aliases'] ?? [])]) {
        routes.add(`${method.toUpperCase()} ${place.replaceAll(/\{[^}]+\}/g, '{}')}`)
      }
    }
  }
  return routes
}
