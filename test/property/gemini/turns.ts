import fc from 'fast-check'

export interface Turn {
  readonly role: string
  readonly parts: readonly object[]
}

export const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })

const args = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 4 }),
  fc.oneof(fc.string(), fc.integer(), fc.boolean()),
  { maxKeys: 3, noNullPrototype: true },
)

const text = words.map((said) => ({ text: said }))
const media = fc.constantFrom(
  { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
  { inlineData: { mimeType: 'audio/wav', data: 'aGk=' } },
  { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } },
  { fileData: { mimeType: 'image/png', fileUri: 'https://images.example/a.png' } },
)
const inside = fc.constantFrom(
  { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
  { inlineData: { mimeType: 'application/pdf', data: 'aGk=' } },
)

/**
 * A question, and any number of turns with parallel calls, all of them answered. The first call of a turn has a signature of
 * Google's own, as Gemini's answers have.
 */
export const histories: fc.Arbitrary<readonly Turn[]> = fc
  .record({
    question: fc.array(fc.oneof(text, media), { minLength: 1, maxLength: 3 }),
    rounds: fc.array(
      fc.record({
        said: fc.option(text, { nil: undefined }),
        calls: fc.array(args, { maxLength: 3 }),
        results: fc.array(
          fc.record({ response: args, parts: fc.option(fc.array(inside, { minLength: 1, maxLength: 2 })) }),
          { minLength: 3, maxLength: 3 },
        ),
        next: fc.array(fc.oneof(text, media), { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ question, rounds }) => [
    { role: 'user', parts: question },
    ...rounds.flatMap(({ said, calls, results, next }, round): Turn[] => {
      const called = calls.map((given, index) => ({
        functionCall: { id: `call-${round}-${index}`, name: `f${index}`, args: given },
        ...(index === 0 ? { thoughtSignature: `c2ln${round}A==` } : {}),
      }))
      const answered = called.map(({ functionCall: { id, name } }, index) => {
        const { response = {}, parts } = results[index] ?? {}
        return { functionResponse: { id, name, response, ...(parts ? { parts } : {}) } }
      })
      const spoken = said ?? (called.length === 0 ? { text: 'Yes.' } : undefined)
      return [
        { role: 'model', parts: [...(spoken === undefined ? [] : [spoken]), ...called] },
        ...(answered.length === 0 ? [] : [{ role: 'user', parts: answered }]),
        { role: 'user', parts: next },
      ]
    }),
  ])
