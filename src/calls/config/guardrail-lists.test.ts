import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { InvalidConfig, type Violation } from '../../errors/gateway-error.ts'
import { type Check, type CheckDirectory, defineCheck, InvalidParameters } from '../../kit/check.ts'
import { compileConfig } from './compile.ts'
import { readCallConfig } from './read.ts'

const pass = () => ({ verdict: true })

const contains = defineCheck({
  id: 'default.contains',
  summary: 'Passes for words.',
  parameters: t.Object({
    words: t.Array(t.String()),
    operator: t.Union([t.Literal('any'), t.Literal('all')], { default: 'any' }),
  }),
  stages: ['input', 'output'],
  run: pass,
})
const wordCount = defineCheck({
  id: 'default.wordCount',
  summary: 'Passes for some words.',
  parameters: t.Object({ maxWords: t.Optional(t.Integer()) }),
  stages: ['input', 'output'],
  run: pass,
})
const ofAnswers = defineCheck({
  id: 'acme.answers',
  summary: 'Passes for answers.',
  parameters: t.Object({}),
  stages: ['output'],
  run: pass,
})
const ofRequests = defineCheck({
  id: 'acme.requests',
  summary: 'Passes for requests.',
  parameters: t.Object({}),
  stages: ['input'],
  run: pass,
})
const pattern = defineCheck({
  id: 'acme.pattern',
  summary: 'Passes for a pattern.',
  parameters: t.Object({ rule: t.String() }),
  stages: ['input'],
  prepare: ({ rule }) => {
    if (rule === '(') throw new InvalidParameters([{ path: 'rule', message: 'is no pattern: 1: missing )' }])
    return { run: pass }
  },
})

const all: readonly Check[] = [contains, wordCount, ofAnswers, ofRequests, pattern]
const checks: CheckDirectory = { get: (id) => all.find((each) => each.id === id), list: () => all }

const read = (config: unknown) => readCallConfig(config, { settingNames: new Set(), checks })

const violations = (config: unknown): readonly Violation[] => {
  try {
    read(config)
  } catch (thrown) {
    if (thrown instanceof InvalidConfig) return thrown.options.violations ?? []
    throw thrown
  }
  throw new Error('the config was accepted')
}

const DEFAULTS = {
  type: 'guardrail',
  deny: false,
  async: false,
  sequential: false,
  soft_deny_200: false,
  stream_mode: 'after',
  stream_window: 200,
}

const words = { id: 'default.contains', parameters: { words: ['a'] }, is_enabled: true }

