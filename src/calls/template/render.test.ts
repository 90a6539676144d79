import { describe, expect, test } from 'bun:test'
import { MissingPartials, MissingVariables, PartialRecursion, TemplateTooLarge } from './errors.ts'
import { parseTemplate } from './parse.ts'
import { renderTemplate } from './render.ts'

type Variables = Readonly<Record<string, unknown>>

interface Options {
  readonly partials?: Readonly<Record<string, string>>
  readonly strict?: boolean
  readonly maxCharacters?: number
}

const render = (text: string, variables: Variables = {}, { partials = {}, ...options }: Options = {}) => {
  const parsed = new Map(Object.entries(partials).map(([name, each]) => [name, parseTemplate(each)]))
  return renderTemplate(parseTemplate(text), {
    ...options,
    variables,
    partial: (name) => parsed.get(name),
  })
}

const thrownBy = (run: () => unknown): unknown => {
  try {
    run()
  } catch (thrown) {
    return thrown
  }
  throw new Error('Nothing was thrown')
}

describe('values', () => {
  test.each<readonly [template: string, variables: Variables, expected: string]>([
    ['a {{x}} b', { x: 'v' }, 'a v b'],
    ['{{ user name }}', { 'user name': 'Anna' }, 'Anna'],
    ['{{x}}{{{x}}}{{&x}}{{{ x }}}{{& x}}', { x: '<"&>' }, '<"&>'.repeat(5)],
    ['{{x}}}', { x: 'v' }, 'v}'],
    ['{{n}} {{f}} {{t}} {{z}}', { n: -1.5, f: false, t: true, z: 0 }, '-1.5 false true 0'],
    ['[{{n}}{{u}}{{nothing}}]', { n: null, u: undefined }, '[]'],
    ['{{o}}{{l}}', { o: { a: ['"'] }, l: [1, null] }, '{"a":["\\""]}[1,null]'],
    ['{{a.b.c}}|{{a.b}}', { a: { b: { c: 1 } } }, '1|{"c":1}'],
    ['{{l.0}}{{l.1.x}}', { l: ['a', { x: 'b' }] }, 'ab'],
    ['[{{a.b.c}}{{a.x}}{{t.length}}]', { a: { b: null }, t: 'text' }, '[]'],
    // What an object has from its prototype is not there; what it has itself is.
    ['[{{constructor}}{{__proto__}}{{toString}}{{a.constructor.name}}{{hasOwnProperty}}]', { a: {} }, '[]'],
    ['{{constructor}}', { constructor: 'McLaren' }, 'McLaren'],
    ['{{__proto__.x}}', JSON.parse('{"__proto__":{"x":"own"}}'), 'own'],
    ['[{{#__proto__}}x{{/__proto__}}]', {}, '[]'],
    // Neither code nor templates in values.
    ['[{{f}}]', { f: () => 'called' }, '[]'],
    ['{{x}}', { x: '{{y}}{{>p}}{{#y}}', y: 'no' }, '{{y}}{{>p}}{{#y}}'],
    ['{{x}}', { x: '$& $1 $$ \\' }, '$& $1 $$ \\'],
    ['a{{! no {{x }}b', { x: 'v' }, 'ab'],
  ])('%s', (template, variables, expected) => {
    expect(render(template, variables)).toBe(expected)
  })

  test('a lambda is not called, in a section neither', () => {
    let calls = 0
    const lambda = () => {
      calls += 1
    }
    render('{{f}}{{#f}}x{{f}}{{/f}}{{^f}}{{/f}}', { f: lambda })
    expect(calls).toBe(0)
  })
})

