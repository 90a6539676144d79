import { describe, expect, test } from 'bun:test'
import {
  fromReader,
  isRecord,
  nextPiece,
  Pipe,
  type ReadyStream,
  type SseEvent,
  StreamTruncated,
  UpstreamError,
  UpstreamInvalid,
  type Usage,
} from '#kit'
import type { Amendment, StreamMachine } from '#kit/provider'
import { AnswerMeter } from './answer-meter.ts'
import { TranslatedMachine, type TranslatedOptions } from './translated.ts'
import { UntranslatedMachine, type UntranslatedOptions } from './untranslated.ts'
import { WatchedMachine, type WatchedOptions } from './watched.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A provider's stream of these pieces; an Error among them is thrown at its turn, 'silence' never comes. */
const source = (...pieces: readonly (string | Error)[]) => {
  const left = [...pieces]
  const state = { cancelled: 0, reads: 0 }
  const stream = fromReader({
    read() {
      state.reads++
      const piece = left.shift()
      if (piece instanceof Error) return Promise.reject(piece)
      if (piece === 'silence') return new Promise(() => undefined)
      return Promise.resolve(piece === undefined ? undefined : encoder.encode(piece))
    },
    cancel() {
      state.cancelled++
    },
  })
  return { stream, state }
}

/** All that can be read, and what the stream ended with. */
const readAll = async (stream: ReadyStream): Promise<{ readonly pieces: string[]; readonly failure: unknown }> => {
  const pieces: string[] = []
  try {
    for (let bytes = await nextPiece(stream); bytes !== undefined; bytes = await nextPiece(stream)) {
      pieces.push(decoder.decode(bytes))
    }
  } catch (failure) {
    return { pieces, failure }
  }
  return { pieces, failure: undefined }
}

const DONE = 'data: [DONE]\n\n'
const text = (content: string): string =>
  `data: {"choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]}\n\n`
const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}\n\n'

const translatedBy = (machine: StreamMachine<object>, options: Partial<TranslatedOptions> = {}): TranslatedMachine =>
  new TranslatedMachine({ machine, onUsage: () => undefined, meter: new AnswerMeter(), ...options })

