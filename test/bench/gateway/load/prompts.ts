import { BODY_SIZES } from './bodies.ts'

/** The stored prompt: a system message and a question, which share the variables. */
const VARIABLE_COUNT = 20
const NAMES = Array.from({ length: VARIABLE_COUNT }, (_, number) => `variable ${number}`)
/** Characters of the template that stand around the variables, in JSON. */
const FRAME = 300
const GAP = Math.floor((BODY_SIZES['4 KB'] - FRAME) / VARIABLE_COUNT)
const WORDS = 'Words, as a prompt has them. '

/** Every variable of these with words before it, which fill its share of the size. */
const textWith = (names: readonly string[]): string =>
  names
    .map((name) => {
      const tag = `{{${name}}}`
      return `${WORDS.repeat(GAP).slice(0, GAP - tag.length)}${tag}`
    })
    .join('')

const HALF = VARIABLE_COUNT / 2

/** What the database holds. Filled in, it is a request of about the 4 KB that the other lanes send. */
export const PROMPT = {
  slug: 'pp-bench',
  model: 'gpt-5-mini',
  parameters: { max_tokens: 256 },
  template: JSON.stringify([
    { role: 'system', content: textWith(NAMES.slice(0, HALF)) },
    { role: 'user', content: textWith(NAMES.slice(HALF)) },
  ]),
} as const

/** Quotes and a line end in each: a value has to be escaped. */
export const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.map((name, number) => [name, `"value"\nnumber ${number}`]),
)

export const PROMPT_PATH = `/v1/prompts/${PROMPT.slug}/completions`

/** What a client sends to have the prompt run. */
export const promptBody = (stream: boolean): string =>
  JSON.stringify({
    variables: VARIABLES,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  })
