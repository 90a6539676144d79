import { nextPiece } from '../../../core/bodies/ready-stream.ts'
import type { Upstream, UpstreamRequest, UpstreamResponse } from '../../../core/ports.ts'
import { createResolver, type Lookup } from '../../resolver.ts'
import { createTrustedHosts } from '../../trusted-hosts.ts'
import { createUpstream } from '../../upstream.ts'

export type Client = Upstream & { close(): void }

const DEADLINES = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 20_000 }

export interface ClientOptions {
  readonly lookup?: Lookup
  readonly now?: () => number
  readonly probationMs?: number
}

/** The way out as the gateway has it, allowed to call this machine, and sure of every server unless told otherwise. */
export const createClient = (options: ClientOptions = {}): Client => {
  const now = options.now ?? (() => performance.now())
  const lookup: Lookup = options.lookup ?? (async () => ['127.0.0.1'])
  return createUpstream({
    resolver: createResolver({ now, timeoutMs: 1_000, lookup }),
    trusted: createTrustedHosts(['127.0.0.0/8', '::1']),
    now,
    probationMs: options.probationMs ?? 0,
  })
}

/** Resolves when a connection whose answer has ended may be used again. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

export type Ask = Partial<Omit<UpstreamRequest, 'headers' | 'url'>> & {
  readonly headers?: Readonly<Record<string, string>>
}

export const ask = (client: Client, url: string, { headers = {}, ...request }: Ask = {}): Promise<UpstreamResponse> =>
  client.send({
    method: 'GET',
    signal: new AbortController().signal,
    deadlines: DEADLINES,
    ...request,
    url,
    headers: new Headers(headers),
  })

/** All of a body, one character a byte. Its connection is free then. */
export const textOf = async ({ body }: Pick<UpstreamResponse, 'body'>): Promise<string> => {
  let text = ''
  for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) {
    text += Buffer.from(piece).toString('latin1')
  }
  await settled()
  return text
}

/** What became of a call: its body, or the code of the error it failed with, at whatever time. */
export const outcomeOf = async (answer: Promise<UpstreamResponse>): Promise<string> => {
  try {
    return await textOf(await answer)
  } catch (thrown) {
    return messageOf(thrown)
  }
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? `${'code' in thrown ? thrown.code : thrown.name}: ${thrown.message}` : String(thrown)
