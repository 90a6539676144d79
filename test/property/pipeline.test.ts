import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Answer } from '../../src/core/bodies/answer.ts'
import { WholeBody } from '../../src/core/bodies/body.ts'
import { Call } from '../../src/core/call.ts'
import { Cancellation } from '../../src/core/cancellation.ts'
import type { Finish, Outcome } from '../../src/core/finish.ts'
import { composePipeline, type Next, NextCalledTwice, type Stage } from '../../src/core/pipeline.ts'
import { defineSlot, MissingSlot } from '../../src/core/slot.ts'
import { toGatewayError } from '../../src/errors/envelope.ts'
import { GatewayError, InvalidRequest } from '../../src/errors/gateway-error.ts'
import { endpoint } from '../support/endpoints.ts'

const createCall = (onListenerError: (error: unknown) => void = () => undefined, now: () => number = () => 0): Call =>
  new Call({
    id: 'call-1',
    endpoint: endpoint('chat'),
    route: '/v1/chat/completions',
    request: {
      method: 'POST',
      path: '/v1/chat/completions',
      search: '',
      query: new URLSearchParams(),
      params: {},
      headers: new Headers(),
      body: new WholeBody(new TextEncoder().encode('{}')),
    },
    cancellation: new Cancellation(),
    now,
    onListenerError,
  })

const answer = (status = 200): Answer => ({ status, headers: new Headers(), body: new Uint8Array() })

/** What a driver such as the door does: it finishes the call from every exit it has, and from some of them again. */
const drive = async (stages: readonly Stage[], call: Call): Promise<Answer | GatewayError> => {
  try {
    const given = await composePipeline(stages)(call)
    call.finish('completed', given.status)
    return given
  } catch (thrown) {
    const error = toGatewayError(thrown, call.id)
    call.finish('failed', error.status, error)
    return error
  } finally {
    call.finish('client_closed', 499)
  }
}

/** Where and how a stage misbehaves. */
const MISDEEDS = [
  'none',
  'throws before next',
  'throws synchronously',
  'throws after next',
  'listener throws',
  'calls next twice',
  'calls next twice at once',
  'forks without leave',
  'answers itself',
  'swallows the error',
] as const

type Misdeed = (typeof MISDEEDS)[number]

const stageOf = (misdeed: Misdeed, index: number, heard: Finish[][], isLast: boolean): Stage => {
  const listen = (call: Call): void => {
    const finishes: Finish[] = []
    heard.push(finishes)
    call.onFinish((finish) => {
      finishes.push(finish)
      if (misdeed === 'listener throws') throw new Error('a broken listener')
    })
  }
  const go: Next = isLast
    ? () => Promise.resolve(answer())
    : (call) => Promise.reject(new Error(`not wired: ${call?.id}`))
  const name = `stage-${index}`
  if (misdeed === 'throws synchronously') {
    return {
      name,
      run: (call) => {
        listen(call)
        throw new InvalidRequest('at once')
      },
    }
  }
  return {
    name,
    run: async (call, next) => {
      listen(call)
      const onward = isLast ? go : next
      if (misdeed === 'throws before next') throw new InvalidRequest('before')
      if (misdeed === 'answers itself') return answer(203)
      if (misdeed === 'forks without leave') return onward(call.fork())
      if (misdeed === 'calls next twice at once') await Promise.allSettled([onward(), onward()])
      if (misdeed === 'swallows the error') return onward().catch(() => answer(207))
      const given = await onward()
      if (misdeed === 'throws after next') throw new Error('after')
      if (misdeed === 'calls next twice') return onward()
      return given
    },
  }
}

describe('whatever a stage does', () => {
  test('every listener hears exactly one finish, and the driver always gets an answer or an error of the catalogue', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...MISDEEDS), { minLength: 1, maxLength: 7 }), async (misdeeds) => {
        const heard: Finish[][] = []
        const broken: unknown[] = []
        const stages = misdeeds.map((misdeed, index) => stageOf(misdeed, index, heard, index === misdeeds.length - 1))
        const call = createCall((error) => broken.push(error))
        const given = await drive(stages, call)
        expect(call.finished).toBe(true)
        expect(heard.length).toBeGreaterThan(0)
        for (const finishes of heard) expect(finishes.length).toBe(1)
        const [finish] = heard[0] ?? []
        const failed = given instanceof GatewayError
        expect(finish?.outcome).toBe(failed ? 'failed' : 'completed')
        expect(finish?.status).toBe(given.status)
        expect(finish?.error).toBe(failed ? given : undefined)
        // Each listener that throws is reported, and silences no other.
        const throwing = misdeeds.slice(0, heard.length).filter((misdeed) => misdeed === 'listener throws')
        expect(broken.length).toBe(throwing.length)
      }),
      { numRuns: 500 },
    )
  })

  test('the first of several exits decides what is heard', () => {
    const outcomes = fc.constantFrom<Outcome>('completed', 'failed', 'client_closed', 'truncated')
    fc.assert(
      fc.property(fc.array(fc.tuple(outcomes, fc.integer({ min: 200, max: 599 })), { minLength: 1 }), (exits) => {
        const call = createCall()
        const heard: Finish[] = []
        call.onFinish((finish) => heard.push(finish))
        for (const [outcome, status] of exits) call.finish(outcome, status)
        expect(heard.map(({ outcome, status }) => [outcome, status])).toEqual([[...(exits[0] ?? [])]])
      }),
    )
  })
})

