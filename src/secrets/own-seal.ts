import { isRecord } from '../core/json/record.ts'
import { open, seal } from './envelope.ts'
import { SecretUnreadable } from './errors.ts'
import type { MasterKey, MasterKeys } from './master-key.ts'

/** What this gateway writes for itself alone and others carry: unreadable and unalterable for them, the same for every process. */
export interface OwnSeal {
  seal(value: object): string
  /** @returns undefined for what was not sealed here for this purpose */
  open(sealed: string): Readonly<Record<string, unknown>> | undefined
}

/** What was sealed by the master key before opens too. */
export const createOwnSeal = ({ current, previous }: MasterKeys, purpose: string): OwnSeal => {
  const keyOf = (masterKey: MasterKey) => ({ version: 1, bytes: masterKey.derive(purpose) })
  const key = keyOf(current)
  const keys = previous === undefined ? [key] : [key, keyOf(previous)]
  const context = [purpose]
  return {
    seal: (value) => seal(key, context, JSON.stringify(value)),
    open(sealed) {
      for (const each of keys) {
        try {
          const value: unknown = JSON.parse(open(each, context, sealed).toString())
          if (isRecord(value)) return value
        } catch (thrown) {
          if (!(thrown instanceof SecretUnreadable)) throw thrown
        }
      }
      return undefined
    },
  }
}

/** The same, good for a while. */
export interface PassingSeal<Value extends object> {
  seal(value: Value): string
  /** @returns undefined for what is too old, or was not sealed here for this purpose */
  open(sealed: string): Value | undefined
}

/** @param now milliseconds since 1970 @param lifeMs for which it is good */
export const createPassingSeal = <Value extends object>(
  masterKeys: MasterKeys,
  purpose: string,
  { now, lifeMs }: { readonly now: () => number; readonly lifeMs: number },
): PassingSeal<Value> => {
  const seal = createOwnSeal(masterKeys, purpose)
  return {
    seal: (value) => seal.seal({ ...value, endsAtMs: now() + lifeMs }),
    open(sealed) {
      // What was sealed here is what it says.
      const value = seal.open(sealed) as (Value & { readonly endsAtMs: number }) | undefined
      return value !== undefined && value.endsAtMs > now() ? value : undefined
    },
  }
}
