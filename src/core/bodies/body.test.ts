import { describe, expect, spyOn, test } from 'bun:test'
import { InvalidRequest } from '../../errors/gateway-error.ts'
import { WholeBody } from './body.ts'

const bodyOf = (text: string): WholeBody => new WholeBody(new TextEncoder().encode(text))

const refusalOf = (body: WholeBody): string => {
  try {
    body.json()
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return thrown.message
    throw thrown
  }
  throw new Error('the body was accepted')
}

describe('what is no JSON object is refused, without repeating it', () => {
  const bodies: readonly (readonly [name: string, text: string, message: string])[] = [
    ['an empty body', '', 'empty'],
    ['white space', ' \n', 'not valid JSON'],
    ['an array', '[{"model":"m"}]', 'must be a JSON object'],
    ['null', 'null', 'must be a JSON object'],
    ['a string', '"secret"', 'must be a JSON object'],
    ['a number', '1', 'must be a JSON object'],
    ['two objects', '{}{}', 'not valid JSON'],
    ['a cut object', '{"model":"secret', 'not valid JSON'],
    ['NaN', '{"temperature":NaN}', 'not valid JSON'],
    ['Infinity', '{"temperature":Infinity}', 'not valid JSON'],
    ['a comment', '{/* secret */}', 'not valid JSON'],
    ['a trailing comma', '{"a":1,}', 'not valid JSON'],
    ['single quotes', "{'a':1}", 'not valid JSON'],
    ['a raw line feed in a string', '{"a":"\n"}', 'not valid JSON'],
    ['a form', 'model=secret', 'not valid JSON'],
  ]
  for (const [name, text, message] of bodies) {
    test(name, () => {
      const refusal = refusalOf(bodyOf(text))
      expect(refusal).toContain(message)
      expect(refusal).not.toContain('secret')
    })
  }

  const broken: readonly (readonly [name: string, bytes: readonly number[]])[] = [
    ['a lone continuation byte', [0x80]],
    ['a cut character', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate written as UTF-8', [0xed, 0xa0, 0x80]],
    ['a byte that never occurs', [0xff]],
  ]
  for (const [name, bytes] of broken) {
    test(`invalid UTF-8: ${name}`, () => {
      const head = [...new TextEncoder().encode('{"a":"')]
      const tail = [...new TextEncoder().encode('"}')]
      expect(refusalOf(new WholeBody(new Uint8Array([...head, ...bytes, ...tail])))).toContain('UTF-8')
    })
  }
})

describe('deep nesting is refused before the parser sees it', () => {
  const nested = (depth: number, open: string, close: string): string =>
    `{"a":${open.repeat(depth - 1)}1${close.repeat(depth - 1)}}`

  test('100,000 arrays, closed or not', () => {
    expect(refusalOf(bodyOf(nested(100_000, '[', ']')))).toContain('nested deeper')
    expect(refusalOf(bodyOf('['.repeat(100_000)))).toContain('nested deeper')
  })

  test('100,000 objects', () => {
    expect(refusalOf(bodyOf(nested(100_000, '{"a":', '}')))).toContain('nested deeper')
  })

  test('128 levels pass and 129 do not', () => {
    expect(bodyOf(nested(128, '[', ']')).json()).toHaveProperty('a')
    expect(refusalOf(bodyOf(nested(129, '[', ']')))).toContain('128')
  })

  test('brackets that are not nested, or are text, do not count', () => {
    const flat = JSON.stringify({ a: Array.from({ length: 500 }, () => [{}]) })
    expect(bodyOf(flat).json()).toHaveProperty('a')
    const text = '[{'.repeat(500)
    expect(bodyOf(JSON.stringify({ text })).json()).toEqual({ text })
  })

  test('quotes and backslashes in text do not hide what is nested after it', () => {
    for (const text of ['"', '\\', '\\"', '\\\\', '"[', '\\\\"']) {
      const plain = JSON.stringify({ [text]: text, b: text })
      expect(bodyOf(`${plain}${' '.repeat(200)}`).json()).toEqual({ [text]: text, b: text })
      const deep = `{${JSON.stringify(text)}:${JSON.stringify(text)},"b":${'['.repeat(200)}${']'.repeat(200)}}`
      expect(refusalOf(bodyOf(deep))).toContain('nested deeper')
    }
  })

  test('closing brackets in front do not buy depth that later opens', () => {
    const refusal = refusalOf(bodyOf(`${']'.repeat(200)}${'['.repeat(300)}`))
    expect(refusal).toMatch(/nested deeper|not valid JSON/)
  })

  test('a string that never ends is no endless loop', () => {
    expect(refusalOf(bodyOf(`{"a":"${'x'.repeat(10_000)}`))).toContain('not valid JSON')
    expect(refusalOf(bodyOf(`{"a":"${'\\"'.repeat(10_000)}`))).toContain('not valid JSON')
  })
})

describe('odd but valid', () => {
  test('`__proto__` is a field of its own and changes no prototype', () => {
    const json = bodyOf('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}').json()
    expect(Object.hasOwn(json, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype)
    expect(json).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('polluted')
  })

  test('a lone surrogate, escaped, is kept', () => {
    expect(bodyOf('{"a":"\\ud800"}').json()).toEqual({ a: '\ud800' })
  })

  test('huge numbers never throw', () => {
    const digits = '9'.repeat(1_000_000)
    expect(bodyOf(`{"a":${digits}}`).json()).toEqual({ a: Number.POSITIVE_INFINITY })
    expect(bodyOf('{"a":1e400,"b":-1e400,"c":1e-400}').json()).toEqual({
      a: Number.POSITIVE_INFINITY,
      b: Number.NEGATIVE_INFINITY,
      c: 0,
    })
  })

  test('white space and a byte order mark around the object do not matter', () => {
    expect(bodyOf('\uFEFF \r\n{"a":1}\t ').json()).toEqual({ a: 1 })
  })
})

describe('parsing', () => {
  test('happens once, and only when somebody asks', () => {
    const parse = spyOn(JSON, 'parse')
    try {
      const body = bodyOf('{"a":1}')
      expect(parse).toHaveBeenCalledTimes(0)
      expect(body.json()).toBe(body.json())
      expect(parse).toHaveBeenCalledTimes(1)
    } finally {
      parse.mockRestore()
    }
  })

  test('a refused body is refused again', () => {
    const body = bodyOf('[]')
    expect(refusalOf(body)).toBe(refusalOf(body))
  })

  test('the bytes are those that came', () => {
    const bytes = new Uint8Array([0xff, 0x00])
    expect(new WholeBody(bytes).bytes).toBe(bytes)
  })
})

describe('loading', () => {
  test('happens when it is asked for, and once', async () => {
    let loads = 0
    const body = new WholeBody(() => {
      loads++
      return Promise.resolve(new TextEncoder().encode('{"a":1}'))
    })
    expect(loads).toBe(0)
    expect(() => body.bytes).toThrow('before it was loaded')
    expect(() => body.json()).toThrow('before it was loaded')
    await body.load()
    await body.load()
    expect(loads).toBe(1)
    expect(body.json()).toEqual({ a: 1 })
  })

  test('a body that is there already loads nothing', async () => {
    const body = bodyOf('{}')
    await body.load()
    expect(body.json()).toEqual({})
  })

  test('a failure is passed on, and the body stays unread', async () => {
    const failure = new InvalidRequest('cut off')
    const body = new WholeBody(() => Promise.reject(failure))
    expect(await body.load().catch((thrown: unknown) => thrown)).toBe(failure)
    expect(() => body.bytes).toThrow('before it was loaded')
  })
})
