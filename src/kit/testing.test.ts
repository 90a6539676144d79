import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Type as t } from '@sinclair/typebox'
import type { SseEvent } from '../core/bodies/sse.ts'
import { StreamTruncated } from '../errors/gateway-error.ts'
import { definePlugin } from './plugin.ts'
import type { ChatCompletionChunk, Delta, TextCompletion } from './provider/openai.ts'
import { openaiCompatible } from './provider/openai-compatible.ts'
import type { Adapter } from './provider/provider.ts'
import { providerConfig } from './provider/provider-config.ts'
import { checkFailure, checkReply, checkRequest } from './testing/check-case.ts'
import {
  checkAuthorize,
  checkFailures,
  checkReplyFuzz,
  checkRequestFuzz,
  checkStreamFuzz,
} from './testing/check-provider.ts'
import { checkCutOff, checkRandomPieces, checkSameAs, checkStream, checkUsageOnce } from './testing/check-stream.ts'
import { type FixtureCase, loadFixtures } from './testing/fixture.ts'
import { type Defect, samplePlugin } from './testing/sample-plugin.ts'
import type { Subject } from './testing/subject.ts'
import { accumulate, CONFORM_KEY, conform, decodeStream, deepFreeze, FAKE_NOW_MS, fakeHost, setUp } from './testing.ts'

const ownFixtures = new URL('./testing/fixtures/own/', import.meta.url)
const openaiFixtures = new URL('./testing/fixtures/openai/', import.meta.url)

const passThrough = definePlugin({
  name: 'pass-through',
  config: providerConfig('https://pass.example/v1'),
  setup: ({ baseURL }) => ({ providers: [openaiCompatible({ id: 'pass-through', baseURL })] }),
})

conform(samplePlugin(), ownFixtures)
conform(passThrough, openaiFixtures)

const cases = loadFixtures(ownFixtures)
const fixtures = cases.map(({ fixture }) => fixture)

const caseNamed = (name: string): FixtureCase => {
  const found = cases.find((recorded) => recorded.name === name)
  if (found === undefined) throw new Error(`no case '${name}'`)
  return found
}

/** What runs on every case and provider, as `conform` registers it. */
const checks: Readonly<Record<string, (subject: Subject) => void | Promise<void>>> = {
  request: (subject) => checkRequest(subject, caseNamed('plain-text')),
  reply: (subject) => checkReply(subject, caseNamed('plain-text')),
  'reply with an error': (subject) => checkReply(subject, caseNamed('error-in-200')),
  failure: (subject) => checkFailure(subject, caseNamed('refused')),
  stream: (subject) => checkStream(subject, caseNamed('plain-text-stream')),
  'stream with an error': (subject) => checkStream(subject, caseNamed('error-in-stream')),
  pieces: (subject) => checkRandomPieces(subject, caseNamed('plain-text-stream')),
  'cut off': (subject) => checkCutOff(subject, caseNamed('plain-text-stream')),
  'usage once': (subject) => checkUsageOnce(subject, caseNamed('plain-text-stream')),
  'same as': (subject) => checkSameAs(subject, caseNamed('plain-text-stream'), caseNamed('plain-text')),
  authorize: checkAuthorize,
  failures: (subject) => checkFailures(subject, fixtures),
  'request fuzz': (subject) => checkRequestFuzz(subject, fixtures),
  'reply fuzz': (subject) => checkReplyFuzz(subject, fixtures),
  'stream fuzz': (subject) => checkStreamFuzz(subject, fixtures),
}

/** The check that must refuse each defect; others may as well. */
const CAUGHT_BY: Readonly<Record<Defect, keyof typeof checks>> = {
  'changes-request': 'request',
  'chunk-changed-later': 'stream',
  'complete-too-early': 'cut off',
  'crashes-on-answer': 'reply fuzz',
  'crashes-on-event': 'stream fuzz',
  'crashes-on-request': 'request fuzz',
  'empty-failure': 'failures',
  'empty-stop': 'reply fuzz',
  'ends-cleanly-when-cut': 'cut off',
  'forgets-role': 'stream',
  'key-in-path': 'request',
  'key-nowhere': 'authorize',
  'own-finish-reason': 'reply',
  'sends-null': 'request',
  'shared-state': 'stream',
  'swallows-error': 'reply with an error',
  'usage-in-two-chunks': 'usage once',
  'usage-unasked': 'usage once',
}

