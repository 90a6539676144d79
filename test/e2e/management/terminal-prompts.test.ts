import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningGateway } from '../../support/command.ts'
import { textOf } from './support/http.ts'
import { done, openScene, type Scene, SLOW_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

const STRING = '[{"role":"user","content":"Say {{word}} to {{who.name}}."}]'

let scene: Scene
let gateway: RunningGateway
/** Of a prompt that was made by a call. */
let slug = ''

const run = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await scene.run(['prompts', ...args])
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return stdout
}

const template = (): string => join(scene.folder, 'repo/prompts', slug, 'template.json')

const contentIn = async (reference: string) => (await done(gateway, 'GET', `/v2/prompts/${reference}`)).body

beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  gateway = await scene.start()
  const made = await done(gateway, 'POST', '/v2/prompts', {
    name: 'Greeting',
    collection_id: 'default',
    string: STRING,
    parameters: { max_tokens: 5 },
    model: 'mock',
  })
  slug = textOf(made, 'slug')
})
afterAll(() => scene.close())

test('a prompt of a running gateway is pulled, changed, pushed and rolled back', async () => {
  await run('pull', 'repo')
  expect(JSON.parse(readFileSync(template(), 'utf8'))).toEqual(JSON.parse(STRING))
  expect(await run('push', 'repo')).toBe('0 created, 0 changed, 0 deleted, 1 unchanged.\n')
  expect((await contentIn(slug)).string).toBe(STRING)

  const before = readFileSync(template(), 'utf8')
  writeFileSync(template(), before.replace('Say', 'Shout'))
  expect(await run('push', 'repo')).toContain('new: 2; published stays 1 (--publish)')
  expect(await contentIn(slug)).toMatchObject({ prompt_version: 1, string: STRING })
  expect(await contentIn(`${slug}@latest`)).toMatchObject({
    string: STRING.replace('Say', 'Shout'),
    parameters: { max_tokens: 5 },
  })
  expect(await run('push', 'repo', '--publish')).toContain('published: 1 -> 2')
  expect(await contentIn(slug)).toMatchObject({ prompt_version: 2 })

  writeFileSync(template(), before)
  await run('push', 'repo', '--publish')
  expect(await contentIn(slug)).toMatchObject({ string: STRING })
})

test('it is rendered as calls see it', async () => {
  const rendered = await run('render', slug, '--var', 'word=hi', '--var', 'who.name=A "B"', '--param', 'temperature=0')
  expect(JSON.parse(rendered)).toEqual({
    model: 'mock',
    max_tokens: 5,
    temperature: 0,
    messages: [{ role: 'user', content: 'Say hi to A "B".' }],
  })
})

test('a workspace is copied to another, with slugs, labels and partials', async () => {
  await done(gateway, 'POST', '/v2/prompts/partials', { name: 'Tone', string: 'Be kind.' })
  await done(gateway, 'PUT', `/v2/prompts/${slug}/versions/1`, { label_id: 'production' })
  const workspace = textOf(await done(gateway, 'POST', '/v2/workspaces', { name: 'Copy' }), 'slug')
  await run('pull', 'repo')
  expect(await run('push', 'repo', '--workspace', workspace)).toContain('2 created, 0 changed, 0 deleted, 0 unchanged.')
  const copied = await done(gateway, 'GET', `/v2/prompts/${slug}@production?workspace_id=${workspace}`)
  expect(copied.body).toMatchObject({ slug, string: STRING })
  await run('pull', 'copy', '--workspace', workspace)
  const { exitCode, stdout } = Bun.spawnSync(['diff', '-r', 'repo', 'copy'], { cwd: scene.folder })
  expect([exitCode, stdout.toString()]).toEqual([0, ''])
})

test('the audit log tells who did it and is intact', async () => {
  const times = 'start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z'
  const { text } = await done(gateway, 'GET', `/v2/audit-logs?${times}&page_size=100`)
  for (const word of ['prompts.update', 'prompts.publish', 'prompt_partials.create', '"cli"'])
    expect(text).toContain(word)
  const { stdout } = await scene.run(['audit', 'verify'])
  expect(stdout).toBe('The audit log is intact: 1 organisation(s) checked.\n')
})
