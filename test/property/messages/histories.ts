import fc from 'fast-check'

/** White space alone is no text for Anthropic. */
export const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => `${text}.`)

const input = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 4 }),
  fc.oneof(fc.string(), fc.integer(), fc.boolean()),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
)

const textBlock = words.map((text) => ({ type: 'text', text }))
const marked = words.map((text) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } }))
const image = fc.constantFrom(
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
  { type: 'image', source: { type: 'url', url: 'https://images.example/a.png' } },
)
const pdf = fc.constant({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
  title: 'a.pdf',
})

/** One text alone is told as a text. */
const severalParts = fc.array(fc.oneof(textBlock, image), { minLength: 2, maxLength: 3 })

export interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

export interface Turn {
  readonly role: string
  readonly content: readonly Block[]
}

/** A question, and any number of turns with parallel calls, all of them answered. */
export const histories: fc.Arbitrary<readonly Turn[]> = fc
  .record({
    question: fc.array(fc.oneof(textBlock, marked, image, pdf), { minLength: 1, maxLength: 3 }),
    rounds: fc.array(
      fc.record({
        said: fc.option(textBlock, { nil: undefined }),
        calls: fc.array(input, { maxLength: 3 }),
        results: fc.array(fc.oneof(words, severalParts), {
          minLength: 3,
          maxLength: 3,
        }),
        failed: fc.boolean(),
        next: fc.array(fc.oneof(textBlock, marked, image), { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ question, rounds }) => [
    { role: 'user', content: question },
    ...rounds.flatMap(({ said, calls, results, failed, next }, round): Turn[] => {
      const id = (index: number): string => `toolu_${round}_${index}`
      const uses = calls.map((each, index) => ({ type: 'tool_use', id: id(index), name: `f${index}`, input: each }))
      const answers = uses.map((use, index) => ({
        type: 'tool_result',
        tool_use_id: use.id,
        content: results[index] ?? 'x',
        ...(failed ? { is_error: true } : {}),
      }))
      const content = [
        ...(said === undefined && uses.length > 0 ? [] : [said ?? { type: 'text', text: 'Yes.' }]),
        ...uses,
      ]
      return [
        { role: 'assistant', content },
        { role: 'user', content: [...answers, ...next] },
      ]
    }),
  ])
