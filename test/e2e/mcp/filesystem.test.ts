import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { temporaryFolder } from '../../../src/store/testing.ts'
import { EVERY, type House, openHouse } from './support/house.ts'
import { type StdioBridge, startStdioBridge } from './support/stdio-bridge.ts'

setDefaultTimeout(120_000)

let folder: ReturnType<typeof temporaryFolder>
let [allowed, elsewhere] = ['', '']
let bridge: StdioBridge
let house: House

beforeAll(async () => {
  folder = temporaryFolder()
  const root = await realpath(folder.path)
  ;[allowed, elsewhere] = [join(root, 'allowed'), join(root, 'elsewhere')]
  await Promise.all([allowed, elsewhere].map((path) => mkdir(path)))
  const program = Bun.resolveSync('@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.dir)
  bridge = await startStdioBridge('node', [program, allowed])
  house = await openHouse([bridge.host])
  await house.addServer('http', bridge.http)
  await house.addServer('sse', bridge.sse, { transport: 'sse' })
})
afterAll(async () => {
  await house?.close()
  await bridge?.close()
  folder?.remove()
})

describe.each(['http', 'sse'])('the file server of the protocol, by %s', (server) => {
  test('writes, reads, edits and lists files where it may, and nowhere else', async () => {
    const client = await house.connect(server)
    const call = async (name: string, args: object) => {
      const result = await client.callTool({ name, arguments: { ...args } })
      return { isError: result.isError === true, text: JSON.stringify(result.content) }
    }
    const path = join(allowed, `${server}.txt`)
    const content = `${'ä€😀\n'.repeat(20_000)}the end`
    expect(await call('write_file', { path, content })).toMatchObject({ isError: false })
    expect(await readFile(path, 'utf8')).toBe(content)
    const read = await client.callTool({ name: 'read_text_file', arguments: { path } })
    expect(read.content).toEqual([{ type: 'text', text: content }])
    await call('edit_file', { path, edits: [{ oldText: 'the end', newText: 'the very end' }] })
    expect(await readFile(path, 'utf8')).toEndWith('the very end')
    expect((await call('list_directory', { path: allowed })).text).toContain(`${server}.txt`)
    expect(await call('read_text_file', { path: join(elsewhere, 'a.txt') })).toMatchObject({ isError: true })
  })

  test.each([server, EVERY])('asks its client which folders it may use: at %s', async (address) => {
    const client = new Client({ name: 'a test', version: '1.0.0' }, { capabilities: { roots: { listChanged: true } } })
    const asked = Promise.withResolvers<void>()
    client.setRequestHandler(ListRootsRequestSchema, async () => {
      asked.resolve()
      return { roots: [{ uri: pathToFileURL(elsewhere).href, name: 'elsewhere' }] }
    })
    await house.connect(address, client)
    const name = address === EVERY ? `${server}__list_allowed_directories` : 'list_allowed_directories'
    // A server of streamable HTTP loses what it asks before its client listens; told of a change, it asks again.
    await house.eventually(async () => {
      await client.sendRootsListChanged()
      return JSON.stringify(await client.callTool({ name, arguments: {} })).includes('elsewhere')
    })
    await asked.promise
  })
})
