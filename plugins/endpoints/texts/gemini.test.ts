import { describe, expect, test } from 'bun:test'
import { dataOf, readStream, shown } from '../../../test/support/stream-texts.ts'
import { geminiAnswers } from '../gemini/answers.ts'
import { geminiBatchEmbedTexts, geminiEmbedTexts, geminiTexts } from './gemini.ts'

const asked = (...contents: readonly object[]): unknown => shown(geminiTexts.asked({ contents }))

describe('what the Gemini API is asked', () => {
  const USER = { role: 'user', parts: [{ text: 'and now?' }] }

  test('is the texts of the last content, without pictures and files', () => {
    const parts = [
      { text: 'what is this?' },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { file_data: { mime_type: 'image/png', file_uri: 'https://a.example' } },
      { text: '' },
      { text: 'be brief' },
    ]
    expect(asked(USER, { role: 'model', parts: [{ text: 'hello' }] }, { parts })).toEqual([
      ['user', 'text', 'contents.2.parts.0.text', 'what is this?'],
      ['user', 'text', 'contents.2.parts.4.text', 'be brief'],
    ])
  })

  test('has what functions gave, and is not hidden by the beginning of an answer', () => {
    const result = { functionResponse: { id: 'a', name: 'f', response: { weather: 'sunny', degrees: 21 } } }
    const other = { function_response: { name: 'g', response: { result: 'ok' }, parts: [{ text: 'more' }] } }
    const places = [
      [
        'tool',
        'tool-result',
        'contents.2.parts.0.functionResponse.response',
        '{"weather":"sunny","degrees":21}',
        'JSON',
      ],
      ['tool', 'tool-result', 'contents.3.parts.0.function_response.response', '{"result":"ok"}', 'JSON'],
      ['tool', 'text', 'contents.3.parts.0.function_response.parts.0.text', 'more'],
    ]
    const before = [USER, { role: 'model', parts: [{ functionCall: { name: 'f', args: { city: 'Rome' } } }] }]
    const results = [
      { role: 'user', parts: [result] },
      { role: 'function', parts: [other] },
    ]
    expect(asked(...before, ...results)).toEqual(places)
    expect(asked(...before, ...results, USER, { role: 'model', parts: [{ text: '{' }] })).toEqual([
      ...places,
      ['user', 'text', 'contents.4.parts.0.text', 'and now?'],
      ['assistant', 'text', 'contents.5.parts.0.text', '{'],
    ])
  })

  test('is nothing where there is nothing', () => {
    expect(asked()).toEqual([])
    expect(shown(geminiTexts.asked({}))).toEqual([])
    expect(asked({ parts: null }, { parts: [null, 'hi'] })).toEqual([])
  })
})

test('embeddings are asked for of the texts of their contents', () => {
  const one = { content: { parts: [{ text: 'a' }, { inlineData: { data: 'AAAA' } }] }, title: 'A' }
  expect(shown(geminiEmbedTexts.asked(one))).toEqual([
    ['user', 'text', 'title', 'A'],
    ['user', 'text', 'content.parts.0.text', 'a'],
  ])
  expect(
    shown(geminiBatchEmbedTexts.asked({ requests: [one, null, { content: { parts: [{ text: 'b' }] } }] })),
  ).toEqual([
    ['user', 'text', 'requests.0.title', 'A'],
    ['user', 'text', 'requests.0.content.parts.0.text', 'a'],
    ['user', 'text', 'requests.2.content.parts.0.text', 'b'],
  ])
})

const ANSWER = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          { text: 'I think this over.', thought: true },
          { text: 'It is sunny today.' },
          { functionCall: { id: 'a', name: 'f', args: { city: 'Rome' } }, thoughtSignature: 'AAAA' },
          { executableCode: { language: 'PYTHON', code: 'x = 1' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        ],
      },
      finishReason: 'STOP',
      index: 0,
      safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' }],
      logprobsResult: { chosenCandidates: [{ token: 'It', logProbability: 0 }] },
      groundingMetadata: {
        webSearchQueries: ['Rome weather'],
        searchEntryPoint: { renderedContent: '<style></style><a>Rome weather</a>' },
        groundingChunks: [{ web: { uri: 'https://a.example', title: 'Weather' } }],
        groundingSupports: [
          { segment: { startIndex: 0, endIndex: 11, text: 'It is sunny' }, groundingChunkIndices: [0] },
        ],
      },
    },
    { content: { role: 'model', parts: [{ text: 'Rain.' }] }, finishReason: 'MAX_TOKENS', index: 1 },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: 'm',
  responseId: 'r',
}

