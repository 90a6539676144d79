import { expect, test } from 'bun:test'
import { builtInEndpoints, builtInPlugins } from '../../../plugins/built-in.ts'
import defaultChecks from '../../../plugins/guardrails/default/index.ts'
import { PLACEHOLDER_WORDS } from '../../../plugins/pipeline/config/placeholder-keys.ts'
import * as internalSlots from '../../../src/calls/slots.ts'
import { listRoutes } from '../../../src/compose/routes.ts'
import { STAGE_ORDER } from '../../../src/config/order.ts'
import { publicRoutes } from '../../../src/http/route-table.ts'
import * as slots from '../../../src/kit/slots.ts'
import { fakeHost, setUp } from '../../../src/kit/testing.ts'
import {
  checkRows,
  clickhouseRows,
  commonSettingRows,
  corsRows,
  droppedRows,
  issuerRoleRows,
  issuerRows,
  issuerWorkspaceRows,
  mockFaultRows,
  mockModelRows,
  mockOptionRows,
  pluginSettingRows,
  providerHeaderRows,
  providerRows,
  sectionRows,
  spoolRows,
  topRows,
} from './expected.ts'
import { namesUnder, pageOf, ROOT, tableUnder } from './pages.ts'

/** Rows as the code has them, so that a test fails in both directions. */
const same = (documented: readonly (readonly string[])[], rows: readonly (readonly string[])[]): void =>
  expect(documented.map((row) => [...row])).toEqual(rows.map((row) => [...row]))

const CONFIGURATION = 'docs/configuration.md'

test('the keys at the top of the file are documented, in the words of the schema where it has some', () => {
  const documented = tableUnder(CONFIGURATION, 'The file')
  const wanted = topRows().map(([name = '', description = ''], index) => [
    name,
    description === '' ? (documented[index]?.[1] ?? '') : description,
  ])
  same(documented, wanted)
  for (const [name, meaning] of documented) expect(meaning, name).not.toBe('')
})

test.each(['server', 'deadlines', 'resilience', 'egress', 'limits', 'records', 'metrics', 'jwt', 'signIn'] as const)(
  'the section %s is documented as its schema says',
  (section) => {
    same(tableUnder(CONFIGURATION, section), sectionRows(section))
  },
)

test('the settings for browsers are documented as their schema says', () => {
  same(tableUnder(CONFIGURATION, 'cors'), corsRows())
})

test('the settings of issuers are documented as their schema says', () => {
  same(tableUnder(CONFIGURATION, 'signIn.issuers'), issuerRows())
  same(tableUnder(CONFIGURATION, 'signIn.issuers.roles'), issuerRoleRows())
  same(tableUnder(CONFIGURATION, 'signIn.issuers.workspaces'), issuerWorkspaceRows())
})

test('the settings of the spool are documented as their schema says', () => {
  same(tableUnder(CONFIGURATION, 'spool'), spoolRows())
})

test('the settings of ClickHouse are documented as their schema says', () => {
  same(tableUnder(CONFIGURATION, 'clickhouse'), clickhouseRows())
})

test('the settings of plugins are documented as their schemas say', () => {
  same(tableUnder(CONFIGURATION, 'Settings of plugins'), commonSettingRows())
  same(tableUnder(CONFIGURATION, 'Settings of their own'), pluginSettingRows())
})

test('the default checks are documented as they are', async () => {
  same(tableUnder('docs/default-checks.md', 'The checks'), await checkRows(defaultChecks))
})