describe('guardrails of a config', () => {
  test('name saved ones, by a text or by an object without checks', () => {
    expect(
      read({ inputGuardrails: ['pg-a', { id: 'pg-b' }], after_request_hooks: [{ id: 'c', type: 'guardrail' }] }),
    ).toEqual({
      settings: {},
      guardrails: {
        input_guardrails: [
          { kind: 'stored', reference: 'pg-a', path: 'inputGuardrails[0]' },
          { kind: 'stored', reference: 'pg-b', path: 'inputGuardrails[1]' },
        ],
        after_request_hooks: [{ kind: 'stored', reference: 'c', path: 'after_request_hooks[0]' }],
      },
    })
  })

  test('are written out with their checks', () => {
    const on_fail = { feedback: { value: -3, weight: 0.5, metadata: 'why' } }
    const hook = {
      id: 'mine',
      name: 'Mine',
      deny: true,
      async: true,
      sequential: true,
      soft_deny_200: true,
      stream_mode: 'window',
      stream_window: 50,
      checks: [{ ...words, name: 'w', is_enabled: false }],
      on_fail,
      on_success: { feedback: {} },
    }
    const { id, name, ...rest } = hook
    const on_success = { feedback: { value: 5, weight: 1, metadata: '' } }
    expect(read({ before_request_hooks: [hook] }).guardrails?.before_request_hooks).toEqual([
      {
        kind: 'inline',
        id,
        name,
        path: 'before_request_hooks[0]',
        definition: { ...rest, type: 'guardrail', on_success },
      },
    ] as never)
  })

  test('have a short form: ids of checks with their parameters', () => {
    const short = {
      'default.contains': { words: ['a'] },
      wordCount: { maxWords: 5, is_enabled: false },
      deny: true,
      streamMode: 'buffer',
      onFail: { feedback: { metadata: { team: 'red' } } },
    }
    expect(read({ targets: [{ output_guardrails: [short] }] }).targets?.[0]?.guardrails?.output_guardrails).toEqual([
      {
        kind: 'inline',
        id: 'targets[0].output_guardrails[0]',
        path: 'targets[0].output_guardrails[0]',
        definition: {
          ...DEFAULTS,
          deny: true,
          stream_mode: 'buffer',
          on_fail: { feedback: { value: -5, weight: 1, metadata: { team: 'red' } } },
          checks: [words, { id: 'default.wordCount', parameters: { maxWords: 5 }, is_enabled: false }],
        },
      },
    ] as never)
  })

  test('are mutators in the lists of those, and where they say so', () => {
    const { guardrails } = read({
      input_mutators: [{ checks: [words] }],
      before_request_hooks: [{ type: 'mutator', contains: { words: [] } }],
    })
    const types = Object.values(guardrails ?? {}).map(([use]) => use?.kind === 'inline' && use.definition.type)
    expect(types).toEqual(['mutator', 'mutator'])
  })

  test('keep the spelling of what stands in parameters', () => {
    const config = {
      beforeRequestHooks: [{ checks: [{ id: 'acme.free', isEnabled: true, parameters: { aB: { c_d: 1 } } }] }],
    }
    const { guardrails } = readCallConfig(config, { settingNames: new Set() })
    expect(guardrails?.before_request_hooks?.[0]).toMatchObject({
      definition: { checks: [{ id: 'acme.free', is_enabled: true, parameters: { aB: { c_d: 1 } } }] },
    })
  })

  test('are handed down list by list, and what stands below wins', () => {
    const one = { 'default.contains': { words: ['a'] } }
    const plan = compileConfig(
      read({
        strategy: { mode: 'fallback' },
        input_guardrails: ['above'],
        input_mutators: [one],
        output_guardrails: ['above-too'],
        targets: [
          {},
          { input_guardrails: ['below'], before_request_hooks: [{ id: 'first' }] },
          { input_guardrails: [], input_mutators: [], output_guardrails: [] },
        ],
      }),
    )
    const named = plan.leaves.map(({ guardrails }) =>
      guardrails === undefined
        ? undefined
        : [guardrails.input, guardrails.output].map((uses) =>
            uses.map((use) => (use.kind === 'stored' ? use.reference : use.id)),
          ),
    )
    expect(named).toEqual([
      [['above', 'input_mutators[0]'], ['above-too']],
      [['first', 'below', 'input_mutators[0]'], ['above-too']],
      undefined,
    ])
    const [first, second] = plan.leaves
    // What is kept of it by its identity is made once.
    expect(first?.guardrails?.input[1]).toBe(second?.guardrails?.input[2] as never)
  })
})

