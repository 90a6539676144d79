import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildExecutable } from '../../support/command.ts'
import { abortSuite } from './abort-suite.ts'
import { aiSdkSuite } from './ai-sdk-suite.ts'
import { credentialSuite } from './credential-suite.ts'
import { curlSuite } from './curl-suite.ts'
import { errorSuite } from './error-suite.ts'
import { fixtureSuite } from './fixture-suite.ts'
import { interfaceSuite } from './interface-suite.ts'
import { openaiSuite } from './openai-suite.ts'
import { OPERATOR_KEY, operatorSuite } from './operator-suite.ts'
import { type Door, openExecutableDoor } from './support/door.ts'
import { wireSuite } from './wire-suite.ts'

/** A build, and a first start with an embedded database, on a busy machine. */
const START_DEADLINE_MS = 180_000

let folder: string
let executable: string
let door: Door

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-build-'))
  executable = await buildExecutable(folder)
  door = await openExecutableDoor(executable)
}, START_DEADLINE_MS)

afterAll(async () => {
  await door.close()
  await rm(folder, { recursive: true, force: true })
})

test('the executable carries the console', async () => {
  const page = await (await door.fetch(`${door.url}/console/`)).text()
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(files.length).toBe(3)
  for (const path of files) expect([path, (await door.fetch(`${door.url}${path}`)).status]).toEqual([path, 200])
})

openaiSuite(() => door)
errorSuite(() => door)
abortSuite(() => door)
aiSdkSuite(() => door)
curlSuite(() => door)
fixtureSuite(() => door)
wireSuite(() => door)
credentialSuite(() => door)
interfaceSuite(() => door)
operatorSuite((config) => openExecutableDoor(executable, { UPSTREAM_KEY: OPERATOR_KEY }, config), '${UPSTREAM_KEY}')
