import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'
import { walkOn } from './support/walk.ts'

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  await stage.manage('POST', '/v2/virtual-keys', { name: 'Mock', slug: 'stored-mock', provider: 'mock', key: 'any' })
  page = await stage.openSignedIn('/playground')
  await page.getByRole('button', { name: 'Make a key' }).click()
}, STAGE_MS)
afterAll(() => stage?.close())

/** The smallest PNG that is one: a single grey point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

const first = () => page.getByRole('region', { name: 'Model 1' })

test(
  'a model calls a tool, is told what it came to, and goes on',
  async () => {
    await page.getByText('System message, tools and parameters').click()
    await page.getByLabel('Tools').fill('{"not": "a list"}')
    await page.getByLabel('Model 1: what is called').fill('mock-tools')
    await page.getByLabel('Question').fill('How is the weather?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('This must be a list in brackets.').waitFor()
    expect(await page.getByLabel('Question').inputValue()).toBe('How is the weather?')

    await page.getByLabel('Tools').fill('')
    await page.getByRole('button', { name: 'Take an example' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await first().getByText('calls get_weather with').waitFor()
    await first().getByLabel('Result of get_weather').fill('{"sky": "clear"}')
    await first().getByRole('button', { name: 'Tell the model' }).click()
    await first().getByText('Result of a tool').waitFor()
    await first().getByText('Answer', { exact: true }).nth(1).waitFor()
    await first().getByRole('link', { name: 'Record' }).waitFor()
  },
  PATH_MS,
)

test(
  'images go along with a question, and what is no image does not',
  async () => {
    await page.getByRole('button', { name: 'Begin anew' }).click()
    await page.getByLabel('Tools').fill('')
    await page.getByLabel('Model 1: what is called').fill('mock-vision')
    await page.getByLabel('Images').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
    await page.getByText('a.txt is no PNG, JPEG, GIF or WebP.').waitFor()
    await page.getByLabel('Images').setInputFiles([
      { name: 'one.png', mimeType: 'image/png', buffer: PNG },
      { name: 'two.png', mimeType: 'image/png', buffer: PNG },
    ])
    await page.getByRole('button', { name: 'Remove image 2' }).click()
    await page.getByLabel('Question').fill('What do you see?')
    await page.getByRole('button', { name: 'Send' }).click()
    await first()
      .getByText(/1 image/)
      .waitFor()
    expect(await first().getByRole('img', { name: 'Part of the message' }).count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Remove image 1' }).count()).toBe(0)
  },
  PATH_MS,
)

test(
  'what was tried is saved as a prompt, with its system message, tools and parameters',
  async () => {
    await page.getByRole('button', { name: 'Begin anew' }).click()
    await page.getByLabel('Model 1: what is called').fill('@stored-mock/mock')
    await page.getByLabel('System message').fill('Greet people.')
    await page.getByLabel('Parameters').fill('{"temperature": 0.5}')
    await page.getByRole('button', { name: 'Take an example' }).click()
    await page.getByLabel('Question').fill('Greet {{who}}.')
    await page.getByRole('button', { name: 'Save as prompt' }).click()
    await page.getByLabel('Name').fill('From the playground')
    await walkOn(stage, page).save()
    await page.getByRole('heading', { level: 1, name: /^Prompt pp-/ }).waitFor()
    await page.getByRole('textbox', { name: 'Template' }).getByText('Greet {{who}}.').waitFor()
    const [slug] = /pp-[\w-]+/.exec(page.url()) ?? []
    const made = await stage.manage('GET', `/v2/prompts/${slug}`)
    expect(made).toMatchObject({ name: 'From the playground', model: 'mock', virtual_key: 'stored-mock' })
    expect(JSON.parse(String(made.string))).toEqual([
      { role: 'system', content: 'Greet people.' },
      { role: 'user', content: 'Greet {{who}}.' },
    ])
    expect(JSON.stringify(made)).toContain('get_weather')
    expect(made.parameters).toMatchObject({ temperature: 0.5 })
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
