import { check as checkSchema } from '../../core/json/check.ts'
import type { Check, CheckInput, CheckPowers, CheckVerdict, PreparedCheck, TextPart } from '../check.ts'
import { deepFreeze } from './deep-freeze.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the parameters of a check make of it, the way the engine does: defaults first, then its schema. */
export const prepareWith = (check: Check, parameters: Fields): PreparedCheck => {
  const checked = checkSchema(check.parameters, parameters)
  if (!checked.ok) {
    const problems = checked.violations.map(({ path, message }) => `${path} ${message}`)
    throw new Error(`${check.id}: ${problems.join('; ')}`)
  }
  return check.prepare(deepFreeze(checked.value))
}

/** A chat that says these texts, or answers with them. All of it is frozen: a check that changes what it is given throws. */
export const inputOf = (check: Check, texts: readonly string[], part?: TextPart): CheckInput => {
  const stage = check.stages[0] ?? 'input'
  const asked = { model: 'model-1', messages: texts.map((content) => ({ role: 'user', content })) }
  const answered = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'model-1',
    choices: texts.map((content, index) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    })),
  }
  return deepFreeze({
    stage,
    texts: [...texts],
    kinds: texts.map(() => 'text' as const),
    part,
    json: stage === 'input' ? asked : answered,
    request: { json: asked, texts: [...texts] },
    status: stage === 'input' ? undefined : 200,
    metadata: { team: 'blue' },
    headers: { get: () => null },
    requestType: 'chatComplete',
    provider: 'provider-1',
    model: 'model-1',
    isStreamed: part !== undefined,
    isTransformed: false,
    traceId: 'trace-1',
  })
}

/** Powers whose every answer is waited for in vain until the signal is aborted. */
export const silentPowers = (signal: AbortSignal): CheckPowers => {
  const wait = (): Promise<never> =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason)
      else signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { signal, fetch: wait, resolves: wait, credentials: wait, ask: wait }
}

/** What a check says that needs nobody else. What it throws is its error, as it is for the engine. */
export const verdictOf = async (
  check: Check,
  prepared: PreparedCheck,
  texts: readonly string[],
  part?: TextPart,
): Promise<CheckVerdict> => {
  try {
    return await prepared.run(inputOf(check, texts, part), silentPowers(new AbortController().signal))
  } catch (thrown) {
    // A slip of the check's own is no word about the text.
    if (!(thrown instanceof Error) || thrown instanceof TypeError || thrown instanceof RangeError) throw thrown
    return { verdict: prepared.failsClosed !== true, error: thrown }
  }
}

/** It refuses the text, or puts another one in its place. */
export const isHit = ({ verdict, texts, edits }: CheckVerdict, [text]: readonly string[]): boolean =>
  !verdict || (texts !== undefined && texts[0] !== text) || (edits?.[0]?.length ?? 0) > 0
