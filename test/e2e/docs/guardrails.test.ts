import { expect, test } from 'bun:test'
import type { Check, Plugin } from '#kit'
import { builtInsByKind } from '../../../plugins/built-in.ts'
import modelChecks from '../../../plugins/guardrails/models/index.ts'
import { CHECK_POWERS } from '../../../src/compose/check-powers/grant.ts'
import { setUp } from '../../../src/kit/testing.ts'
import { namesUnder, tableUnder } from './pages.ts'
import { fileBlock } from './workspace.ts'

const PAGE = 'docs/guardrails.md'
const code = (text: string): string => `\`${text}\``

const checksOf = async (plugin: Plugin): Promise<readonly Check[]> => {
  const { parts } = await setUp(plugin)
  await parts.close?.()
  return parts.checks ?? []
}

test('every built-in check is listed, with what it does', async () => {
  const checks = (await Promise.all(builtInsByKind.check.map(checksOf))).flat()
  const rows = checks.map(({ id, stages, summary }) => [code(id), stages.join(', '), summary])
  expect(rows.length).toBeGreaterThan(40)
  expect(tableUnder(PAGE, 'Checks')).toEqual(rows)
})

test('the parameters of checks that ask models are those of their schemas', async () => {
  const rows = (await checksOf(modelChecks)).flatMap(({ id, parameters }) =>
    Object.entries(parameters.properties).map(([name, schema]) => [
      code(id),
      code(name),
      schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
      schema.description ?? '',
    ]),
  )
  expect(tableUnder(PAGE, 'Checks that ask models')).toEqual(rows)
})

test('the powers are those that there are', () => {
  expect(namesUnder(PAGE, 'A check of your own')).toEqual([...CHECK_POWERS])
})

test('the worked example is short', () => {
  expect(fileBlock('no-shouting.ts').text.trim().split('\n').length).toBeLessThanOrEqual(21)
})
