import { afterAll, beforeAll } from 'bun:test'
import { STREAM_FAULTS } from '../../../support/fault-server/faults.ts'
import { describeMatrix } from './support/matrix.ts'
import { type Scene, startScene } from './support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

describeMatrix(true, STREAM_FAULTS, () => scene)
