import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWeir } from './weir.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-budgets-'))
})
afterEach(() => rm(folder, { recursive: true }))

const budgetsOf = async (warnings: string[]): Promise<{ status: number; budgets: unknown; ok: string | undefined }> => {
  const note = (message: string): void => void warnings.push(message)
  const weir = await createWeir({
    folder,
    config: { plugins: ['defaults', 'mock'] },
    log: { info: () => undefined, warn: note, error: note },
  })
  try {
    const response = await weir.handle(new Request('http://localhost/readyz'))
    const { budgets } = (await response.json()) as { budgets: unknown }
    const ok = /^weir_budget_ledger_ok(?:\{[^}]*\})? (\S+)/m.exec((await weir.metrics()).text)?.[1]
    return { status: response.status, budgets, ok }
  } finally {
    await weir.close()
  }
}

test('the ledger is ready when the gateway is', async () => {
  const warnings: string[] = []
  expect(await budgetsOf(warnings)).toEqual({
    status: 200,
    budgets: { store: 'sqlite', ok: true, loaded: true },
    ok: '1',
  })
  expect(warnings).toEqual([])
}, 60_000)

test('a ledger that is none keeps nobody from making calls, and everybody is told', async () => {
  await Bun.write(join(folder, '.weir', 'budgets.db'), 'something else')
  const warnings: string[] = []
  expect(await budgetsOf(warnings)).toEqual({
    status: 200,
    budgets: { store: 'sqlite', ok: false, loaded: false },
    ok: '0',
  })
  expect(warnings.join('\n')).toContain('the ledger of budgets cannot be reached')
  expect(warnings.join('\n')).toContain('what budgets have counted is not known yet')
  expect(await Bun.file(join(folder, '.weir', 'budgets.db')).text()).toBe('something else')
}, 60_000)