describe('sections', () => {
  test.each<readonly [template: string, variables: Variables, expected: string]>([
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: true }, 'a'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: 'false' }, 'a'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: 1 }, 'a'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: {} }, 'a'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: false }, 'b'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: 0 }, 'b'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: '' }, 'b'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: null }, 'b'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', { x: [] }, 'b'],
    ['{{#x}}a{{/x}}{{^x}}b{{/x}}', {}, 'b'],
    ['{{#x}}{{.}},{{/x}}', { x: ['a', 2, null, { b: 1 }] }, 'a,2,,{"b":1},'],
    ['{{#x}}{{n}}{{o}};{{/x}}', { x: [{ n: 1 }, { n: 2, o: 'inner' }], o: 'outer' }, '1outer;2inner;'],
    ['{{#x}}{{y.z}}{{/x}}', { x: { y: {} }, y: { z: 'not this' } }, ''],
    ['{{#x}}{{y}}{{/x}}', { x: { y: undefined }, y: 'not this' }, ''],
    ['{{#x}}{{#y}}{{a}}{{b}}{{/y}}{{/x}}', { x: { a: 1, y: { b: 2 } } }, '12'],
    ['{{#x}}{{#.}}{{.}}{{/.}};{{/x}}', { x: [[1, 2], [], [3]] }, '12;;3;'],
    ['{{#x}}{{.}}{{/x}}', { x: 'text' }, 'text'],
    // A flag does not hide the item.
    ['{{#l}}{{#x}}{{.}}{{/x}}{{/l}}', { l: ['a'], x: true }, 'a'],
    ['{{#a.b}}{{c}}{{/a.b}}{{^a.z}}-{{/a.z}}', { a: { b: { c: 1 } } }, '1-'],
    ['{{#user name}}{{.}}{{/ user name }}', { 'user name': 'Anna' }, 'Anna'],
    ['{{#l}}x{{^l}}y{{/l}}{{/l}}', { l: [false, true] }, 'xx'],
    ['{{#o}}{{.}}{{/o}}', { o: { a: 1 } }, '{"a":1}'],
  ])('%s', (template, variables, expected) => {
    expect(render(template, variables)).toBe(expected)
  })
})

describe('lines', () => {
  // The first ones are those of the mustache specification, version 1.4, read 2026-11.
  test.each<readonly [about: string, template: string, expected: string]>([
    ['a section', '| This Is\n{{#on}}\n|\n{{/on}}\n| A Line', '| This Is\n|\n| A Line'],
    ['indented', '| This Is\n  {{#on}}\n|\n  {{/on}}\n| A Line', '| This Is\n|\n| A Line'],
    ['CRLF', '|\r\n{{#on}}\r\n{{/on}}\r\n|', '|\r\n|'],
    ['no line before', '  {{#on}}\n#{{/on}}\n/', '#\n/'],
    ['no line after', '#{{#on}}\n/\n  {{/on}}', '#\n/\n'],
    ['a section in a line', ' | {{#on}}\t|\t{{/on}} | \n', ' | \t|\t | \n'],
    ['inverted', '|\n{{^off}}\n|\n{{/off}}\n|', '|\n|\n|'],
    ['a comment', 'a\n  {{! x }}\nb', 'a\nb'],
    ['a comment of several lines', 'a\n  {{!\n x \n  }}\nb', 'a\nb'],
    ['a comment beside text', '  12 {{! 34 }}\n', '  12 \n'],
    ['a value is not taken out', 'a\n {{nothing}} \nb', 'a\n  \nb'],
    ['several tags on a line', 'a\n {{#on}} {{#on}}\nb\n{{/on}}{{/on}} \nc', 'a\nb\nc'],
    ['a partial', 'a\n{{>p}}\nb', 'a\np1\np2\nb'],
    ['a partial indents its lines', 'a\n  {{>p}}\nb', 'a\n  p1\n  p2\nb'],
    ['a partial beside text', 'a {{>p}} b', 'a p1\np2\n b'],
    ['values are not indented', ' {{>value}}\n', ' [x\ny]\n'],
    ['partials in partials add up', ' {{>outer}}\n', ' o\n   p1\n   p2\n o\n'],
    ['empty lines stay empty', ' {{>gap}}\n', ' a\n\n b\n'],
    [
      'one partial, indented in two ways',
      '{{>p}}\n {{>p}}\n  {{>p}}\n {{>p}}',
      'p1\np2\n p1\n p2\n  p1\n  p2\n p1\n p2\n',
    ],
    ['an indented partial that is empty', 'a\n  {{>empty}}\nb', 'a\nb'],
  ])('%s', (_about, template, expected) => {
    const partials = {
      p: 'p1\np2\n',
      value: '[{{lines}}]\n',
      outer: 'o\n  {{>p}}\no\n',
      gap: 'a\n\nb\n',
      empty: '',
    }
    expect(render(template, { on: true, lines: 'x\ny' }, { partials })).toBe(expected)
  })
})

