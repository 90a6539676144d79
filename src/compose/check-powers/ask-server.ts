import { collect } from '../../core/bodies/answer.ts'
import { defined } from '../../core/defined.ts'
import { HeaderList } from '../../core/header-fields.ts'
import { parseJson } from '../../core/json/json-depth.ts'
import type { Deadlines, Upstream } from '../../core/ports.ts'
import type { CheckRequest, CheckResponse } from '../../kit/check.ts'

const MAX_BYTES = 1024 * 1024

/** On whose behalf a server is asked, and until when. */
export interface Asking {
  /** Its connections and lookups are shared with nobody else's. */
  readonly owner: string
  readonly signal: AbortSignal
}

/**
 * Asks a server as a check wants it: through the egress guard, and following no redirect, which could lead anywhere.
 * @throws a catalogue error; what the signal was aborted with, once it is
 */
export const askServer = async (
  { upstream, deadlines }: { readonly upstream: Upstream; readonly deadlines: Deadlines },
  { owner, signal }: Asking,
  url: string,
  { method, headers: given = {}, body, maxBytes = MAX_BYTES }: CheckRequest = {},
): Promise<CheckResponse> => {
  const headers = new HeaderList()
  headers.set('user-agent', 'weir')
  if (isObject(body)) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(given)) headers.set(name, value)
  try {
    const response = await upstream.send({
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      url: withoutFragment(url),
      headers,
      hostOwner: owner,
      signal,
      deadlines,
      ...defined({ body: isObject(body) ? JSON.stringify(body) : body }),
    })
    return new ServerAnswer(response.status, response.headers, await collect(response.body, maxBytes))
  } catch (thrown) {
    throw signal.aborted ? signal.reason : thrown
  }
}

const isObject = (body: CheckRequest['body']): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && !(body instanceof Uint8Array)

/** It is for whoever reads the answer, and is never sent. */
const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

class ServerAnswer implements CheckResponse {
  readonly status: number
  readonly headers: CheckResponse['headers']
  readonly bytes: Uint8Array

  constructor(status: number, headers: CheckResponse['headers'], bytes: Uint8Array) {
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }

  text(): string {
    return new TextDecoder().decode(this.bytes)
  }

  json(): unknown {
    return parseJson(this.text())
  }
}
