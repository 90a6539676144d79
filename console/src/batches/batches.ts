import { failureOf, toFailure } from '../api/failure.ts'
import { PREFIX } from '../api/page.ts'

/** `Batch` of OpenAI's reference, as far as the page shows it. */
export interface Batch {
  readonly id: string
  readonly endpoint: string
  readonly status: string
  /** Seconds since 1970. */
  readonly created_at: number
  readonly request_counts: { readonly total: number; readonly completed: number; readonly failed: number }
  readonly errors: { readonly data?: readonly { readonly message?: string }[] } | null
}

const LIMIT = 50

const DONE: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled'])

export const isRunning = ({ status }: Batch): boolean => !DONE.has(status)

/** Calls like any client of the gateway. @throws Failure */
const call = async (apiKey: string, path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(`${PREFIX}/v1${path}`, {
    ...init,
    credentials: 'omit',
    headers: { ...init.headers, authorization: `Bearer ${apiKey}` },
  }).catch((thrown: unknown) => {
    throw toFailure(thrown)
  })
  if (!response.ok) throw failureOf(await response.json().catch(() => undefined), response)
  return response
}

const asJson = { 'content-type': 'application/json' }

/** The newest first. */
export const askBatches = async (apiKey: string): Promise<{ readonly data: readonly Batch[] }> =>
  (await call(apiKey, `/batches?limit=${LIMIT}`)).json()

export const cancelBatch = (apiKey: string, id: string): Promise<Response> =>
  call(apiKey, `/batches/${encodeURIComponent(id)}/cancel`, { method: 'POST', headers: asJson, body: '{}' })

export const outputOf = async (apiKey: string, id: string): Promise<Blob> =>
  (await call(apiKey, `/batches/${encodeURIComponent(id)}/output`)).blob()

/** Uploads the lines, and begins a batch of them that the gateway runs. */
export const beginBatch = async (apiKey: string, file: File, endpoint: string, provider: string): Promise<void> => {
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', file)
  const { id }: { readonly id: string } = await (await call(apiKey, '/files', { method: 'POST', body: form })).json()
  await call(apiKey, '/batches', {
    method: 'POST',
    headers: asJson,
    body: JSON.stringify({
      ...{ input_file_id: id, endpoint, completion_window: 'immediate' },
      ...(provider === '' ? {} : { gateway_options: { provider } }),
    }),
  })
}
