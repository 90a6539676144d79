import type { Call } from '#kit'
import { legacyCall, type Target } from '#kit/slots'

/** Retry count of a call that failed in spite of all its retries (contract, section 2.1). */
export const ALL_USED_UP = -1

/** Says which target the answer, or the last error, came from. */
export const nameTarget = (call: Call, path: string, { provider }: Target, retries: number): void => {
  const { replyHeaders } = call
  replyHeaders.set('x-gateway-provider', provider.id)
  replyHeaders.set('x-gateway-last-used-option-index', isOld(call) ? optionIndex(path) : path)
  replyHeaders.set('x-gateway-retry-attempt-count', String(retries))
}

const isOld = (call: Call): boolean => call.find(legacyCall) !== undefined

/** The old routes give the number of the option. */
const optionIndex = (path: string): string => /^config\.targets\[(\d+)\]/.exec(path)?.[1] ?? '0'

/** Drops what a failed attempt has said. @param before what the stages before the attempts have said */
export const resetReplyHeaders = ({ replyHeaders }: Call, before: ReadonlyMap<string, string>): void => {
  replyHeaders.clear()
  for (const [name, value] of before) replyHeaders.set(name, value)
}
