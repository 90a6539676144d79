import type { Provider } from './provider.ts'

/** `Authorization: Bearer <key>`; nothing without a key. */
export const bearer =
  (): Provider['authorize'] =>
  (headers, { apiKey }) => {
    if (apiKey !== '') headers.set('authorization', `Bearer ${apiKey}`)
  }

/** The key alone in a header of the provider's own, such as `x-api-key`. */
export const keyInHeader =
  (name: string): Provider['authorize'] =>
  (headers, { apiKey }) => {
    if (apiKey !== '') headers.set(name, apiKey)
  }
