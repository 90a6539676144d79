import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Pipe, type PipeMachine, type PipeOut } from './pipe.ts'
import { fromPieces, LATER, nextPiece, type ReadyStream, type Taken } from './ready-stream.ts'

type Step = string | undefined | Error

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (piece: Uint8Array | undefined): string | undefined =>
  piece === undefined ? undefined : new TextDecoder().decode(piece)

/** A source that gives what the test lets come. */
class Tap implements ReadyStream {
  readonly steps: Step[] = []
  taken = 0
  cancels = 0
  #listener: (() => void) | undefined

  constructor(...steps: Step[]) {
    this.steps.push(...steps)
  }

  take(): Taken {
    if (this.steps.length === 0) return LATER
    this.taken++
    const step = this.steps.shift()
    if (step instanceof Error) throw step
    return step === undefined ? undefined : bytesOf(step)
  }
  whenReady(listener: () => void): void {
    this.#listener = listener
  }
  cancel(): void {
    this.cancels++
  }

  come(...steps: Step[]): void {
    this.steps.push(...steps)
    const listener = this.#listener
    this.#listener = undefined
    listener?.()
  }
}

/** What a look gives: the text, `end`, `later`, or the message of the error. */
const look = (stream: ReadyStream): string => {
  try {
    const piece = stream.take()
    return piece === LATER ? 'later' : (textOf(piece) ?? 'end')
  } catch (thrown) {
    return `thrown: ${thrown instanceof Error ? thrown.message : thrown}`
  }
}
const looks = (stream: ReadyStream, count: number): string[] => Array.from({ length: count }, () => look(stream))

const CUT = new Error('cut')
const LOUD: PipeMachine = { push: (piece, out) => out.write(bytesOf((textOf(piece) ?? '').toUpperCase())) }

describe('a pipe', () => {
  test('hands on what its machine makes of each piece, and reads nothing before it is asked', () => {
    const tap = new Tap('a', 'b', undefined)
    const pipe = new Pipe(tap, LOUD)
    expect(tap.taken).toBe(0)
    expect([look(pipe), tap.taken]).toEqual(['A', 1])
    expect(looks(pipe, 3)).toEqual(['B', 'end', 'end'])
    expect(tap.taken).toBe(3)
  })

  test('may hold back, give several for one, and owe something at the end', () => {
    const held: Uint8Array[] = []
    const pipe = new Pipe(new Tap('a', 'b', 'c', undefined), {
      push: (piece, out) => {
        if (held.push(piece) === 2) for (const each of held.splice(0)) out.write(each)
      },
      end: (out) => {
        for (const each of held) out.write(each)
      },
    })
    expect(looks(pipe, 4)).toEqual(['a', 'b', 'c', 'end'])
  })

  test('waits while its source does, and calls back whoever asked last', () => {
    const tap = new Tap()
    const pipe = new Pipe(tap, LOUD)
    const called: string[] = []
    expect(look(pipe)).toBe('later')
    pipe.whenReady(() => called.push('first'))
    pipe.whenReady(() => called.push('last'))
    tap.come('a')
    expect([called, looks(pipe, 2)]).toEqual([['last'], ['A', 'later']])
  })

  test('fails with its source, and stays failed', () => {
    expect(looks(new Pipe(new Tap('a', CUT), LOUD), 3)).toEqual(['A', 'thrown: cut', 'thrown: cut'])
  })

  test('a machine that fails is heard once all that it wrote before is taken', () => {
    const machine: PipeMachine = {
      push: (piece, out) => {
        out.write(piece)
        throw CUT
      },
    }
    expect(looks(new Pipe(new Tap('a', 'b'), machine), 3)).toEqual(['a', 'thrown: cut', 'thrown: cut'])
    const owing: PipeMachine = { ...LOUD, end: (out) => machine.push(bytesOf('owed'), out) }
    expect(looks(new Pipe(new Tap(undefined), owing), 3)).toEqual(['owed', 'thrown: cut', 'thrown: cut'])
  })

  test('a failure may be told in other words, or be taken for the end', () => {
    const renaming: PipeMachine = {
      ...LOUD,
      fail: () => {
        throw new Error('renamed')
      },
    }
    expect(looks(new Pipe(new Tap('a', CUT), renaming), 2)).toEqual(['A', 'thrown: renamed'])
    const forgiving: PipeMachine = { ...LOUD, fail: () => undefined, end: (out) => out.write(bytesOf('owed')) }
    expect(looks(new Pipe(new Tap('a', CUT), forgiving), 3)).toEqual(['A', 'owed', 'end'])
  })

  test.each(['at its begin', 'with a piece in hand', 'at its end'])('that is cancelled %s gives no more', (when) => {
    const tap = new Tap('a', 'b', undefined)
    const pipe = new Pipe(tap, {
      push: (piece, out) => {
        for (const each of [piece, piece]) out.write(each)
      },
    })
    looks(pipe, when === 'at its begin' ? 0 : when === 'at its end' ? 5 : 1)
    pipe.cancel()
    pipe.cancel()
    expect([look(pipe), tap.cancels]).toEqual(['end', 2])
  })

  test('gives whatever comes whenever in order and whole', async () => {
    const steps = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.boolean()), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(4), async (plan, layers) => {
        const tap = new Tap()
        let stream: ReadyStream = tap
        for (let layer = 0; layer < layers; layer++) stream = new Pipe(stream)
        let text = ''
        const reading = (async () => {
          for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) {
            text += textOf(piece)
          }
        })()
        for (const [piece, isLater] of plan) {
          if (isLater) await new Promise((resolve) => setImmediate(resolve))
          tap.come(piece)
        }
        tap.come(undefined)
        await reading
        expect(text).toBe(plan.map(([piece]) => piece).join(''))
      }),
    )
  })
})

