import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { createWeir } from '../../src/compose/weir.ts'
import { tableUnder } from '../e2e/docs/pages.ts'

const DEPLOY = join(import.meta.dir, '..', '..', 'deploy')

interface Metric {
  readonly name: string
  readonly kind: string
  readonly meaning: string
}

/** All that a gateway has, whether something was counted or not. */
let metrics: readonly Metric[] = []
/** Every name that a query may use. */
const known = new Set<string>()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-metrics-'))
  const weir = await createWeir({ folder, config: { plugins: ['defaults', 'mock'] } })
  try {
    metrics = read((await weir.metrics()).text)
  } finally {
    await weir.close()
  }
  for (const { name, kind } of metrics) {
    for (const end of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) known.add(name + end)
  }
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

const read = (text: string): readonly Metric[] => {
  const meanings = new Map(
    [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', meaning = '']) => [name, meaning]),
  )
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    .map(([, name = '', kind = '']) => ({ name, kind, meaning: meanings.get(name) ?? '' }))
    .filter(({ name }) => name !== 'target_info')
}

const namesIn = (query: string): readonly string[] =>
  [...query.matchAll(/\b(?:weir|gen_ai_client|process)_[a-z0-9_]+/g)].map(([name]) => name)

test('the dashboard asks for metrics that there are', async () => {
  const dashboard = await Bun.file(join(DEPLOY, 'grafana-dashboard.json')).json()
  const queries: string[] = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  )
  expect(queries.length).toBeGreaterThan(30)
  for (const query of queries) {
    expect(namesIn(query).length, query).toBeGreaterThan(0)
    for (const name of namesIn(query)) expect(known, query).toContain(name)
  }
})

test('the alerts ask for metrics that there are', async () => {
  const { groups } = parse(await Bun.file(join(DEPLOY, 'alerts.yaml')).text())
  const rules: { alert: string; expr: string; annotations: { summary: string } }[] = groups.flatMap(
    ({ rules }: { rules: unknown[] }) => rules,
  )
  expect(rules.length).toBeGreaterThan(8)
  for (const { alert, expr, annotations } of rules) {
    expect(annotations.summary, alert).not.toBe('')
    expect(namesIn(expr).length, alert).toBeGreaterThan(0)
    for (const name of namesIn(expr)) expect(known, alert).toContain(name)
  }
})

test('docs/metrics.md lists every metric, in the words of the code', () => {
  const documented = tableUnder('docs/metrics.md', 'Prometheus').map(([name = '', kind, , meaning]) => [
    name.replaceAll('`', ''),
    kind,
    meaning,
  ])
  const wanted = metrics.map(({ name, kind, meaning }) => [name, kind, meaning])
  expect(documented.toSorted()).toEqual(wanted.toSorted())
})