describe('each check fails for the provider that it is made for', () => {
  for (const [defect, caughtBy] of Object.entries(CAUGHT_BY)) {
    test(`${defect}: ${caughtBy}`, async () => {
      const subject = await setUp(samplePlugin(defect as Defect))
      const checked = Promise.resolve().then(() => checks[caughtBy]?.(subject))
      await expect(checked).rejects.toThrow()
    })
  }

  for (const [name, check] of Object.entries(checks)) {
    test(`a sound provider passes: ${name}`, async () => {
      await check(await setUp(samplePlugin()))
    })
  }
})

describe('goldens', () => {
  const differs = (name: string, change: Partial<FixtureCase['fixture']>): FixtureCase => {
    const { fixture } = caseNamed(name)
    return { name, fixture: { ...fixture, ...change } }
  }

  test('a wrong golden of each kind fails and names the case', async () => {
    const subject = await setUp(samplePlugin())
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
    const path = differs('plain-text', { upstream: { path: '/wrong' } })
    const lost = differs('plain-text', { upstream: { dropped: [] } })
    const body = differs('plain-text', { upstream: { body: {}, dropped: ['seed'] } })
    const unchanged = differs('plain-text', { upstream: { body: null, dropped: ['seed'] } })
    for (const wrong of [path, lost, body, unchanged]) {
      expect(() => checkRequest(subject, wrong)).toThrow('plain-text')
    }
    expect(() => checkReply(subject, differs('plain-text', { reply: {} }))).toThrow('plain-text: reply')
    expect(() => checkReply(subject, differs('plain-text', { usage }))).toThrow('plain-text: usage')
    expect(() => checkStream(subject, differs('plain-text-stream', { chunks: [] }))).toThrow(
      'plain-text-stream: chunks',
    )
    expect(() => checkStream(subject, differs('plain-text-stream', { usage }))).toThrow('plain-text-stream: usage')
    const failure = { message: 'other', type: 'overloaded' }
    expect(() => checkStream(subject, differs('error-in-stream', { failure }))).toThrow('error-in-stream: failure')
    expect(() => checkReply(subject, differs('error-in-200', { failure }))).toThrow('error-in-200: failure')
    expect(() => checkFailure(subject, differs('refused', { failure }))).toThrow('refused: failure')
  })

  test('a twin with another text is not the same', async () => {
    const twin = differs('plain-text', { answer: { text: 'Bye', in: 3, out: 2, why: 'end' } })
    const subject = await setUp(samplePlugin())
    expect(() => checkSameAs(subject, caseNamed('plain-text-stream'), twin)).toThrow('plain-text-stream')
  })
})

