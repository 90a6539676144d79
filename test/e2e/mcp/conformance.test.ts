import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../src/store/testing.ts'
import { createProcessGroup } from '../../support/start-process.ts'
import { type ConformanceServer, startConformanceServer } from './support/conformance-server.ts'
import { API_KEY, type House, openHouse } from './support/house.ts'

setDefaultTimeout(240_000)

let server: ConformanceServer
let house: House
beforeAll(async () => {
  server = startConformanceServer()
  house = await openHouse([server.host])
  await house.addServer('conformance', server.url)
})
afterAll(async () => {
  await house?.close()
  await server?.close()
})

const SUITE = join(import.meta.dir, '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const DEADLINE_MS = 200_000

/** What the suite finds at an address: each check with how it went. */
const resultsAt = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const folder = temporaryFolder()
  const group = createProcessGroup()
  try {
    const command = [process.execPath, SUITE, 'server', '--url', url, '--suite', 'all', '--output-dir', folder.path]
    // It fails as a whole where one check does: what counts is what it wrote down.
    await group
      .run({ name: 'the conformance suite', command, folder: folder.path, deadlineMs: DEADLINE_MS })
      .catch(() => '')
    const results = new Map<string, string>()
    for (const name of await readdir(folder.path, { recursive: true })) {
      if (!name.endsWith('checks.json')) continue
      const checks = (await Bun.file(join(folder.path, name)).json()) as readonly { id: string; status: string }[]
      const scenario = name.split('/')[0]?.replace(/-\d{4}-.*$/, '') ?? ''
      for (const { id, status } of checks) results.set(`${scenario}: ${id}`, status)
    }
    return results
  } finally {
    await group.close()
    folder.remove()
  }
}

test('what passes at a server passes through the gateway, in the suite of the protocol', async () => {
  const direct = await resultsAt(server.url)
  const through = await resultsAt(`${house.url}/mcp/conformance/mcp?key=${API_KEY}`)
  const passing = [...direct].filter(([, status]) => status === 'SUCCESS').map(([name]) => name)
  expect(passing.length).toBeGreaterThan(30)
  const lost = passing.filter((name) => through.get(name) !== 'SUCCESS')
  expect(lost.map((name) => `${name} is ${through.get(name)}`)).toEqual([])
})
