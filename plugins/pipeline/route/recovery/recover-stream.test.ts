import { describe, expect, test } from 'bun:test'
import { assistantPrefix } from '#calls/slots'
import { fromReader, isReadyStream, nextPiece, type ReadyStream, StreamTruncated, UpstreamUnreachable } from '#kit'
import { endpoint } from '../../../../test/support/endpoints.ts'
import {
  type Asked,
  type AskOptions,
  ask,
  type Behaviour,
  createWorld,
  failing,
  fails,
  good,
  streamOf,
  targetOf,
} from '../../../../test/support/routing.ts'
import { recoverStream } from './recover-stream.ts'

const CUT = new StreamTruncated('cut')
const DONE = 'data: [DONE]\n\n'

const event = (body: Record<string, unknown>): string => `data: ${JSON.stringify(body)}\n\n`
/** A chunk of the answer of `from`. */
const chunk = (from: string, delta: Record<string, unknown>, finish: string | null = null): string =>
  event({
    id: `id-${from}`,
    object: 'chat.completion.chunk',
    created: from.length,
    model: `model-${from}`,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
/** A piece of a text completion. */
const textPiece = (from: string, said: string): string =>
  event({ id: `id-${from}`, object: 'text_completion', choices: [{ index: 0, text: said, finish_reason: 'stop' }] })
const words = (from: string, ...texts: readonly string[]): string[] => [
  chunk(from, { role: 'assistant', content: '' }),
  ...texts.map((content) => chunk(from, { content })),
]
const whole = (from: string, ...texts: readonly string[]): string[] => [
  ...words(from, ...texts),
  chunk(from, {}, 'stop'),
  DONE,
]

const streaming =
  (pieces: readonly string[], thrown?: unknown): Behaviour =>
  (fork) => {
    fork.recordUsage({ inputTokens: 10, outputTokens: 1, totalTokens: 11 })
    return { ...good(), body: streamOf(pieces, thrown) }
  }

/** A target that goes on from a prefix, as `transform` notes it. */
const goingOn =
  (pieces: readonly string[], echo = '', seen: string[] = []): Behaviour =>
  (fork) => {
    const prefix = fork.find(assistantPrefix)
    if (prefix === undefined) throw new Error('no prefix')
    seen.push(prefix.text)
    prefix.echo = echo
    return { ...good(), body: streamOf(pieces) }
  }

interface Options extends AskOptions {
  readonly maxBytes?: number
  readonly patienceMs?: number
}

const recover = (
  mode: string,
  behaviours: Record<string, Behaviour>,
  { maxBytes = 100_000, patienceMs = 1_000, ...options }: Options = {},
): Promise<Asked> =>
  ask(
    {
      strategy: { mode: 'fallback', stream_recovery: mode },
      targets: Object.keys(behaviours).map((provider) => ({ provider })),
    },
    behaviours,
    { ...options, world: createWorld({ recover: (recovery) => recoverStream(recovery, { maxBytes, patienceMs }) }) },
  )

const bodyOf = ({ answer, error }: Asked): ReadyStream => {
  if (answer === undefined || !isReadyStream(answer.body)) throw error ?? new Error('no stream')
  return answer.body
}

/** All that the client gets. */
const read = async (asked: Asked): Promise<{ readonly text: string; readonly failure?: unknown }> => {
  const body = bodyOf(asked)
  let text = ''
  try {
    for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) {
      text += new TextDecoder().decode(piece)
    }
    return { text }
  } catch (failure) {
    return { text, failure }
  }
}

describe('restart', () => {
  test('an answer that breaks is never seen; the next one comes whole', async () => {
    const asked = await recover('restart', {
      a: streaming(words('a', 'x', 'y'), CUT),
      b: streaming(words('b', 'z'), CUT),
      c: streaming(whole('c', 'good')),
    })
    expect(asked.headers['x-gateway-last-used-option-index']).toBe('config.targets[2]')
    expect(await read(asked)).toEqual({ text: whole('c', 'good').join('') })
    expect(asked.finish().usage).toMatchObject({ totalTokens: 11 })
  })

  test('a failure of the last target has a status while the head is held back', async () => {
    const asked = await recover('restart', { a: streaming(words('a', 'x'), CUT), b: fails(503) })
    expect(asked.error).toMatchObject({ status: 503 })
    const cut = await recover('restart', { a: streaming(words('a', 'x'), CUT), b: streaming(words('b', 'x'), CUT) })
    expect(cut.error).toBe(CUT)
  })

  test('past the patience the stream begins with a comment, and with nothing else until it is whole', async () => {
    const later = Promise.withResolvers<undefined>()
    const slow = fromReader({ read: () => later.promise, cancel: () => undefined })
    const asked = await recover(
      'restart',
      { a: () => ({ ...good(), body: slow }), b: streaming(whole('b', 'good')) },
      { patienceMs: 1 },
    )
    expect(asked.asked).toEqual(['a'])
    later.reject(CUT)
    expect(await read(asked)).toEqual({ text: `: keep-alive\n\n${whole('b', 'good').join('')}` })
  })

  test('an answer beyond the bound begins as it is, and its failure is told', async () => {
    const asked = await recover(
      'restart',
      { a: streaming(words('a', 'x'.repeat(500)), CUT), b: streaming(whole('b', 'never')) },
      { maxBytes: 600 },
    )
    expect(await read(asked)).toEqual({ text: words('a', 'x'.repeat(500)).join(''), failure: CUT })
    expect(asked.asked).toEqual(['a'])
  })

  test('works for texts as well', async () => {
    const before: AskOptions['before'] = (attempt) => attempt.become(endpoint('completions'))
    const behaviours = { a: streaming([textPiece('a', 'x')], CUT), b: streaming([textPiece('b', 'y'), DONE]) }
    expect(await read(await recover('restart', behaviours, { before }))).toEqual({ text: textPiece('b', 'y') + DONE })
  })

  test('is not for what passes through as it is', async () => {
    const before: AskOptions['before'] = (attempt) => attempt.become(endpoint('proxy'))
    const asked = await recover('restart', { a: streaming(['bytes'], CUT), b: streaming(['never']) }, { before })
    expect(await read(asked)).toEqual({ text: 'bytes', failure: CUT })
    expect(asked.asked).toEqual(['a'])
  })

  test('a client that leaves while it waits ends it', async () => {
    const later = Promise.withResolvers<undefined>()
    let cancelled = 0
    const slow = fromReader({
      read: () => later.promise,
      cancel: () => {
        cancelled++
      },
    })
    const asked = await recover(
      'restart',
      { a: () => ({ ...good(), body: slow }), b: streaming(whole('b', 'good')) },
      { patienceMs: 0 },
    )
    bodyOf(asked).cancel()
    later.reject(CUT)
    expect(await read(asked)).toEqual({ text: '' })
    expect([asked.asked, cancelled]).toEqual([['a'], 1])
  })
})

describe('continue with a target that goes on from the text', () => {
  const rest = (...deltas: readonly string[]): string => deltas.join('')

  test('is for chats only: a text that breaks has broken', async () => {
    const before: AskOptions['before'] = (attempt) => attempt.become(endpoint('completions'))
    const behaviours = { a: streaming([textPiece('a', 'x')], CUT), b: goingOn([textPiece('b', 'y'), DONE]) }
    const asked = await recover('continue', behaviours, { before })
    expect(await read(asked)).toEqual({ text: textPiece('a', 'x'), failure: CUT })
    expect(asked.asked).toEqual(['a'])
  })

  test('is one stream: ids, model and time of the first, one finish reason, one end marker', async () => {
    const seen: string[] = []
    const asked = await recover('continue', {
      a: streaming(words('a', 'The answer', ' is '), CUT),
      b: goingOn([': ping\n\n', ...whole('bbb', 'forty', '-two')], '', seen),
    })
    expect(await read(asked)).toEqual({
      text: rest(
        ...words('a', 'The answer', ' is '),
        chunk('a', { content: 'forty' }),
        chunk('a', { content: '-two' }),
        chunk('a', {}, 'stop'),
        DONE,
      ),
    })
    expect(seen).toEqual(['The answer is '])
  })

  test.each([
    ['all of it', 'The cat', ['The', ' cat', ' sat']],
    ['all of it in one piece', 'The cat', ['The cat sat']],
    ['nothing', 'The cat', [' sat']],
    ['not even though it begins alike', 'The cat', ['The', 'sis']],
    ['not though it ends there', 'The cat', ['Th']],
    ['the white space that could not be sent', '\n', ['\n', 'sat']],
  ])('which may repeat: %s', async (name, echo, pieces) => {
    const asked = await recover('continue', {
      a: streaming(words('a', 'The cat'), CUT),
      b: goingOn(whole('b', ...pieces), echo),
    })
    const all = pieces.join('')
    const fresh = name.startsWith('not') || name === 'nothing' ? all : all.slice(echo.length)
    const { text, failure } = await read(asked)
    expect(failure).toBeUndefined()
    expect(contentOf(text)).toBe(`The cat${fresh}`)
  })

  test('the usage of both is what the client and the log get', async () => {
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 3,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
    }
    const asked = await recover('continue', {
      a: streaming(words('a', 'x'), CUT),
      b: (fork, count) => {
        const answer = goingOn([
          ...words('b', 'y'),
          chunk('b', {}, 'stop'),
          event({ id: 'id-b', choices: [], usage }),
          DONE,
        ])
        fork.recordUsage({ inputTokens: 12, outputTokens: 3, totalTokens: 15 })
        return answer(fork, count)
      },
    })
    const { text } = await read(asked)
    expect(text).toContain(
      '"usage":{"prompt_tokens":22,"completion_tokens":4,"total_tokens":26,"prompt_tokens_details":{"cached_tokens":4}}',
    )
    expect(asked.finish().usage).toEqual({ inputTokens: 22, outputTokens: 4, totalTokens: 26 })
  })

  test('goes on again when that breaks too', async () => {
    const seen: string[] = []
    const asked = await recover('continue', {
      a: streaming(words('a', 'one '), CUT),
      b: (fork, count) => ({
        ...good(),
        ...goingOn([], '', seen)(fork, count),
        body: streamOf(words('b', 'two '), CUT),
      }),
      c: goingOn(whole('c', 'three'), '', seen),
    })
    expect(contentOf((await read(asked)).text)).toBe('one two three')
    expect(seen).toEqual(['one ', 'one two '])
  })

  test('reasoning before the text is not told twice', async () => {
    const asked = await recover('continue', {
      a: streaming([chunk('a', { reasoning_content: 'hm' }), chunk('a', { content: 'x' })], CUT),
      b: goingOn([chunk('b', { reasoning_content: 'hm again' }), ...whole('b', 'y')]),
    })
    const { text } = await read(asked)
    expect(text).not.toContain('again')
    expect(contentOf(text)).toBe('xy')
  })
})

