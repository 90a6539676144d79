import type { CallerKeyPolicy, CallerKeys } from '#calls/slots'
import { isPlaceholder } from './placeholder-keys.ts'

/** The keys that a target could be called with. */
export interface KeysOfTarget {
  /** What the call brings, in its inline config or its headers. */
  readonly brought: string | undefined
  /** What the gateway knows: the key of a stored provider, of a saved config, or of the operator's file. */
  readonly known: string | undefined
  /** The one that is known stands with the target itself, so the call chose it: it is no default of the operator's. */
  readonly isOfTarget: boolean
}

/** Whether the key that the call brings is used. What a call brings for want of a key gives way to any that is known. */
export const usesBrought = (
  policy: CallerKeyPolicy | undefined,
  { brought, known, isOfTarget }: KeysOfTarget,
): boolean => {
  if (brought === undefined || policy === 'never') return false
  if (known === undefined) return true
  if (policy === 'fallback' || (isOfTarget && policy !== 'prefer')) return false
  return !isPlaceholder(brought)
}

/** The key that a call brings: that of its inline config before one in its headers, but a real one before a placeholder. */
export const broughtKey = (
  inline: string | undefined,
  keys: CallerKeys,
  provider: { readonly keyHeader?: string; readonly keyParameter?: string },
): string | undefined => {
  if (inline !== undefined && !isPlaceholder(inline)) return inline
  return keys.providerKey(provider) ?? inline
}