describe('order', () => {
  test('stages run outermost first on the way in and last on the way out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), async (count) => {
        const trail: string[] = []
        const stages = Array.from(
          { length: count },
          (_, index): Stage => ({
            name: `stage-${index}`,
            run: async (_call, next) => {
              trail.push(`in ${index}`)
              const given = index === count - 1 ? answer() : await next()
              trail.push(`out ${index}`)
              return given
            },
          }),
        )
        await composePipeline(stages)(createCall())
        const indexes = Array.from({ length: count }, (_, index) => index)
        expect(trail).toEqual([
          ...indexes.map((index) => `in ${index}`),
          ...indexes.toReversed().map((index) => `out ${index}`),
        ])
      }),
    )
  })

  test('a chain serves many calls at once', async () => {
    const last: Stage = { name: 'last', run: () => Promise.resolve(answer()) }
    const first: Stage = { name: 'first', run: (_call, next) => next() }
    const pipeline = composePipeline([first, last])
    const given = await Promise.all(Array.from({ length: 20 }, () => pipeline(createCall())))
    expect(given.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  })

  test('a last stage that calls next is a fault, and so is a chain without stages', async () => {
    const last: Stage = { name: 'last', run: (_call, next) => next() }
    await expect(composePipeline([last])(createCall())).rejects.toThrow('last stage')
    await expect(composePipeline([])(createCall())).rejects.toThrow('last stage')
  })
})

describe('a stage that throws synchronously', () => {
  const hasty: Stage = {
    name: 'hasty',
    run: () => {
      throw new InvalidRequest('at once')
    },
  }

  test('gives a rejected promise, outermost and behind a plain function', async () => {
    const catching: Stage = { name: 'catching', run: (_call, next) => next().catch(() => answer(207)) }
    expect((await composePipeline([catching, hasty])(createCall())).status).toBe(207)
    let given: Promise<Answer> | undefined
    expect(() => {
      given = composePipeline([hasty])(createCall())
    }).not.toThrow()
    await expect(given).rejects.toThrow(InvalidRequest)
  })
})

describe('next', () => {
  const last: Stage = { name: 'last', run: () => Promise.resolve(answer()) }

  test('twice for the same call is a fault that names the stage entered twice', async () => {
    const twice: Stage = {
      name: 'twice',
      run: async (_call, next) => {
        await next()
        return next()
      },
    }
    await expect(composePipeline([twice, last])(createCall())).rejects.toThrow(NextCalledTwice)
    await expect(composePipeline([twice, last])(createCall())).rejects.toThrow("'last'")
  })

  test('twice at once reaches the next stage once', async () => {
    let entered = 0
    const twice: Stage = {
      name: 'twice',
      run: async (_call, next) => {
        const [one, other] = await Promise.allSettled([next(), next()])
        expect([one.status, other.status]).toEqual(['fulfilled', 'rejected'])
        return answer()
      },
    }
    const counting: Stage = {
      name: 'counting',
      run: () => {
        entered++
        return Promise.resolve(answer())
      },
    }
    await composePipeline([twice, counting])(createCall())
    expect(entered).toBe(1)
  })

  test('the same fork twice is a fault as well', async () => {
    const route: Stage = {
      name: 'route',
      attempts: true,
      run: async (call, next) => {
        const fork = call.fork()
        await next(fork)
        return next(fork)
      },
    }
    await expect(composePipeline([route, last])(createCall())).rejects.toThrow(NextCalledTwice)
  })
})