describe('loading fixtures', () => {
  const withFile = (text: string | undefined, run: (folder: URL) => void): void => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-fixtures-'))
    try {
      if (text !== undefined) writeFileSync(join(folder, 'some-case.json'), text)
      run(pathToFileURL(`${folder}/`))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('a folder without cases is refused', () => {
    withFile(undefined, (folder) => expect(() => loadFixtures(folder)).toThrow('no fixtures'))
  })

  const broken: readonly (readonly [text: string, problem: string])[] = [
    ['[]', 'must be a JSON object'],
    ['{"note":"n","endpoint":"chat","request":{},"usage":{},"replay":{}}', 'unknown keys: replay'],
    ['{"endpoint":"chat","request":{},"usage":{}}', '`note`'],
    ['{"note":"n","endpoint":1,"request":{},"usage":{}}', '`endpoint`'],
    ['{"note":"n","endpoint":"chat","usage":{}}', '`request`'],
    ['{"note":"n","endpoint":"chat","request":{},"answer":{},"stream":"","usage":{}}', 'both'],
    ['{"note":"n","endpoint":"chat","request":{},"chunks":[]}', 'no stream'],
    ['{"note":"n","endpoint":"chat","request":{},"reply":{}}', 'no `answer`'],
    ['{"note":"n","endpoint":"chat","request":{},"status":500,"usage":{}}', 'no `failure`'],
    ['{"note":"n","endpoint":"chat","request":{},"answer":{}}', 'compares nothing'],
  ]
  for (const [text, problem] of broken) {
    test(`names the file and the problem: ${problem}`, () => {
      withFile(text, (folder) => expect(() => loadFixtures(folder)).toThrow(`some-case.json: `))
      withFile(text, (folder) => expect(() => loadFixtures(folder)).toThrow(problem))
    })
  }
})

describe('setUp', () => {
  test('fills defaults and the test key, and refuses unknown keys', async () => {
    const seen: unknown[] = []
    const plugin = definePlugin({
      name: 'seen',
      config: providerConfig('https://seen.example/v1', { retries: t.Number({ default: 2 }) }),
      setup: (config) => {
        seen.push(config)
        return {}
      },
    })
    await setUp(plugin)
    expect(seen).toEqual([{ baseURL: 'https://seen.example/v1', apiKey: CONFORM_KEY, retries: 2 }])
    await expect(setUp(plugin, { retry: 1 })).rejects.toThrow('retry')
    await expect(setUp(plugin, { retries: 'two' })).rejects.toThrow('retries')
  })

  test('a plugin without an apiKey gets none', async () => {
    const seen: unknown[] = []
    const plugin = definePlugin({
      name: 'keyless',
      config: t.Object({}),
      setup: (config) => {
        seen.push(config)
        return {}
      },
    })
    await setUp(plugin)
    expect(seen).toEqual([{}])
  })
})

describe('accumulate', () => {
  const chunk = (delta: Delta, finish: string | null = null, index = 0): ChatCompletionChunk => ({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index, delta, finish_reason: finish }],
  })

  test('joins text, refusal and unknown texts, and keeps the last finish reason and usage', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    const sum = accumulate([
      chunk({ role: 'assistant', content: 'a' }),
      chunk({ content: 'b', refusal: 'no', reasoning_content: 'x' }),
      chunk({ refusal: 'pe', reasoning_content: 'y' }, 'stop'),
      { ...chunk({}), choices: [], usage },
    ])
    expect(sum).toEqual({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'ab', refusal: 'nope', reasoning_content: 'xy' },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage,
    })
  })

  test('keeps interleaved choices and tool calls apart', () => {
    const call = (index: number, id: string | undefined, name: string | undefined, text: string) => ({
      index,
      ...(id === undefined ? {} : { id }),
      function: { ...(name === undefined ? {} : { name }), arguments: text },
    })
    const sum = accumulate([
      chunk({ role: 'assistant', tool_calls: [call(1, 'b', 'second', '{')] }, null, 1),
      chunk({ role: 'assistant', content: 'zero' }, 'stop', 0),
      chunk({ tool_calls: [call(0, 'a', 'fi', ''), call(1, undefined, undefined, '}')] }, null, 1),
      chunk({ tool_calls: [call(0, undefined, 'rst', '{}')] }, 'tool_calls', 1),
    ])
    expect(sum.choices.map(({ index, finish_reason }) => [index, finish_reason])).toEqual([
      [0, 'stop'],
      [1, 'tool_calls'],
    ])
    expect(sum.choices[1]?.message.tool_calls).toEqual([
      { id: 'a', type: 'function', function: { name: 'first', arguments: '{}' } },
      { id: 'b', type: 'function', function: { name: 'second', arguments: '{}' } },
    ])
  })

  test('adds up content blocks of both piece forms', () => {
    const sum = accumulate([
      chunk({ content_blocks: [{ index: 0, type: 'thinking', thinking: '' }] }),
      chunk({ content_blocks: [{ index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }] }),
      chunk({ content_blocks: [{ index: 0, delta: { type: 'signature_delta', signature: 'sig' } }] }),
      chunk({ content_blocks: [{ index: 2, type: 'tool_use', id: 't', name: 'f', input: {} }] }),
      chunk({ content_blocks: [{ index: 2, delta: { partial_json: '{"a"' } }] }),
      chunk({ content_blocks: [{ index: 2, delta: { partial_json: ':1}' } }] }),
      chunk({ content_blocks: [{ index: 1, delta: { text: 'Hel' } }] }),
      chunk({ content_blocks: [{ index: 1, text: 'lo' }] }, 'stop'),
    ])
    expect(sum.choices[0]?.message.content_blocks).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
    ])
  })

  test('refuses what adds up to nothing', () => {
    expect(() => accumulate([])).toThrow('without chunks')
    expect(() => accumulate([chunk({ content_blocks: [{ text: 'x' }] })])).toThrow('no index')
  })
})

