import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, startCommand } from '../support/command.ts'

setDefaultTimeout(60_000)

const KEY = 'preset-key-of-a-config-that-appears-01'

let folder: string
let gateway: RunningGateway
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-appears-'))
  // The start of a container: every address, and no file yet.
  gateway = await startCommand({ folder, env: { PORT: '0', HOST: '0.0.0.0', WEIR_API_KEY: KEY } })
})
afterAll(async () => {
  await gateway.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const read = async (path: string, headers = {}): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`http://127.0.0.1:${new URL(gateway.url).port}${path}`, { headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const models = (path = '/v1/models') => read(path, { 'x-gateway-api-key': KEY, 'x-gateway-provider': 'mock' })

/** Resolves once `/readyz` shows this; a config that is swapped is logged too. */
const becomes = async (look: (state: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> => {
  const deadlineMs = performance.now() + 10_000
  for (;;) {
    const { body } = await read('/readyz')
    if (look(body) || performance.now() > deadlineMs) return body
    await Bun.sleep(20)
  }
}

const path = (name: string): string => join(folder, name)

test('a config file that appears is read, whichever name it has, and replaces what was there for first steps', async () => {
  expect((await models()).status).toBe(200)
  const { body } = await read('/readyz')
  await Bun.write(path('weir.config.yml'), 'server: { basePath: /llm }\n')
  await gateway.seen(/"message":"config reloaded".*weir\.config\.yml/, 10_000)
  expect((await read('/readyz')).body.config).not.toEqual(body.config)
  // On an address that others reach, the mock is there without a file only.
  const refused = await models('/llm/v1/models')
  expect([refused.status, refused.body]).toMatchObject([400, { error: { code: 'unknown_provider' } }])
})

test('a second one is told, and the first stays until there is one again', async () => {
  await Bun.write(path('weir.config.json'), '{"server":{"basePath":"/other"}}')
  const two = `more than one config file: ${path('weir.config.yml')}, ${path('weir.config.json')}; keep one`
  expect(await becomes(({ configError }) => configError !== undefined)).toMatchObject({ ready: true, configError: two })
  await mkdir(path('kept'))
  await rename(path('weir.config.yml'), path('kept/weir.config.yml'))
  await gateway.seen(/"message":"config reloaded".*weir\.config\.json/, 10_000)
  expect(await becomes(({ configError }) => configError === undefined)).not.toHaveProperty('configError')
  expect((await read('/other/v1/models')).status).toBe(401)
})

test('one that is gone leaves the last good one, and says so', async () => {
  await rm(path('weir.config.json'))
  expect(await becomes(({ configError }) => configError !== undefined)).toMatchObject({
    ready: true,
    configError: `${path('weir.config.json')}: the config file is gone`,
  })
  expect((await read('/other/v1/models')).status).toBe(401)
})