describe('guardrails of a config are refused', () => {
  const long = 'g'.repeat(257)
  const table: readonly (readonly [string, unknown, readonly Violation[]])[] = [
    ['no list', { input_guardrails: 'pg-a' }, [{ path: 'input_guardrails', message: 'must be an array' }]],
    [
      'neither text nor object',
      { input_guardrails: [5] },
      [{ path: 'input_guardrails[0]', message: 'must be the id of a saved guardrail, or an object with checks' }],
    ],
    [
      'an empty id',
      { input_guardrails: [''] },
      [{ path: 'input_guardrails[0]', message: expect.stringContaining('at least 1') }],
    ],
    [
      'a long id',
      { before_request_hooks: [{ id: long }] },
      [{ path: 'before_request_hooks[0].id', message: expect.stringContaining('at most 256') }],
    ],
    [
      'an object that says nothing',
      { before_request_hooks: [{ deny: true }] },
      [{ path: 'before_request_hooks[0]', message: 'needs checks, or the `id` of a saved guardrail' }],
    ],
    [
      'no checks in the list',
      { before_request_hooks: [{ id: 'a', checks: [] }] },
      [{ path: 'before_request_hooks[0].checks', message: 'must have at least 1 item' }],
    ],
    [
      'actions of a saved one',
      { inputGuardrails: [{ id: 'pg-a', deny: true, onFail: {} }] },
      [
        { path: 'inputGuardrails[0].deny', message: 'needs `checks` beside it: a saved guardrail has its own' },
        { path: 'inputGuardrails[0].onFail', message: 'needs `checks` beside it: a saved guardrail has its own' },
      ],
    ],
    [
      'a typo in a field',
      { input_guardrails: [{ wordCount: {}, dney: true }] },
      [{ path: 'input_guardrails[0].dney', message: "unknown key; did you mean 'deny'?" }],
    ],
    [
      'parameters that are no object',
      { input_guardrails: [{ 'default.wordCount': 5 }] },
      [{ path: 'input_guardrails[0].default.wordCount', message: 'must be an object: the parameters of the check' }],
    ],
    [
      'both forms at once',
      { input_guardrails: [{ checks: [words], 'default.wordCount': {} }] },
      [{ path: 'input_guardrails[0].default.wordCount', message: 'cannot stand beside `checks`: put it in there' }],
    ],
    [
      'a wrong kind of value',
      { output_guardrails: [{ wordCount: {}, streamMode: 'hold', onFail: { feedback: { value: 11 } } }] },
      [
        { path: 'output_guardrails[0].streamMode', message: 'must be one of: after, window, buffer' },
        { path: 'output_guardrails[0].onFail.feedback.value', message: expect.stringContaining('less or equal to 10') },
      ],
    ],
    [
      'a check that does not exist',
      { targets: [{ beforeRequestHooks: [{ checks: [words, { id: 'default.wordcount' }] }] }] },
      [
        {
          path: 'targets[0].beforeRequestHooks[0].checks[1].id',
          message: expect.stringContaining("did you mean 'default.wordCount'?"),
        },
      ],
    ],
    [
      'a short name that is none',
      { input_guardrails: [{ contain: { words: [] } }] },
      [{ path: 'input_guardrails[0].contain', message: expect.stringContaining("did you mean 'default.contains'?") }],
    ],
    [
      'wrong parameters',
      {
        input_guardrails: [
          { 'default.contains': { words: [], operator: 'some' } },
          { checks: [{ id: 'default.contains', parameters: { words: 'a' } }] },
        ],
      },
      [
        { path: 'input_guardrails[0].default.contains.operator', message: 'must be one of: any, all' },
        { path: 'input_guardrails[1].checks[0].parameters.words', message: 'expected array' },
      ],
    ],
    [
      'a pattern that does not compile',
      { input_guardrails: [{ 'acme.pattern': { rule: '(' } }] },
      [{ path: 'input_guardrails[0].acme.pattern.rule', message: 'is no pattern: 1: missing )' }],
    ],
    [
      'a check of the other stage',
      { inputMutators: [{ 'acme.answers': {} }], output_guardrails: [{ checks: [{ id: 'acme.requests' }] }] },
      [
        { path: 'inputMutators[0].acme.answers', message: 'is a check of answers only' },
        { path: 'output_guardrails[0].checks[0].id', message: 'is a check of requests only' },
      ],
    ],
    [
      'a mutator beside the call',
      { input_mutators: [{ wordCount: {}, async: true }] },
      [
        {
          path: 'input_mutators[0].async',
          message: 'cannot be true for a mutator: the call waits for what it changes',
        },
      ],
    ],
    [
      'a planted key',
      JSON.parse('{"input_guardrails": [{"default.wordCount": {"__proto__": {}}}]}'),
      [{ path: 'input_guardrails[0].default.wordCount.__proto__', message: 'this key is never allowed' }],
    ],
  ]
  test.each(table)('%s', (_, config, expected) => {
    expect(violations(config)).toEqual(expected as Violation[])
  })

  test('more than 100, and more than 100 checks, over the whole config', () => {
    const ids = Array.from({ length: 60 }, (_, index) => `pg-${index}`)
    const target = { input_guardrails: ids }
    const config = (...targets: object[]) => ({ strategy: { mode: 'fallback' }, targets })
    expect(read(config(target, {})).targets?.length).toBe(2)
    expect(violations(config(target, target))).toEqual([
      { path: 'targets[1].input_guardrails', message: 'are more than 100 guardrails with those before them' },
    ])
    const short = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`default.c${index}`, {}]))
    expect(violations({ input_guardrails: [short] })).toEqual([
      { path: 'input_guardrails[0]', message: 'has more than 100 checks' },
    ])
    const many = { output_guardrails: [{ checks: ids.map(() => words) }] }
    expect(violations(config(many, many))).toEqual([
      { path: 'targets[1].output_guardrails[0].checks', message: 'are more than 100 checks with those before them' },
    ])
  })
})
