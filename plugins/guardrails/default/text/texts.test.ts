import { describe, expect, test } from 'bun:test'
import type { Check, CheckInput } from '#kit'
import { faultsOf, run } from '../shared/test-support.ts'
import { contains } from './contains.ts'
import { containsCode } from './contains-code.ts'
import { characterCount, sentenceCount, wordCount } from './counts.ts'
import { endsWith } from './ends-with.ts'
import { allLowerCase, allUpperCase, isAllLowerCase } from './letter-case.ts'
import { notNull } from './not-null.ts'

// Cases marked C are those of the open-source counterpart's own tests (Portkey-AI/gateway, plugins/default/default.test.ts,
// read 2026-11-23), in our words.
type Row = readonly [check: Check, parameters: Record<string, unknown>, texts: readonly string[], verdict: boolean]

const TWO = 'This is a sentence. This is another sentence.'
const LOWER = 'text in lower case.'

describe('the verdict', () => {
  const rows: readonly Row[] = [
    // C
    [contains, { words: ['word1', 'word2'], operator: 'any' }, ['before this word1 and after'], true],
    [contains, { words: ['word1', 'word2'], operator: 'all' }, ['before this word1 and after'], false],
    [contains, { words: ['word2', 'word3'], operator: 'none' }, ['before this word1 and after'], true],
    [contains, { words: ['text', 'word1'], operator: 'all' }, ['some TEXT text, Word1'], false],
    // Each text is looked at, and what one of them has is there.
    [contains, { words: ['one', 'two'], operator: 'all' }, ['one', 'two'], true],
    [contains, { words: ['e t'] }, ['one', 'two'], false],
    [contains, { words: ['x'] }, [], false],
    [contains, { words: ['x'], operator: 'none' }, [], true],
    // C
    [sentenceCount, { minSentences: 1, maxSentences: 3 }, [TWO], true],
    [sentenceCount, { minSentences: 3, maxSentences: 4 }, [TWO], false],
    [sentenceCount, { minSentences: 3, maxSentences: 4, not: true }, [TWO], true],
    [sentenceCount, { minSentences: 1, maxSentences: 3 }, [''], false],
    [sentenceCount, {}, ['Really?! Yes.'], true],
    [sentenceCount, { maxSentences: 2 }, ['Really?! Yes.'], false],
    // C
    [wordCount, { minWords: 5, maxWords: 8 }, ['This is a sentence of seven words.'], true],
    [wordCount, { minWords: 1, maxWords: 3 }, ['This is a sentence of seven words.'], false],
    [wordCount, { minWords: 4, maxWords: 4 }, [' two\u00a0words\n', '\tand two '], true],
    [wordCount, { minWords: 0 }, ['\u3000a\u2028b\u1680c\u0085'], true],
    [wordCount, { minWords: 3, maxWords: 3 }, ['\u3000a\u2028b\u1680c\u0085'], true],
    [characterCount, { minCharacters: 4, maxCharacters: 4 }, ['four'], true],
    [characterCount, { maxCharacters: 8 }, ['four', 'five'], false],
    [characterCount, { maxCharacters: 9 }, ['four', 'five'], true],
    [characterCount, { minCharacters: 1 }, [''], false],
    // C
    [endsWith, { suffix: 'sentence' }, ['This is a sentence'], true],
    [endsWith, { suffix: 'sentence' }, ['This is a sentence.'], true],
    [endsWith, { suffix: 'sentence' }, ['This is a sentence!'], false],
    [endsWith, { suffix: 'end', not: true }, ['the end', 'or not'], true],
    // C
    [allUpperCase, {}, ['THIS IS 1 TEXT!'], true],
    [allUpperCase, {}, ['This is a text'], false],
    [allUpperCase, {}, ['123 !@#'], true],
    [allUpperCase, { not: true }, ['THIS'], false],
    [allUpperCase, {}, ['ÄRGER'], true],
    [allUpperCase, {}, ['äRGER'], false],
    [isAllLowerCase, {}, [LOWER], true],
    [isAllLowerCase, {}, ['This'], false],
    [allLowerCase, {}, [LOWER, 'Or not'], false],
    [allLowerCase, { not: true }, ['Or not'], true],
    // C
    [notNull, {}, ['text'], true],
    [notNull, {}, [''], false],
    [notNull, {}, [' \n\t'], false],
    [notNull, {}, [], false],
    [notNull, {}, ['', 'text'], true],
    [notNull, { not: true }, [''], true],
    [notNull, { not: true }, ['text'], false],
    // C
    [containsCode, { format: 'Python' }, ['```py\nprint("Hello World")\n```'], true],
    [containsCode, { format: 'JavaScript' }, ['```py\nprint("Hello World")\n```'], false],
    [containsCode, { format: 'Python' }, ['no code'], false],
    [containsCode, { format: 'Python', not: true }, ['no code'], true],
    [containsCode, { format: 'JavaScript' }, ['```py\na\n```\nand\n```js\nb\n```'], true],
    [containsCode, { format: 'C++' }, ['```c++\nint a;\n```'], true],
    [containsCode, { format: 'C#' }, ['text', '```c#\nvar a;\n```'], true],
    [containsCode, { format: 'Shell' }, ['````bash title="x"\nls\n````'], true],
    [containsCode, { format: 'YAML' }, ['```YAML\na: 1'], true],
    [containsCode, { format: 'Go' }, ['say ```go``` or go'], false],
    [containsCode, { format: 'R' }, ['```\nr\n```'], false],
  ]
  test.each(rows)('%# %o %j of %j', async ({ id }, parameters, texts, verdict) => {
    const check = rows.find(([each]) => each.id === id)?.[0]
    if (check === undefined) throw new Error('no such check')
    expect((await run(check, parameters, texts)).verdict).toBe(verdict)
  })
})

