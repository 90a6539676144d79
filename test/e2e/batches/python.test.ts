import { afterAll, beforeAll } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { pythonSuite } from '../clients/support/python.ts'
import { API_KEY, openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'

let scene: Scene
let gateway: RunningGateway
beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  gateway = await scene.start()
}, SLOW_MS)
afterAll(() => scene.close())

pythonSuite('official_openai_batches', () => ({ WEIR_URL: gateway.url, WEIR_KEY: API_KEY }))
