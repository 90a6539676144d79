import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { send } from '../management/support/http.ts'
import { openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'
import { limitSuite } from './support/limit-suite.ts'

setDefaultTimeout(SLOW_MS)

let scene: Scene
let gateway: RunningGateway
beforeAll(async () => {
  scene = await openScene({ store: 'pglite' })
  gateway = await scene.start()
})
afterAll(() => scene.close())

describe('limits that are counted in memory', () => {
  limitSuite(() => gateway)

  test('readiness says so', async () => {
    expect((await send(`${gateway.url}/readyz`)).body).toMatchObject({ ready: true, limits: 'memory' })
  })
})
