import { expect, test } from 'bun:test'
import { readArguments } from './arguments.ts'

const known = { experiments: ['chat', 'memory'], lanes: ['bare', 'governed'] }
const read = (...given: string[]) => readArguments(given, known)

test('names are told apart into experiments and lanes', () => {
  expect(read('--only', 'governed, chat,bare')).toMatchObject({ experiments: ['chat'], lanes: ['governed', 'bare'] })
  expect(read()).toMatchObject({ experiments: [], lanes: [], effortName: 'full', publish: false })
})

test('a name that nothing has is refused, with those there are', () => {
  expect(() => read('--only', 'chat,tea')).toThrow(/unknown tea.*chat, memory.*bare, governed/)
})

test('rounds and seconds replace those of the effort', () => {
  expect(read('--quick', '--rounds', '7').effort).toMatchObject({ rounds: 7, seconds: 1 })
  for (const wrong of ['0', '-1', '1.5', 'many']) expect(() => read(`--rounds=${wrong}`)).toThrow('--rounds takes')
})
