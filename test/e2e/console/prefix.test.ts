import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStage, PATH_MS, STAGE_MS, type Stage, signIn, titleOf } from './support/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage({ server: { basePath: '/tools/llm' } })
}, STAGE_MS)
afterAll(() => stage?.close())

test(
  'behind the operator’s prefix everything works as it does without one',
  async () => {
    const page = await stage.open()
    await page.goto(`${stage.url}/`)
    await signIn(page)
    expect(page.url()).toBe(`${stage.url}/console/start`)
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('button', { name: 'Call the mock provider' }).click()
    await page.getByRole('link', { name: 'Open the record' }).click()
    await page.getByRole('heading', { name: 'Request', exact: true }).waitFor()
    expect(page.url()).toStartWith(`${stage.url}/console/records/`)
    await page.reload()
    expect(await titleOf(page)).toStartWith('Record ')

    // Calls were made: whoever names no page sees what became of them.
    await page.goto(`${stage.url}/console/`)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    // Probes have no prefix.
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('region', { name: 'Details' }).getByText('pglite').waitFor()
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
