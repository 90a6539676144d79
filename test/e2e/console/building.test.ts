import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'
import { type Walk, walkOn } from './support/walk.ts'

let stage: Stage
let page: Page
let walk: Walk

beforeAll(async () => {
  stage = await openStage()
  await stage.manage('POST', '/v2/virtual-keys', { name: 'Mock', slug: 'stored-mock', provider: 'mock', key: 'any' })
  page = await stage.openSignedIn()
  walk = walkOn(stage, page)
}, STAGE_MS)
afterAll(() => stage?.close())

/** Writes a text into an editor, in place of what it holds. */
const write = async (editor: string, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: editor }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

/** Until a change is live on every process, on a busy machine. */
const LIVE_MS = 3_000

test(
  'a prompt is written, run, given a second version, and published',
  async () => {
    await walk.goTo('Prompts')
    await page.getByRole('link', { name: 'New prompt' }).click()
    await page.getByLabel('Name').fill('Greeting')
    await write('Template', '[{"role":"user","content":"Greet {{who}}."}]')
    await page.getByLabel('Model').fill('mock')
    await page.getByLabel('Provider').fill('stored-mock')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: /^Prompt pp-/ }).waitFor()

    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByLabel('Variables').fill('{"who": "Ada"}')
    await Bun.sleep(LIVE_MS)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('region', { name: 'What came of it' }).getByText('Mock answer to: Greet Ada.').waitFor()

    await write('Template', '[{"role":"user","content":"Wave to {{who}}."}]')
    await page.getByLabel('What is new in it').fill('waves')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByRole('button', { name: 'Publish version 2' }).click()
    await page.getByRole('button', { name: 'Publish version 1' }).waitFor()
    await page.getByLabel('Version', { exact: true }).selectOption({ label: 'Version 1' })
    await Bun.sleep(LIVE_MS)
    await page.getByRole('button', { name: 'Only fill it in' }).click()
    await page.getByRole('region', { name: 'What came of it' }).getByText('Greet Ada.').waitFor()
    await page.getByRole('button', { name: 'Take version 1 into the editor' }).click()
    await page.getByRole('textbox', { name: 'Template' }).getByText('Greet {{who}}.').waitFor()

    await walk.goTo('Prompts')
    await walk.remove('Greeting')
  },
  PATH_MS,
)

test(
  'a config is drawn while it is written; what is wrong with it is said, and where a call would go',
  async () => {
    await walk.goTo('Configs')
    await page.getByRole('link', { name: 'New config' }).click()
    await page.getByLabel('Name').fill('Spread')
    await write('Config as JSON', '{"strategy": {"mode": "loadbalances"}, "targets": [{"provider": "mock"}]}')
    await page.getByText('strategy.mode must be one of').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    const targets = '[{"provider": "mock", "weight": 3}, {"virtual_key": "stored-mock", "weight": 0}]'
    await write('Config as JSON', `{"strategy": {"mode": "loadbalance"}, "targets": ${targets}}`)
    const tree = page.getByRole('list', { name: 'Routing' })
    await tree.getByText('loadbalance of 2').waitFor()
    await tree.getByText('100 % of calls').waitFor()
    await page.getByText('The gateway can read this config.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: /^Config pc-/ }).waitFor()

    await page.getByRole('button', { name: 'Find out' }).click()
    await tree.getByText('this call').waitFor()
    await write('Config as JSON', '{"provider": "mock"}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Take into the editor' }).nth(1).click()
    await page.getByRole('textbox', { name: 'Config as JSON' }).getByText('loadbalance').waitFor()

    await walk.goTo('Configs')
    await walk.remove('Spread')
  },
  PATH_MS,
)

test(
  'a guardrail is made from forms, refuses a call, and its verdict is in the record',
  async () => {
    await walk.goTo('Policies')
    await page.getByRole('link', { name: 'Guardrails' }).click()
    await page.getByRole('button', { name: 'New guardrail' }).click()
    await page.getByLabel('Name').fill('Not a word of it')
    await page.getByLabel('Another check').selectOption('default.contains')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByLabel('words').fill('forbidden\nsecret')
    await page.getByLabel('operator').selectOption('none')
    await walk.save()
    await walk.rowOf('Not a word of it').getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('words').inputValue()).toBe('forbidden\nsecret')
    await page.getByLabel('operator').selectOption('any')
    await page.getByLabel('operator').selectOption('none')
    await walk.save()

    const { data } = await stage.manage('GET', '/v2/guardrails')
    const [guardrail] = data as { readonly slug: string }[]
    await Bun.sleep(LIVE_MS)
    const refused = await stage.call(
      { messages: [{ role: 'user', content: 'This is forbidden.' }] },
      { 'x-gateway-config': JSON.stringify({ provider: 'mock', input_guardrails: [guardrail?.slug] }) },
    )
    await page.goto(`${stage.url}/console/records/${refused}`)
    await page.getByRole('heading', { name: 'Why was this refused?' }).waitFor()
    await page.getByRole('heading', { name: 'Guardrails' }).waitFor()
    await page.getByText('default.contains').first().waitFor()

    await walk.goTo('Policies')
    await page.getByRole('link', { name: 'Guardrails' }).click()
    await walk.remove('Not a word of it')
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
