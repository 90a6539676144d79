import { afterAll, beforeAll } from 'bun:test'
import { responsesSuite } from './responses-suite.ts'
import { type Door, openSocketDoor } from './support/door.ts'

let door: Door
beforeAll(async () => {
  door = await openSocketDoor()
})
afterAll(() => door.close())

responsesSuite(() => door)
