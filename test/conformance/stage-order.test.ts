import { expect, test } from 'bun:test'
import { builtInPlugins } from '../../plugins/built-in.ts'
import { REQUIRED_STAGES, STAGE_ORDER } from '../../src/config/order.ts'
import { startTestGateway } from '../support/gateway.ts'

test('the default order of the chain, name by name, outermost first', () => {
  expect([...STAGE_ORDER]).toEqual([
    'logging',
    'auth',
    'mcp-tools',
    'prompt',
    'responses',
    'files',
    'batches',
    'mcp',
    'config',
    'rate-limit',
    'route',
    'guardrails',
    'cache',
    'target-limit',
    'transform',
    'provider-call',
  ])
})

test('the stages without which no call is served', () => {
  expect([...REQUIRED_STAGES]).toEqual(['auth', 'config', 'route', 'transform', 'provider-call'])
})

test('the built-in plugins run in that order, whatever the order they are listed in', async () => {
  const chain = [
    'logging',
    'auth',
    'mcp-tools',
    'responses',
    'files',
    'batches',
    'mcp',
    'config',
    'rate-limit',
    'route',
    'guardrails',
    'cache',
    'target-limit',
    'transform',
    'provider-call',
  ]
  const names = builtInPlugins.map(({ name }) => name)
  for (const plugins of [names, names.toReversed()]) {
    const running = await startTestGateway({ config: { plugins } })
    try {
      expect(running.gateway.runtime.stages.map(({ stage }) => stage.name)).toEqual(chain)
    } finally {
      await running.close()
    }
  }
})
