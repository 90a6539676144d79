import { describe, expect, test } from 'bun:test'
import type { BudgetCharge, BudgetType } from '../../core/budgets.ts'
import type { OpenedCall } from '../../core/records.ts'
import { interrupted } from './rows.ts'

const opened: OpenedCall = {
  id: 'call',
  time: 1_795_000_000_000_000,
  organisationId: 'o',
  workspaceId: 'w',
  traceId: 't',
  method: 'POST',
  path: '/v1/chat/completions',
  endpoint: 'chat',
  requestType: 'chatComplete',
  stream: false,
  metadata: {},
}

const held = (budgetId: string, type: BudgetType, amount: number): BudgetCharge => ({
  budgetId,
  type,
  amount,
  group: 'AAAAAAAAAAAAAAAAAAAAAA',
  startMs: 0,
  label: '{}',
})

describe('a call that was interrupted', () => {
  test('costs what nobody knows where budgets held nothing back', () => {
    const record = interrupted(opened)
    expect(record).toMatchObject({ outcome: 'interrupted', unpriced: true, attempt: 0, callId: 'call' })
    for (const name of ['cost', 'charges', 'estimated', 'totalTokens']) expect(record).not.toHaveProperty(name)
  })

  test('has spent what was held back for it, in its record as in its charges', () => {
    const holds = [
      held('policy-1', 'cost', 500),
      held('api_key.cost', 'cost', 800),
      held('policy-2', 'tokens', 70),
      held('policy-3', 'requests', 1),
    ]
    const record = interrupted({ ...opened, held: holds })
    expect(record).toMatchObject({
      charges: holds,
      cost: { total: 800, input: 800, output: 0, cache: 0, other: 0 },
      totalTokens: 70,
      estimated: true,
    })
    for (const name of ['unpriced', 'held']) expect(record).not.toHaveProperty(name)
  })

  test('has no cost where tokens alone were held back', () => {
    const record = interrupted({ ...opened, held: [held('policy-2', 'tokens', 70)] })
    expect(record).toMatchObject({ unpriced: true, totalTokens: 70, estimated: true })
    expect(record).not.toHaveProperty('cost')
  })
})
