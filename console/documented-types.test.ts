import { expect, test } from 'bun:test'
import { CHECKS_FILE, documentedTypes, KNOWN_FILE, knownChecks, knownNames, SCHEMA_FILE } from './documented-types.ts'

test('what the console knows of the interface is what the gateway documents: `bun run console:types` writes it', async () => {
  // Not compared by `expect`, which would print all of both.
  expect((await Bun.file(SCHEMA_FILE).text()) === (await documentedTypes())).toBe(true)
  expect(await Bun.file(KNOWN_FILE).text()).toBe(await knownNames())
  expect(await Bun.file(CHECKS_FILE).text()).toBe(await knownChecks())
}, 60_000)
