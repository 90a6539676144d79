import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'
import { type Walk, walkOn } from './support/walk.ts'

let stage: Stage
let page: Page
let walk: Walk

beforeAll(async () => {
  stage = await openStage()
  page = await stage.openSignedIn()
  walk = walkOn(stage, page)
}, STAGE_MS)
afterAll(() => stage?.close())

test(
  'another gateway is registered, its credentials are shown once, renewed, archived and restored',
  async () => {
    await walk.goTo('Deployments')
    await page.getByText('There is no deployment yet.').waitFor()
    await page.getByRole('button', { name: 'New deployment' }).click()
    await page.getByLabel('Name').fill('Frankfurt')
    await page.getByLabel('Slug').fill('frankfurt')
    await page.getByText('Without one it gets nothing to serve.').waitFor()
    await page.getByRole('dialog').getByLabel('Every one, later ones too').check()
    await page.getByRole('button', { name: 'Save' }).click()
    const shown = page.getByRole('dialog', { name: 'The credentials of the deployment' })
    const first = (await shown.getByRole('region', { name: 'How to start it' }).textContent()) ?? ''
    expect(first).toContain(`WEIR_CONTROL_PLANE=${stage.url}`)
    const [, secret = ''] = /CREDENTIALS=(\S+)/.exec(first) ?? []
    expect(secret.length).toBeGreaterThan(20)
    await shown.getByRole('button', { name: 'I have them' }).click()

    const row = walk.rowOf('frankfurt')
    await row.getByText('never connected').waitFor()
    expect(await page.locator('main').textContent()).not.toContain(secret)
    await row.getByRole('button', { name: 'Ping' }).click()
    await row.getByRole('alert').waitFor()

    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Address').fill('https://frankfurt.example')
    await walk.save()
    await row.getByRole('button', { name: 'Ping' }).click()
    await row.getByText(/^unhealthy: /).waitFor()
    await row.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    expect(await shown.getByRole('region', { name: 'How to start it' }).textContent()).not.toContain(secret)
    await shown.getByRole('button', { name: 'I have them' }).click()

    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.getByText('archived').waitFor()
    await row.getByRole('button', { name: 'Restore' }).click()
    await row.getByText('never connected').waitFor()
  },
  PATH_MS,
)

test(
  'prices are searched; an own one of an integration is made, changed and deleted',
  async () => {
    await stage.manage('POST', '/admin/v2/integrations', {
      ...{ name: 'Ours', slug: 'ours', ai_provider_id: 'openai', key: 'any' },
    })
    await walk.goTo('Prices')
    await page.getByText(/^1 to 50 of \d,\d+$/).waitFor()
    await page.getByLabel('Search models').fill('openai/gpt-4o-2024-08')
    const listed = page.getByRole('table', { name: 'Prices' }).getByRole('row').filter({ hasText: 'gpt-4o-2024-08-06' })
    await listed.filter({ hasText: '$2.50' }).filter({ hasText: '$10.00' }).first().waitFor()
    await page.getByLabel('Search models').fill('no model is called so')
    await page.getByText('No model is called so.').waitFor()

    await page.getByRole('button', { name: 'New own price' }).click()
    await page.getByRole('combobox', { name: 'Model' }).fill('gpt-4o')
    await page.getByLabel('Input', { exact: true }).fill('1.25')
    await page.getByLabel('Output').fill('5')
    await walk.save()
    await walk.rowOf('gpt-4o').getByText('$1.25').waitFor()
    await walk.rowOf('gpt-4o').getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Output').inputValue()).toBe('5')
    await page.getByLabel('Cached input').fill('0.125')
    await walk.save()
    await walk.rowOf('gpt-4o').getByText('$0.13').or(walk.rowOf('gpt-4o').getByText('$0.12')).waitFor()
    const { models } = (await stage.manage('GET', '/admin/v2/integrations/ours/models')) as {
      readonly models: readonly { readonly slug: string; readonly pricing_config: unknown }[]
    }
    expect(models.find(({ slug }) => slug === 'gpt-4o')?.pricing_config).toEqual({
      type: 'static',
      pay_as_you_go: {
        request_token: { price: 0.000125 },
        response_token: { price: 0.0005 },
        cache_read_input_token: { price: 0.0000125 },
      },
    })
    await walk.remove('gpt-4o')
  },
  PATH_MS,
)

test(
  'records are exported: how far it is is shown, and the file is there to be taken',
  async () => {
    const id = await stage.call({ messages: [{ role: 'user', content: 'To be exported' }] })
    await walk.goTo('Exports')
    await page.getByRole('button', { name: 'New export' }).click()
    await page.getByLabel('What it is for').fill('For the books')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const row = walk.rowOf('For the books')
    await row.getByText('success').waitFor()
    expect(await row.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toEndWith('.jsonl')
    const text = await Bun.file((await file.path()) ?? '').text()
    expect(text).toContain(id)
    await walk.remove('For the books')
  },
  PATH_MS,
)

test(
  'a batch is begun from a file, its lines are counted, and its results are taken',
  async () => {
    await walk.goTo('Batches')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('There is no batch yet.').waitFor()
    await page.getByRole('button', { name: 'New batch' }).click()
    const lines = ['one', 'two', 'three'].map((id) =>
      JSON.stringify({
        ...{ custom_id: id, method: 'POST', url: '/v1/chat/completions' },
        body: { model: 'mock', messages: [{ role: 'user', content: `Say ${id}` }] },
      }),
    )
    const buffer = Buffer.from(lines.join('\n'))
    await page.getByLabel('Lines').setInputFiles({ name: 'in.jsonl', mimeType: 'application/jsonl', buffer })
    await page.getByLabel('Provider').fill('mock')
    await page.getByRole('button', { name: 'Upload and begin' }).click()
    const row = walk.rowOf('batch_')
    await row.getByText('completed').waitFor({ timeout: 60_000 })
    await row.getByText('3 of 3').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: 'Results' }).click(),
    ])
    expect(await Bun.file((await file.path()) ?? '').text()).toContain('Mock answer to: Say two')
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
