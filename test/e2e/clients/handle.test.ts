import { afterAll, beforeAll } from 'bun:test'
import { abortSuite } from './abort-suite.ts'
import { completionsSuite } from './completions-suite.ts'
import { credentialSuite } from './credential-suite.ts'
import { errorSuite } from './error-suite.ts'
import { interfaceSuite } from './interface-suite.ts'
import { openaiSuite } from './openai-suite.ts'
import { type Door, openHandleDoor } from './support/door.ts'
import { wireSuite } from './wire-suite.ts'

// The web framework finds its route in another way when there is no socket.
let door: Door
beforeAll(async () => {
  door = await openHandleDoor()
})
afterAll(() => door.close())

openaiSuite(() => door)
completionsSuite(() => door)
errorSuite(() => door)
abortSuite(() => door)
wireSuite(() => door)
credentialSuite(() => door)
interfaceSuite(() => door)
