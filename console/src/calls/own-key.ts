import { useSyncExternalStore } from 'react'

/**
 * The key with which pages call models: sessions cannot. It is in the memory of this tab alone, and gone when that is closed.
 */
let own: string | undefined
const hearers = new Set<() => void>()

export const setOwnKey = (key: string | undefined): void => {
  own = key
  for (const hear of hearers) hear()
}

const subscribe = (hear: () => void): (() => void) => {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

export const useOwnKey = (): string | undefined => useSyncExternalStore(subscribe, () => own)
