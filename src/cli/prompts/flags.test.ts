import { describe, expect, test } from 'bun:test'
import { WrongUsage } from '../terminal/flags.ts'
import { toParameters, withVariables } from './flags.ts'

describe('--var', () => {
  test('sets texts, also inside objects and over those of a file', () => {
    const base = { user: { name: 'Ada', age: 36 }, list: [1] }
    expect(withVariables(base, ['user.name=Bob', 'user.a.b=1', 'full name=x=y', 'empty='])).toEqual({
      user: { name: 'Bob', age: 36, a: { b: '1' } },
      list: [1],
      'full name': 'x=y',
      empty: '',
    })
    expect(base).toEqual({ user: { name: 'Ada', age: 36 }, list: [1] })
  })

  test.each(['name', '=x', '.a=1', 'a.=1', 'a..b=1', '__proto__.x=1', 'a.__proto__=1'])('refuses %s', (assignment) => {
    expect(() => withVariables({}, [assignment])).toThrow(WrongUsage)
  })

  test('refuses to look into a value that is no object', () => {
    expect(() => withVariables({ a: [] }, ['a.b=1'])).toThrow("'a' is no object")
    expect(() => withVariables({}, ['a=1', 'a.b=1'])).toThrow("'a' is no object")
    // Nothing of a prototype is looked into.
    expect(withVariables({}, ['constructor.name=1'])).toEqual({ constructor: { name: '1' } } as Record<string, unknown>)
  })
})

describe('--param', () => {
  test('takes JSON as that and all else as text', () => {
    expect(toParameters(['temperature=0.5', 'stop=["a"]', 'stream=true', 'model=gpt-5', 'user="7"', 'x='])).toEqual({
      temperature: 0.5,
      stop: ['a'],
      stream: true,
      model: 'gpt-5',
      user: '7',
      x: '',
    })
  })

  test.each(['model', '=1', 'messages=[]', 'prompt=x', 'variables={}', 'hyperparameters={}', '__proto__={}'])(
    'refuses %s',
    (assignment) => {
      expect(() => toParameters([assignment])).toThrow(WrongUsage)
    },
  )
})
