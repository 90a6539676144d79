import { describe, expect, test } from 'bun:test'
import { InvalidRequest, UpstreamInvalid } from '../../errors/gateway-error.ts'
import type { AdapterContext } from './provider.ts'
import type { RerankRequest } from './rank.ts'
import { rerankFields, rerankReply, rerankTexts } from './rerank.ts'

const context: AdapterContext = {
  provider: 'acme',
  model: 'asked',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 0,
  settings: {},
}

const request: RerankRequest = { model: 'm', query: 'q', documents: ['a', { text: 'b', page: 7, tags: ['x'] }, 'c'] }

describe('documents', () => {
  test('are their texts', () => {
    expect(rerankTexts(request)).toEqual(['a', 'b', 'c'])
    expect(rerankFields(request)).toEqual(['a', 'b', 'c'])
  })

  test('are the fields that are to be compared, as YAML', () => {
    expect(rerankFields({ ...request, rank_fields: ['text', 'page', 'tags'] })).toEqual([
      'text: "a"',
      'text: "b"\npage: 7\ntags: ["x"]',
      'text: "c"',
    ])
  })

  test('without any of the fields are refused', () => {
    expect(() => rerankFields({ ...request, rank_fields: ['page'] })).toThrow(InvalidRequest)
    expect(() => rerankFields({ ...request, rank_fields: ['toString'] })).toThrow('`documents[0]` has none')
    expect(() => rerankTexts({ documents: [5] } as unknown as RerankRequest)).toThrow('`documents[0]` must be')
  })
})

describe('a reply', () => {
  const results = [
    { index: 0, relevance_score: 0.1 },
    { index: 1, relevance_score: 0.9 },
    { index: 2, relevance_score: 0.5 },
  ]

  test('is best first, whatever the order of the host', () => {
    const { reply, usage } = rerankReply({ results, id: 'r-1', model: 'm', searchUnits: 1 }, request, context)
    expect(reply).toEqual({
      id: 'r-1',
      object: 'list',
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 2, relevance_score: 0.5 },
        { index: 0, relevance_score: 0.1 },
      ],
      model: 'm',
      usage: { search_units: 1 },
      provider: 'acme',
    })
    expect(usage).toBeUndefined()
  })

  test('has as many results as were asked for, and the documents where they were', () => {
    const asked = { ...request, top_n: 2, return_documents: true }
    const { reply, usage } = rerankReply({ results, tokens: 9 }, asked, context)
    expect(reply.results).toEqual([
      { index: 1, relevance_score: 0.9, document: { text: 'b', page: 7, tags: ['x'] } },
      { index: 2, relevance_score: 0.5, document: { text: 'c' } },
    ])
    expect(reply).toMatchObject({ id: 'rerank-call-1', model: 'asked', usage: { prompt_tokens: 9, total_tokens: 9 } })
    expect(usage).toEqual({ inputTokens: 9, outputTokens: 0, totalTokens: 9 })
  })

  test('takes the score from where the host has it', () => {
    const { reply } = rerankReply({ results: [{ index: 2, score: -3 }], score: 'score' }, request, context)
    expect(reply.results).toEqual([{ index: 2, relevance_score: -3 }])
  })

  test.each([
    undefined,
    {},
    [5],
    [{ index: 3, relevance_score: 1 }],
    [{ index: 0.5, relevance_score: 1 }],
    [{ index: -1, relevance_score: 1 }],
    [{ index: 0 }],
  ])('of what is none is an error: %p', (wrong) => {
    expect(() => rerankReply({ results: wrong }, request, context)).toThrow(UpstreamInvalid)
  })
})