describe('continue with a target that says it can go on, and refuses', () => {
  /** Refuses a request with a prefix. */
  const refusing =
    (pieces: readonly string[], status = 400, seen: boolean[] = []): Behaviour =>
    (fork) => {
      const prefix = fork.find(assistantPrefix)
      seen.push(prefix !== undefined)
      if (prefix === undefined) return { ...good(), body: streamOf(pieces) }
      prefix.echo = ''
      throw failing(status)
    }

  test.each([400, 422])('is asked once more from the beginning after a %d', async (status) => {
    const seen: boolean[] = []
    const asked = await recover('continue', {
      a: streaming(words('a', 'Mock ', 'answer'), CUT),
      b: refusing(whole('b', 'Mock', ' answer to', ' all'), status, seen),
    })
    const { text, failure } = await read(asked)
    expect([contentOf(text), failure, seen]).toEqual(['Mock answer to all', undefined, [true, false]])
  })

  test.each([
    ['refuses that too', fails(400)],
    ['says something else', refusing(whole('b', 'Other'))],
  ])('never shows its refusal when it %s', async (_name, b) => {
    const asked = await recover('continue', { a: streaming(words('a', 'Mock'), CUT), b })
    const { text, failure } = await read(asked)
    expect([contentOf(text), failure]).toEqual(['Mock', expect.objectContaining({ code: 'stream_truncated' })])
  })

  test('is asked no more for another failure, and once only', async () => {
    const again = refusing([], 503)
    const asked = await recover('continue', { a: streaming(words('a', 'Mock'), CUT), b: again })
    expect((await read(asked)).failure).toMatchObject({ status: 503 })
    expect(asked.asked).toEqual(['a', 'b'])
    const stubborn: Behaviour = (fork) => {
      const prefix = fork.find(assistantPrefix)
      if (prefix !== undefined) prefix.echo = ''
      throw failing(400)
    }
    const refused = await recover('continue', { a: streaming(words('a', 'Mock'), CUT), b: stubborn })
    expect((await read(refused)).failure).toBe(CUT)
    expect(refused.asked).toEqual(['a', 'b', 'b'])
  })
})

