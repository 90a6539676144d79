import type { Fixture } from '#kit/testing'

/** A case of the `fixtures` folder, as the mock's own tests read it. */
export type RecordedCase = Fixture

/** Paths of forms whose cases compare no path. */
const PATHS: Readonly<Record<string, string>> = { chat: '/chat/completions' }

/** The file that `{"$file": {...}}` of a case stands for. */
const fileOf = (value: unknown): File | undefined => {
  if (typeof value !== 'object' || value === null || !('$file' in value)) return undefined
  const { filename, type, content } = value.$file as { filename: string; type: string; content: string }
  return new File([content], filename, { type })
}

/** Sends the request of a case to a mock: as a form where it holds a file, else as JSON. */
export const askRecorded = (url: string, { endpoint, request, upstream }: RecordedCase): Promise<Response> => {
  const at = `${url}/v1${upstream?.path ?? PATHS[endpoint] ?? `/${endpoint}`}`
  if (endpoint === 'models') return fetch(at)
  const fields = Object.entries(request)
  if (fields.every(([, value]) => fileOf(value) === undefined)) {
    return fetch(at, { method: 'POST', body: JSON.stringify(request) })
  }
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, fileOf(value) ?? String(value))
  return fetch(at, { method: 'POST', body: form })
}
