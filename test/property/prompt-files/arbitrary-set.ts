import fc from 'fast-check'
import {
  bySlug,
  type Entry,
  type PromptSet,
  partialKey,
  promptKey,
  type VersionEntry,
} from '../../../src/cli/prompts/entries.ts'
import { stemOf } from '../../../src/cli/prompts/layout.ts'
import type { PartialContent } from '../../../src/store/objects/prompt-partials.ts'
import type { PromptContent } from '../../../src/store/objects/prompts.ts'

/** Pieces that a text file, an editor or a reader could lose, and tags. */
const PIECES = [
  'Hi ',
  '{{name}}',
  '{{#a}}x{{/a}}',
  '\n',
  '\r\n',
  '\n\n',
  ' ',
  '"',
  '\\',
  'a\ufeff',
  'é😀',
  '[1]',
  '{ ',
  '{{>pl-a}}',
]

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''))
const filledText = text.map((template) => (template === '' ? 'x' : template))

const messages = fc
  .array(fc.record({ role: fc.constantFrom('system', 'user'), content: text }), { minLength: 1, maxLength: 3 })
  .map((list) => JSON.stringify(list))

const built = fc.constantFrom(
  '[{{#a}}{"role":"user","content":"x"}{{/a}}]',
  '[ {"role":"user","content":[ {{#a}}{"type":"text","text":"{{.}}"},{{/a}} {"type":"text","text":"y"} ]} ]',
)

const template = fc.oneof(
  fc.record({ template: filledText, isRawTemplate: fc.constant(false) }),
  fc.record({ template: messages, isRawTemplate: fc.boolean() }),
  fc.record({ template: built, isRawTemplate: fc.constant(true) }),
)

const key = fc.constantFrom('b', 'a', 'type', '10', '2', 'é')
const json = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(null, true, 0.5, 3, '', 'text\n'),
    fc.array(tie('value')),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
})).object

const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { freq: 2 })

const promptContent: fc.Arbitrary<PromptContent> = fc
  .record({
    template,
    parameters: json,
    virtualKey: fc.constant(null),
    model: optional(fc.constantFrom('mock', '@main/gpt-5')),
    functions: optional(fc.array(json, { maxLength: 2 })),
    tools: optional(fc.array(json, { maxLength: 2 })),
    toolChoice: optional(fc.oneof(fc.constantFrom('auto', 'none'), json)),
    templateMetadata: optional(json),
    // Whatever stands under a keyword of no meaning is a schema.
    variablesSchema: optional(json.map((value) => ({ default: value }))),
    strict: fc.boolean(),
    description: optional(fc.constantFrom('', 'Shorter.', 'Two\nlines')),
  })
  .map(({ template: both, ...content }) => ({ ...content, ...both }))

const partialContent: fc.Arbitrary<PartialContent> = fc.record({
  template: text,
  description: optional(fc.constantFrom('', 'Shorter.')),
})

const LABELS = ['production', 'staging', 'canary', 'Canary', 'v-2', `${'long'.repeat(40)}`]

/** An entry of which every version that is kept has something that refers to it, as a pull makes them. */
const entry = <Content>(
  content: fc.Arbitrary<Content>,
  keyOf: (content: Content) => string,
  labels: readonly string[],
): fc.Arbitrary<Pick<Entry<Content>, 'newest' | 'kept'>> =>
  fc
    .record({
      contents: fc.uniqueArray(content, { minLength: 1, maxLength: labels.length === 0 ? 2 : 4, selector: keyOf }),
      published: fc.nat(),
      owners: fc.array(fc.option(fc.nat()), { minLength: labels.length, maxLength: labels.length }),
    })
    .map(({ contents, published, owners }) => {
      const at = (owner: number): number => owner % contents.length
      const versions = contents.map(
        (own, index): VersionEntry<Content> => ({
          content: own,
          isPublished: at(published) === index,
          labels: labels.filter((_, label) => at(owners[label] ?? -1) === index).toSorted(),
        }),
      )
      const [newest, ...older] = versions
      if (newest === undefined) throw new Error('There is no version.')
      const kept = older.filter((version) => version.isPublished || version.labels.length > 0)
      return { newest, kept: kept.toSorted((left, right) => (stemOf(left) < stemOf(right) ? -1 : 1)) }
    })

const slug = (prefix: string) => fc.stringMatching(/^[a-z0-9]{1,4}$/).map((end) => `${prefix}-${end}`)
const name = fc.constantFrom('Greeting', 'A / B', 'Zeile\nzwei', '"quoted"')

const entries = <Content>(
  prefix: string,
  versions: fc.Arbitrary<Pick<Entry<Content>, 'newest' | 'kept'>>,
  maxLength: number,
) =>
  fc
    .uniqueArray(
      fc
        .record({ slug: slug(prefix), name, versions })
        .map(({ versions: own, ...head }): Entry<Content> => ({ ...head, ...own })),
      { maxLength, selector: (found) => found.slug },
    )
    .map(bySlug)

const collection = fc.constantFrom(['Default'], ['Team'], ['Team', 'Support'], ['Default', 'Support'], ['a/b', 'c'])

/** Sets as a pull makes them: the same versions are never there twice, and everything is in its order. */
export const promptSets: fc.Arbitrary<Required<PromptSet>> = fc.record({
  prompts: entries('pp', entry(promptContent, promptKey, LABELS), 3).chain((prompts) =>
    fc
      .array(collection, { minLength: prompts.length, maxLength: prompts.length })
      .map((paths) => prompts.map((prompt, index) => ({ ...prompt, collection: paths[index] ?? [] }))),
  ),
  partials: entries('pl', entry(partialContent, partialKey, []), 2),
})
