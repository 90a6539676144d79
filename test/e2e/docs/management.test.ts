import { expect, test } from 'bun:test'
import { builtInPlugins } from '../../../plugins/built-in.ts'
import { CATALOGUE } from '../../../src/errors/catalogue.ts'
import { setUp } from '../../../src/kit/testing.ts'
import { CONDITION_KEYS } from '../../../src/limits/match/condition-keys.ts'
import { SCOPES_OF_KIND, scopeFor } from '../../../src/management/api-keys/scopes.ts'
import { appPaths } from '../../../src/management/apps/paths.ts'
import { describedRoutes } from '../../../src/management/described-routes.ts'
import { configurationFieldsOf } from '../../../src/management/integrations/configuration-fields.ts'
import { storable } from '../../../src/management/integrations/deps.ts'
import { MANAGEMENT_ROOTS, namePath } from '../../../src/management/mount.ts'
import { servedPaths } from '../../../src/management/serving.ts'
import { ACCESS_TOKEN_SECONDS } from '../../../src/management/tokens/access-tokens.ts'
import { API_KEY_KINDS } from '../../../src/store/schema/api-keys.ts'
import { pageOf, tableUnder } from './pages.ts'

const PAGE = 'docs/management.md'
const code = (text: string): string => `\`${text}\``

test('the routes are those that there are, with their older paths and scopes', () => {
  const rows = describedRoutes().map((route) => [
    route.method,
    code(namePath(route)),
    (route.aliases ?? []).map(code).join(', '),
    route.scopes.map(code).join(', '),
  ])
  expect(tableUnder(PAGE, 'Routes')).toEqual(rows)
})

test('where they are served is said: every root, and each path that is no such route', () => {
  const { text } = pageOf(PAGE)
  for (const root of MANAGEMENT_ROOTS) expect(text).toContain(code(root))
  const others = servedPaths([], '').map(({ path }) => path)
  const apps = appPaths('').map(({ path }) => path)
  const signIn = ['issuers', 'start', 'callback/:issuer', 'key', 'out'].map((step) => `/v2/sign-in/${step}`)
  expect(others).toEqual([
    ...['/oauth/token', '/v1/oauth/token', '/v2/oauth/token', '/sign-in', ...signIn, ...apps],
    ...['/', '/console', '/console/*', '/openapi.json', '/docs', '/metrics'],
  ])
  for (const path of ['/oauth/token', '/openapi.json', '/docs', '/metrics']) expect(text).toContain(code(path))
  // Whoever connects clients reads of them there.
  const mcp = pageOf('docs/mcp.md').text
  for (const path of ['authorize', 'token', 'register', 'revoke']) expect(mcp).toContain(code(`/oauth/${path}`))
})

test('the lists are paged as their schemas say', () => {
  const rows = describedRoutes().flatMap((route) => {
    const size: unknown = route.query?.properties?.page_size
    if (typeof size !== 'object' || size === null || !('default' in size) || !('maximum' in size)) return []
    return [[code(namePath(route)), String(size.default), String(size.maximum)]]
  })
  expect(rows.length).toBeGreaterThan(5)
  expect(tableUnder(PAGE, 'Lists')).toEqual(rows)
})

test('the codes are those of the catalogue', () => {
  const rows = Object.values(CATALOGUE)
    .filter(({ family }) => family === 'management')
    .map(({ wireCode, status, when }) => [code(String(wireCode)), String(status), when])
  expect(tableUnder(PAGE, 'Errors')).toEqual(rows)
})

test('the kinds of keys may do what their scopes let them', () => {
  const rows = API_KEY_KINDS.map((kind) => [
    code(kind),
    SCOPES_OF_KIND[kind].has('completions.write') ? 'yes' : 'no',
    SCOPES_OF_KIND[kind].has(scopeFor('workspace-user', 'create')) ? 'yes' : 'no',
  ])
  expect(tableUnder(PAGE, 'Keys and scopes').map((row) => row.slice(0, 3))).toEqual(rows)
  expect(pageOf(PAGE).text).toContain(`good for ${ACCESS_TOKEN_SECONDS} seconds`)
})

test('the policies look at the keys that they can look at', () => {
  const rows = Object.entries(CONDITION_KEYS).map(([target, keys]) => [code(target), keys.map(code).join(', ')])
  expect(tableUnder(PAGE, 'What policies look at')).toEqual(rows)
})

test('the configurations are the fields that each built-in provider takes', async () => {
  const rows: string[][] = []
  for (const plugin of builtInPlugins) {
    const { parts, providers } = await setUp(plugin)
    await parts.close?.()
    for (const provider of storable({ providers, accounts: parts.accounts ?? [] })) {
      const names = Object.keys(configurationFieldsOf(provider).schema.properties)
      const own = names.filter((name) => name !== 'custom_host' && name !== 'custom_headers')
      if (own.length > 0) rows.push([code(provider.id), own.map(code).join(', ')])
    }
  }
  expect(tableUnder(PAGE, 'Configurations')).toEqual(rows)
})
