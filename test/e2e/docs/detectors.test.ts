import { expect, test } from 'bun:test'
import gatewayChecks from '../../../plugins/guardrails/gateway/index.ts'
import { LANGUAGES } from '../../../plugins/guardrails/gateway/language/languages.ts'
import { CATEGORIES } from '../../../plugins/guardrails/gateway/pii/categories.ts'
import { piiCheck } from '../../../plugins/guardrails/gateway/pii/check.ts'
import { SECRET_CATEGORIES } from '../../../plugins/guardrails/gateway/secrets/find.ts'
import { runCheck } from '../../../plugins/guardrails/gateway/test-support/run-check.ts'
import { checkViolations } from '../../../src/calls/guardrails/compile.ts'
import { setUp } from '../../../src/kit/testing.ts'
import { namesUnder, pageOf, tableUnder } from './pages.ts'

const PAGE = 'docs/detectors.md'
const { parts } = await setUp(gatewayChecks)
const checks = parts.checks ?? []

/** Words in back quotes in a section that stand there as a list. */
const listUnder = (heading: string, pattern: RegExp): string[] => {
  const section = pageOf(PAGE).text.split(`## ${heading}\n\n`)[1]?.split('\n## ')[0] ?? ''
  const list = section.split('\n\n').find((paragraph) => pattern.test(paragraph)) ?? ''
  return [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

test('every parameter of the detectors is documented, in the words of its schema', () => {
  expect(tableUnder(PAGE, 'Parameters')).toEqual(
    checks.flatMap(({ id, parameters }) =>
      Object.entries(parameters.properties).map(([name, schema]) => [
        `\`${id}\``,
        `\`${name}\``,
        schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``,
        schema.description ?? '',
      ]),
    ),
  )
})

test('every category, kind and language is listed', () => {
  expect(namesUnder(PAGE, 'Personal data').toSorted()).toEqual([...CATEGORIES].toSorted())
  expect(listUnder('Secrets', /^`[A-Z]/)).toEqual([...SECRET_CATEGORIES])
  expect(listUnder('Languages', /^`/)).toEqual([...LANGUAGES])
})

test('the texts are redacted as the page says', async () => {
  const [, rows = ''] = pageOf(PAGE).text.split('| Text | Redacted |\n| --- | --- |\n')
  const examples = [...rows.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|$/gm)]
  expect(examples).toHaveLength(3)
  for (const [, text = '', redacted = ''] of examples) {
    const parameters = { categories: CATEGORIES, redact: true, phoneRegions: ['US'], timeout: 5000 }
    expect((await runCheck(piiCheck(undefined), parameters, [text])).texts).toEqual([redacted])
  }
})

test('the guardrails of the page can be made', () => {
  const blocks = pageOf(PAGE).blocks.filter(({ kind }) => kind === 'json')
  expect(blocks).toHaveLength(1)
  const directory = { get: (id: string) => checks.find((check) => check.id === id), list: () => checks }
  for (const { text } of blocks) expect(checkViolations(JSON.parse(text).checks, directory)).toEqual([])
})
