import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStage, PATH_MS, STAGE_MS, type Stage, signIn, titleOf } from './support/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
}, STAGE_MS)
afterAll(() => stage?.close())

test(
  'from a fresh start to a call and its record',
  async () => {
    const page = await stage.open()
    await page.goto(`${stage.url}/`)
    expect(page.url()).toStartWith(`${stage.url}/console/`)
    await signIn(page)
    expect(await titleOf(page)).toBe('First minute')

    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = (await page.getByText(/^weir_/).textContent()) ?? ''
    await page.getByRole('button', { name: 'Call the mock provider' }).click()
    await page.getByText('Mock answer to: Hello from the console').waitFor()

    // The snippets have the address and the key, and the first of them works as it is.
    for (const [tab, part] of [
      ['OpenAI, Python', `base_url="${stage.url}/v1"`],
      ['OpenAI, Node', `baseURL: '${stage.url}/v1'`],
      ['Anthropic', `baseURL: '${stage.url}'`],
      ['AI SDK', `baseURL: '${stage.url}/v1'`],
      ['curl', `curl ${stage.url}/v1/chat/completions`],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      const snippet = await page.getByRole('tabpanel').locator('pre').textContent()
      expect(snippet).toContain(part)
      expect(snippet).toContain(key)
    }
    const curl = (await page.getByRole('tabpanel').locator('pre').textContent()) ?? ''
    const ran = Bun.spawn(['sh', '-c', curl], { stdout: 'pipe', stderr: 'ignore' })
    expect(await ran.stdout.text()).toContain('Mock answer to: Hello')

    await page.getByRole('link', { name: 'Open the record' }).click()
    await page.getByRole('heading', { name: 'Request', exact: true }).waitFor()
    expect(await page.getByRole('region', { name: 'Request, body' }).textContent()).toContain('Hello from the console')
    expect(await page.getByRole('region', { name: 'Answer, body' }).textContent()).toContain('Mock answer to')

    await page.getByRole('link', { name: 'First minute' }).click()
    await page.getByRole('link', { name: 'Add a provider' }).click()
    await page.getByRole('button', { name: 'New provider' }).click()
    await page.getByLabel('Name').fill('Main')
    await page.getByLabel('Provider', { exact: true }).fill('openai')
    await page.getByLabel('Slug').fill('main')
    await page.getByLabel('Key', { exact: true }).fill('sk-not-a-real-key-0123456789')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('@main/…').waitFor()
    expect(await page.locator('main').textContent()).not.toContain('sk-not-a-real-key')
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
