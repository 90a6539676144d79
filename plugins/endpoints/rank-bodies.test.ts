import { describe, expect, test } from 'bun:test'
import { type Endpoint, InvalidRequest } from '#kit'
import moderations from './moderations.ts'
import ocr from './ocr.ts'
import rerank from './rerank.ts'

type Fields = Readonly<Record<string, unknown>>

const fault = ({ body }: Endpoint, fields: Fields) => {
  if (body.kind !== 'json') throw new Error('its body is not JSON')
  try {
    body.check(fields)
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return { param: thrown.options.param, message: thrown.message }
    throw thrown
  }
  return undefined
}

const ENDPOINTS = { rerank, moderations, ocr }

const asked = { model: 'm', query: 'q', documents: ['a', { text: 'b', page: 1 }] }
const document = { type: 'document_url', document_url: 'https://a.example/b.pdf' }

test.each([
  ['rerank', asked],
  ['rerank', { ...asked, top_n: 1, return_documents: null, rank_fields: ['text'], parameters: { truncate: 'END' } }],
  ['rerank', { ...asked, query: '', max_tokens_per_doc: 1, priority: -0.5, truncation: false, theirs: {} }],
  ['moderations', { input: '' }],
  ['moderations', { model: null, input: ['a', 'b'] }],
  ['moderations', { model: 'm', input: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }] }],
  ['ocr', { model: 'm', document }],
  ['ocr', { model: 'm', document: { type: 'image_url', image_url: 'data:image/png;base64,AA==' }, pages: [0, 2] }],
  ['ocr', { model: 'm', document: { type: 'image_url', image_url: { url: 'https://a.example/b' } }, pages: '0-2' }],
  ['ocr', { model: 'm', document: { type: 'file', file_id: 'f' }, include_image_base64: true, image_limit: 1 }],
] as const)('%s takes %p', (name, body) => {
  expect(fault(ENDPOINTS[name], body)).toBeUndefined()
})

describe('what is wrong is named', () => {
  test.each([
    ['rerank', { ...asked, model: '' }, 'model', 'must be a string that is not empty'],
    ['rerank', { ...asked, query: undefined }, 'query', 'is required'],
    ['rerank', { ...asked, documents: [] }, 'documents', 'must be an array with at least one document'],
    ['rerank', { ...asked, documents: 'a' }, 'documents', 'must be an array with at least one document'],
    ['rerank', { ...asked, documents: ['a', 5] }, 'documents[1]', 'must be a string or an object with a `text`'],
    [
      'rerank',
      { ...asked, documents: [{ title: 'a' }] },
      'documents[0]',
      'must be a string or an object with a `text`',
    ],
    ['rerank', { ...asked, top_n: 0 }, 'top_n', 'must be a whole number of at least 1'],
    ['rerank', { ...asked, rank_fields: [] }, 'rank_fields', 'must be an array with at least one string'],
    ['rerank', { ...asked, parameters: [] }, 'parameters', 'must be an object'],
    ['moderations', { model: 'm' }, 'input', 'is required'],
    ['moderations', { input: [] }, 'input', 'must be a string, or an array of strings or of parts'],
    ['moderations', { input: [{ text: 'a' }] }, 'input[0].type', 'is required'],
    ['moderations', { input: 'a', model: 5 }, 'model', 'must be a string'],
    ['ocr', { document }, 'model', 'is required'],
    ['ocr', { model: 'm' }, 'document', 'is required'],
    ['ocr', { model: 'm', document: 'https://a.example' }, 'document', 'must be an object with the type'],
    ['ocr', { model: 'm', document: { type: 'document_url' } }, 'document', 'must be an object with the type'],
    ['ocr', { model: 'm', document, pages: [-1] }, 'pages', 'must be an array of numbers of pages'],
    ['ocr', { model: 'm', document, image_limit: 0 }, 'image_limit', 'must be a whole number of at least 1'],
  ] as const)('%s %p', (name, body, param, problem) => {
    const found = fault(ENDPOINTS[name], body)
    expect(found?.param).toBe(param)
    expect(found?.message).toContain(problem)
  })
})

test('usage is what the provider says, where it counts tokens', () => {
  expect(rerank.usageOf({ usage: { search_units: 1 } })).toBeUndefined()
  expect(rerank.usageOf({ usage: { prompt_tokens: 7, total_tokens: 7 } })).toEqual({
    inputTokens: 7,
    outputTokens: 0,
    totalTokens: 7,
  })
})
