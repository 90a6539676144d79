import type { CustomFetch } from 'openid-client'
import type { AskJson } from './server-metadata.ts'

/** Asks through what the library asks through, and reads what comes back. */
export const askJson =
  (send: CustomFetch): AskJson =>
  async (url, { method = 'GET', body, headers = {} } = {}) => {
    const init = { method, body, headers: { accept: 'application/json', ...headers }, redirect: 'manual' as const }
    const response = await send(url, init)
    const text = await response.text()
    return { status: response.status, header: (name) => response.headers.get(name), body: parsed(text) }
  }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
