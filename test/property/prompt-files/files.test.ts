import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type PromptSet, promptKey, versionsOf } from '../../../src/cli/prompts/entries.ts'
import { fromFiles } from '../../../src/cli/prompts/from-files.ts'
import { FOLDERS } from '../../../src/cli/prompts/layout.ts'
import { toFiles } from '../../../src/cli/prompts/to-files.ts'
import { promptSets } from './arbitrary-set.ts'

const folders = new Set<string>(FOLDERS)

test('what is written to files is what is read from them, and they are written again to the byte', () => {
  fc.assert(
    fc.property(promptSets, (set) => {
      const files = toFiles(set)
      const read = fromFiles({ files, folders })
      expect(read).toEqual(set)
      expect([...toFiles(read)]).toEqual([...files])
    }),
  )
})

test('no two files have names that differ in case only', () => {
  fc.assert(
    fc.property(promptSets, (set) => {
      const paths = [...toFiles(set).keys()].map((path) => path.toLowerCase())
      expect(new Set(paths).size).toBe(paths.length)
    }),
  )
})

test('the order of keys is kept: to a model it means something', () => {
  const keysOf = ({ prompts = [] }: PromptSet) => prompts.flatMap(versionsOf).map(({ content }) => promptKey(content))
  fc.assert(
    fc.property(promptSets, (set) => {
      expect(keysOf(fromFiles({ files: toFiles(set), folders }))).toEqual(keysOf(set))
    }),
  )
})