describe('forks', () => {
  const mark = defineSlot<number>('mark', 'attempt')
  const early = defineSlot<string>('early', 'config')

  test('each attempt sees what was set before it and nothing of the others, until it is adopted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.nat({ max: 5 }), async (count, chosen) => {
        const attempts: number[] = []
        const before: Stage = {
          name: 'config',
          run: (call, next) => {
            call.set(early, 'set before')
            return next()
          },
        }
        const winner = (chosen % count) + 1
        const route: Stage = {
          name: 'route',
          attempts: true,
          run: async (call, next) => {
            const forks = Array.from({ length: count }, () => call.fork())
            for (const fork of forks) {
              await next(fork)
              expect(call.find(mark)).toBeUndefined()
            }
            const used = forks[winner - 1]
            if (used !== undefined) call.adopt(used)
            return answer()
          },
        }
        const attempt: Stage = {
          name: 'attempt',
          run: (call) => {
            expect(call.get(early)).toBe('set before')
            expect(() => call.get(mark)).toThrow(MissingSlot)
            call.set(mark, call.attempt)
            attempts.push(call.attempt)
            return Promise.resolve(answer())
          },
        }
        const call = createCall()
        await composePipeline([before, route, attempt])(call)
        expect(attempts).toEqual(Array.from({ length: count }, (_, index) => index + 1))
        expect(call.get(mark)).toBe(winner)
      }),
    )
  })

  test('listeners, usage, reply headers and the end are shared by all attempts', async () => {
    let nowMs = 100
    const call = createCall(undefined, () => nowMs)
    const heard: Finish[] = []
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 }
    const route: Stage = {
      name: 'route',
      attempts: true,
      run: async (whole, next) => {
        await next(whole.fork()).catch(() => undefined)
        return next(whole.fork())
      },
    }
    const attempt: Stage = {
      name: 'attempt',
      run: async (fork) => {
        fork.onFinish((finish) => heard.push(finish))
        fork.replyHeaders.set('x-attempts', String(fork.attempt))
        if (fork.attempt === 1) throw new Error('the first attempt fails')
        fork.recordUsage({ ...usage, totalTokens: 0 })
        fork.recordUsage(usage)
        // What no call can have used is no report.
        for (const count of [1e308, -1, Number.NaN]) fork.recordUsage({ ...usage, totalTokens: count })
        nowMs = 130
        fork.markSent(5)
        nowMs = 150
        fork.markSent(5)
        return answer()
      },
    }
    await drive([route, attempt], call)
    const finish: Finish = {
      outcome: 'completed',
      status: 200,
      usage,
      lastUsage: usage,
      reachedProvider: false,
      asked: 0,
      bytesOut: 10,
      durations: {
        totalMs: 50,
        firstByteMs: 30,
        parsingMs: 0,
        beforeMs: 50,
        cacheMs: 0,
        upstreamMs: undefined,
        afterMs: undefined,
      },
    }
    expect(heard).toEqual([finish, finish])
    expect([...call.replyHeaders]).toEqual([['x-attempts', '2']])
  })

  test('only a stage declared with attempts may fork, also when one before it may', async () => {
    const route: Stage = { name: 'route', attempts: true, run: (call, next) => next(call.fork()) }
    const sly: Stage = { name: 'sly', run: async (call, next) => next(call.fork()) }
    const last: Stage = { name: 'last', run: () => Promise.resolve(answer()) }
    await expect(composePipeline([sly, last])(createCall())).rejects.toThrow('may fork')
    await expect(composePipeline([route, sly, last])(createCall())).rejects.toThrow('may fork')
    const handsOn: Stage = { name: 'route', attempts: true, run: (_call, next) => next() }
    await expect(composePipeline([handsOn, sly, last])(createCall())).rejects.toThrow('may fork')
    expect(() => createCall().fork()).toThrow('may fork')
  })

  test('a stage may go on forking after a plain stage behind it has run', async () => {
    const entered: number[] = []
    const route: Stage = {
      name: 'route',
      attempts: true,
      run: async (call, next) => {
        await next(call.fork())
        await next(call.fork())
        return next(call.fork())
      },
    }
    const last: Stage = {
      name: 'last',
      run: (call) => {
        entered.push(call.attempt)
        return Promise.resolve(answer())
      },
    }
    await composePipeline([route, last])(createCall())
    expect(entered).toEqual([1, 2, 3])
  })
})

describe('after the end', () => {
  test('a listener that comes too late is a fault', () => {
    const call = createCall()
    call.finish('completed', 200)
    expect(() => call.onFinish(() => undefined)).toThrow('after the call had finished')
  })

  test('a missing slot names itself and the stage that owed it', () => {
    const slot = defineSlot<string>('principal', 'auth')
    expect(() => createCall().get(slot)).toThrow("slot 'principal' is empty: stage 'auth'")
    expect(createCall().find(slot)).toBeUndefined()
  })

  test('a slot that holds undefined is not a missing one', () => {
    const slot = defineSlot<string | undefined>('maybe', 'config')
    const call = createCall()
    call.set(slot, undefined)
    expect(call.get(slot)).toBeUndefined()
  })
})