describe('partials', () => {
  const partials = { p: '<{{x}}{{>q@2}}>', 'q@2': '[{{#l}}{{.}}{{/l}}]', 'q@latest': 'latest' }

  test.each<readonly [template: string, variables: Variables, expected: string]>([
    ['{{>p}}{{> p }}', { x: 1, l: [2, 3] }, '<1[23]><1[23]>'],
    ['{{#o}}{{>p}}{{/o}}', { o: { x: 'inner' }, x: 'outer' }, '<inner[]>'],
    ['{{>>which}}{{>>other one}}', { which: 'q@latest', 'other one': 'q@2', l: [1] }, 'latest[1]'],
    ['{{#l}}{{>>.}}{{/l}}{{>>o.p}}', { l: ['q@latest'], o: { p: 'q@latest' } }, 'latestlatest'],
    // Tags in a value do not bring one in.
    ['{{x}}', { x: '{{>p}}' }, '{{>p}}'],
  ])('%s', (template, variables, expected) => {
    expect(render(template, variables, { partials })).toBe(expected)
  })

  test('all that are missing are named at once, those in partials, in hidden sections and of variables too', () => {
    const thrown = thrownBy(() =>
      render(
        '{{>a}}{{>p}}{{#no}}{{>b@3}}{{/no}}{{>a}}{{>>c}}{{>>d}}{{>>e}}{{>>f}}{{>>g}}{{>>e}}',
        { c: 'x@label', d: 'gone', f: { an: 'object' }, g: '' },
        { partials: { p: '{{>inner}}' } },
      ),
    )
    expect(thrown).toBeInstanceOf(MissingPartials)
    expect(thrown).toMatchObject({
      names: ['a', 'inner', 'b@3', 'x@label', 'gone'],
      variables: ['e', 'f', 'g'],
      message:
        'These partials do not exist or have no such version: a, inner, b@3, x@label, gone. These variables must name a partial: e, f, g.',
    })
  })

  test('a variable of a partial that is not shown is not asked for', () => {
    expect(render('{{#no}}{{>>which}}{{/no}}')).toBe('')
  })

  test('each is looked up once', () => {
    const asked: string[] = []
    const partial = (reference: string) => {
      asked.push(reference)
      return parseTemplate('x')
    }
    const template = parseTemplate('{{>p}}{{>p}}{{#l}}{{>q}}{{/l}}')
    expect(renderTemplate(template, { variables: { l: [1, 2] }, partial })).toBe('xxxx')
    expect(asked).toEqual(['p', 'q'])
  })

  test('what cannot be a reference is not looked up', () => {
    const asked: string[] = []
    const partial = (reference: string) => {
      asked.push(reference)
      return undefined
    }
    const variables = { l: ['fine@3', 'p@label', '../p', 'p q', '__proto__.x', 'p\n', 'x'.repeat(257)] }
    const run = () => renderTemplate(parseTemplate('{{#l}}{{>>.}}{{/l}}'), { variables, partial })
    expect(thrownBy(run)).toMatchObject({ names: variables.l })
    expect(asked).toEqual(['fine@3'])
  })

  test('one that contains itself is refused with the way there', () => {
    const loop = { a: '{{>b}}', b: '{{#on}}{{>a}}{{/on}}' }
    const thrown = thrownBy(() => render('{{>a}}', { on: true }, { partials: loop }))
    expect(thrown).toBeInstanceOf(PartialRecursion)
    expect(thrown).toMatchObject({ chain: ['a', 'b', 'a'], message: 'A partial cannot contain itself: a > b > a.' })
    expect(thrownBy(() => render('{{>a}}', { me: 'a' }, { partials: { a: '{{>>me}}' } }))).toMatchObject({
      chain: ['a', 'a'],
    })
  })

  test('also by another reference, and not when it only comes twice', () => {
    const same = parseTemplate('{{>a@latest}}')
    const options = { variables: {}, partial: () => same }
    expect(thrownBy(() => renderTemplate(parseTemplate('{{>a}}'), options))).toMatchObject({ chain: ['a', 'a@latest'] })
    expect(render('{{>a}}{{>b}}{{>a}}', {}, { partials: { a: '1{{>b}}', b: '2' } })).toBe('12212')
  })

  test('sixteen may be inside one another, one more is refused, hidden or not', () => {
    const chain = (count: number, link: (next: string) => string) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, index === count - 1 ? 'end' : link(`p${index + 1}`)]),
      )
    expect(render('{{>p0}}', {}, { partials: chain(16, (next) => `{{>${next}}}`) })).toBe('end')
    for (const link of ['{{>@}}', '{{#hidden}}{{>@}}{{/hidden}}']) {
      const partials = chain(17, (next) => link.replace('@', next))
      expect(() => render('{{>p0}}', {}, { partials })).toThrow(TemplateTooLarge)
    }
    const byVariables = chain(17, (next) => `{{>>v${next}}}`)
    const variables = Object.fromEntries(Object.keys(byVariables).map((name) => [`v${name}`, name]))
    expect(() => render('{{>p0}}', variables, { partials: byVariables })).toThrow(
      "more than 16 partials in one another, down to 'p16'",
    )
  })
})

