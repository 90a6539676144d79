import type { LoadRequest } from '../load/wrk.ts'
import type { Wire } from '../upstream/answers.ts'
import type { AnswerKind } from '../upstream/behaviours.ts'
import type { Upstream } from '../upstream/start.ts'
import type { Peer } from './fetch-peer.ts'
import { type Subject, startSubject } from './subject.ts'

export interface PeerOptions {
  readonly folder: string
  readonly peer: Peer
  /** Path of the runtime. */
  readonly runtime: string
  readonly probe: (url: string) => LoadRequest
}

export const startPeer = ({ folder, peer, runtime, probe }: PeerOptions): Promise<Subject> =>
  startSubject({
    name: 'the peer',
    folder,
    command: (port) => [runtime, peer.script, '--headless', `--port=${port}`],
    // As its own documentation starts it in production.
    env: () => ({ NODE_ENV: 'production', BUN_CONFIG_MAX_HTTP_REQUESTS: '65535' }),
    probe,
  })

/** It is told with each call where to go; it checks no key of its own. */
export const peerHeaders = (upstream: Upstream, wire: Wire, answer: AnswerKind): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: 'Bearer sk-of-the-operator',
  'x-portkey-provider': wire,
  'x-portkey-custom-host': `${upstream.url(wire, answer)}/v1`,
})
