import { afterAll, beforeAll } from 'bun:test'
import { SLOW_MS } from '../management/support/scene.ts'
import { counterpart2023Suite } from './counterpart-2023-suite.ts'
import { counterpartPeopleSuite } from './counterpart-people-suite.ts'
import { counterpartTodaySuite } from './counterpart-today-suite.ts'
import { type CounterpartScene, openCounterpartScene } from './support/counterpart.ts'

let opened: CounterpartScene
beforeAll(async () => {
  opened = await openCounterpartScene()
}, SLOW_MS)
afterAll(() => opened.close())

counterpartTodaySuite(() => opened)
counterpart2023Suite(() => opened)
counterpartPeopleSuite(() => opened)
