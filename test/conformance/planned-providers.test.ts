import { expect, test } from 'bun:test'
import { builtInPlugins } from '../../plugins/built-in.ts'
import { PLANNED_PROVIDERS } from '../../src/management/integrations/configuration-fields.ts'

test('no provider that is built in is said to be planned', () => {
  expect(builtInPlugins.map(({ name }) => name).filter((name) => PLANNED_PROVIDERS.has(name))).toEqual([])
})