describe('continue with a target that cannot go on', () => {
  test('sends what is new of an answer that begins with the same text', async () => {
    const asked = await recover('continue', {
      a: streaming(words('a', 'Mock ', 'answer'), CUT),
      b: streaming(whole('b', 'Mock', ' answer to', ' all')),
    })
    const { text, failure } = await read(asked)
    expect(failure).toBeUndefined()
    expect([contentOf(text), text.split('"finish_reason":"stop"').length, text.split(DONE).length]).toEqual([
      'Mock answer to all',
      2,
      2,
    ])
    expect(text).not.toContain('id-b')
  })

  test.each([
    ['another text', whole('b', 'Mick')],
    ['a shorter text', whole('b', 'Moc')],
    [
      'a tool call',
      [chunk('b', { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] }), DONE],
    ],
    ['nothing', [DONE]],
    ['content in parts', [chunk('b', { content: [{ type: 'text', text: 'Mock' }] })]],
  ])('fails at %s', async (_name, pieces) => {
    const asked = await recover('continue', { a: streaming(words('a', 'Mock'), CUT), b: streaming(pieces) })
    const { text, failure } = await read(asked)
    expect(text).toBe(words('a', 'Mock').join(''))
    expect(failure).toMatchObject({ code: 'stream_truncated', message: expect.stringContaining('does not begin') })
  })

  test('or goes on to one that fits', async () => {
    const asked = await recover('continue', {
      a: streaming(words('a', 'Mock'), CUT),
      b: streaming(whole('b', 'Mick')),
      c: streaming(whole('c', 'Mocking')),
    })
    expect(contentOf((await read(asked)).text)).toBe('Mocking')
  })
})

