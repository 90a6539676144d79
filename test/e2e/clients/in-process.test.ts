import { afterAll, beforeAll } from 'bun:test'
import { abortSuite } from './abort-suite.ts'
import { aiSdkSuite } from './ai-sdk-suite.ts'
import { completionsSuite } from './completions-suite.ts'
import { credentialSuite } from './credential-suite.ts'
import { curlSuite } from './curl-suite.ts'
import { errorSuite } from './error-suite.ts'
import { fixtureSuite } from './fixture-suite.ts'
import { interfaceSuite } from './interface-suite.ts'
import { openaiSuite } from './openai-suite.ts'
import { OPERATOR_KEY, operatorSuite } from './operator-suite.ts'
import { type Door, openSocketDoor } from './support/door.ts'
import { toolLoopSuite } from './tool-loop-suite.ts'
import { wireSuite } from './wire-suite.ts'

let door: Door
beforeAll(async () => {
  door = await openSocketDoor()
})
afterAll(() => door.close())

openaiSuite(() => door)
completionsSuite(() => door)
errorSuite(() => door)
abortSuite(() => door)
aiSdkSuite(() => door)
curlSuite(() => door)
fixtureSuite(() => door)
wireSuite(() => door)
toolLoopSuite(() => door)
credentialSuite(() => door)
interfaceSuite(() => door)
operatorSuite((config) => openSocketDoor({ config }), OPERATOR_KEY)
