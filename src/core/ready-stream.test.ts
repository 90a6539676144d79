import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ByteStream } from './answer.ts'
import { LATER, type ReadyStream, readReady, readyStream, type Taken } from './ready-stream.ts'

/** What a stream gives next: a piece, its end, or the error that it breaks with. */
type Step = string | undefined | Error

const bytesOf = (step: Step): Uint8Array | undefined => {
  if (step instanceof Error) throw step
  return step === undefined ? undefined : new TextEncoder().encode(step)
}
const textOf = (piece: Uint8Array | undefined): string | undefined =>
  piece === undefined ? undefined : new TextDecoder().decode(piece)
/** Lets everything run that waits for nothing but its turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A stream that is ready when the test says so. */
class Tap implements ReadyStream {
  readonly steps: Step[] = []
  listener: (() => void) | undefined

  take(): Taken {
    return this.steps.length === 0 ? LATER : bytesOf(this.steps.shift())
  }
  whenReady(listener: () => void): void {
    this.listener = listener
  }
  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }
  cancel(): void {}

  /** What comes now; with nothing it only looks as if something did. */
  come(...steps: Step[]): void {
    this.steps.push(...steps)
    const { listener } = this
    this.listener = undefined
    listener?.()
  }
}

/** A plain stream, whose reads wait until the test lets them have their step. */
class Pump implements ByteStream {
  readonly #steps: Step[]
  #waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined
  reads = 0
  cancelled: unknown[] = []

  constructor(...steps: Step[]) {
    this.#steps = steps
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.#waiting !== undefined) throw new Error('two reads at a time')
    this.reads++
    this.#waiting = Promise.withResolvers()
    return this.#waiting.promise
  }

  cancel(reason?: unknown): void {
    this.cancelled.push(reason)
  }

  get isAsked(): boolean {
    return this.#waiting !== undefined
  }

  deliver(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    try {
      waiting?.resolve(bytesOf(this.#steps.shift()))
    } catch (thrown) {
      waiting?.reject(thrown)
    }
  }
}

describe('a read of a stream that is ready by itself', () => {
  let tap: Tap
  beforeEach(() => {
    tap = new Tap()
  })

  test('gives the piece or the end that is here, and asks for nothing', async () => {
    tap.come('a', '', undefined)
    expect(textOf(await readReady(tap))).toBe('a')
    // An empty piece is no end.
    expect(textOf(await readReady(tap))).toBe('')
    expect(await readReady(tap)).toBeUndefined()
    expect(tap.listener).toBeUndefined()
  })

  test('fails with the error that is here: it does not throw', async () => {
    tap.come(new Error('broken'))
    const reading = readReady(tap)
    await expect(reading).rejects.toThrow('broken')
    expect(tap.listener).toBeUndefined()
  })

  test.each([
    ['a piece', 'a'],
    ['an empty piece', ''],
    ['the end', undefined],
  ])('waits for %s', async (_, step) => {
    const reading = readReady(tap)
    await turn()
    expect(Bun.peek.status(reading)).toBe('pending')
    tap.come(step)
    expect(textOf(await reading)).toBe(step)
    expect(tap.listener).toBeUndefined()
  })

  test('waits for an error, which does not reach whoever calls back', async () => {
    const reading = readReady(tap)
    expect(() => tap.come(new Error('broken'))).not.toThrow()
    await expect(reading).rejects.toThrow('broken')
  })

  test('looks again, as often as it is called back for nothing', async () => {
    const reading = readReady(tap)
    for (let round = 0; round < 3; round++) {
      tap.come()
      await turn()
      expect(Bun.peek.status(reading)).toBe('pending')
    }
    tap.come('a')
    expect(textOf(await reading)).toBe('a')
  })

  test('takes one piece and leaves the rest', async () => {
    const reading = readReady(tap)
    tap.come('a', 'b')
    expect(textOf(await reading)).toBe('a')
    expect(tap.steps).toEqual(['b'])
  })
})

describe('a plain stream that is made ready', () => {
  test('is given back as it is when it is ready by itself', () => {
    const tap = new Tap()
    expect(readyStream(tap)).toBe(tap)
    const made = readyStream(new Pump())
    expect(readyStream(made)).toBe(made)
  })

  test('is not read before somebody asks, and has one read under way however many ask', async () => {
    const pump = new Pump('a', 'b')
    const stream = readyStream(pump)
    expect([stream.take(), stream.take(), pump.reads]).toEqual([LATER, LATER, 0])
    stream.whenReady(() => undefined)
    stream.whenReady(() => undefined)
    expect([stream.take(), pump.reads]).toEqual([LATER, 1])
    pump.deliver()
    await turn()
    expect(pump.reads).toBe(1)
    expect(taken(stream)).toBe('a')
    // A piece is given once, and the next is read when it is asked for.
    expect([stream.take(), pump.reads]).toEqual([LATER, 1])
  })

  test('calls back the last asker, once, and never before it is asked to the end', async () => {
    const pump = new Pump('a', 'b')
    const stream = readyStream(pump)
    const called: string[] = []
    stream.whenReady(() => called.push('first'))
    stream.whenReady(() => called.push('last'))
    pump.deliver()
    expect(called).toEqual([])
    await turn()
    expect(called).toEqual(['last'])
    expect(taken(stream)).toBe('a')
    stream.whenReady(() => called.push('next'))
    pump.deliver()
    await turn()
    expect(called).toEqual(['last', 'next'])
  })

  test('may be asked again from where it calls back', async () => {
    const pump = new Pump('a', 'b', undefined)
    const stream = readyStream(pump)
    const seen: (string | undefined)[] = []
    const look = (): void => {
      const piece = taken(stream)
      seen.push(piece)
      if (piece !== undefined) stream.whenReady(look)
    }
    stream.whenReady(look)
    while (pump.isAsked) {
      pump.deliver()
      await turn()
    }
    expect(seen).toEqual(['a', 'b', undefined])
  })

  test('throws the error of its read where it is looked at, once, and not where it calls back', async () => {
    const pump = new Pump(new Error('broken'))
    const stream = readyStream(pump)
    let calls = 0
    stream.whenReady(() => calls++)
    pump.deliver()
    await turn()
    expect(calls).toBe(1)
    expect(() => stream.take()).toThrow('broken')
    expect(stream.take()).toBe(LATER)
  })

  test('is still read piece by piece, and cancelled as often and with the reason that was said', async () => {
    const pump = new Pump('a')
    const stream = readyStream(pump)
    const reading = stream.read()
    pump.deliver()
    expect(textOf(await reading)).toBe('a')
    stream.cancel('why')
    stream.cancel()
    expect(pump.cancelled).toEqual(['why', undefined])
  })

  test('gives in any order of events what a plain reader gets', async () => {
    const endings = fc.constantFrom<Step>(undefined, new Error('broken'))
    const actions = fc.array(fc.constantFrom<Action>('take', 'ask', 'ask again', 'deliver', 'turn'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 8 }), endings, actions, async (pieces, ending, script) => {
        const plain = await wholeOf(plainReader([...pieces, ending]))
        expect(await playedBy(new Pump(...pieces, ending), script)).toEqual(plain)
        const made = readyStream(plainReader([...pieces, ending]))
        expect(await wholeOf(made)).toEqual(plain)
      }),
    )
  })
})

