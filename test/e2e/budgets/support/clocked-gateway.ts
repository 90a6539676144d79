/**
 * `weir`, whose clock is ahead by as many milliseconds as the file `TEST_CLOCK` says, so that a test has its midnight when it is ready
 * for it. The file is read again at SIGUSR2. Durations, the database and Redis go by the real clock.
 */
import { readFileSync } from 'node:fs'

const readAhead = (): number => Number(readFileSync(process.env.TEST_CLOCK ?? '', 'utf8'))

let aheadMs = readAhead()
process.on('SIGUSR2', () => {
  aheadMs = readAhead()
})

const RealDate = Date

class Ahead extends RealDate {
  constructor(...given: [] | [value: number | string | Date]) {
    if (given.length === 0) super(Ahead.now())
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

globalThis.Date = Ahead as DateConstructor

await import('../../../../src/main.ts')
