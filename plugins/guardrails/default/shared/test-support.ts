import { applyEdits } from '#core/text-edits'
import {
  type Check,
  type CheckInput,
  type CheckPowers,
  type CheckVerdict,
  check as checkSchema,
  InvalidParameters,
  type PreparedCheck,
} from '#kit'

type Fields = Readonly<Record<string, unknown>>

/** Makes a check ready as the engine does: with its defaults. @throws InvalidParameters */
export const prepare = (check: Check, parameters: Fields = {}): PreparedCheck => {
  const checked = checkSchema(check.parameters, parameters)
  if (!checked.ok) throw new InvalidParameters(checked.violations)
  return check.prepare(checked.value)
}

const NO_INPUT: CheckInput = {
  stage: 'input',
  texts: [],
  kinds: [],
  json: {},
  request: { texts: [], json: {} },
  metadata: {},
  headers: new Headers(),
  requestType: 'chatComplete',
  provider: 'openai',
  model: 'gpt-4o',
  isStreamed: false,
  isTransformed: false,
  traceId: undefined,
}

export const inputOf = (input: Partial<CheckInput>): CheckInput => ({
  ...NO_INPUT,
  kinds: (input.texts ?? []).map(() => 'text'),
  ...input,
})

const refuse = (): never => {
  throw new Error('the test gives no such power')
}

const NO_POWERS: CheckPowers = {
  signal: new AbortController().signal,
  fetch: refuse,
  resolves: refuse,
  credentials: refuse,
  ask: refuse,
}

export const powersOf = (powers: Partial<CheckPowers>): CheckPowers => ({ ...NO_POWERS, ...powers })

/** Runs a check once, of texts alone or of more. What it changes is told as texts. */
export const run = async (
  check: Check,
  parameters: Fields,
  input: readonly string[] | Partial<CheckInput>,
  powers: Partial<CheckPowers> = {},
): Promise<CheckVerdict> => {
  const given = inputOf(isTexts(input) ? { texts: input } : input)
  return withTexts(await prepare(check, parameters).run(given, powersOf(powers)), given.texts)
}

/** A verdict whose changes are told as texts. @param texts that the check was given */
export const withTexts = ({ edits, ...verdict }: CheckVerdict, texts: readonly string[]): CheckVerdict =>
  edits === undefined
    ? verdict
    : { ...verdict, texts: texts.map((text, index) => applyEdits(text, edits[index] ?? [])) }

const isTexts = (input: readonly string[] | Partial<CheckInput>): input is readonly string[] => Array.isArray(input)

/** What is wrong with parameters: `rule is no pattern`. */
export const faultsOf = (check: Check, parameters: Fields): readonly string[] => {
  try {
    prepare(check, parameters)
    return []
  } catch (thrown) {
    if (!(thrown instanceof InvalidParameters)) throw thrown
    return thrown.violations.map(({ path, message }) => `${path} ${message}`)
  }
}
