import { expect, test } from 'bun:test'
import { builtInEndpoints } from '../../../plugins/built-in.ts'
import { pathsOf } from '../../../src/management/mount.ts'
import { openapiDocument } from '../../../src/management/openapi/document.ts'
import { createDocumentation } from '../../../src/management/openapi/serve.ts'
import type { Operation } from '../../../src/management/openapi/types.ts'
import { openStore } from '../../../src/store/db.ts'
import { SLOW_START_MS, temporaryFolder } from '../../../src/store/testing.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'
import { routesUnderTest } from './routes-under-test.ts'

test(
  'the document tells of every path of every management route, once',
  async () => {
    const folder = temporaryFolder()
    await copyEmbeddedDatabase(folder.path)
    const store = await openStore({ dataDir: folder.path })
    try {
      const routes = await routesUnderTest(store)
      const options = { version: '0.0.0', basePath: '', endpoints: builtInEndpoints }
      const documented = new Map<string, Operation>()
      for (const [path, item] of Object.entries(openapiDocument(routes, options).paths)) {
        for (const [method, operation] of Object.entries(item)) {
          for (const place of [path, ...(operation['x-weir-aliases'] ?? [])]) {
            const name = `${method.toUpperCase()} ${place.replaceAll(/\{[^}]+\}/g, ':any')}`
            expect(documented.has(name)).toBe(false)
            documented.set(name, operation)
          }
        }
      }
      for (const route of routes) {
        for (const path of pathsOf(route, '')) {
          const operation = documented.get(`${route.method} ${path.replaceAll(/:[a-zA-Z_]+/g, ':any')}`)
          expect(operation?.summary).toBe(route.summary)
          expect(operation?.['x-weir-scopes']).toEqual(route.scopes)
        }
      }
      const page = await createDocumentation(routes, options).page().text()
      for (const { operationId } of documented.values()) expect(page).toContain(`id="${operationId}"`)
    } finally {
      await store.close()
      folder.remove()
    }
  },
  SLOW_START_MS,
)
