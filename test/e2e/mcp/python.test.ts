import { afterAll, beforeAll, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../../../src/store/testing.ts'
import { testPython } from '../../support/services.ts'
import { onFreePorts } from '../../support/start-ports.ts'
import { createProcessGroup, type ProcessGroup } from '../../support/start-process.ts'
import { pythonSuite } from '../clients/support/python.ts'
import { API_KEY, type House, openHouse } from './support/house.ts'

setDefaultTimeout(120_000)

const START_MS = 60_000

let group: ProcessGroup
let folder: ReturnType<typeof temporaryFolder>
let house: House

const startServer = (transport: 'sse' | 'streamable-http'): Promise<number> =>
  onFreePorts(1, async ([port = 0]) => {
    await group.start({
      name: `a Python server by ${transport}`,
      command: [testPython(), join(import.meta.dir, 'support', 'python_server.py'), transport, String(port)],
      folder: folder.path,
      logFile: join(folder.path, `${transport}.log`),
      readyText: 'ready',
      stopSignal: 'SIGTERM',
      deadlineMs: START_MS,
    })
    return port
  })

beforeAll(async () => {
  group = createProcessGroup()
  folder = temporaryFolder()
  const [http, sse] = await Promise.all([startServer('streamable-http'), startServer('sse')])
  house = await openHouse([`127.0.0.1:${http}`, `127.0.0.1:${sse}`])
  await house.addServer('http', `http://127.0.0.1:${http}/mcp`)
  await house.addServer('sse', `http://127.0.0.1:${sse}/sse`, { transport: 'sse' })
  await house.addServer('narrow', `http://127.0.0.1:${http}/mcp`)
  // It says that it is ready before it listens.
  await house.eventually(async () => {
    const answers = await Promise.all(
      ['http', 'sse'].map((name) => house.post(name, { jsonrpc: '2.0', id: 1, method: 'tools/list' })),
    )
    return answers.every(({ text }) => text.includes('"add"'))
  })
  await house.manage('POST', '/mcp-integrations/narrow/sync')
  await house.manage('PUT', '/mcp-servers/narrow/capabilities', {
    capabilities: [{ name: 'add', type: 'tool', enabled: false }],
  })
  await house.eventually(async () => {
    const { text } = await house.post('narrow', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    return !text.includes('"add"')
  })
})
afterAll(async () => {
  await house?.close()
  await group?.close()
  folder?.remove()
})

pythonSuite('official_mcp', () => ({ WEIR_URL: house.url, WEIR_KEY: API_KEY, MCP_SERVERS: 'http sse' }))
