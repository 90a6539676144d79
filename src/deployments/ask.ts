import { collect } from '../core/bodies/answer.ts'
import { nextPiece } from '../core/bodies/ready-stream.ts'
import { HeaderList } from '../core/header-fields.ts'
import type { Deadlines, Upstream, UpstreamResponse } from '../core/ports.ts'
import { createResolver } from '../upstream/resolver.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { createUpstream } from '../upstream/upstream.ts'
import type { ControlPlane } from './control-plane.ts'

/** The control plane answered, and not with what was asked for. */
export class ControlPlaneRefused extends Error {
  override readonly name = 'ControlPlaneRefused'
  readonly status: number
  /** Code of the interface: only a control plane has one, nothing that stands in front of it. */
  readonly code: string | undefined

  constructor(status: number, code: string | undefined, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The way of a data plane to its control plane. */
export interface ControlPlaneClient {
  /** The lines of an answer, as they come. @throws ControlPlaneRefused; GatewayError where it is not reached */
  lines(path: string, body: string, options: AskOptions): AsyncGenerator<string>
  /** An answer as a whole, which is JSON. @throws as `lines` */
  ask(path: string, body: string, options: AskOptions): Promise<unknown>
  close(): void
}

export interface AskOptions {
  readonly deadlines: Deadlines
  readonly signal: AbortSignal
}

const RESOLVE_TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** Of one line: the rows of a part. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024

/** @param now milliseconds that never step back */
export const createControlPlaneClient = ({ url, credentials }: ControlPlane, now: () => number): ControlPlaneClient => {
  const upstream: Upstream & { close(): void } = createUpstream({
    resolver: createResolver({ now, timeoutMs: RESOLVE_TIMEOUT_MS }),
    // The operator has named it.
    trusted: createTrustedHosts([new URL(url).host]),
    now,
  })
  const send = async (path: string, body: string, options: AskOptions): Promise<UpstreamResponse> => {
    const headers = new HeaderList()
    headers.set('authorization', `Basic ${credentials}`)
    headers.set('content-type', 'application/json')
    const answer = await upstream.send({
      method: 'POST',
      url: `${url}${path}`,
      headers,
      body,
      asItIs: true,
      ...options,
    })
    if (answer.status === 200) return answer
    throw await refusalOf(answer)
  }
  return {
    async *lines(path, body, options) {
      const answer = await send(path, body, options)
      try {
        yield* linesOf(answer)
      } finally {
        answer.body.cancel()
      }
    },
    async ask(path, body, options) {
      const answer = await send(path, body, options)
      return JSON.parse(new TextDecoder().decode(await collect(answer.body, MAX_ANSWER_BYTES)))
    },
    close: () => upstream.close(),
  }
}

async function* linesOf({ body }: UpstreamResponse): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  let characters = 0
  for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) {
    const [first = '', ...rest] = decoder.decode(piece, { stream: true }).split('\n')
    pieces.push(first)
    characters += first.length
    if (characters > MAX_LINE_CHARACTERS) throw new Error('the control plane sent a line without an end')
    for (const next of rest) {
      yield pieces.join('')
      pieces = [next]
      characters = next.length
    }
  }
}

const refusalOf = async ({ status, body }: UpstreamResponse): Promise<ControlPlaneRefused> => {
  try {
    const text = new TextDecoder().decode(await collect(body, MAX_ANSWER_BYTES))
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } }
    const code = typeof error?.code === 'string' ? error.code : undefined
    const said = typeof error?.message === 'string' ? error.message : 'it says nothing more'
    return new ControlPlaneRefused(status, code, `The control plane answered with the status ${status}: ${said}`)
  } catch {
    return new ControlPlaneRefused(status, undefined, `The control plane answered with the status ${status}.`)
  }
}
