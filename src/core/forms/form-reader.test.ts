import { describe, expect, test } from 'bun:test'
import { InvalidRequest } from '../../errors/gateway-error.ts'
import { isNamed, multipartField, urlencodedField } from './form-fields.ts'
import { type FormPart, FormReader } from './form-reader.ts'
import { readParametrised } from './parametrised.ts'

const CRLF = '\r\n'
const FILE = `Content-Disposition: form-data; name="file"; filename="a.wav"${CRLF}Content-Type: audio/wav${CRLF}${CRLF}\0\x01--${CRLF}x`
const field = (name: string, value = 'whisper-1'): string =>
  `Content-Disposition: form-data; name="${name}"${CRLF}${CRLF}${value}`
const form = (...parts: readonly string[]): string =>
  `${parts.map((part) => `--b${CRLF}${part}${CRLF}`).join('')}--b--${CRLF}`

/** The parts of a form that comes in pieces of so many bytes. */
const readMultipart = (
  bytes: Uint8Array,
  boundary: string | undefined,
  pieceBytes: number = bytes.length + 1,
): readonly FormPart[] => {
  const reader = new FormReader(boundary, (part) => isNamed(part, 'model'))
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes))
  reader.end()
  return reader.parts
}

/** Read in one piece and in small ones, which never makes a difference. */
const modelOf = (text: string, boundary = 'b'): string | undefined => {
  const bytes = new TextEncoder().encode(text)
  const read = (pieceBytes?: number): (() => string | undefined) => {
    try {
      const model = multipartField(readMultipart(bytes, boundary, pieceBytes), 'model')
      return () => model
    } catch (thrown) {
      return () => {
        throw thrown
      }
    }
  }
  const [whole, ...others] = [read(), ...[1, 2, 3, 7, 50].map((pieceBytes) => read(pieceBytes))]
  for (const other of others) expect(endOf(other)).toBe(endOf(whole))
  return whole?.()
}

const endOf = (read: (() => string | undefined) | undefined): string => {
  try {
    return `found ${read?.()}`
  } catch {
    return 'refused'
  }
}

test('the model is found among files and other fields', () => {
  expect(modelOf(form(FILE, field('model'), field('language', 'en')))).toBe('whisper-1')
  expect(modelOf(form(FILE, field('purpose', 'batch')))).toBeUndefined()
})

test('what clients write is read: bun, names without quotes, a type and an encoding that says nothing', async () => {
  const made = new FormData()
  made.append('file', new File([new Uint8Array(3000).map((_, index) => index)], 'ä "b".wav'))
  made.append('model', 'gpt-image-1')
  const request = new Request('http://localhost/', { method: 'POST', body: made })
  const [, boundary] = /boundary="?([^"]+)"?$/.exec(request.headers.get('content-type') ?? '') ?? []
  expect(multipartField(readMultipart(await request.bytes(), boundary), 'model')).toBe('gpt-image-1')
  // System.Net.Http of .NET writes it so.
  expect(
    modelOf(
      form(`Content-Type: text/plain; charset=utf-8${CRLF}Content-Disposition: form-data; name=model${CRLF}${CRLF}m`),
    ),
  ).toBe('m')
  expect(modelOf(form(`${field('model', 'm').replace(CRLF, `${CRLF}Content-Transfer-Encoding: 8bit${CRLF}`)}`))).toBe(
    'm',
  )
  expect(
    modelOf(form(`Content-Disposition: form-data; name="f"; filename="x"; filename*=UTF-8''x${CRLF}${CRLF}1`)),
  ).toBe(undefined)
  expect(modelOf(form(field('model', '')).slice(0, -2))).toBe('')
})

