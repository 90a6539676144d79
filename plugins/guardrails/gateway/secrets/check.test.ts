import { expect, test } from 'bun:test'
import { runCheck } from '../test-support/run-check.ts'
import { secretsCheck } from './check.ts'

const DEFAULTS = { redact: false, ignore: [], allowed: [], timeout: 5000 }
// Put together here, so that no file holds what looks like a key.
const STRIPE = ['sk', 'test', '4eC39HqLyjWDarjtT1zdp7dc'].join('_')
const AWS = ['AKIA', 'IOSFODNN7EXAMPLE'].join('')
const TEXTS = [`one ${STRIPE}, two ${AWS}`, `again ${AWS}`, 'nothing']

const run = (parameters: Record<string, unknown>) => runCheck(secretsCheck, { ...DEFAULTS, ...parameters }, TEXTS)

test('refuses what it finds, and says how many of what, but never what', async () => {
  expect(await run({})).toEqual({ verdict: false, data: { categories: { STRIPE_KEY: 1, AWS_ACCESS_KEY: 2 } } })
})

test('lets pass what is ignored or allowed', async () => {
  expect(await run({ ignore: ['AWS_ACCESS_KEY'] })).toEqual({ verdict: false, data: { categories: { STRIPE_KEY: 1 } } })
  expect(await run({ allowed: ['sk_test_', AWS] })).toEqual({ verdict: true, data: { categories: {} } })
})

test('redacts, and passes', async () => {
  expect(await run({ redact: true, allowed: ['sk_test_'] })).toEqual({
    verdict: true,
    data: { categories: { AWS_ACCESS_KEY: 2 } },
    texts: [`one ${STRIPE}, two {{AWS_ACCESS_KEY_1}}`, 'again {{AWS_ACCESS_KEY_1}}', 'nothing'],
  })
})

test('holds back a stream by what a secret is known by', () => {
  for (const redact of [false, true]) expect(secretsCheck.prepare({ ...DEFAULTS, redact }).reach).toBeLessThan(300)
})
