import { describe, expect, test } from 'bun:test'
import { isRecord } from '#kit'
import { KeptObjects } from '../kept/objects.ts'
import { planAnswer } from '../routes.ts'

const ask = (path: string, body: Readonly<Record<string, unknown>>) => {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const plan = planAnswer(
    { method: 'POST', path, headerNames: [], contentType: 'application/json', body: bytes },
    () => true,
    new KeptObjects(),
  )
  const text = [...(plan.pieces as Iterable<Uint8Array | string>)]
    .map((piece) => Buffer.from(piece).toString())
    .join('')
  const json: unknown = JSON.parse(text)
  if (!isRecord(json)) throw new Error('the answer is no object')
  return { status: plan.head?.status, json }
}

describe('moderations of the mock', () => {
  const flags = (input: unknown) => {
    const { results } = ask('/v1/moderations', { input }).json
    return (results as { flagged: boolean; categories: Record<string, boolean> }[]).map(({ flagged, categories }) => [
      flagged,
      Object.keys(categories).filter((name) => categories[name]),
    ])
  }

  test('flag the categories that a text names', () => {
    expect(flags(['Hello', 'Self-harm and HATE'])).toEqual([
      [false, []],
      [true, ['hate', 'self-harm']],
    ])
  })

  test('judge parts together, and images to be clean', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a.example/violence.png' } }
    expect(flags([{ type: 'text', text: 'sexual' }, image])).toEqual([[true, ['sexual']]])
    expect(flags([image])).toEqual([[false, []]])
  })

  test.each([{}, { input: [] }, { input: [5] }, { input: [{ type: 'text' }] }, { input: ['a', {}] }])(
    'refuse %p',
    (body) => {
      expect(ask('/v1/moderations', body)).toMatchObject({ status: 400 })
    },
  )
})

describe('rerank of the mock', () => {
  test('gives the share of the words of the query, equals in their order', () => {
    const documents = ['x', 'One two', 'two, ONE!', 'two']
    const { json } = ask('/v1/rerank', { model: 'mock-rerank', query: 'one two', documents, top_n: 3 })
    expect(json.results).toEqual([
      { index: 1, relevance_score: 1 },
      { index: 2, relevance_score: 1 },
      { index: 3, relevance_score: 0.5 },
    ])
  })

  test('pays a search for each hundred documents', () => {
    const documents = Array.from({ length: 101 }, () => 'x')
    const { json } = ask('/v1/rerank', { model: 'mock-rerank', query: '', documents })
    expect(json.usage).toEqual({ search_units: 2 })
  })

  test.each([{ documents: ['a'] }, { query: 'q' }, { query: 'q', documents: [{}] }])('refuses %p', (body) => {
    expect(ask('/v1/rerank', { model: 'mock-rerank', ...body })).toMatchObject({ status: 400 })
  })
})

describe('OCR of the mock', () => {
  const read = (document: unknown, more = {}) => ask('/v1/ocr', { model: 'mock-ocr', document, ...more })

  test('reads texts, in base64 and not', () => {
    const coded = `data:text/markdown;charset=utf-8;base64,${Buffer.from('# Grüße').toString('base64')}`
    expect(read({ type: 'document_url', document_url: coded }).json.pages).toMatchObject([{ markdown: '# Grüße' }])
    const plain = 'data:text/plain,a%0Cb%0Cc'
    expect(read({ type: 'document_url', document_url: plain }, { pages: [0, 2] }).json).toMatchObject({
      pages: [
        { index: 0, markdown: 'a' },
        { index: 2, markdown: 'c' },
      ],
      usage_info: { pages_processed: 2 },
    })
  })

  test('says of others what they are', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
    const { json } = read(image, { include_image_base64: true })
    expect(json.pages).toMatchObject([
      {
        markdown: '![img-0.png](img-0.png)\n\nMock read a document of the type image/png.',
        images: [{ id: 'img-0.png', image_base64: expect.stringMatching(/^data:image\/png/) }],
      },
    ])
    const url = { type: 'document_url', document_url: 'https://a.example/b.pdf' }
    expect(JSON.stringify(read(url).json.pages)).toContain('a document at a URL')
  })

  test.each([{}, { type: 'file', file_id: 'f' }, { type: 'document_url', document_url: 'data:text/plain,%' }])(
    'refuses %p',
    (document) => {
      expect(read(document)).toMatchObject({ status: 400 })
    },
  )
})

test.each([
  ['/v1/rerank', 'mock', 'is not for /v1/rerank: `mock-rerank` is'],
  ['/v1/rerank', 'mock-ocr', 'is for /v1/ocr only'],
  ['/v1/chat/completions', 'mock-rerank', 'is for /v1/rerank only'],
])('%s refuses the model %s', (path, model, problem) => {
  expect(JSON.stringify(ask(path, { model }).json)).toContain(problem)
})
