import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../../../src/store/testing.ts'
import { API_KEY, openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'

const HOUR_MS = 3_600_000

let stage: Stage
let page: Page

/** Hands in a call that was made elsewhere, so many hours ago. */
const handIn = async (hoursAgo: number, team: string, status = 200): Promise<void> => {
  const response = await fetch(`${stage.url}/v1/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      createdAt: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
      request: { url: 'https://api.openai.com/v1/chat/completions', method: 'POST', body: { model: 'gpt-4o' } },
      response: { status, body: { model: 'gpt-4o', usage: { prompt_tokens: 10, completion_tokens: 20 } } },
      metadata: { team },
    }),
  })
  if (!response.ok) throw new Error(await response.text())
}

beforeAll(async () => {
  stage = await openStage()
  // Four calls on the day before, two of which failed; six since.
  for (const status of [200, 200, 500, 500]) await handIn(30, 'blue', status)
  for (const team of ['blue', 'blue', 'blue', 'red', 'red', 'green']) await handIn(3, team)
  await until(async () => {
    const { data } = await stage.manage('GET', '/v2/logs')
    return Array.isArray(data) && data.length === 10
  })
  page = await stage.openSignedIn('/overview')
}, STAGE_MS)
afterAll(() => stage?.close())

const tile = (name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })

test(
  'each number stands beside that of the time before, for a range and between two moments',
  async () => {
    await tile('Calls').getByText('6', { exact: true }).waitFor()
    await tile('Calls').getByText('50 % more than before').waitFor()
    await tile('Errors').getByText('100 % less than before').waitFor()
    await page.getByRole('img', { name: 'Calls over time' }).getByText('before').waitFor()

    await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last 7 days' })
    await tile('Calls').getByText('10', { exact: true }).waitFor()
    await tile('Calls').getByText('none before').waitFor()

    const local = (hoursAgo: number): string => {
      const date = new Date(Date.now() - hoursAgo * HOUR_MS)
      return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    }
    await page.getByLabel('Time', { exact: true }).selectOption({ label: 'From … to …' })
    await page.getByLabel('From', { exact: true }).fill(local(34))
    await page.getByLabel('To', { exact: true }).fill(local(26))
    await page.getByRole('button', { name: 'Show' }).click()
    await tile('Calls').getByText('4', { exact: true }).waitFor()
    expect(page.url()).toContain('from=')
  },
  PATH_MS,
)

test(
  'calls are grouped by any name in the metadata, and rows and graphs lead to their records',
  async () => {
    await page.goto(`${stage.url}/console/overview`)
    await page.getByRole('button', { name: 'Metadata' }).click()
    await page.getByLabel('Name in the metadata').fill('team')
    await page.getByRole('button', { name: 'Group by it' }).click()
    const rows = page.getByRole('table', { name: 'Calls by team' }).getByRole('row')
    expect(await rows.filter({ hasText: 'blue' }).getByRole('cell').nth(1).textContent()).toBe('3')
    await rows.filter({ hasText: 'red' }).getByRole('link').click()
    await page.getByText('2 records', { exact: true }).waitFor()
    expect(await page.getByLabel('Metadata (JSON)').inputValue()).toBe('{"team":"red"}')

    // A click into a graph shows the records of that bucket.
    await page.goto(`${stage.url}/console/overview`)
    const graph = page.getByRole('img', { name: 'Calls over time' }).locator('.u-over')
    // It is drawn once more when the time before is there.
    await page.waitForLoadState('networkidle')
    const { width: all = 0 } = (await graph.boundingBox()) ?? {}
    const position = { x: all * (21 / 24), y: 20 }
    await graph.hover({ position })
    await graph.click({ position })
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor()
    const { searchParams } = new URL(page.url())
    const width = Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')
    expect(width).toBe(HOUR_MS / 4)
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