describe('what readers take in different ways is refused', () => {
  const model = field('model')
  test.each<[string, string, string?]>([
    ['nothing', ''],
    ['text in front', `x${CRLF}${form(model)}`],
    ['text behind', `${form(model)}x`],
    ['text right behind the last boundary', form(model).replace('--b--', '--b--x')],
    ['no last boundary', form(model).replace('--b--', '')],
    ['bare line feeds', form(model).replaceAll(CRLF, '\n')],
    ['a bare line feed in front of a boundary', form(FILE.replace('--', '\n--b\r\n'))],
    ['a bare line feed in a header', form(model.replace('; name', ';\n name'))],
    ['a bare carriage return in a header', form(model.replace('; name', ';\r name'))],
    ['a header over two lines', form(model.replace('; name', ';\r\n name'))],
    ['a NUL in a header', form(model.replace('name=', 'name=\0'))],
    ['a header without a name', form(`: x${CRLF}${model}`)],
    ['a blank behind a boundary', form(model).replace('--b\r\n', '--b \r\n')],
    ['a longer boundary inside', form(FILE.replace('--', '\r\n--bc\r\n'))],
    ['`name*`', form(model.replace('name="model"', "name*=utf-8''model"))],
    ['`name*` beside `name`', form(model.replace('name="model"', `name="x"; name*=utf-8''model`))],
    ['`name*0`', form(model.replace('name="model"', 'name="x"; name*0="mo"; name*1="del"'))],
    ['two names', form(model.replace('name="model"', 'name="x"; name="model"'))],
    ['two names in two cases', form(model.replace('name="model"', 'name="x"; Name="model"'))],
    ['an escaped quote', form(model.replace('name="model"', 'filename="a\\"; name="model"; x="'))],
    ['a backslash in the name', form(field('mod\\el'))],
    ['a percent sign in the name', form(field('mo%64el'))],
    ['half a quote', form(field('x').replace('name="x"', 'name=mo"del"'))],
    ['a blank around the equals sign', form(model.replace('name=', 'name ='))],
    ['text behind the quote', form(model.replace('"model"', '"model"x'))],
    ['no disposition', form(`Content-Type: text/plain${CRLF}${CRLF}x`)],
    ['two dispositions', form(`Content-Disposition: form-data; name="x"${CRLF}${model}`)],
    ['another disposition', form(model.replace('form-data', 'attachment'))],
    ['an encoded part', form(`Content-Transfer-Encoding: quoted-printable${CRLF}${field('model', 'mo=64el')}`)],
    ['two models', form(model, field('model', 'other'))],
    ['a model in another case beside', form(model, field('Model', 'other'))],
    ['a model in another case alone', form(field('MODEL'))],
    ['a list of models', form(field('model[]'))],
    ['a name with a blank', form(field(' model'))],
    ['a model that is a file', form(model.replace('"model"', '"model"; filename="m"'))],
    ['a model in UTF-16', form(`Content-Type: text/plain; charset=utf-16${CRLF}${model}`)],
    ['a model with a line break', form(field('model', 'x\r\n'))],
    ['a boundary of other characters', form(model), 'b\\'],
    ['no boundary', form(model), ''],
  ])('%s', (_what, text, boundary = 'b') => {
    expect(() => modelOf(text, boundary)).toThrow(InvalidRequest)
  })

  test('too many parts, and headers without end', () => {
    expect(() => modelOf(form(...Array.from({ length: 1001 }, () => field('x'))))).toThrow('more than 1000 parts')
    expect(() => modelOf(form(`X: ${'x'.repeat(9_000)}${CRLF}${model}`))).toThrow('no end of its headers')
  })
})

describe('one field of a query or an urlencoded form', () => {
  test.each(['&', ';'])('no more fields than a form has for any other purpose than to cost time: %s', (separator) => {
    const others = (count: number): string => Array.from({ length: count }, () => 'a=b').join(separator)
    expect(urlencodedField(`${others(9_999)}&model=x`, 'model')).toBe('x')
    expect(() => urlencodedField(`${others(10_000)}&model=x`, 'model')).toThrow('more than 10000 fields')
  })

  test('is found as it was written', () => {
    expect(urlencodedField('a=1&model=x%2Fy&b', 'model')).toBe('x/y')
    expect(urlencodedField('mod%65l=x', 'model')).toBe('x')
    expect(urlencodedField('a=b;c&remodel=1', 'model')).toBeUndefined()
    expect(urlencodedField('', 'model')).toBeUndefined()
  })

  test.each([
    'model=a&model=b',
    'Model=a',
    'model=a&MODEL=b',
    'a=1;model=b',
    'model=a;b=1',
    'model[]=a',
    'model%20=a',
    'model=a%0A',
  ])('that can be read in two ways is refused: %s', (text) => {
    expect(() => urlencodedField(text, 'model')).toThrow(InvalidRequest)
  })
})

describe('takes time in proportion to the text', () => {
  test('of headers that are blank, or nearly', () => {
    const before = performance.now()
    const blanks = ' '.repeat(8_000)
    for (const header of [`X:${blanks}\0`, `Content-Disposition: form-data${blanks}x`, `${blanks}:`]) {
      expect(() => readMultipart(Buffer.from(form(`${header}${CRLF}${CRLF}x`)), 'b')).toThrow(InvalidRequest)
    }
    expect(readParametrised(`multipart/form-data${' '.repeat(200_000)}x`)).toBeUndefined()
    expect(readParametrised(`multipart/form-data;${' '.repeat(200_000)};`)).toBeUndefined()
    expect(readParametrised(`a/b${' '.repeat(1_000)};`)?.value).toBe('a/b')
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})
