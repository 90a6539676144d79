import { type Check, type CheckInput, defineCheck, t } from '#kit'

export const CARD = '4111 1111 1111 1111'

/** What `test.sees` was given since it was emptied last. */
export const seen: CheckInput[] = []

/** Lets the checks go on that `test.waits` holds. */
export const waiting: (() => void)[] = []

/** Checks that look at streams in each of the ways that there are. */
export const streamChecks: readonly Check[] = [
  defineCheck({
    id: 'test.redactsCards',
    summary: 'Puts a word in the place of a number of a card.',
    parameters: t.Object({}),
    stages: ['input', 'output'],
    prepare: () => ({
      reach: 19,
      run: ({ texts }) => ({
        verdict: true,
        texts: texts.map((text) => text.replaceAll(/\d{4}(?: \d{4}){3}/g, '[CARD]')),
      }),
    }),
  }),
  defineCheck({
    id: 'test.forbids',
    summary: 'Passes unless a text has the word.',
    parameters: t.Object({ word: t.String() }),
    stages: ['input', 'output'],
    prepare: ({ word }) => ({
      reach: word.length,
      run: ({ texts }) => ({ verdict: !texts.some((text) => text.includes(word)), data: { word } }),
    }),
  }),
  defineCheck({
    id: 'test.sees',
    summary: 'Passes. Needs all of the text.',
    parameters: t.Object({}),
    stages: ['input', 'output'],
    run: (input) => {
      seen.push(input)
      return { verdict: true }
    },
  }),
  defineCheck({
    id: 'test.isShort',
    summary: 'Passes when all of the text has no more characters. Needs all of the text.',
    parameters: t.Object({ most: t.Integer() }),
    stages: ['input', 'output'],
    run: ({ texts }, { most }) => ({ verdict: texts.join('').length <= most }),
  }),
  defineCheck({
    id: 'test.signs',
    summary: 'Puts a word behind each text. Needs all of the text.',
    parameters: t.Object({}),
    stages: ['input', 'output'],
    run: ({ texts }) => ({ verdict: true, texts: texts.map((text) => `${text} (signed)`) }),
  }),
  defineCheck({
    id: 'test.waits',
    summary: 'Passes, once it is let.',
    parameters: t.Object({}),
    stages: ['output'],
    prepare: () => ({
      reach: 1,
      run: () => new Promise((resolve) => waiting.push(() => resolve({ verdict: true }))),
    }),
  }),
  defineCheck({
    id: 'test.breaks',
    summary: 'Never can tell.',
    parameters: t.Object({}),
    stages: ['output'],
    prepare: () => ({
      reach: 1,
      run: () => {
        throw new Error('out of order')
      },
    }),
  }),
]