describe('continue is not tried', () => {
  const call = { index: 0, id: 'c', function: { name: 'f', arguments: '{' } }
  test.each([
    ['with a tool call in flight', [chunk('a', { tool_calls: [call] })]],
    ['with a refusal in flight', [chunk('a', { refusal: 'no' })]],
    ['with blocks in flight', [chunk('a', { content_blocks: [{ index: 0, type: 'text', text: 'a' }] })]],
    ['with another choice in flight', [event({ choices: [{ index: 1, delta: { content: 'x' } }] })]],
    ['with content in parts', [chunk('a', { content: [{ type: 'text' }] })]],
    ['after the finish reason', [...words('a', 'x'), chunk('a', {}, 'stop')]],
    ['after the end marker', [...words('a', 'x'), DONE]],
    ['after what is no JSON', ['data: {oops}\n\n']],
  ])('%s', async (_name, pieces) => {
    const asked = await recover('continue', { a: streaming(pieces, CUT), b: streaming(whole('b', 'x')) })
    expect(await read(asked)).toEqual({ text: pieces.join(''), failure: CUT })
    expect(asked.asked).toEqual(['a'])
  })

  test.each<[string, AskOptions]>([
    ['of the call', { body: { n: 2 } }],
    ['of the target', { config: { bind: (leaf) => ({ ...targetOf(leaf), overrideParams: { n: 2 } }) } }],
  ])('for several choices %s', async (_name, options) => {
    const behaviours = { a: streaming(words('a', 'x'), CUT), b: streaming(whole('b', 'x')) }
    const asked = await recover('continue', behaviours, options)
    expect((await read(asked)).failure).toBe(CUT)
    expect(asked.asked).toEqual(['a'])
  })

  test('when no target is left; the failure of the last is told', async () => {
    const lost = new UpstreamUnreachable('lost')
    const asked = await recover('continue', {
      a: streaming(words('a', 'x'), CUT),
      b: streaming(words('b', 'xy'), lost),
    })
    const { text, failure } = await read(asked)
    expect([contentOf(text), failure]).toEqual(['xy', lost])
    const failed = await recover('continue', { a: streaming(words('a', 'x'), CUT), b: fails(503) })
    expect((await read(failed)).failure).toMatchObject({ status: 503 })
  })

  test('once the client has left', async () => {
    const asked = await recover('continue', { a: streaming(words('a', 'x'), CUT), b: streaming(whole('b', 'x')) })
    bodyOf(asked).cancel()
    expect(await read(asked)).toEqual({ text: '' })
    expect(asked.asked).toEqual(['a'])
  })
})

/** The text that a client puts together. */
const contentOf = (stream: string): string =>
  stream
    .split('\n\n')
    .flatMap((frame) => (frame.startsWith('data: {') ? [JSON.parse(frame.slice('data: '.length))] : []))
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('')
