/** Characters of each template, about. */
export const TEMPLATE_CHARACTERS = 4_096
export const VARIABLE_COUNT = 20

const names = Array.from({ length: VARIABLE_COUNT }, (_, number) => `variable ${number}`)

/** One value of a few words for each variable. */
export const variables: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(names.map((name, number) => [name, `the "value"\nof number ${number}, a few words long`])),
  history: Array.from({ length: 6 }, (_, number) => ({ asked: `question ${number}`, answered: `answer ${number}` })),
  polite: true,
}

/** Text with some of the variables in it, as it stands between the quotes of a JSON string. */
const filler = (some: readonly string[], characters: number): string => {
  const gap = Math.floor(characters / some.length)
  return some
    .map((name) => {
      const tag = `{{${name}}}`
      return `${'Words, as a prompt has them. '.repeat(gap).slice(0, gap - tag.length)}${tag}`
    })
    .join('')
}

export const textTemplate = filler(names, TEMPLATE_CHARACTERS)

const half = TEMPLATE_CHARACTERS / 2

export const chatTemplate = JSON.stringify([
  { role: 'system', content: filler(names.slice(0, 10), half - 50) },
  { role: 'user', content: [{ type: 'text', text: filler(names.slice(10), half - 50) }] },
])

/** With a section that makes twelve messages, and one that makes a part. */
export const rawTemplate = `[
  {"role": "system", "content": ${JSON.stringify(filler(names.slice(0, 10), half - 200))}},
  {{#history}}
  {"role": "user", "content": "{{asked}}"},
  {"role": "assistant", "content": "{{answered}}"},
  {{/history}}
  {"role": "user", "content": [
    {{#polite}}{"type": "text", "text": "Please."},{{/polite}}
    {"type": "text", "text": ${JSON.stringify(filler(names.slice(10), half - 200))}}
  ]}
]`
