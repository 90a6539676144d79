import { expect, test } from 'bun:test'
import { createPaint } from '../../observe/terminal.ts'
import { VERSION } from '../../version.ts'
import { banner } from './banner.ts'

const plain = createPaint(false)
const URL_TEXT = 'http://127.0.0.1:8787'

test('a first start shows both keys once and a first call that carries the new one', () => {
  const text = banner({
    url: URL_TEXT,
    basePath: '/llm',
    created: { adminKey: 'admin-1', apiKey: 'api-1' },
    hasMock: true,
    paint: plain,
  })
  expect(text).toStartWith(`Weir ${VERSION} is listening on ${URL_TEXT}\n`)
  expect(text.split('admin-1')).toHaveLength(2)
  expect(text).toContain('API key   (model calls)  api-1\n')
  expect(text).toContain(`Look at it in a browser: ${URL_TEXT}/llm/console/\n`)
  expect(text).toContain(`curl -s ${URL_TEXT}/llm/v1/chat/completions -H "authorization: Bearer api-1"`)
})

test('a later start shows the address alone', () => {
  const text = banner({ url: URL_TEXT, basePath: '', created: undefined, hasMock: true, paint: plain })
  expect(text).toBe(`Weir ${VERSION} is listening on ${URL_TEXT}\n\n`)
})

test('without the mock there is no call that would work', () => {
  const text = banner({ url: URL_TEXT, basePath: '', created: { apiKey: 'api-1' }, hasMock: false, paint: plain })
  expect(text).toContain('api-1')
  expect(text).not.toContain('admin key')
  expect(text).not.toContain('curl')
})

test('a preset API key is not shown, only named', () => {
  const text = banner({ url: URL_TEXT, basePath: '', created: { adminKey: 'admin-1' }, hasMock: true, paint: plain })
  expect(text).toContain('Bearer $WEIR_API_KEY')
  expect(text).not.toContain('API key ')
})

test('keys that are in a file are not shown: it is named, and the first call reads it', () => {
  const created = { adminKey: 'admin-1', apiKey: 'api-1' }
  const keysFile = "/srv/it's/first-keys.env"
  const text = banner({ url: URL_TEXT, basePath: '', created, keysFile, hasMock: true, paint: plain })
  expect(text).toContain(`The first keys are in ${keysFile}, which its owner alone can read.`)
  expect(text).not.toMatch(/admin-1|api-1/)
  expect(text).toContain(
    `\n. '/srv/it'\\''s/first-keys.env'\ncurl -s ${URL_TEXT}/v1/chat/completions -H "authorization: Bearer $WEIR_API_KEY"`,
  )
})

test('colours are only where they are asked for', () => {
  const text = banner({ url: URL_TEXT, basePath: '', created: undefined, hasMock: true, paint: createPaint(true) })
  expect(text).toBe(`\u{1b}[1mWeir ${VERSION}\u{1b}[0m is listening on \u{1b}[36m${URL_TEXT}\u{1b}[0m\n\n`)
})