describe('a stream that is not translated', () => {
  const pass = async (
    pieces: readonly (string | Error)[],
    options: Partial<Pick<UntranslatedOptions, 'includeUsage' | 'choices' | 'amendment' | 'onSkipped'>> = {},
  ) => {
    const usages: Usage[] = []
    const { stream, state } = source(...pieces)
    const passing = new Pipe(
      stream,
      new UntranslatedMachine({
        includeUsage: options.includeUsage ?? false,
        choices: options.choices ?? 1,
        amendment: options.amendment,
        meter: new AnswerMeter(),
        onUsage: (usage) => usages.push(usage),
        toError: (body) => new UpstreamError(`said ${JSON.stringify(body)}`),
        onSkipped: options.onSkipped,
      }),
    )
    const { pieces: read, failure } = await readAll(passing)
    return { text: read.join(''), read, failure, usages, state }
  }

  describe('of a host that is nearly of the format', () => {
    const read: unknown[] = []
    const amendment: Amendment = {
      fields: ['thought', 'fault'],
      amend: (body) => {
        read.push(body)
        if (body.fault !== undefined) throw new UpstreamError('it broke')
        return body.thought === 'new' ? { choices: body.choices, said: true } : body
      },
    }
    const event = (rest: string): string => `data: {"choices":[{"index":0,"delta":{"content":"a"}}]${rest}}\n\n`

    test('reads only the events that give one of the fields a value, and rewrites those that change', async () => {
      read.length = 0
      const kept = [text('\\"thought\\": 1'), event(', "thought" : null'), event(',"thought" :  "old"  ')]
      const { text: sent, failure } = await pass([...kept, event(',"thought":"new"'), FINISH, DONE], { amendment })
      expect(failure).toBeUndefined()
      expect(sent).toBe([...kept, event(',"said":true'), FINISH, DONE].join(''))
      expect(read).toHaveLength(2)
    })

    test('hands out what came before an event that says the answer failed', async () => {
      const { text: sent, failure } = await pass([`${text('a')}${event(',"fault":1')}`, FINISH, DONE], { amendment })
      expect(sent).toBe(text('a'))
      expect(failure).toBeInstanceOf(UpstreamError)
    })
  })

  test('keeps the line feed that comes alone behind its end marker, and nothing after it', async () => {
    const finish = FINISH.replaceAll('\n', '\r\n')
    expect((await pass([finish, 'data: [DONE]\r\n\r', '\n'])).text).toBe(`${finish}data: [DONE]\r\n\r\n`)
    expect((await pass([finish, 'data: [DONE]\r\r', 'data: more\r\r'])).text).toBe(`${finish}data: [DONE]\r\r`)
    expect((await pass([finish, 'data: [DONE]\r\r'])).text).toBe(`${finish}data: [DONE]\r\r`)
  })

  test('goes on byte by byte, odd spacing, comments and unknown fields included', async () => {
    const odd = ': ping\n\nid: 7\ndata:{"choices" : [ {"delta":{"content":"ä\\u00e4"}, "their_own":1e400 } ]}\r\n\r\n'
    const { text: all, failure } = await pass([odd, FINISH, DONE])
    expect([all, failure]).toEqual([odd + FINISH + DONE, undefined])
  })

  test('waits for whole events, wherever the network cuts them', async () => {
    const whole = text('a') + text('b') + FINISH + DONE
    const { read } = await pass([...whole])
    expect(read).toEqual([text('a'), text('b'), FINISH, DONE])
  })

  test('reports usage and keeps the usage chunk from a client that did not ask for it', async () => {
    const chunks = [text('a'), FINISH, USAGE, DONE]
    const hidden = await pass(chunks)
    expect(hidden.text).toBe(text('a') + FINISH + DONE)
    expect(hidden.usages).toEqual([{ inputTokens: 3, outputTokens: 4, totalTokens: 7 }])
    const asked = await pass(chunks, { includeUsage: true })
    expect(asked.text).toBe(chunks.join(''))
    expect(asked.usages).toEqual(hidden.usages)
  })

  test('keeps a chunk that holds usage beside content', async () => {
    const both = FINISH.replace('}\n\n', ',"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n')
    const { text: all, usages } = await pass([both, DONE])
    expect(all).toBe(both + DONE)
    expect(usages).toEqual([{ inputTokens: 1, outputTokens: 1, totalTokens: 2 }])
  })

  test('that breaks off is never taken for a whole one', async () => {
    const { text: all, failure } = await pass([text('a')])
    expect(all).toBe(text('a'))
    expect(failure).toBeInstanceOf(StreamTruncated)
    expect((await pass([text('a'), FINISH], { choices: 2 })).failure).toBeInstanceOf(StreamTruncated)
    expect((await pass([])).failure).toBeInstanceOf(StreamTruncated)
    expect((await pass([text('a'), FINISH.slice(0, -8)])).failure).toBeInstanceOf(StreamTruncated)
  })

  test('an empty finish reason ends nothing', async () => {
    const empty = text('a').replace('"finish_reason":null', '"finish_reason":""')
    expect((await pass([empty])).failure).toBeInstanceOf(StreamTruncated)
    expect((await pass([empty, FINISH, DONE])).failure).toBeUndefined()
  })

  test('usage counts as it is amended', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 5, total_tokens: 6 }
    const amendment: Amendment = { fields: ['usage'], amend: (body) => ({ ...body, usage }) }
    const { usages } = await pass([FINISH, USAGE, DONE], { amendment })
    expect(usages).toEqual([{ inputTokens: 1, outputTokens: 5, totalTokens: 6 }])
  })

  test('the words finish_reason in a text end nothing', async () => {
    const sly = text('\\"finish_reason\\":\\"stop\\"')
    expect((await pass([sly])).failure).toBeInstanceOf(StreamTruncated)
    expect((await pass([text('[DONE]')])).failure).toBeInstanceOf(StreamTruncated)
  })

  test('of texts ends when the last of its choices has, and its text is counted', async () => {
    const piece = (index: number, said: string, finish: string | null = null): string =>
      `data: ${JSON.stringify({ object: 'text_completion', choices: [{ text: said, index, finish_reason: finish }] })}\n\n`
    const pieces = [piece(0, ' a'), piece(1, ' b'), piece(0, ' c', 'stop'), piece(1, '"text"', 'length')]
    const meter = new AnswerMeter()
    const passing = new UntranslatedMachine({
      includeUsage: false,
      choices: 2,
      meter,
      onUsage: () => undefined,
      toError: (body) => body,
    })
    expect((await readAll(new Pipe(source(...pieces).stream, passing))).pieces.join('')).toBe(pieces.join('') + DONE)
    expect([meter.outputTokens, passing.complete]).toEqual([4, true])
    const [first = '', second = '', third = ''] = pieces
    expect((await pass([first, second, third], { choices: 2 })).failure).toBeInstanceOf(StreamTruncated)
  })

  test('that only lacks its end marker gets one', async () => {
    const { text: all, failure } = await pass([text('a'), FINISH])
    expect([all, failure]).toEqual([text('a') + FINISH + DONE, undefined])
  })

  test('an end marker without its empty line counts', async () => {
    const { text: all, failure } = await pass([FINISH, 'data: [DONE]'])
    expect([all, failure]).toEqual([FINISH + DONE, undefined])
  })

  test('an error event becomes the error; what came before it is handed out first', async () => {
    const error = 'data: {"error":{"message":"overloaded"}}\n\n'
    const first = await pass([error])
    expect([first.text, first.failure]).toEqual(['', new UpstreamError('said {"error":{"message":"overloaded"}}')])
    const later = await pass([text('a') + error, text('b')])
    expect(later.text).toBe(text('a'))
    expect(later.failure).toBeInstanceOf(UpstreamError)
  })

  test('a chunk with a field `error` that is null is none', async () => {
    const chunk = text('a').replace('}\n\n', ',"error":null}\n\n')
    expect(await pass([chunk, FINISH, DONE])).toMatchObject({ text: chunk + FINISH + DONE, failure: undefined })
  })

  test('comments before the first event are held back, so that its error still gets a status', async () => {
    const { read } = await pass([': a\n\n', ': b\n\n', text('a'), FINISH, DONE])
    expect(read[0]).toBe(`: a\n\n: b\n\n${text('a')}`)
  })

  test('what the connection throws comes through, and nothing is read after the end', async () => {
    const broken = new UpstreamError('the connection broke')
    expect((await pass([text('a'), broken])).failure).toBe(broken)
    const { failure, state } = await pass([FINISH + DONE, text('late')])
    expect(failure).toBeUndefined()
    expect(state.reads).toBeLessThanOrEqual(2)
  })

  test('a connection that breaks once the answer is complete takes nothing away', async () => {
    const { text: all, failure } = await pass([text('a') + FINISH, new UpstreamError('reset')])
    expect([all, failure]).toEqual([text('a') + FINISH + DONE, undefined])
  })

  test.each([
    ['cut', '{"choices":[{"index":0,"del'],
    ['two in one', '{"choices":[]}{"choices":[]}'],
    ['no JSON at all', 'oops "delta"'],
    ['no JSON beside usage', '{"usage":{"prompt_tokens":1'],
  ])('an event that is not JSON is a failure: %s', async (_name, data) => {
    const { text: all, failure } = await pass([text('a'), `data: ${data}\n\n`, FINISH, DONE])
    expect(all).toBe(text('a'))
    expect(failure).toBeInstanceOf(UpstreamInvalid)
  })

  describe('with one malformed event', () => {
    const BAD = 'data: {"choices":[{"index":0,"delta":{"finish_reason":"stop","usage":1\n\n'
    const skip = async (pieces: readonly (string | Error)[], choices = 1) => {
      let skipped = 0
      const result = await pass(pieces, { choices, onSkipped: () => skipped++ })
      return { ...result, skipped }
    }

    test.each([
      ['in one piece', [text('a') + BAD + text('b') + FINISH + DONE]],
      ['in pieces', [text('a'), BAD.slice(0, 20), BAD.slice(20), text('b'), FINISH, DONE]],
      ['as the first event', [BAD, text('a'), text('b'), FINISH, DONE]],
    ])('goes on when the next one is sound: %s', async (_name, pieces) => {
      expect(await skip(pieces)).toMatchObject({
        text: text('a') + text('b') + FINISH + DONE,
        failure: undefined,
        skipped: 1,
      })
    })

    test('goes on after each that stands alone', async () => {
      const { failure, skipped } = await skip([BAD, text('a'), BAD, text('b'), FINISH, DONE])
      expect([failure, skipped]).toEqual([undefined, 2])
    })

    test.each([
      ['a second one', [text('a'), BAD, BAD, FINISH, DONE]],
      ['a second one, with a comment or nothing between them', [text('a'), BAD, ': ping\n\n', 'data:\n\n', BAD, DONE]],
      ['its end', [text('a'), BAD]],
      ['nothing but the end marker', [text('a'), BAD, DONE]],
    ])('breaks when what follows is %s', async (_name, pieces) => {
      const { text: all, failure, skipped } = await skip(pieces)
      expect(all.startsWith(text('a'))).toBe(true)
      expect(all).not.toContain('[DONE]')
      expect([failure, skipped]).toEqual([expect.any(UpstreamInvalid), 0])
    })

    test('is whole when it had finished before', async () => {
      expect(await skip([text('a'), FINISH, BAD])).toMatchObject({
        text: text('a') + FINISH + DONE,
        failure: undefined,
      })
    })
  })

  test('data over several lines, or empty, is fine, however deep its JSON', async () => {
    const deep = `{"choices":[],"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const odd = `data: {\ndata: "choices": []}\n\ndata:\n\ndata: ${deep}\n\n`
    expect(await pass([odd, FINISH, DONE])).toMatchObject({ text: odd + FINISH + DONE, failure: undefined })
  })

  test('a client that leaves cancels the provider', async () => {
    const { stream, state } = source(text('a'), text('b'))
    const passing = new Pipe(
      stream,
      new UntranslatedMachine({
        includeUsage: false,
        choices: 1,
        meter: new AnswerMeter(),
        onUsage: () => undefined,
        toError: (body) => body,
      }),
    )
    await nextPiece(passing)
    passing.cancel()
    expect(state.cancelled).toBe(1)
    expect(await nextPiece(passing)).toBeUndefined()
  })
})

describe('a stream that is translated', () => {
  /** Says every event back in capitals; `end` is the end, `fail` is an error. */
  const machine = (usage?: Usage) => {
    let ended = false
    return {
      push({ data }: SseEvent): readonly object[] {
        if (data === 'fail') throw new UpstreamError('the provider failed')
        if (data === 'end') ended = true
        return data === 'quiet' ? [] : [{ said: data.toUpperCase() }]
      },
      end(): readonly object[] {
        if (!ended) throw new StreamTruncated('cut')
        return [{ owed: true }]
      },
      usage: () => usage,
      complete: () => ended,
    }
  }
  const event = (data: string): string => `data: ${data}\n\n`

  test('each event becomes its chunks, then what is owed, then the end marker', async () => {
    const usages: Usage[] = []
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 }
    const { stream } = source(event('a') + event('quiet'), event('end'))
    const { pieces, failure } = await readAll(
      new Pipe(stream, translatedBy(machine(usage), { onUsage: (each) => usages.push(each) })),
    )
    expect(failure).toBeUndefined()
    expect(pieces.join('')).toBe(event('{"said":"A"}') + event('{"said":"END"}') + event('{"owed":true}') + DONE)
    expect(usages.at(-1)).toEqual(usage)
  })

  test('a cut stream throws and gets no end marker; half an event is no event', async () => {
    const { stream } = source(event('a'), 'data: en')
    const { pieces, failure } = await readAll(new Pipe(stream, translatedBy(machine())))
    expect(pieces.join('')).toBe(event('{"said":"A"}'))
    expect(failure).toBeInstanceOf(StreamTruncated)
  })

  test('an error in one piece with good events comes after them', async () => {
    const { stream } = source(event('a') + event('fail') + event('b'))
    const { pieces, failure } = await readAll(new Pipe(stream, translatedBy(machine())))
    expect(pieces.join('')).toBe(event('{"said":"A"}'))
    expect(failure).toBeInstanceOf(UpstreamError)
  })

  test('one malformed event is left out, two in a row are what it fails with', async () => {
    const strict = {
      ...machine(),
      push({ data }: SseEvent): readonly object[] {
        if (data === '') return []
        const said: unknown = JSON.parse(data)
        if (said === 'refused') throw new UpstreamError('refused')
        return [{ said }]
      },
    }
    const translate = async (...pieces: readonly string[]) => {
      let skipped = 0
      const translating = translatedBy(strict, { onSkipped: () => skipped++ })
      const translated = new Pipe(source(...pieces).stream, translating)
      const { pieces: read, failure } = await readAll(translated)
      return [read.join(''), failure instanceof Error ? failure.constructor.name : failure, skipped]
    }
    const bad = event('{')
    expect(await translate(event('1'), bad, event(''), event('2'))).toEqual([
      event('{"said":1}') + event('{"said":2}'),
      'StreamTruncated',
      1,
    ])
    expect(await translate(event('1'), bad, event(''), bad, event('2'))).toEqual([
      event('{"said":1}'),
      'SyntaxError',
      0,
    ])
    expect(await translate(event('1'), bad)).toEqual([event('{"said":1}'), 'SyntaxError', 0])
    expect(await translate(event('"refused"'), event('2'))).toEqual(['', 'UpstreamError', 0])
  })

  test('a connection that breaks once the answer is complete takes nothing away', async () => {
    const { stream } = source(event('end'), new UpstreamError('reset'))
    const { pieces, failure } = await readAll(new Pipe(stream, translatedBy(machine())))
    expect(failure).toBeUndefined()
    expect(pieces.join('')).toEndWith(DONE)
  })

  test('a client that leaves cancels the provider', async () => {
    const { stream, state } = source(event('a'), event('b'))
    const translated = new Pipe(stream, translatedBy(machine()))
    await nextPiece(translated)
    translated.cancel()
    expect([state.cancelled, await nextPiece(translated)]).toEqual([1, undefined])
  })
})

describe('a stream in the own form of its client', () => {
  const event = (type: string, more: object = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
  const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
  const watch: WatchedOptions['watch'] = ({ event, data }) => {
    const body: unknown = JSON.parse(data)
    if (event === 'start') return { isSilent: true }
    if (event === 'error') return { error: body }
    if (event === 'end') return { isEnd: true, usage }
    return isRecord(body) && typeof body.text === 'string' ? { textBytes: body.text.length } : undefined
  }

  const follow = async (pieces: readonly (string | Error)[], options: Partial<WatchedOptions> = {}) => {
    const meter = new AnswerMeter()
    const usages: Usage[] = []
    const onUsage = (each: Usage): void => void usages.push(each)
    const toError = (): UpstreamError => new UpstreamError('overloaded')
    const machine = new WatchedMachine({ watch, meter, onUsage, toError, ...options })
    const { stream } = source(...pieces)
    const read = await readAll(new Pipe(stream, machine))
    return { said: read.pieces.join(''), failure: read.failure, usages, meter, complete: machine.complete }
  }

  const whole = [event('start'), event('text', { text: 'hello' }), ': a comment\n\n', event('odd'), event('end')]

  test('passes byte by byte wherever it is cut, and its usage and text are counted', async () => {
    const bytes = whole.join('')
    for (const pieces of [whole, [bytes], [...bytes], [bytes.slice(0, 40), bytes.slice(40)]]) {
      const { said, failure, usages, meter, complete } = await follow(pieces)
      expect([said, failure, usages, complete]).toEqual([bytes, undefined, [usage], true])
      expect([meter.bytes, meter.unreportedTokens]).toEqual([bytes.length, 0])
    }
  })

  test('what only announces an answer is held back: a failure behind it leaves nothing to take back', async () => {
    const { said, failure } = await follow([event('start'), event('error')])
    expect(said).toBe('')
    expect(failure).toBeInstanceOf(UpstreamError)
    expect((await follow([event('start'), event('text'), event('error')])).said).toBe(event('start') + event('text'))
  })

  test('without its end it is cut; the last empty line may be missing', async () => {
    expect((await follow([event('start')])).failure).toBeInstanceOf(StreamTruncated)
    expect((await follow([event('text')])).failure).toBeInstanceOf(StreamTruncated)
    expect((await follow([event('text'), event('end').trimEnd()])).failure).toBeUndefined()
    expect((await follow([...whole, new UpstreamError('reset')])).failure).toBeUndefined()
  })

  test('one malformed event is left out, two in a row are what it fails with', async () => {
    let skipped = 0
    const onSkipped = (): void => void skipped++
    const bad = 'event: text\ndata: {"te\n\n'
    expect((await follow([event('text'), bad, event('end')], { onSkipped })).said).toBe(event('text') + event('end'))
    expect(skipped).toBe(1)
    expect((await follow([event('text'), bad, bad, event('end')], { onSkipped })).failure).toBeInstanceOf(
      UpstreamInvalid,
    )
    expect((await follow([event('text'), bad, event('end')])).failure).toBeInstanceOf(UpstreamInvalid)
  })
})
