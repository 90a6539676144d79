import { Type as t } from '@sinclair/typebox'
import type { Clock, Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import {
  ManagementConflict,
  ManagementForbidden,
  ManagementTooMany,
  ManagementUnavailable,
} from '../../errors/gateway-error.ts'
import { type Actor, type DeploymentActor, isDeployment } from '../../management/actor.ts'
import { type AnyRoute, defineRoute } from '../../management/route.ts'
import type { MasterKeys } from '../../secrets/master-key.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { unwrapDataKey } from '../../secrets/wrapping.ts'
import { readDataKeys } from '../../store/data-keys.ts'
import { followChanges } from '../../store/memory/follow-changes.ts'
import { deploymentRows, type InstanceNews, noteInstance, putInstance } from '../../store/objects/deployments.ts'
import type { Store } from '../../store/types.ts'
import { CHANGES_PATH, ChangesAsked } from '../protocol.ts'
import { DATA_KEYS, MIRRORED_TABLES, SCOPE_TABLES } from '../tables.ts'
import { Feed } from './feed.ts'

export interface HubOptions {
  readonly store: Store
  /** Open the data keys, which go out to data planes. */
  readonly masterKeys: MasterKeys
  readonly secretBox: Pick<SecretBox, 'derive'>
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Logger
  readonly version: string
  readonly heartbeatMs?: number
}

/** The data planes that are connected to this process. */
export interface DeploymentHub {
  /** What data planes call. They are no part of the interface, and no other caller is let in. */
  readonly routes: readonly AnyRoute[]
  /** Data planes that are connected now. */
  connected(): number
  close(): Promise<void>
}

const MAX_FEEDS = 500
/** Of a question: a mark of each part of each table. */
const MAX_ASKED_BYTES = 4 * 1024 * 1024
/** Milliseconds between two notes that a data plane still listens. */
const NOTE_MS = 10_000

interface Connected {
  readonly actor: DeploymentActor
  readonly feed: Feed
}

/** @throws StoreUnavailable */
export const openDeploymentHub = async (options: HubOptions): Promise<DeploymentHub> => {
  const { store, masterKeys, secretBox, clock, log, version } = options
  const connected = new Set<Connected>()
  let changed = new Set<string>()
  let isClosed = false

  /** Data planes whose deployment was archived, or whose credentials were taken back. */
  const endOld = async (): Promise<void> => {
    for (const { actor, feed } of connected) {
      const found = await deploymentRows.find(store.db, {
        organisationId: actor.organisationId,
        reference: actor.id,
      })
      if (found === undefined || found.username !== actor.username) feed.end('refused')
      else if (found.status === 'archived') feed.end('archived')
    }
  }

  const follower = await followChanges(store, {
    tables: [...MIRRORED_TABLES.map(({ name }) => name), ...SCOPE_TABLES],
    onChange: (table) => changed.add(SCOPE_TABLES.includes(table) ? '*' : table),
    async refresh() {
      const tables = changed
      changed = new Set()
      // Nothing was heard of: what was committed late may be anything.
      if (tables.size === 0) tables.add('*')
      if (tables.has('*')) await endOld()
      for (const { feed } of connected) feed.changed(tables)
    },
    onError: (error) =>
      log.warn('changes for data planes could not be followed; it is tried again', errorFields(error)),
  })

  /** Data keys are wrapped by the master key of this gateway: a data plane gets them as they are, and wraps them with its own. */
  const complete = async (table: string, row: string): Promise<string> => {
    if (table !== DATA_KEYS) return row
    const shown = JSON.parse(row) as { readonly id: string; readonly organisation_id: string }
    const stored = (await readDataKeys(store.db, shown.organisation_id)).find(({ id }) => id === shown.id)
    if (stored === undefined) throw new Error('a data key is gone')
    return JSON.stringify({ ...shown, key: unwrapDataKey(masterKeys, stored).toString('base64') })
  }

  const note = (news: InstanceNews): void => {
    noteInstance(store.db, news).catch((thrown: unknown) =>
      log.warn('it could not be written down that a data plane is connected', errorFields(thrown)),
    )
  }

  const connect = async (actor: DeploymentActor, asked: ChangesAsked): Promise<ReadableStream<Uint8Array>> => {
    const { organisationId, id: deploymentId } = actor
    if (asked.organisation !== undefined && asked.organisation !== organisationId) {
      throw new ManagementConflict(
        'The data plane holds the configuration of another organisation. Give it a data folder of its own.',
      )
    }
    if (connected.size >= MAX_FEEDS) {
      throw new ManagementTooMany('Too many data planes are connected to this process.', { retryAfterMs: 5_000 })
    }
    // A data plane that sealed something before there is a data key would make one, and not the one of all others.
    await secretBox.derive(organisationId, 'deployments')
    const isResynced = Object.keys(asked.have).length === 0
    const instance = { deploymentId, instanceId: asked.instance }
    await putInstance(store.db, { ...instance, version: asked.version })
    if (isClosed) throw new ManagementUnavailable('The gateway is stopping.', { retryAfterMs: 1_000 })
    let notedAtMs = clock.monotonicMs()
    let isFirst = isResynced
    const one: Connected = {
      actor,
      feed: new Feed({
        ...{ db: store.db, scope: { organisationId, deploymentId }, asked, version, complete, log },
        ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
        onSynced() {
          note({ ...instance, isSynced: true, isResynced: isFirst })
          isFirst = false
          notedAtMs = clock.monotonicMs()
        },
        onBeat() {
          if (clock.monotonicMs() - notedAtMs < NOTE_MS) return
          notedAtMs = clock.monotonicMs()
          note(instance)
        },
        onLeave() {
          connected.delete(one)
          if (!isClosed) note({ ...instance, hasLeft: true })
        },
      }),
    }
    connected.add(one)
    log.info('a data plane is connected', {
      deployment: deploymentId,
      instance: asked.instance,
      version: asked.version,
    })
    // It may have been archived between the look at its credentials and now.
    await endOld()
    return one.feed.stream
  }

  return {
    routes: [
      defineRoute({
        method: 'POST',
        path: CHANGES_PATH.slice('/v2'.length),
        roots: ['/v2'],
        tag: 'Deployments',
        summary: 'What a data plane lacks, and what changes from then on',
        scopes: ['deployments.read'],
        plane: 'organisation',
        changes: false,
        body: ChangesAsked,
        maxBodyBytes: MAX_ASKED_BYTES,
        response: t.String(),
        responseType: 'application/x-ndjson',
        async handle({ actor, body }) {
          return new Response(await connect(dataPlaneOf(actor), body), {
            headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
          })
        },
      }),
    ],
    connected: () => connected.size,
    async close() {
      isClosed = true
      for (const { feed } of connected) feed.end('stopping')
      await follower.close()
    },
  }
}

/** A key of the organisation may read deployments, and not their data keys. @throws ManagementForbidden */
export const dataPlaneOf = (actor: Actor): DeploymentActor => {
  if (isDeployment(actor)) return actor
  throw new ManagementForbidden('This is for data planes, with the credentials of their deployment.')
}
