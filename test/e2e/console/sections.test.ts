import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = await stage.openSignedIn()
}, STAGE_MS)
afterAll(() => stage?.close())

const goTo = async (section: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: section }).waitFor()
}

const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text })

/** Until a change is live on every process, on a busy machine. */
const LIVE_MS = 3_000

test(
  'a key is made, shown once, changed, rotated and deleted',
  async () => {
    await goTo('Keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('billing')
    await page.getByLabel('Requests per minute').fill('30')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    expect(await stage.call({}, { authorization: `Bearer ${secret}` })).not.toBe('')
    await page.getByRole('button', { name: 'I have it' }).click()

    await rowOf('billing').getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Requests per minute').inputValue()).toBe('30')
    await page.getByLabel('Name').fill('invoices')
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf('invoices').waitFor()

    await rowOf('invoices').getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('heading', { name: 'The new key' }).waitFor()
    expect(await page.getByRole('dialog').locator('code').textContent()).not.toBe(secret)
    await page.getByRole('button', { name: 'I have it' }).click()

    await page.getByLabel('Search keys').fill('nothing is called so')
    await page.getByText('No key fits.').waitFor()
    await page.getByLabel('Search keys').fill('invo')
    await rowOf('invoices').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No key fits.').waitFor()
  },
  PATH_MS,
)

test(
  'a provider is stored, changed and deleted',
  async () => {
    await goTo('Providers')
    await page.getByRole('button', { name: 'New provider' }).click()
    await page.getByLabel('Name').fill('Test')
    await page.getByLabel('Provider', { exact: true }).fill('mock')
    await page.getByLabel('Slug').fill('test')
    await page.getByLabel('Key', { exact: true }).fill('the-key-of-a-provider')
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf('@test/').getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Note').fill('for tests')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await stage.manage('GET', '/v2/virtual-keys/test')).toMatchObject({ name: 'Test', note: 'for tests' })
    await rowOf('@test/').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no provider yet.').waitFor()
  },
  PATH_MS,
)

test(
  'a rate limit refuses a call, its record says why, and the way leads to the limit and who is at it',
  async () => {
    await goTo('Policies')
    await page.getByRole('button', { name: 'New rate limit' }).click()
    await page.getByLabel('Name').fill('slowly')
    await page.getByLabel('At most').fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf('slowly').waitFor()
    await Bun.sleep(LIVE_MS)
    await stage.call()
    const refused = await stage.call()

    await goTo('Records')
    await page.getByLabel('Ended').selectOption({ label: 'Badly' })
    expect(page.url()).toContain('ended=badly')
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.locator(`a[href$="/records/${refused}"]`).click()
    await page.getByRole('heading', { name: 'Why was this refused?' }).waitFor()
    await page.getByText('Rate limit reached for policy').first().waitFor()
    await page.getByRole('link', { name: 'slowly: 1 requests in 60 s' }).waitFor()
    await page.getByRole('link', { name: 'Open the policy' }).click()
    await rowOf('slowly').getByRole('button', { name: 'Who is at it' }).click()
    const use = page.getByRole('dialog').getByRole('row').filter({ hasText: 'Default' })
    await use.getByText('at the limit').waitFor()
    await use.getByRole('button', { name: 'Back to 0' }).click()
    await use.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')

    await rowOf('slowly').getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('At most').fill('1000')
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf('1,000 requests a minute').waitFor()
    await rowOf('slowly').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await rowOf('slowly').waitFor({ state: 'detached' })
    await Bun.sleep(LIVE_MS)
  },
  PATH_MS,
)

test(
  'a budget is made, changed and deleted',
  async () => {
    await goTo('Policies')
    await page.getByRole('link', { name: 'Budgets' }).click()
    await page.getByRole('button', { name: 'New budget' }).click()
    await page.getByLabel('Name').fill('monthly')
    await page.getByLabel('At most').fill('50')
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf('$50 monthly').getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('At most').fill('75')
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf('$75 monthly').getByRole('button', { name: 'Who is at it' }).click()
    await page.getByText('Nothing was counted yet.').waitFor()
    await page.keyboard.press('Escape')
    await rowOf('monthly').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no budget yet.').waitFor()
  },
  PATH_MS,
)

test(
  'records are filtered in the address bar, followed live, and every graph leads to them',
  async () => {
    await goTo('Records')
    await page.getByRole('button', { name: 'Follow live' }).click()
    await page.getByText('Listening').waitFor()
    const id = await stage.call({ model: 'mock:fault=overloaded' })
    await page.locator(`a[href$="/records/${id}"]`).waitFor()

    // One that went to two targets: each by itself.
    const models = ['mock:fault=overloaded', 'mock']
    const targets = models.map((model) => ({ provider: 'mock', override_params: { model } }))
    const fallback = { strategy: { mode: 'fallback' }, targets }
    const tried = await stage.call({}, { 'x-gateway-config': JSON.stringify(fallback) })
    await page.locator(`a[href$="/records/${tried}"]`).click()
    await page.getByRole('heading', { name: 'Target 2' }).waitFor()

    await page.goto(`${stage.url}/console/records?user=ada`)
    await page.getByText('No call fits.').waitFor()
    expect(await page.getByLabel('User').inputValue()).toBe('ada')
    const named = await stage.call({ user: 'ada' })
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.locator(`a[href$="/records/${named}"]`).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)

    await goTo('Overview')
    await page.getByRole('img', { name: 'Calls over time' }).waitFor()
    await page.getByRole('link', { name: 'Records of errors' }).click()
    await page.locator(`a[href$="/records/${id}"]`).waitFor()
    await goTo('Overview')
    await page.getByRole('button', { name: 'User' }).click()
    await page.getByRole('link', { name: 'ada' }).click()
    await page.locator(`a[href$="/records/${named}"]`).waitFor()
  },
  PATH_MS,
)

test(
  'the playground streams from two models beside each other, with what each took',
  async () => {
    await goTo('Playground')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('button', { name: 'Beside another' }).click()
    await page.getByLabel('Model 2: what is called').fill('mock:tokens=40,interval=20')
    await page.getByLabel('Question').fill('How are you?')
    await page.getByRole('button', { name: 'Send' }).click()
    const [first, second] = [
      page.getByRole('region', { name: 'Model 1' }),
      page.getByRole('region', { name: 'Model 2' }),
    ]
    await first.getByText('Mock answer to: How are you?').waitFor()
    await second.getByText(/First word after .*, all after .*40 out/).waitFor()
    await second.getByRole('link', { name: 'Record' }).waitFor()

    await page.getByLabel('Model 1: what is called').fill('mock:fault=overloaded')
    await page.getByLabel('Question').fill('And now?')
    await page.getByRole('button', { name: 'Send' }).click()
    await first.getByRole('alert').waitFor()
    await second.getByRole('link', { name: 'Record' }).waitFor()
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
