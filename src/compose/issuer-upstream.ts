import type { OperatorConfig } from '../config/schema.ts'
import { collect } from '../core/bodies/answer.ts'
import type { Clock, Deadlines, Upstream } from '../core/ports.ts'
import { createResolver } from '../upstream/resolver.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'
import { createUpstream } from '../upstream/upstream.ts'

/** Largest JWKS document, in bytes. */
const MAX_JWKS_BYTES = 1024 * 1024
/** The issuer is asked at most this long; its keys are kept when it is away. */
const JWKS_DEADLINES: Deadlines = { connectMs: 3_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 }
const RESOLVE_TIMEOUT_MS = 5_000

export type ClosableUpstream = Upstream & { close(): void }

/** The way to issuers, whose addresses are the operator's own: through the same guard as every outgoing call. */
export const issuerUpstream = ({ egress }: OperatorConfig, clock: Clock): ClosableUpstream => {
  const now = (): number => clock.monotonicMs()
  return createUpstream({
    resolver: createResolver({ now, timeoutMs: RESOLVE_TIMEOUT_MS }),
    trusted: createTrustedHosts(egress.trustedHosts),
    now,
  })
}

/** Keys of an issuer. */
export const fetchJson = async (upstream: Upstream, url: string): Promise<unknown> => {
  const response = await upstream.send({
    method: 'GET',
    url,
    headers: new Headers({ accept: 'application/json' }),
    signal: new AbortController().signal,
    deadlines: JWKS_DEADLINES,
  })
  const bytes = await collect(response.body, MAX_JWKS_BYTES)
  if (response.status !== 200) throw new Error(`the issuer answered with status ${response.status}`)
  return JSON.parse(new TextDecoder().decode(bytes))
}