describe('a machine that closes', () => {
  const closing: PipeMachine = {
    push: (piece, out) => {
      out.write(piece)
      out.close()
    },
  }

  test('ends the stream; the end of the source is read along, so that its connection can be used again', () => {
    const tap = new Tap('a', undefined)
    expect([looks(new Pipe(tap, closing), 2), tap.taken]).toEqual([['a', 'end'], 2])
    const late = new Tap('a')
    expect([looks(new Pipe(late, closing), 2), late.taken, late.cancels]).toEqual([['a', 'end'], 1, 0])
    late.come(undefined)
    expect([late.taken, late.cancels]).toEqual([2, 1])
  })

  test('a source that breaks then takes nothing away, and one that says more is given up', () => {
    for (const step of [CUT, 'more']) {
      const tap = new Tap('a', step)
      expect([looks(new Pipe(tap, closing), 2), tap.cancels]).toEqual([['a', 'end'], 1])
    }
  })

  test('hears whether the end was here', () => {
    const heard: boolean[] = []
    const hearing: PipeMachine = { push: (_, out) => heard.push(out.close()) }
    for (const tap of [new Tap('a', undefined), new Tap('a', CUT), new Tap('a', 'b'), new Tap('a')]) {
      look(new Pipe(tap, hearing))
    }
    expect(heard).toEqual([true, true, true, false])
  })
})

describe('a source that is given up', () => {
  test('has come to its end: what is owed follows', () => {
    const tap = new Tap('a')
    const pipe = new Pipe(tap, { push: (piece, out) => out.write(piece), end: (out) => out.write(bytesOf('owed')) })
    let calls = 0
    expect(looks(pipe, 2)).toEqual(['a', 'later'])
    pipe.whenReady(() => calls++)
    pipe.giveUp()
    expect([calls, tap.cancels, looks(pipe, 3)]).toEqual([1, 1, ['owed', 'end', 'end']])
    // Nobody is called back twice.
    tap.come('b')
    expect([calls, tap.taken]).toEqual([1, 1])
  })

  test('or has failed, after what was written', () => {
    const tap = new Tap('a')
    const pipe = new Pipe(tap, { push: (piece, out) => [piece, piece].forEach(out.write, out) })
    expect(look(pipe)).toBe('a')
    pipe.giveUp(CUT)
    expect([tap.cancels, looks(pipe, 3)]).toEqual([1, ['a', 'thrown: cut', 'thrown: cut']])
  })

  test('is also cancelled when it is still to come', async () => {
    const tap = new Tap('a')
    const pipe = new Pipe(Promise.resolve(tap))
    pipe.giveUp()
    await Promise.resolve()
    expect([look(pipe), tap.cancels]).toEqual(['end', 1])
  })
})