describe('strict', () => {
  const strictly = (text: string, variables: Variables = {}) => render(text, variables, { strict: true })

  test('all values that are missing are named at once', () => {
    const thrown = thrownBy(() => strictly('{{a}}{{b.c}}{{#l}}{{d}}{{x}}{{/l}}{{a}}', { l: [{ x: 1 }], b: {} }))
    expect(thrown).toBeInstanceOf(MissingVariables)
    expect(thrown).toMatchObject({ names: ['a', 'b.c', 'd'], message: 'These variables are missing: a, b.c, d.' })
  })

  test('null and empty are there, what is not shown is not asked for, and sections may ask', () => {
    expect(strictly('{{a}}{{b}}{{#c}}{{d}}{{/c}}{{^c}}none{{/c}}', { a: null, b: '' })).toBe('none')
  })

  test('a message names no more than twenty', () => {
    const text = Array.from({ length: 25 }, (_, index) => `{{${String(index).repeat(120)}}}`).join('')
    const { message } = thrownBy(() => strictly(text)) as Error
    expect(message).toContain('0…, 1')
    expect(message).toEndWith(' and 5 more.')
    expect(message.length).toBeLessThan(2_500)
  })
})

describe('bounds', () => {
  test('characters written, by values and by text', () => {
    expect(render('ab{{x}}', { x: 'cde' }, { maxCharacters: 5 })).toBe('abcde')
    expect(() => render('ab{{x}}', { x: 'cdef' }, { maxCharacters: 5 })).toThrow('more than 5 characters come of it')
    const million = 'x'.repeat(1_000_000)
    expect(() => render('{{x}}{{x}}{{x}}{{x}}{{x}}', { x: million })).toThrow(TemplateTooLarge)
    expect(render('{{x}}{{x}}{{x}}{{x}}', { x: million }).length).toBe(4_000_000)
    expect(() => render('{{#l}}{{>p}}{{/l}}', { l: Array(5) }, { partials: { p: million } })).toThrow(TemplateTooLarge)
  })

  test('items of all sections together', () => {
    const list = Array.from({ length: 100 }, () => 0)
    expect(render('{{#l}}{{#l}}{{/l}}{{/l}}', { l: list.slice(1) })).toBe('')
    expect(() => render('{{#l}}{{#l}}{{/l}}{{/l}}', { l: list })).toThrow('more than 10000 items')
  })

  test('work that writes nothing', () => {
    const many = '{{nothing}}'.repeat(1_000)
    expect(render(`{{#l}}${many}{{/l}}`, { l: Array(1_990) })).toBe('')
    expect(() => render(`{{#l}}${many}{{/l}}`, { l: Array(2_000) })).toThrow('it repeats too much')
    const partials = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`p${index}`, index === 9 ? '' : `{{>p${index + 1}}}`.repeat(10)]),
    )
    expect(() => render('{{>p0}}', {}, { partials })).toThrow('it repeats too much')
  })

  test('sections inside sections, through partials as well', () => {
    const deep = (count: number, inside: string) => `${'{{#x}}'.repeat(count)}${inside}${'{{/x}}'.repeat(count)}`
    const partials = { p: deep(16, 'in') }
    expect(render(deep(16, '{{>p}}'), { x: 1 }, { partials })).toBe('in')
    expect(() => render(deep(17, '{{>p}}'), { x: 1 }, { partials })).toThrow('more than 32 sections in one another')
  })

  test('a value that is nested too deep to be written', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(() => render('{{x}}', { x: deep })).toThrow('a value is nested too deep')
    // Running out of stack takes seconds on a busy machine.
  }, 30_000)
})