const taken = (stream: ReadyStream): string | undefined => {
  const piece = stream.take()
  if (piece === LATER) throw new Error('nothing is here')
  return textOf(piece)
}

const plainReader = (steps: Step[]): ByteStream => ({
  read: async () => bytesOf(steps.shift()),
  cancel: () => undefined,
})

/** All pieces of a stream, then how it ended. */
type Whole = (string | undefined)[]

const wholeOf = async (stream: ByteStream): Promise<Whole> => {
  const whole: Whole = []
  try {
    for (let piece = await stream.read(); piece !== undefined; piece = await stream.read()) whole.push(textOf(piece))
    return [...whole, undefined]
  } catch (thrown) {
    return [...whole, String(thrown)]
  }
}

type Action = 'take' | 'ask' | 'ask again' | 'deliver' | 'turn'

/** Plays the script and then what is left, and looks at each step whether the rules of a ready stream hold. */
const playedBy = async (pump: Pump, script: readonly Action[]): Promise<Whole> => {
  const stream = readyStream(pump)
  const whole: Whole = []
  let isOver = false
  let asks = 0
  let isOwed = false
  let wrongCalls = 0

  const take = (): boolean => {
    try {
      const piece = stream.take()
      if (piece === LATER) return false
      whole.push(textOf(piece))
      isOver = piece === undefined
    } catch (thrown) {
      whole.push(String(thrown))
      isOver = true
    }
    return true
  }
  const ask = (): void => {
    const asked = ++asks
    isOwed = false
    stream.whenReady(() => {
      // Too early, a second time, or not the last asker.
      if (!isOwed || asked !== asks) wrongCalls++
      isOwed = false
    })
    isOwed = true
  }
  const run = async (action: Action): Promise<void> => {
    if (action === 'take') take()
    else if (action === 'deliver') pump.deliver()
    else if (action === 'turn') await turn()
    // Only after a look that found nothing may one ask.
    else if (!take()) {
      ask()
      if (action === 'ask again') ask()
    }
    expect([wrongCalls, pump.reads <= whole.length + 1]).toEqual([0, true])
    if (action === 'turn') expect(isOwed).toBe(pump.isAsked)
  }

  const rest: Action[] = ['ask', 'deliver', 'turn', 'take']
  for (const action of script) if (!isOver) await run(action)
  while (!isOver) for (const action of rest) if (!isOver) await run(action)
  return whole
}