test('the placeholders are documented as they are known', () => {
  const [, words = ''] = /one of these words,[^:]*:\n([^.]*)\./.exec(pageOf('docs/requests.md').text) ?? []
  expect(words.split(/[`,\s]+/).filter((word) => word !== '')).toEqual([...PLACEHOLDER_WORDS])
})

test('every environment variable that the sources read is documented, and no other', async () => {
  const read = new Set<string>()
  for await (const file of new Bun.Glob('src/**/*.ts').scan(ROOT.pathname)) {
    if (file.endsWith('.test.ts')) continue
    const source = await Bun.file(new URL(file, ROOT)).text()
    for (const [, name] of source.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)) if (name !== undefined) read.add(name)
  }
  expect(namesUnder(CONFIGURATION, 'Environment variables').sort()).toEqual([...read].sort())
  const inReadme = namesUnder('README.md', 'One config file').flatMap((cell) => cell.split(', '))
  for (const name of inReadme) expect([...read], name).toContain(name)
})

test('the providers are documented as their plugins are', async () => {
  const rows = await providerRows()
  same(tableUnder('docs/providers.md', 'Overview'), rows)
  same(tableUnder('docs/providers.md', 'Settings and headers of calls'), await providerHeaderRows())
  same(tableUnder('docs/providers.md', 'Dropped parameters'), await droppedRows())
  const notes = [...pageOf('docs/providers.md').text.matchAll(/^### (.+)$/gm)].map(([, name]) => `\`${name}\``)
  expect(notes).toEqual(rows.map(([id = '']) => id))
})

test('the README names every provider', async () => {
  const [, section = ''] = /^## Providers\n([\s\S]*?)\n## /m.exec(pageOf('README.md').text) ?? []
  const named = [...section.matchAll(/`[^`]+`/g)].map(([name]) => name)
  expect(named).toEqual((await providerRows()).map(([id = '']) => id))
})

test('the mock is documented as it is', () => {
  same(tableUnder('docs/mock.md', 'Models'), mockModelRows())
  same(tableUnder('docs/mock.md', 'Switches'), mockOptionRows())
  same(tableUnder('docs/mock.md', 'Faults'), mockFaultRows())
})

test('the routes are documented, those of built-in plugins included', async () => {
  const documented = tableUnder('docs/requests.md', 'Routes').map(([method, path]) => [method ?? '', path ?? ''])
  const brought = []
  for (const plugin of builtInPlugins) brought.push({ name: plugin.name, ...(await setUp(plugin)) })
  const endpoints = builtInEndpoints.flatMap(({ routes }) =>
    routes.map(({ method, path, roots: [root] = ['/v1'] }) => ({ method, path: `${root}${path}` })),
  )
  const routes = [...endpoints, ...listRoutes(brought).map(({ route }) => route), ...publicRoutes('')]
  for (const { parts } of brought) await parts.close?.()
  same(
    documented,
    routes.map(({ method, path }) => [method, `\`${path}\``]),
  )
})

test('the fields of the call record are documented', async () => {
  const source = await Bun.file(new URL('plugins/pipeline/logging/call-line.ts', ROOT)).text()
  const record = source.slice(source.indexOf('  return {'), source.indexOf('/** Hundredths'))
  const names = [...record.matchAll(/^\s+([a-z_]+)(?=[:,])/gm)].map(([, name]) => name ?? '')
  expect(names.length).toBeGreaterThan(25)
  expect(namesUnder('docs/operations.md', 'Call record')).toEqual(names)
})

test('the slots are documented with the stage that owes each', () => {
  const rows = [...Object.values(slots), ...Object.values(internalSlots)]
    .map(({ name, owner }): [string, string] => [`\`${name}\``, `\`${owner}\``])
    .toSorted(([one], [other]) => one.localeCompare(other))
  same(tableUnder('docs/architecture.md', 'Slots'), rows)
})

test('the capabilities that plugins may ask for are documented', () => {
  const { logLines, callRecords, trusted, advance, ...host } = fakeHost()
  const documented = namesUnder('docs/plugins.md', 'Capabilities').flatMap((names) => names.split(', '))
  expect(documented.toSorted()).toEqual(Object.keys(host).toSorted())
})

test('the chain is drawn and listed in its order, and says what is not built', async () => {
  const built = new Set<string>()
  /** Of some routes alone. */
  const ofRoutes = new Set<string>()
  for (const plugin of builtInPlugins.filter(({ name }) => STAGE_ORDER.some((stage) => stage === name))) {
    const { parts } = await setUp(plugin)
    for (const { name } of parts.stages ?? []) built.add(name)
    for (const { name } of (parts.routes ?? []).flatMap(({ stages = [] }) => stages)) ofRoutes.add(name)
  }
  const picture = pageOf('README.md').blocks.find(({ note }) => note === 'chain')?.text ?? ''
  const drawn = [...picture.matchAll(/\[?[a-z]+(?:-[a-z]+)?\]?(?= >|\n {4}>|\n {47})/g)].map(([name]) => name)
  expect(drawn).toEqual(STAGE_ORDER.map((name) => (built.has(name) ? name : `[${name}]`)))
  const listed = tableUnder('docs/architecture.md', 'The life of a call')
  expect(listed.map(([name = '']) => name.replaceAll('`', ''))).toEqual([...STAGE_ORDER])
  for (const [name = '', way = ''] of listed) {
    expect(way === 'not built yet', name).toBe(!built.union(ofRoutes).has(name.replaceAll('`', '')))
  }
  const order = /Built-in stages have fixed places: ([^.]+)\./.exec(pageOf('docs/plugins.md').text)?.[1] ?? ''
  expect([...order.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')).toEqual([...STAGE_ORDER])
})
