import { afterAll, beforeAll } from 'bun:test'
import { fixtureSuite } from './fixture-suite.ts'
import { type Door, openSocketDoor } from './support/door.ts'
import { COMPATIBLE_PROVIDERS } from './support/wire-upstream.ts'

let door: Door
beforeAll(async () => {
  door = await openSocketDoor()
})
afterAll(() => door.close())

fixtureSuite(() => door, COMPATIBLE_PROVIDERS)
