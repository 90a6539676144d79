import { describe, expect, test } from 'bun:test'
import { readWorkerCount, type WorkerCount } from './worker-count.ts'

const SHARED = { DATABASE_URL: 'postgres://db/weir' }

const count = (flag: string | undefined, env: Readonly<Record<string, string>> = SHARED, cores = 4): WorkerCount =>
  readWorkerCount({ flag, env, cores: () => cores, system: 'linux' })

describe('how many workers', () => {
  test('one, unless the flag or the variable says more; the flag wins', () => {
    expect(count(undefined)).toEqual({ count: 1 })
    expect(count(undefined, { ...SHARED, WEIR_WORKERS: '' })).toEqual({ count: 1 })
    expect(count(undefined, { ...SHARED, WEIR_WORKERS: '3' })).toEqual({ count: 3 })
    expect(count('2', { ...SHARED, WEIR_WORKERS: '3' })).toEqual({ count: 2 })
    expect(count('256')).toEqual({ count: 256 })
  })

  test('auto: one for each core', () => {
    expect(count('auto')).toEqual({ count: 4 })
    expect(count('auto', SHARED, 1)).toEqual({ count: 1 })
  })

  test.each(['0', '-1', 'many', '257', '1000', '1.5', '2 ', '', '0x2', '١'])('%p is refused by name', (text) => {
    expect(() => count(text)).toThrow(`--workers is '${text}': it must be a number from 1 to 256, or auto`)
    if (text === '') return
    expect(() => count(undefined, { ...SHARED, WEIR_WORKERS: text })).toThrow(
      `WEIR_WORKERS is '${text}': it must be a number from 1 to 256, or auto`,
    )
  })

  test('the embedded database has room for one: more are refused, and auto says why there are no more', () => {
    expect(() => count('2', {})).toThrow(/^--workers is 2: the embedded database .*DATABASE_URL/)
    expect(() => count(undefined, { WEIR_WORKERS: '2' })).toThrow(/^WEIR_WORKERS is 2: the embedded database/)
    expect(count('1', {})).toEqual({ count: 1 })
    expect(count('auto', {})).toEqual({ count: 1, reason: expect.stringContaining('set DATABASE_URL') })
  })

  test('a data plane is told to come in more data planes', () => {
    const env = { WEIR_CONTROL_PLANE: 'https://control.example' }
    expect(() => count('2', env)).toThrow('--workers is 2: a data plane (WEIR_CONTROL_PLANE) has one worker')
  })

  test('another system than Linux has no port that several share', () => {
    const elsewhere = { flag: '2', env: SHARED, system: 'darwin' }
    expect(() => readWorkerCount(elsewhere)).toThrow('--workers is 2: several workers share a port on Linux alone')
  })
})