describe('fakeHost', () => {
  test('is the same every time and keeps what it is told', async () => {
    const host = fakeHost()
    expect([host.randomId(), host.randomId()]).toEqual([
      '00000000-0000-4000-8000-000000000001',
      '00000000-0000-4000-8000-000000000002',
    ])
    host.advance(5)
    expect(host.clock.now()).toBe(FAKE_NOW_MS + 5)
    host.log.warn('careful', { port: 1 })
    host.trustOwnServer('127.0.0.1:1')
    host.callLog({ id: 'a' })
    expect(host.logLines).toEqual([{ level: 'warn', message: 'careful', fields: { port: 1 } }])
    expect([host.trusted, host.callRecords]).toEqual([['127.0.0.1:1'], [{ id: 'a' }]])
    const request = {
      method: 'POST',
      url: 'https://a.example/',
      headers: new Headers(),
      signal: new AbortController().signal,
      deadlines: host.deadlines,
    }
    await expect(host.upstream.send(request)).rejects.toThrow('https://a.example/')
  })
})

test('decodeStream counts a last event without its empty line', () => {
  expect(decodeStream(new TextEncoder().encode('data: a\n\ndata: b'), [3, 9]).map(({ data }) => data)).toEqual([
    'a',
    'b',
  ])
})

test('deepFreeze reaches everything', () => {
  const value = deepFreeze({ a: [{ b: 1 }] })
  expect(() => {
    Object.assign(value.a[0] ?? {}, { b: 2 })
  }).toThrow(TypeError)
})

describe('text completions of a format of their own', () => {
  /** Says each event back as a piece of text; `end` is the last. */
  const texts: Adapter<'completions'> = {
    method: 'POST',
    path: '/texts',
    wire: 'own',
    params: { model: true, prompt: 'input' },
    reply: (body) => ({ reply: body as TextCompletion }),
    stream: ({ model, callId: id, created }) => {
      let ended = false
      return {
        push: ({ data }) => {
          ended = data === 'end'
          const choice = { text: ended ? '' : data, index: 0, logprobs: null, finish_reason: ended ? 'stop' : null }
          return [{ id, object: 'text_completion', created, model, choices: [choice] }]
        },
        end: () => {
          if (!ended) throw new StreamTruncated('cut')
          return []
        },
        usage: () => undefined,
        complete: () => ended,
      }
    },
  }
  const subject = async (adapter: Adapter<'completions'> = texts): Promise<Subject> => {
    const { parts, providers } = await setUp(passThrough)
    return { parts, providers: providers.map((provider) => ({ ...provider, endpoints: { completions: adapter } })) }
  }
  const request = { model: 'm', prompt: 'Once upon' }
  const answer = {
    ...{ id: 'x', object: 'text_completion', created: 1, model: 'm' },
    choices: [{ text: ' a time', index: 0, logprobs: null, finish_reason: 'stop' }],
  }
  const whole: FixtureCase = { name: 'whole', fixture: { note: 'whole', endpoint: 'completions', request, answer } }
  const streamed: FixtureCase = {
    name: 'streamed',
    fixture: {
      ...{ note: 'streamed', endpoint: 'completions', request, sameAs: 'whole' },
      upstream: { path: '/texts', body: { model: 'm', input: 'Once upon' } },
      stream: 'data:  a\n\ndata:  time\n\ndata: end\n\n',
    },
  }

  test('are tried as chats are', async () => {
    const tried = await subject()
    checkRequest(tried, streamed)
    checkReply(tried, whole)
    checkStream(tried, streamed)
    checkRandomPieces(tried, streamed)
    checkCutOff(tried, streamed)
    checkUsageOnce(tried, streamed)
    checkSameAs(tried, streamed, whole)
    checkRequestFuzz(tried, [whole.fixture, streamed.fixture])
  })

  test('are refused when their pieces are those of a chat, or do not add up', async () => {
    const wrong = await subject({
      ...texts,
      stream: (context) => {
        const machine = texts.stream?.(context)
        if (machine === undefined) throw new Error('no stream')
        const push = (event: SseEvent) =>
          machine
            .push(event)
            .map((piece) => ({ ...piece, object: 'chat.completion.chunk' }) as unknown as TextCompletion)
        return { ...machine, push }
      },
    })
    expect(() => checkStream(wrong, streamed)).toThrow()
    const other = { ...whole, fixture: { ...whole.fixture, answer: { ...answer, choices: [] } } }
    expect(() => checkSameAs(wrong, streamed, other)).toThrow()
  })
})
