import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { type RealIssuer, startRealIssuer } from '../sign-in/support/real-issuer.ts'
import { openScene, type Scene } from '../sign-in/support/scene.ts'
import { PATH_MS, STAGE_MS } from './support/stage.ts'
import { startChromium } from './support/start-chromium.ts'

let scene: Scene
let issuer: RealIssuer
let browser: Browser

beforeAll(async () => {
  ;[scene, browser] = await Promise.all([openScene(), startChromium()])
  issuer = await startRealIssuer({
    clientId: 'weir',
    clientSecret: 'the secret of weir at the company',
    redirectUri: `${scene.url}/v2/sign-in/callback/company`,
    inIdToken: true,
  })
  await scene.start({
    issuers: [
      {
        ...{ id: 'company', name: 'The <Company>', issuer: issuer.url, clientId: 'weir' },
        clientSecret: 'the secret of weir at the company',
        scopes: ['openid', 'email', 'profile', 'groups'],
        domains: ['acme.example'],
        roles: { claim: 'groups', owner: ['bosses'], otherwise: 'member' },
        workspaces: [
          { claim: 'groups', value: 'builders', workspace: 'ws-default', role: 'manager' },
          { claim: 'groups', value: 'readers', workspace: 'ws-default', role: 'member' },
        ],
      },
    ],
  })
}, STAGE_MS)
afterAll(async () => {
  await Promise.allSettled([browser?.close(), issuer?.close()])
  await scene?.close()
})

/** A page of somebody who came through the issuer. */
const signedIn = async (id: string, groups: readonly string[], path = '/start'): Promise<Page> => {
  issuer.accounts.set(id, { email: `${id}@acme.example`, email_verified: true, given_name: id, groups })
  issuer.next = id
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(`${scene.url}/console${path}`)
  await page.getByRole('link', { name: 'Sign in with The <Company>' }).click()
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  return page
}

const sectionsOf = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allTextContents()

test(
  'people come through the issuer, back to where they meant to go, and roles show only what they may do',
  async () => {
    const owner = await signedIn('olga', ['bosses'], '/keys?from=a-link')
    expect(owner.url()).toStartWith(`${scene.url}/console/keys`)
    await owner.getByRole('button', { name: 'New key' }).waitFor()

    const manager = await signedIn('mia', ['builders'], '/policies')
    expect(await sectionsOf(manager)).toEqual(expect.arrayContaining(['Overview', 'Records', 'Keys', 'Policies']))
    await manager.getByRole('button', { name: 'New rate limit' }).click()
    await manager.getByLabel('Name').fill('by the manager')
    await manager.getByRole('button', { name: 'Save' }).click()
    await manager.getByRole('row').filter({ hasText: 'by the manager' }).waitFor()

    const reader = await signedIn('rosa', ['readers'], '/policies')
    const shown = await sectionsOf(reader)
    expect(shown).toContain('Policies')
    await reader.getByRole('row').filter({ hasText: 'by the manager' }).waitFor()
    await reader.getByRole('button', { name: 'Who is at it' }).waitFor()
    for (const name of ['New rate limit', 'Change', 'Delete']) {
      expect([name, await reader.getByRole('button', { name }).count()]).toEqual([name, 0])
    }
    await reader.goto(`${scene.url}/console/providers`)
    await reader.getByRole('heading', { level: 1 }).waitFor()
    expect(await reader.getByRole('button', { name: 'New provider' }).count()).toBe(0)

    // Somebody in no workspace may do nothing there, and is told what there is to see.
    const nobody = await signedIn('nora', [])
    expect(await sectionsOf(nobody)).not.toContain('Records')
  },
  PATH_MS,
)

test(
  'a member makes a key of their own and calls with it',
  async () => {
    const page = await signedIn('ruth', ['readers'])
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('button', { name: 'Call the mock provider' }).click()
    // With a database of its own the mock does not run: the refusal is in words.
    await page.getByRole('alert').or(page.getByText('Mock answer to')).first().waitFor()

    // What became of it, the owner sees too, and says what they think of it.
    const owner = await signedIn('olga', ['bosses'], '/records')
    await owner.getByRole('row').nth(1).getByRole('link').first().click()
    await owner.getByLabel('Value').fill('-3')
    await owner.getByRole('button', { name: 'Give feedback' }).click()
    // It stands there at once, and once however often the page is asked again.
    const votes = owner.getByRole('list', { name: 'Feedback' }).getByRole('listitem')
    await votes.filter({ hasText: '-3 × 1' }).waitFor()
    do {
      await owner.reload()
      await owner.getByRole('heading', { name: 'Feedback' }).waitFor()
    } while ((await votes.count()) === 0)
    expect(await votes.allTextContents()).toEqual(['-3 × 1'])
  },
  PATH_MS,
)
