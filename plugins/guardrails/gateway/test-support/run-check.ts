import { applyEdits } from '#core/text-edits'
import type { Check, CheckInput, CheckPowers, CheckVerdict } from '#kit'

const noPower = (): never => {
  throw new Error('no such power')
}

/** Powers of a check that needs none. */
export const noPowers: CheckPowers = {
  signal: new AbortController().signal,
  fetch: noPower,
  resolves: noPower,
  credentials: noPower,
  ask: noPower,
}

/** A chat whose last message says this. */
export const inputOf = (texts: readonly string[]): CheckInput => ({
  stage: 'input',
  texts,
  kinds: texts.map(() => 'text'),
  json: {},
  request: { texts, json: {} },
  metadata: {},
  headers: new Headers(),
  requestType: 'chatComplete',
  provider: 'openai',
  model: 'gpt-5',
  isStreamed: false,
  isTransformed: false,
  traceId: undefined,
})

/** What a check with these parameters, all of them given, says of texts. */
export const runCheck = async (
  check: Check,
  parameters: Readonly<Record<string, unknown>>,
  texts: readonly string[],
  powers: CheckPowers = noPowers,
): Promise<CheckVerdict> => {
  const { edits, ...verdict } = await check.prepare(parameters).run(inputOf(texts), powers)
  // Told as texts: what they become is what matters.
  if (edits === undefined) return verdict
  return { ...verdict, texts: texts.map((text, index) => applyEdits(text, edits[index] ?? [])) }
}
