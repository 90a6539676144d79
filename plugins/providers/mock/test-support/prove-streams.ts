import { expect } from 'bun:test'
import {
  ANSWER,
  expectAborted,
  expectRightReply,
  expectRightStream,
  type Proof,
  requestBody,
  WITH_USAGE,
} from './fault-kit.ts'
import { rawCall } from './raw-client.ts'
import { chunks, content, dataOf, events, finished, text, toolDeltas, usages } from './stream.ts'

/** Faults of the content: events, JSON, tool calls, usage. */
export const STREAMS = {
  'first-event-error': async ({ call }) => {
    const answer = await call('first-event-error', true)
    expect([answer.status, answer.terminated]).toEqual([200, true])
    expect(chunks(dataOf(answer))).toEqual([{ error: expect.objectContaining({ code: 'overloaded' }) }] as never)
  },
  'error-event': async ({ call }) => {
    const data = dataOf(await call('error-event', true, { at: 3 }))
    expect(data).toHaveLength(4)
    expect(chunks(data).at(-1)?.error).toBeDefined()
    expect(finished(data.slice(0, 3))).toBe(false)
  },
  'newline-cr': async ({ call }) => {
    const answer = await call('newline-cr', true)
    expect(text(answer)).not.toContain('\n')
    expectRightStream(answer)
  },
  'newline-crlf': async ({ call }) => {
    const answer = await call('newline-crlf', true)
    expect(text(answer)).not.toMatch(/[^\r]\n|\r[^\n]/)
    expectRightStream(answer)
  },
  'newline-mixed': async ({ call, server }) => {
    const answer = await call('newline-mixed', true)
    expect(text(answer)).toMatch(/\r[^\n]/)
    expect(text(answer)).toMatch(/[^\r]\n/)
    expect(text(answer)).toContain('\r\n')
    expect(events(answer.body)).toHaveLength(
      dataOf(await rawCall({ port: server.port, body: requestBody(true) })).length,
    )
    expectRightStream(answer)
  },
  'no-final-blank-line': async ({ call }) => {
    const answer = await call('no-final-blank-line', true)
    expect(text(answer)).toEndWith('data: [DONE]')
    expectRightStream(answer)
  },
  'byte-order-mark': async ({ call }) => {
    const answer = await call('byte-order-mark', true)
    expect(answer.body.subarray(0, 3).toString('hex')).toBe('efbbbf')
    expectRightStream(answer)
  },
  comments: async ({ call }) => {
    const answer = await call('comments', true)
    expect(text(answer)).toStartWith(': PROCESSING\n\n: before\ndata: ')
    expectRightStream(answer)
  },
  'empty-data': async ({ call }) => {
    const answer = await call('empty-data', true)
    expect(dataOf(answer).filter((data) => data === '')).not.toHaveLength(0)
    expectRightStream(answer)
  },
  'multi-line-data': async ({ call }) => {
    const answer = await call('multi-line-data', true)
    expect(dataOf(answer)[0]).toContain('\n')
    expectRightStream(answer)
  },
  'unknown-fields': async ({ call }) => {
    const answer = await call('unknown-fields', true)
    expect(text(answer)).toContain('retry: 3000\nx-mock: 1\nlonely\ndata: ')
    expect(events(answer.body)[1]?.id).toBe('1')
    expectRightStream(answer)
  },
  'giant-line': async ({ call }) => {
    const longest = async (mock: Readonly<Record<string, unknown>>) =>
      Math.max(
        ...text(await call('giant-line', true, mock))
          .split('\n')
          .map((line) => line.length),
      )
    expect(await longest({})).toBeGreaterThan(5 * 1024 ** 2)
    expect(await longest({ bytes: 5000 })).toBeLessThan(6000)
  },
  'split-utf8': async ({ call }) => {
    const answer = await call('split-utf8', true)
    expect(answer.rawBody.toString('latin1')).toMatch(/^1\r\nd\r\n1\r\na\r\n/)
    expect(content(dataOf(answer))).toBe('Grüße, 漢字 🙂 and e\u0301 in one answer.')
    const plain = await call('split-utf8', false)
    expect(plain.reads).toBeGreaterThan(20)
    expect(JSON.parse(text(plain)).choices[0].message.content).toContain('漢字 🙂')
  },
  'json-split': async ({ call }) => {
    const data = dataOf(await call('json-split', true))
    expect(() => JSON.parse(data[2] ?? '')).toThrow()
    expect(content([...data.slice(0, 2), `${data[2]}${data[3]}`, ...data.slice(4)])).toBe(ANSWER)
  },
  'two-in-one': async ({ call }) => {
    const data = dataOf(await call('two-in-one', true, { at: 1 }))
    expect(() => JSON.parse(data[1] ?? '')).toThrow()
    expect(content([...(data[1] ?? '').replace('}{', '}\n{').split('\n')])).toBe('Mock answer ')
  },
  'truncated-json': async ({ call }) => {
    const data = dataOf(await call('truncated-json', true))
    expect(() => JSON.parse(data[2] ?? '')).toThrow()
    expect(data.at(-1)).toBe('[DONE]')
    expect(content([...data.slice(0, 2), ...data.slice(3)])).toBe('Mock to: one two three four')
  },
  'huge-tool-arguments': async ({ call }) => {
    const data = dataOf(await call('huge-tool-arguments', true))
    expect(data.length).toBeGreaterThan(100)
    const whole = toolDeltas(data)
      .map((delta) => delta.function.arguments ?? '')
      .join('')
    expect(JSON.parse(whole).text).toHaveLength(10 * 1024 ** 2)
    const plain = JSON.parse(text(await call('huge-tool-arguments', false, { bytes: 100_000 })))
    expect(JSON.parse(plain.choices[0].message.tool_calls[0].function.arguments).text).toHaveLength(100_000)
  },
  'deep-json': async ({ call }) => {
    for (const stream of [true, false]) {
      expect(text(await call('deep-json', stream))).toContain(`"nested":${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    }
    const shallow = await call('deep-json', false, { depth: 2 })
    expect(JSON.parse(text(shallow)).nested).toEqual([[]])
    expectRightReply(shallow.body)
  },
  'huge-body': async ({ call }) => {
    const answer = await call('huge-body', false, { bytes: 3_000_000 })
    expect(JSON.parse(text(answer)).padding).toHaveLength(3_000_000)
  },
  'tool-index-gaps': async ({ call }) => {
    const data = dataOf(await call('tool-index-gaps', true))
    expect([...new Set(toolDeltas(data).map(({ index }) => index))]).toEqual([0, 2, 5])
  },
  'tool-name-split': async ({ call }) => {
    const deltas = toolDeltas(dataOf(await call('tool-name-split', true)))
    expect(deltas.filter(({ index }) => index === 0).map((delta) => delta.function.name)).toEqual(
      expect.arrayContaining(['mock_', 'first']),
    )
  },
  'tool-duplicate-ids': async ({ call }) => {
    const ids = toolDeltas(dataOf(await call('tool-duplicate-ids', true))).flatMap(({ id }) => id ?? [])
    expect(ids).toEqual(['call_mock_0', 'call_mock_0', 'call_mock_0'])
  },
  'tool-interleaved': async ({ call }) => {
    const deltas = toolDeltas(dataOf(await call('tool-interleaved', true)))
    expect(deltas.slice(0, 6).map(({ index }) => index)).toEqual([0, 1, 2, 0, 1, 2])
    const joined = (wantedIndex: number) =>
      deltas.flatMap(({ index, function: part }) => (index === wantedIndex ? [part.arguments ?? ''] : [])).join('')
    expect([0, 1, 2].map((index) => JSON.parse(joined(index)))).toEqual(Array(3).fill({ city: 'mock', days: 1 }))
  },
  'tool-bad-arguments': async ({ call }) => {
    const reply = JSON.parse(text(await call('tool-bad-arguments', false)))
    expect(() => JSON.parse(reply.choices[0].message.tool_calls[0].function.arguments)).toThrow()
  },
  'usage-missing': async ({ call }) => {
    expect(usages(dataOf(await call('usage-missing', true, {}, WITH_USAGE)))).toEqual([])
    expect(JSON.parse(text(await call('usage-missing', false)))).not.toHaveProperty('usage')
  },
  'usage-zero': async ({ call }) => {
    const [usage] = usages(dataOf(await call('usage-zero', true, {}, WITH_USAGE)))
    expect(usage).toMatchObject({ prompt_tokens: 0, completion_tokens: 0 })
  },
  'usage-double': async ({ call }) => expect(usages(dataOf(await call('usage-double', true)))).toHaveLength(2),
  'usage-cumulative': async ({ call }) => {
    const counts = usages(dataOf(await call('usage-cumulative', true))).map((usage) => usage.completion_tokens)
    expect(counts.length).toBeGreaterThan(5)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect([counts[0], counts.at(-1)]).toEqual([0, 7])
  },
  'usage-late': async ({ call }) => {
    const data = dataOf(await call('usage-late', true))
    expect(data.at(-2)).toBe('[DONE]')
    expect(usages(data.slice(-1))).toHaveLength(1)
  },
  'empty-deltas': async ({ call, server }) => {
    const data = dataOf(await call('empty-deltas', true, { count: 500 }))
    expect(chunks(data).filter((chunk) => chunk.choices[0]?.delta.content === '')).toHaveLength(501)
    expect(content(data)).toBe(ANSWER)
    const before = server.counters.aborted
    const left = await call('empty-deltas', true, {}, { until: (seen) => seen.length > 20_000 })
    expect(text(left)).not.toContain('[DONE]')
    await expectAborted(server, before)
  },
  'done-in-content': async ({ call }) => {
    const data = dataOf(await call('done-in-content', true))
    expect(content(data)).toContain('data: [DONE]\n\nand this')
    expect(data.filter((item) => item === '[DONE]')).toHaveLength(1)
  },
} as const satisfies Readonly<Record<string, Proof>>
