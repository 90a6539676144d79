import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BudgetPolicy } from '../../../../src/budgets/policy.ts'
import { type BudgetBench, budgetBench, budgetPolicy } from '../../../../src/budgets/test-support/budget-bench.ts'
import { NO_RECORDS } from '../../../../src/core/local-stores.ts'
import type { CallRecord, OpenedCall } from '../../../../src/core/records.ts'
import type { Plugin } from '../../../../src/kit/plugin.ts'
import { API_KEY, startTestGateway } from '../../../support/gateway.ts'
import { type Reply, send } from '../../management/support/http.ts'

/** Cents for a token, of any model of the mock. */
export const INPUT_CENTS = 0.001
export const OUTPUT_CENTS = 0.004

/** The whole chain before the engine of budgets, with prices of the mock and a ledger in the hands of the test. */
export interface Chain {
  readonly url: string
  readonly our: BudgetBench
  /** Those that apply from now on. */
  policies: readonly BudgetPolicy[]
  readonly records: CallRecord[]
  readonly opened: OpenedCall[]
  /** A chat, unless the body says more. */
  chat(body?: Readonly<Record<string, unknown>>, headers?: Readonly<Record<string, string>>): Promise<Reply>
  close(): Promise<void>
}

/** A policy of the workspace that the test calls for: one count for all. */
export const ofWorkspace = (fields: Parameters<typeof budgetPolicy>[0] = {}): BudgetPolicy =>
  budgetPolicy({ workspaceId: 'workspace-1', conditions: [], groupBy: [], ...fields })

/** @param plugins besides the built-in ones */
export const startChain = async (plugins: readonly Plugin[] = []): Promise<Chain> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-budgets-'))
  const price = { request_token: { price: INPUT_CENTS }, response_token: { price: OUTPUT_CENTS } }
  const file = join(folder, 'prices.json')
  await Bun.write(file, JSON.stringify({ mock: { '*': { pay_as_you_go: price } } }))
  const records: CallRecord[] = []
  const opened: OpenedCall[] = []
  let policies: readonly BudgetPolicy[] = []
  const our = budgetBench({ policies: () => policies })
  const gateway = await startTestGateway({
    plugins,
    config: { plugins: ['defaults', 'mock', { prices: { file } }, ...plugins.map(({ name }) => name)] },
    deps: {
      limits: our.limits,
      records: {
        ...NO_RECORDS,
        open: (call) => void opened.push(call),
        close(all) {
          records.push(...all)
          for (const { workspaceId, charges, time } of all) {
            if (charges !== undefined) our.counters.spent(workspaceId, charges, time, 1)
          }
        },
      },
    },
  })
  return {
    url: gateway.url,
    our,
    records,
    opened,
    get policies() {
      return policies
    },
    set policies(next) {
      policies = next
    },
    chat: (body = {}, headers = {}) =>
      send(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        token: API_KEY,
        headers: { 'x-gateway-provider': 'mock', ...headers },
        body: { model: 'mock', messages: [{ role: 'user', content: 'Hello' }], ...body },
      }),
    async close() {
      await gateway.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