test('what the Gemini API answers is every text of every candidate', () => {
  const places = geminiTexts.answered?.(ANSWER) ?? []
  expect(shown(places)).toEqual([
    ['assistant', 'reasoning', 'candidates.0.content.parts.0.text', 'I think this over.'],
    ['assistant', 'text', 'candidates.0.content.parts.1.text', 'It is sunny today.'],
    ['assistant', 'tool-arguments', 'candidates.0.content.parts.2.functionCall.args', '{"city":"Rome"}', 'JSON'],
    ['assistant', 'tool-arguments', 'candidates.0.content.parts.3.executableCode.code', 'x = 1'],
    ['assistant', 'tool-result', 'candidates.0.content.parts.4.codeExecutionResult.output', '1'],
    ['assistant', 'text', 'candidates.0.groundingMetadata.webSearchQueries.0', 'Rome weather'],
    ['assistant', 'text', 'candidates.0.groundingMetadata.groundingChunks.0.web.title', 'Weather'],
    ['assistant', 'text', 'candidates.0.groundingMetadata.groundingSupports.0.segment.text', 'It is sunny'],
    ['assistant', 'text', 'candidates.1.content.parts.0.text', 'Rain.'],
  ])
  expect(places[1]?.tokens).toEqual(['candidates', 0, 'logprobsResult'])
})

const EVENTS = [...(geminiAnswers.read(ANSWER)?.chunks(true) ?? [])]

describe('a stream of the Gemini API', () => {
  const { tracks, ends, events, withhold } = readStream(geminiTexts, EVENTS)

  test('has the texts of the answer, those that grow by candidate', () => {
    const growing = { '0.reasoning': 'I think this over.', '0.text': 'It is sunny today.', '1.text': 'Rain.' }
    expect(tracks).toMatchObject(growing)
    const found = (geminiTexts.answered?.(ANSWER) ?? []).map(({ text }) => text)
    expect(Object.values(tracks).toSorted()).toEqual(found.toSorted())
    expect([...ends].toSorted()).toEqual(Object.keys(tracks).toSorted())
  })

  test('ends a thought where something is said', () => {
    const first = events.find((event) => event?.pieces[0]?.track === '0.text')
    expect(first?.ends).toEqual(['0.reasoning'])
  })

  test('has no texts in what says none', () => {
    const stream = geminiTexts.stream?.({})
    expect(stream?.read({ event: 'message', data: ' ' })).toBeUndefined()
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: {} }
    expect(stream?.read({ event: 'message', data: JSON.stringify(blocked) })?.pieces).toEqual([])
    expect(() => stream?.read({ event: 'message', data: '{' })).toThrow(SyntaxError)
  })

  test('that is withheld finishes the candidates that have begun', () => {
    const about = { modelVersion: 'm', responseId: 'r' }
    expect(withhold(-1)).toBe('')
    expect(dataOf(withhold(0))).toEqual([{ candidates: [{ finishReason: 'SAFETY', index: 0 }], ...about }])
    expect(dataOf(withhold(EVENTS.length - 2))).toEqual([
      {
        candidates: [
          { finishReason: 'SAFETY', index: 0 },
          { finishReason: 'SAFETY', index: 1 },
        ],
        ...about,
      },
    ])
    expect(withhold(EVENTS.length - 1)).toBe('')
  })
})

test('a soft refusal is a whole answer', () => {
  const said = geminiTexts.say?.('Not today.', { id: 'r2', model: 'm', created: 5 }) ?? {}
  expect(geminiAnswers.read(said)?.answer).toEqual(said)
  expect(shown(geminiTexts.answered?.(said))).toEqual([
    ['assistant', 'text', 'candidates.0.content.parts.0.text', 'Not today.'],
  ])
})
