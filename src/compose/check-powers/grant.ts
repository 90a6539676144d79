import type { CheckPowersSource } from '../kit/check.ts'

/** Gives checks what they declare in `needs`. */
export const createCheckPowers = (): CheckPowersSource => ({
  grant(_needs, _caller, signal) {
    const refuse = () => Promise.reject(new Error('checks have no powers yet'))
    return { signal, fetch: refuse, resolves: refuse, credentials: refuse, ask: refuse }
  },
})
