import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { PAGES, pageOf, ROOT } from './pages.ts'

/** As GitHub makes an anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')

test('every link of the pages leads somewhere', () => {
  for (const { name, text } of PAGES) {
    for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (target.startsWith('https://')) continue
      const [path = '', anchor] = target.split('#')
      const url = path === '' ? new URL(name, ROOT) : new URL(path, new URL(name, ROOT))
      expect(existsSync(url), `${name}: ${target}`).toBe(true)
      if (anchor === undefined) continue
      const page = pageOf(url.pathname.slice(ROOT.pathname.length))
      const anchors = [...page.text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ''))
      expect(anchors, `${name}: ${target}`).toContain(anchor)
    }
  }
})

test('every page of docs is reached from the README', () => {
  const { text } = pageOf('README.md')
  for (const { name } of PAGES) if (name !== 'README.md') expect(text).toContain(`(${name})`)
})

test('the folders that the README and the architecture name exist', () => {
  const maps = `${pageOf('README.md').text}\n${pageOf('docs/architecture.md').text}`
  const paths = [...maps.matchAll(/`((?:src|plugins|test)(?:\/[a-z.-]+)*)`/g)].map(([, path]) => path ?? '')
  expect(paths.length).toBeGreaterThan(10)
  for (const path of paths) expect(existsSync(new URL(path, ROOT)), path).toBe(true)
})

test('the README stays short, and its two commands are scripts of the package', async () => {
  const { text } = pageOf('README.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(200)
  const { scripts, license } = await Bun.file(new URL('package.json', ROOT)).json()
  expect(text).toContain('npx -y bun install && npx -y bun start\n')
  expect(text).toContain('npx -y bun install && npx -y bun run test\n')
  for (const name of ['start', 'test', 'build', 'weir']) expect(scripts).toHaveProperty(name)
  expect(await Bun.file(new URL('LICENSE', ROOT)).text()).toStartWith(`${license} License`)
})
