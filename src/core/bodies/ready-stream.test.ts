import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  fromPieces,
  fromReader,
  LATER,
  nextPiece,
  type PieceReader,
  type ReadyStream,
  type Taken,
} from './ready-stream.ts'

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
  cancel(): void {}

  /** What comes now; with nothing it only looks as if something did. */
  come(...steps: Step[]): void {
    this.steps.push(...steps)
    const { listener } = this
    this.listener = undefined
    listener?.()
  }
}

/** A reader whose reads wait until the test lets them have their step. */
class Pump implements PieceReader {
  readonly #steps: Step[]
  #waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined
  reads = 0
  cancels = 0

  constructor(...steps: Step[]) {
    this.#steps = steps
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.#waiting !== undefined) throw new Error('two reads at a time')
    this.reads++
    this.#waiting = Promise.withResolvers()
    return this.#waiting.promise
  }

  cancel(): void {
    this.cancels++
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
    expect(textOf(await nextPiece(tap))).toBe('a')
    // An empty piece is no end.
    expect(textOf(await nextPiece(tap))).toBe('')
    expect(await nextPiece(tap)).toBeUndefined()
    expect(tap.listener).toBeUndefined()
  })

  test('fails with the error that is here: it does not throw', async () => {
    tap.come(new Error('broken'))
    const reading = nextPiece(tap)
    await expect(reading).rejects.toThrow('broken')
    expect(tap.listener).toBeUndefined()
  })

  test.each([
    ['a piece', 'a'],
    ['an empty piece', ''],
    ['the end', undefined],
  ])('waits for %s', async (_, step) => {
    const reading = nextPiece(tap)
    await turn()
    expect(Bun.peek.status(reading)).toBe('pending')
    tap.come(step)
    expect(textOf(await reading)).toBe(step)
    expect(tap.listener).toBeUndefined()
  })

  test('waits for an error, which does not reach whoever calls back', async () => {
    const reading = nextPiece(tap)
    expect(() => tap.come(new Error('broken'))).not.toThrow()
    await expect(reading).rejects.toThrow('broken')
  })

  test('looks again, as often as it is called back for nothing', async () => {
    const reading = nextPiece(tap)
    for (let round = 0; round < 3; round++) {
      tap.come()
      await turn()
      expect(Bun.peek.status(reading)).toBe('pending')
    }
    tap.come('a')
    expect(textOf(await reading)).toBe('a')
  })

  test('takes one piece and leaves the rest', async () => {
    const reading = nextPiece(tap)
    tap.come('a', 'b')
    expect(textOf(await reading)).toBe('a')
    expect(tap.steps).toEqual(['b'])
  })
})

describe('a stream of what is read by promises', () => {
  test('is not read before somebody asks, and has one read under way however many ask', async () => {
    const pump = new Pump('a', 'b')
    const stream = fromReader(pump)
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
    const stream = fromReader(pump)
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
    const stream = fromReader(pump)
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
    const stream = fromReader(pump)
    let calls = 0
    stream.whenReady(() => calls++)
    pump.deliver()
    await turn()
    expect(calls).toBe(1)
    expect(() => stream.take()).toThrow('broken')
    expect(stream.take()).toBe(LATER)
  })

  test('is cancelled as often as was said', () => {
    const pump = new Pump('a')
    const stream = fromReader(pump)
    stream.cancel()
    stream.cancel()
    expect(pump.cancels).toBe(2)
  })

  test('gives in any order of events what a plain reader gets', async () => {
    const endings = fc.constantFrom<Step>(undefined, new Error('broken'))
    const actions = fc.array(fc.constantFrom<Action>('take', 'ask', 'ask again', 'deliver', 'turn'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 8 }), endings, actions, async (pieces, ending, script) => {
        const plain = [...pieces, ending instanceof Error ? String(ending) : ending]
        expect(await playedBy(new Pump(...pieces, ending), script)).toEqual(plain)
        const steps = [...pieces, ending]
        const made = fromReader({ read: async () => bytesOf(steps.shift()), cancel: () => undefined })
        expect(await wholeOf(made)).toEqual(plain)
      }),
    )
  })
})

describe('a stream of pieces that are here', () => {
  test('gives each as it is taken, then its end, and no more once it is cancelled', () => {
    let made = 0
    function* pieces(): Iterable<Uint8Array> {
      for (; made < 3; made++) yield new TextEncoder().encode(String(made))
    }
    const stream = fromPieces(pieces())
    expect([taken(stream), made]).toEqual(['0', 0])
    expect(taken(stream)).toBe('1')
    stream.cancel()
    stream.cancel()
    expect([taken(stream), made]).toEqual([undefined, 1])
    const [only] = [new Uint8Array([1])]
    const whole = fromPieces([only])
    expect([whole.take(), whole.take(), whole.take()]).toEqual([only, undefined, undefined])
  })
})

const taken = (stream: ReadyStream): string | undefined => {
  const piece = stream.take()
  if (piece === LATER) throw new Error('nothing is here')
  return textOf(piece)
}

/** All pieces of a stream, then how it ended. */
type Whole = (string | undefined)[]

const wholeOf = async (stream: ReadyStream): Promise<Whole> => {
  const whole: Whole = []
  try {
    for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream))
      whole.push(textOf(piece))
    return [...whole, undefined]
  } catch (thrown) {
    return [...whole, String(thrown)]
  }
}

type Action = 'take' | 'ask' | 'ask again' | 'deliver' | 'turn'

/** Plays the script and then what is left, and looks at each step whether the rules of a ready stream hold. */
const playedBy = async (pump: Pump, script: readonly Action[]): Promise<Whole> => {
  const stream = fromReader(pump)
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
