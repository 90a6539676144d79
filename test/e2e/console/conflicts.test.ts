import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'
import { type Walk, walkOn } from './support/walk.ts'

/** Somebody at a browser of their own. */
interface Person {
  readonly page: Page
  readonly walk: Walk
}

let stage: Stage
let ada: Person
let bob: Person

beforeAll(async () => {
  stage = await openStage()
  const sitDown = async (): Promise<Person> => {
    const page = await stage.openSignedIn()
    return { page, walk: walkOn(stage, page) }
  }
  ada = await sitDown()
  bob = await sitDown()
}, STAGE_MS)
afterAll(() => stage?.close())

/** What somebody is told who was too late. */
const noteTo = ({ page }: Person) =>
  page.getByRole('alert').filter({ hasText: 'Somebody else changed this since you opened it.' })

const now = (person: Person) => noteTo(person).getByRole('region', { name: 'What is there now' })

const press = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true }).click()

const write = async ({ page }: Person, editor: string, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: editor }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

test(
  'two people change a rate limit: the second is told, sees what the first did, and loses nothing',
  async () => {
    const { id } = await stage.manage('POST', '/v2/policies/rate-limits', {
      ...{ name: 'shared', type: 'requests', unit: 'rpm', value: 100 },
      ...{ conditions: [{ key: 'workspace_id', value: '*' }], group_by: [{ key: 'api_key' }] },
    })
    const stored = () => stage.manage('GET', `/v2/policies/rate-limits/${id}`)
    for (const { page, walk } of [ada, bob]) {
      await walk.goTo('Policies')
      await walk.rowOf('shared').getByRole('button', { name: 'Change' }).click()
      await page.getByLabel('At most').waitFor()
    }
    await ada.page.getByLabel('At most').fill('200')
    await ada.walk.save()

    await bob.page.getByLabel('At most').fill('300')
    await bob.page.getByLabel('Name').fill('shared by two')
    await press(bob, 'Save')
    await noteTo(bob).waitFor()
    expect(await stored()).toMatchObject({ name: 'shared', value: 200 })

    await press(bob, 'Show what is there now')
    expect(await now(bob).textContent()).toBe('value100 → 200')
    expect(await bob.page.getByLabel('At most').inputValue()).toBe('300')
    expect(await bob.page.getByLabel('Name').inputValue()).toBe('shared by two')

    // Who looked at one change saves over that one, and not over a further one.
    await stage.manage('PUT', `/v2/policies/rate-limits/${id}`, { mode: 'shadow' })
    await press(bob, 'Save mine anyway')
    await press(bob, 'Show what is there now')
    await now(bob).getByText('shadow').waitFor()
    expect(await stored()).toMatchObject({ name: 'shared', value: 200, mode: 'shadow' })
    await press(bob, 'Save mine anyway')
    await bob.page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await stored()).toMatchObject({ name: 'shared by two', value: 300 })
  },
  PATH_MS,
)

test(
  'two people write a config: the second sees which lines differ, and may go on from their own',
  async () => {
    const config = { provider: 'mock', retry: { attempts: 1 } }
    const { slug } = await stage.manage('POST', '/v2/configs', { name: 'Both', config })
    const stored = async () => (await stage.manage('GET', `/v2/configs/${slug}`)).config
    for (const { page } of [ada, bob]) {
      await page.goto(`${stage.url}/console/configs/${slug}`)
      await page.getByRole('textbox', { name: 'Config as JSON' }).getByText('attempts').waitFor()
    }
    await write(ada, 'Config as JSON', '{"provider": "mock", "retry": {"attempts": 2}}')
    await press(ada, 'Save')
    await ada.page.getByText('Saved.').waitFor()
    // What was saved here is no conflict with what is saved here next.
    await write(ada, 'Config as JSON', '{"provider": "mock", "retry": {"attempts": 3}}')
    await press(ada, 'Save')
    await ada.page.getByRole('button', { name: 'Take into the editor' }).nth(2).waitFor()
    expect(await stored()).toContain('"attempts":3')

    await write(bob, 'Config as JSON', '{"provider": "mock", "retry": {"attempts": 5}}')
    await press(bob, 'Save')
    await noteTo(bob).waitFor()
    expect(await stored()).toContain('"attempts":3')
    await press(bob, 'Show what is there now')
    await now(bob).getByText('−     "attempts": 1').waitFor()
    await now(bob).getByText('+     "attempts": 3').waitFor()
    await bob.page.getByRole('textbox', { name: 'Config as JSON' }).getByText('5').waitFor()
    await press(bob, 'Save mine anyway')
    await bob.page.getByText('Saved.').waitFor()
    expect(await stored()).toContain('"attempts":5')

    // The first one is too late in their turn.
    await write(ada, 'Config as JSON', '{"provider": "mock"}')
    await press(ada, 'Save')
    await noteTo(ada).waitFor()
  },
  PATH_MS,
)

test(
  'two people write a prompt: what the second typed stays in the editor until they have chosen',
  async () => {
    const { slug } = await stage.manage('POST', '/v2/prompts', {
      ...{ name: 'Both', model: 'mock', parameters: {}, string: 'Greet {{who}}.' },
    })
    const newest = async () => (await stage.manage('GET', `/v2/prompts/${slug}@latest`)).string
    for (const { page } of [ada, bob]) {
      await page.goto(`${stage.url}/console/prompts/${slug}`)
      await page.getByRole('textbox', { name: 'Template' }).getByText('Greet').waitFor()
    }
    await write(ada, 'Template', 'Wave to {{who}}.')
    await press(ada, 'Save as a new version')
    await ada.page.getByText('Version 2', { exact: true }).first().waitFor()
    await write(ada, 'Template', 'Wave to {{who}}, twice.')
    await press(ada, 'Save as a new version')
    await ada.page.getByText('Version 3', { exact: true }).first().waitFor()

    await write(bob, 'Template', 'Ignore {{who}}.')
    await press(bob, 'Save as a new version')
    await noteTo(bob).waitFor()
    expect(await newest()).toBe('Wave to {{who}}, twice.')
    await press(bob, 'Show what is there now')
    await now(bob).getByText('Wave to {{who}}, twice.').waitFor()
    await bob.page.getByRole('textbox', { name: 'Template' }).getByText('Ignore {{who}}.').waitFor()
    await press(bob, 'Save mine anyway')
    await bob.page.getByText('Version 4', { exact: true }).first().waitFor()
    expect(await newest()).toBe('Ignore {{who}}.')
  },
  PATH_MS,
)

test(
  'who deletes what was changed since they were asked is asked again',
  async () => {
    const slug = 'changing'
    await stage.manage('POST', '/v2/virtual-keys', { name: 'Mock', slug, provider: 'mock', key: 'any-key-of-a-test' })
    await ada.walk.goTo('Providers')
    await ada.walk.rowOf(slug).getByRole('button', { name: 'Delete' }).click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByText('The stored key is gone with it.').waitFor()
    await stage.manage('PUT', `/v2/virtual-keys/${slug}`, { note: 'in use again' })
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await noteTo(ada).waitFor()
    await press(ada, 'Show what is there now')
    expect(await now(ada).textContent()).toBe('notenothing → in use again')
    await press(ada, 'Delete it anyway')
    await ada.page.getByText('There is no provider yet.').waitFor()
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