describe('what is said of it', () => {
  test('of words: which were found, and which are missing', async () => {
    const { data } = await run(contains, { words: ['a', 'b', 'a'], operator: 'all' }, ['ac'])
    expect(data).toEqual({
      verdict: false,
      operator: 'all',
      foundWords: ['a'],
      missingWords: ['b'],
      explanation: 'Of the words, some are missing (all).',
    })
  })

  test('no more than some words of many, and of a long one the beginning', async () => {
    const words = ['x'.repeat(5_000), ...Array.from({ length: 1_000 }, (_, index) => `w${index}`)]
    const { data } = await run(contains, { words }, ['nothing'])
    expect(JSON.stringify(data).length).toBeLessThan(1_000)
  })

  test('of counts: the number, and its bounds', async () => {
    const { data } = await run(wordCount, { maxWords: 2 }, ['x'.repeat(200)])
    expect(data).toEqual({
      verdict: true,
      not: false,
      wordCount: 1,
      minWords: 0,
      maxWords: 2,
      explanation: 'There are 1 words, within 0 to 2.',
      textExcerpt: `${'x'.repeat(100)}...`,
    })
  })

  test('of code: the formats', async () => {
    const { data } = await run(containsCode, { format: 'Go' }, ['```py\n```\n```brainfuck\n+\n```'])
    expect(data).toMatchObject({ searchedFormat: 'Go', foundFormats: ['Python', 'brainfuck'] })
  })
})

test.each([wordCount, endsWith, allUpperCase, allLowerCase, containsCode])(
  'no text is an error of %o',
  async (check) => {
    const parameters = check === endsWith ? { suffix: 'a' } : check === containsCode ? { format: 'C' } : {}
    await expect(async () => run(check, parameters, [' '])).toThrow('there is no text to look at')
  },
)

test.each<readonly [Check, Record<string, unknown>, string]>([
  [contains, {}, 'words'],
  [contains, { words: [] }, 'words must have at least 1 item'],
  [contains, { words: ['a', ''] }, 'words[1] must have at least 1 character'],
  [contains, { words: ['a'], operator: 'some' }, 'operator must be one of: any, all, none'],
  [contains, { words: ['a'.repeat(2_200_000)] }, 'words has more than 2097152 characters'],
  [wordCount, { minWords: -1 }, 'minWords'],
  [wordCount, { minWords: 3, maxWords: 2 }, 'minWords must be at most maxWords: 2'],
  [wordCount, { minWord: 3 }, "minWord unknown key; did you mean 'minWords'?"],
  [endsWith, { suffix: '' }, 'suffix must have at least 1 character'],
  [containsCode, { format: 'python' }, 'format must be one of: SQL, Python'],
  [notNull, { not: 'yes' }, 'not'],
])('wrong parameters of %o: %.80j', (check, parameters, fault) => {
  expect(faultsOf(check, parameters).join('; ')).toStartWith(fault)
})

describe('what counts as said', () => {
  const counted = async (texts: readonly string[], kinds: CheckInput['kinds']): Promise<unknown> =>
    (await run(wordCount, {}, { texts, kinds })).data

  test('are the words, each once, and not the thoughts or what goes to tools', async () => {
    const texts = ['let me think about that', 'two words', 'two words', '{"a":1}']
    expect(await counted(texts, ['reasoning', 'text', 'text', 'tool-arguments'])).toMatchObject({ wordCount: 2 })
    expect(await counted(['hm hm hm', 'a b'], ['reasoning', 'tool-arguments'])).toMatchObject({ wordCount: 2 })
    expect(await counted(['hm hm hm'], ['reasoning'])).toMatchObject({ wordCount: 3 })
  })
})
