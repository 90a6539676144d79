import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openSqliteWriter } from '../../../src/records/sqlite/index.ts'
import { batchOf, createSampler, DAY_US } from '../../support/records/samples.ts'
import { openStage, STAGE_MS, type Stage } from './support/stage.ts'

const RECORDS = 100_000
const BATCH = 5_000
/** Two hundred pages, one after the other, beside other tests. */
const BUSY_MS = 180_000
/** Rows that the page may draw at once, however many there are. */
const MOST_DRAWN = 120

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  await fill()
}, STAGE_MS)
afterAll(() => stage?.close())

/** Puts records of a day into the store beside the gateway, as a gateway that ran for long would have them. */
const fill = async (): Promise<void> => {
  const { data } = await stage.manage('GET', '/admin/v2/workspaces')
  const [workspace] = data as { readonly id: string }[]
  const { organisation_id: organisationId } = (await stage.manage('GET', '/v2/session')) as {
    readonly organisation_id: string
  }
  const workspaceId = workspace?.id ?? ''
  const now = Date.now() * 1000
  const sampler = createSampler(7, RECORDS, { from: now - DAY_US, to: now, workspaces: [workspaceId] })
  const writer = openSqliteWriter({ folder: join(stage.folder, '.weir', 'records') })
  let position = 0
  while (position < RECORDS) {
    // Attempts are not in the list: each of these is.
    const records = Array.from({ length: BATCH }, () => {
      let record = sampler.next()
      while (record.kind === 'attempt') record = sampler.next()
      return { ...record, organisationId, workspaceId }
    })
    const batch = batchOf({ records }, { spool: 'filled', from: position })
    position = batch.to
    await writer.write(batch)
  }
  await writer.close()
}

/** What a page notes of itself while it is scrolled: how long each picture took, and how many rows were there. */
const SCROLL = `async () => {
  const list = document.querySelector('section[aria-label="Records"]')
  const frames = []
  let mostRows = 0
  let last = performance.now()
  for (let step = 0; step < 200; step++) {
    list.scrollTop += 600
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    frames.push(now - last)
    last = now
    mostRows = Math.max(mostRows, list.querySelectorAll('tbody tr').length)
  }
  frames.sort((left, right) => left - right)
  return { mostRows, median: frames[100], p95: frames[190], top: list.scrollTop }
}`

/** Goes to the end as often as there is more of it. */
const TO_THE_END = `async () => {
  const list = document.querySelector('section[aria-label="Records"]')
  const state = () => document.querySelector('main [role=status]').textContent
  while (/more/.test(state())) {
    list.scrollTop = list.scrollHeight
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  list.scrollTop = list.scrollHeight
  await new Promise((resolve) => setTimeout(resolve, 200))
  return { state: state(), rows: list.querySelectorAll('tbody tr').length }
}`

interface Scrolled {
  readonly mostRows: number
  readonly median: number
  readonly p95: number
  readonly top: number
}

test(
  'a hundred thousand records are scrolled through, and few of them are drawn at once',
  async () => {
    const page = await stage.openSignedIn('/records')
    await page.getByText(/^\d00 records, more/).waitFor()
    const begun = performance.now()
    const end = (await page.evaluate(`(${TO_THE_END})()`)) as { readonly state: string; readonly rows: number }
    const loadedMs = performance.now() - begun
    expect(end.state).toBe('100,000 records')
    expect(end.rows).toBeLessThan(MOST_DRAWN)
    // The oldest one is there, and says which it is.
    const last = page.locator('tr[aria-rowindex="100001"]')
    await last.waitFor()
    expect(await page.locator('table[aria-rowcount="100001"]').count()).toBe(1)
    const oldest = (await last.getByRole('link').getAttribute('href')) ?? ''

    await page.locator('section[aria-label="Records"]').evaluate('(list) => { list.scrollTop = 1_000_000 }')
    const { mostRows, median, p95, top } = (await page.evaluate(`(${SCROLL})()`)) as Scrolled
    console.log(
      `100,000 records: loaded by scrolling in ${(loadedMs / 1000).toFixed(1)} s; a frame took ${median.toFixed(1)} ms, of 95 % at most ${p95.toFixed(1)} ms`,
    )
    expect(top).toBeGreaterThan(1_100_000)
    expect(mostRows).toBeLessThan(MOST_DRAWN)
    // A busy machine draws when it may; a list that drew all its rows would take seconds.
    expect(median).toBeLessThan(100)

    // Whoever opens one and comes back stands where they were.
    const before = await page.locator('section[aria-label="Records"]').evaluate('(list) => list.scrollTop')
    await page.locator('tr[aria-rowindex] a').nth(20).click()
    await page.getByRole('heading', { level: 1, name: /^Record / }).waitFor()
    await page.goBack()
    await page.getByText('100,000 records', { exact: true }).waitFor()
    expect(await page.locator('section[aria-label="Records"]').evaluate('(list) => list.scrollTop')).toBe(before)
    await page.locator('section[aria-label="Records"]').evaluate('(list) => { list.scrollTop = list.scrollHeight }')
    await page.locator(`a[href="${oldest}"]`).waitFor()

    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('more below').waitFor()
    expect(stage.complaints).toEqual([])
  },
  BUSY_MS,
)
