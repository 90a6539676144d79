import { expect, test } from 'bun:test'
import type { StoredGuardrail } from '#core/guardrails'
import { Guardrails } from './guardrails-of.ts'

const definition: StoredGuardrail['definition'] = {
  ...{ type: 'guardrail', checks: [], deny: true, async: false, sequential: false, soft_deny_200: false },
  ...{ stream_mode: 'after', stream_window: 200 },
}
const named = { slug: 'pg-1', versionId: 'v1', name: 'one', scope: 'workspace', definition } as const
const uses = { input: [{ kind: 'stored', reference: 'pg-1', path: 'input_guardrails[0]' }], output: [] } as const

const holding = (stored: StoredGuardrail | undefined, defaults: readonly StoredGuardrail[] = []): Guardrails =>
  new Guardrails({
    checks: { get: () => undefined, list: () => [] },
    guardrails: { find: () => stored, defaultsOf: () => ({ input: defaults, output: [] }) },
  })

test('a call does not go on without a guardrail that does not open', () => {
  const failure = new Error('what is sealed in it does not open')
  const stored: StoredGuardrail = { ...named, id: 'g1', target: 'llm', failure }
  expect(() => holding(stored, [stored]).of('w', undefined)).toThrow(failure)
  expect(() => holding(stored).of('w', uses)).toThrow(failure)
  expect(holding(stored).of('w', undefined)).toBeUndefined()
})

test('nor without one that its config names, and that is not there or is for tools', () => {
  const message = "`input_guardrails[0]` names the guardrail 'pg-1', which "
  expect(() => holding(undefined).of('w', uses)).toThrow(`${message}this workspace does not have.`)
  const ofTools: StoredGuardrail = { ...named, id: 'g2', target: 'mcp_tools' }
  expect(() => holding(ofTools).of('w', uses)).toThrow(`${message}is for tools of MCP servers.`)
})