describe('a machine that goes on from another source', () => {
  const goOn = (next: ReadyStream | Promise<ReadyStream>): PipeMachine => ({
    push: (piece, out) => out.write(piece),
    fail: (_, out) => out.readFrom(next),
    end: (out) => out.write(bytesOf('owed')),
  })

  test('reads from there at once', () => {
    expect(looks(new Pipe(new Tap('a', CUT), goOn(new Tap('b', undefined))), 4)).toEqual(['a', 'b', 'owed', 'end'])
  })

  test('or waits for it, and calls back when it is here', async () => {
    const next = Promise.withResolvers<ReadyStream>()
    const pipe = new Pipe(new Tap('a', CUT), goOn(next.promise))
    expect(looks(pipe, 2)).toEqual(['a', 'later'])
    const ready = new Promise<void>((resolve) => pipe.whenReady(resolve))
    next.resolve(new Tap('b', undefined))
    await ready
    expect(looks(pipe, 3)).toEqual(['b', 'owed', 'end'])
  })

  test('and tells of what is written while it waits', async () => {
    let later: PipeOut | undefined
    const waits: PipeMachine = {
      push: () => undefined,
      end: (out) => {
        later = out
        out.readFrom(new Promise(() => undefined))
      },
    }
    const pipe = new Pipe(new Tap(undefined), waits)
    const waiting = nextPiece(pipe)
    later?.write(bytesOf('meanwhile'))
    expect(textOf(await waiting)).toBe('meanwhile')
  })

  test('fails with what the other one fails with before it is here', async () => {
    const pipe = new Pipe(Promise.reject(CUT))
    await expect(nextPiece(pipe)).rejects.toBe(CUT)
  })

  test('gives it up when it comes after the client has left', async () => {
    const next = Promise.withResolvers<ReadyStream>()
    const tap = new Tap('b')
    const pipe = new Pipe(next.promise)
    const waiting = nextPiece(pipe)
    pipe.cancel()
    next.resolve(tap)
    expect([await waiting, tap.cancels, tap.taken]).toEqual([undefined, 1, 0])
    const gone = new Pipe(Promise.reject(CUT))
    gone.cancel()
    await Promise.resolve()
    expect(look(gone)).toBe('end')
  })
})

describe('a machine that owes what is still to come', () => {
  const owing = (rest: Promise<ReadyStream>): PipeMachine => {
    let isOwed = true
    return {
      push: (piece, out) => out.write(piece),
      end: (out) => {
        if (isOwed) out.readFrom(rest)
        isOwed = false
      },
    }
  }

  test('reads on from there, and ends once', async () => {
    const rest = Promise.withResolvers<ReadyStream>()
    const pipe = new Pipe(new Tap('a', undefined), owing(rest.promise))
    expect(looks(pipe, 2)).toEqual(['a', 'later'])
    const waiting = nextPiece(pipe)
    rest.resolve(fromPieces([bytesOf('b')]))
    expect([textOf(await waiting), ...looks(pipe, 2)]).toEqual(['b', 'end', 'end'])
  })

  test('fails with it', async () => {
    const pipe = new Pipe(new Tap(undefined), owing(Promise.reject(CUT)))
    await expect(nextPiece(pipe)).rejects.toBe(CUT)
  })

  test('is over where the client has left before', async () => {
    const rest = Promise.withResolvers<ReadyStream>()
    const pipe = new Pipe(new Tap(undefined), owing(rest.promise))
    expect(look(pipe)).toBe('later')
    pipe.cancel()
    rest.resolve(fromPieces([bytesOf('b')]))
    await rest.promise
    expect(look(pipe)).toBe('end')
  })
})

describe('a pipe that is begun', () => {
  const untilThree: PipeMachine = {
    push: (piece, out) => {
      held.push(piece)
      if (held.length >= 3) for (const each of held.splice(0)) out.write(each)
    },
  }
  let held: Uint8Array[] = []

  test('has read as far as it takes to have something', async () => {
    held = []
    const tap = new Tap('a')
    const pipe = new Pipe(tap, untilThree)
    const begun = pipe.begin()
    tap.come('b', 'c', 'd')
    await begun
    expect([tap.taken, looks(pipe, 3)]).toEqual([3, ['a', 'b', 'c']])
  })

  test('may be at its end, and tells what it failed with', async () => {
    await new Pipe(fromPieces([])).begin()
    held = []
    await expect(new Pipe(new Tap('a', CUT), untilThree).begin()).rejects.toBe(CUT)
    await new Pipe(new Tap('a', CUT)).begin()
  })

  test('begins with what is put in meanwhile, and loses nothing', async () => {
    held = []
    const tap = new Tap('a')
    const pipe = new Pipe(tap, untilThree)
    const begun = pipe.begin()
    pipe.write(bytesOf('first'))
    pipe.wake()
    await begun
    tap.come('b', 'c', undefined)
    expect(looks(pipe, 5)).toEqual(['first', 'a', 'b', 'c', 'end'])
  })
})
