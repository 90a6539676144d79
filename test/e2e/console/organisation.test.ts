import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openStage, PATH_MS, STAGE_MS, type Stage } from './support/stage.ts'
import { type Walk, walkOn } from './support/walk.ts'

let stage: Stage
let page: Page
let walk: Walk

beforeAll(async () => {
  stage = await openStage({ secrets: { environment: ['PROVIDER_*'] } })
  page = await stage.openSignedIn()
  walk = walkOn(stage, page)
}, STAGE_MS)
afterAll(() => stage?.close())

test(
  'an integration is made, changed and deleted; settings that are no JSON are said so and stay',
  async () => {
    await walk.goTo('Integrations')
    await page.getByRole('button', { name: 'New integration' }).click()
    await page.getByLabel('Name').fill('Of all')
    await page.getByLabel('Provider').fill('bedrock')
    await page.getByLabel('Slug').fill('of-all')
    await page.getByLabel('Settings').fill('{"aws_region": ')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This is no JSON').first().waitFor()
    expect(await page.getByLabel('Settings').inputValue()).toBe('{"aws_region": ')
    await page
      .getByLabel('Settings')
      .fill(
        '{"aws_region": "eu-central-1", "aws_auth_type": "accessKey", "aws_access_key_id": "AKIAEXAMPLE", "aws_secret_access_key": "not a real one"}',
      )
    await walk.save()
    await walk.rowOf('of-all').getByRole('button', { name: 'Give to' }).click()
    await walk.save()
    await walk.rowOf('of-all').getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Description').fill('for everybody')
    await walk.save()
    expect(await stage.manage('GET', '/admin/v2/integrations/of-all')).toMatchObject({
      description: 'for everybody',
      configurations: { aws_region: 'eu-central-1' },
    })
    await walk.remove('of-all')
  },
  PATH_MS,
)

test(
  'a secret reference is made, changed and deleted',
  async () => {
    await walk.goTo('Secret references')
    await page.getByRole('button', { name: 'New secret reference' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Of the environment')
    await page.getByLabel('Slug').fill('from-env')
    await page.getByLabel('Path or name there').fill('PROVIDER_KEY_OF_TESTS')
    await walk.save()
    await walk.rowOf('from-env').getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await walk.save()
    await walk.rowOf('Renamed').waitFor()
    await walk.remove('from-env')
  },
  PATH_MS,
)

test(
  'somebody is invited by a link, which can be made anew and called off',
  async () => {
    await walk.goTo('People')
    await page.getByRole('button', { name: 'New invite' }).click()
    await page.getByLabel('Address').fill('anna@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'The link of the invite' })
    const link = await dialog.locator('code').textContent()
    expect(link).toContain('invite=')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await walk.rowOf('anna@example.com').getByRole('button', { name: 'New link' }).click()
    await dialog.waitFor()
    expect(await dialog.locator('code').textContent()).not.toBe(link)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await walk.rowOf('anna@example.com').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await walk.rowOf('anna@example.com').getByText('cancelled').waitFor()
  },
  PATH_MS,
)

test(
  'a server of tools is made and tried',
  async () => {
    await walk.goTo('MCP servers')
    await page.getByRole('button', { name: 'New MCP integration' }).click()
    await page.getByLabel('Name').fill('Tools')
    await page.getByLabel('Address').fill('https://tools.example/mcp')
    await page.getByLabel('Slug').fill('tools')
    await walk.save()
    await walk.rowOf('tools.example').getByRole('button', { name: 'Give to' }).click()
    await page.getByLabel('Who may use it').selectOption({ label: 'This workspace' })
    await walk.save()
    await page.getByRole('button', { name: 'New MCP server' }).click()
    await page.getByLabel('Name').fill('Own tools')
    await page.getByRole('combobox', { name: 'Integration' }).fill('tools')
    await page.getByLabel('Slug').fill('own-tools')
    await walk.save()
    await walk.rowOf('own-tools').getByRole('button', { name: 'Try it' }).click()
    await walk.rowOf('own-tools').getByRole('status').waitFor()
    await walk.remove('own-tools')
  },
  PATH_MS,
)

test(
  'the audit log says who did all that, and the health of the process is shown',
  async () => {
    await walk.goTo('Audit log')
    await walk.rowOf('secret_references.create').getByRole('button', { name: 'Details' }).click()
    await page.getByRole('region', { name: 'After' }).getByText('from-env').waitFor()
    await page.keyboard.press('Escape')
    await walk.goTo('Health')
    await page.getByRole('region', { name: 'Details' }).getByText('pglite').waitFor()
    expect(stage.complaints).toEqual([])
  },
  PATH_MS,
)
