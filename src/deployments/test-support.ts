import { GatewayError } from '../errors/gateway-error.ts'
import type { Actor } from '../management/actor.ts'
import { createCredentials } from '../management/deployments/credentials.ts'
import { systemClock } from '../observe/clock.ts'
import { parseMasterKey } from '../secrets/master-key.ts'
import { openSecretBox, type SecretBox } from '../secrets/secret-box.ts'
import type { Store } from '../store/db.ts'
import { deploymentRows, putAllowedWorkspaces } from '../store/objects/deployments.ts'
import type { ControlPlaneClient } from './ask.ts'
import { ControlPlaneRefused } from './ask.ts'
import { createDeploymentActors } from './control/credentials.ts'
import { type DeploymentHub, openDeploymentHub } from './control/hub.ts'
import type { ChangesAsked } from './protocol.ts'

const silent = (): void => undefined
export const SILENT_LOG = { info: silent, warn: silent, error: silent }

const CONTROL_MASTER = parseMasterKey('the master key of the control plane of these tests', 'a test')

/** The control side over a store, and a way to it that needs no socket and can be cut. */
export interface ControlSide {
  readonly hub: DeploymentHub
  readonly secretBox: SecretBox
  readonly deploymentId: string
  readonly username: string
  readonly client: Pick<ControlPlaneClient, 'lines'>
  /** Lines that were sent, of all connections. */
  readonly sent: string[]
  /** Breaks the connection; while it is away none can be made. */
  cut(isAway?: boolean): void
  allow(workspaceIds: readonly string[], isAll?: boolean): Promise<void>
  close(): Promise<void>
}

/** @param heartbeatMs of the stream */
export const openControlSide = async (
  store: Store,
  organisationId: string,
  { heartbeatMs = 200 }: { readonly heartbeatMs?: number } = {},
): Promise<ControlSide> => {
  const secretBox = await openSecretBox(store.db, { current: CONTROL_MASTER })
  const { kept, shown } = createCredentials()
  const { id: deploymentId } = await deploymentRows.insert(store.db, {
    ...{ organisationId, name: 'test', slug: crypto.randomUUID(), createdBy: 'test' },
    ...kept,
  })
  const hub = await openDeploymentHub({
    ...{ store, masterKeys: { current: CONTROL_MASTER }, secretBox, clock: systemClock, log: SILENT_LOG },
    ...{ version: '0.0.0', heartbeatMs },
  })
  const actors = createDeploymentActors({ db: store.db, monotonicMs: () => performance.now() })
  const [changes] = hub.routes
  const sent: string[] = []
  let isAway = false
  let isCut = Promise.withResolvers<never>()
  isCut.promise.catch(silent)
  const connect = async (body: string): Promise<ReadableStream<Uint8Array>> => {
    if (isAway) throw new Error('the control plane is away')
    try {
      const actor: Actor = await actors.find(shown.client_auth, '203.0.113.1')
      const asked = JSON.parse(body) as ChangesAsked
      const answer = (await changes?.handle({ actor, body: asked } as never)) as Response
      return answer.body as ReadableStream<Uint8Array>
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown
      throw new ControlPlaneRefused(thrown.status, thrown.row.wireCode ?? undefined, thrown.message)
    }
  }
  return {
    hub,
    secretBox,
    deploymentId,
    username: shown.credentials.username,
    sent,
    client: {
      async *lines(_path, body, { signal }) {
        const reader = (await connect(body)).getReader()
        const aborted = Promise.withResolvers<never>()
        aborted.promise.catch(silent)
        signal.addEventListener('abort', () => aborted.reject(new Error('aborted')))
        // It may have been while the connection was made.
        if (signal.aborted) aborted.reject(new Error('aborted'))
        const decoder = new TextDecoder()
        let rest = ''
        try {
          for (;;) {
            const piece = await Promise.race([reader.read(), isCut.promise, aborted.promise])
            if (piece.done) return
            const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n')
            rest = lines.pop() ?? ''
            for (const line of lines) {
              sent.push(line)
              yield line
            }
          }
        } finally {
          void reader.cancel()
        }
      },
    },
    cut(away = false) {
      isAway = away
      isCut.reject(new Error('cut by the test'))
      isCut = Promise.withResolvers()
      isCut.promise.catch(silent)
    },
    async allow(workspaceIds, isAll = false) {
      await store.db.transaction(async (transaction) => {
        await deploymentRows.update(transaction, { id: deploymentId, allowAllWorkspaces: isAll })
        await putAllowedWorkspaces(transaction, deploymentId, isAll ? [] : workspaceIds)
      })
    },
    close: () => hub.close(),
  }
}
