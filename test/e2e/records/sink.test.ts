import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { provideKit } from '../../../src/compose/provide-kit.ts'
import { API_KEY, startTestGateway } from '../../support/gateway.ts'
import { createKeepingRecorder } from '../../support/records/keeping-recorder.ts'
import { type Folder, operatorFolder } from '../docs/workspace.ts'
import { chat } from './support/world.ts'

let folder: Folder
beforeAll(() => {
  provideKit()
  folder = operatorFolder()
})
afterAll(() => folder.remove())

test('the sink of the docs gets the records that the store gets, those of attempts too', async () => {
  const path = join(folder.path, 'calls.jsonl')
  const recorder = createKeepingRecorder()
  const gateway = await startTestGateway({
    config: { plugins: ['defaults', 'mock', { './call-file.ts': { path } }] },
    deps: { records: recorder, folder: folder.path },
  })
  const targets = [{ provider: 'mock', override_params: { mock: { fault: 'overloaded' } } }, { provider: 'mock' }]
  for (const config of [{ provider: 'mock' }, { strategy: { mode: 'fallback' }, targets }]) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-config': JSON.stringify(config) },
      body: JSON.stringify(chat()),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  // What is queued is handed over when the gateway is closed.
  await gateway.close()
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(recorder.closed.flat())))
  expect(lines).toHaveLength(4)
})
