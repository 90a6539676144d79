import { nextPiece } from '../../core/bodies/ready-stream.ts'
import { HeaderList } from '../../core/header-fields.ts'
import type { Upstream } from '../../core/ports.ts'
import { GatewayError } from '../../errors/gateway-error.ts'
import { type Deployment, listInstances } from '../../store/objects/deployments.ts'
import { readClock } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import type { Ping } from './model.ts'
import { isConnected } from './shown.ts'

const DEADLINE_MS = 5_000
const DEADLINES = { connectMs: 3_000, firstByteMs: 4_000, idleMs: 2_000, totalMs: DEADLINE_MS }
const MAX_ANSWER_BYTES = 64 * 1024

export interface PingDeps {
  /** The way out, with its guard. */
  readonly pings: Pick<Upstream, 'send'>
}

/**
 * Asks a deployment whether it is there, and looks whether it listens.
 * @throws ManagementInvalid for one that is archived, or has no address
 */
export const pingDeployment = async (
  db: Db,
  { pings }: PingDeps,
  { id, organisationId, status, settings }: Deployment,
): Promise<Ping> => {
  if (status === 'archived') throw invalidField('status', 'of the deployment is archived')
  const { gateway_base_url: url } = settings
  if (url === undefined) throw invalidField('auth_settings.gateway_base_url', 'is not set, so there is nobody to ask')
  const instances = await listInstances(db, [id])
  const isListening = instances.length > 0 && instances.some(isConnected((await readClock(db)).getTime()))
  const asked = await ask(pings, url, organisationId)
  const inbound: Ping['inbound'] = isListening
    ? { status: 'healthy', error: null }
    : {
        status: 'failed',
        error: instances.length === 0 ? 'no data plane was connected yet' : 'none of its data planes is connected now',
      }
  const healthy = [asked.status, inbound.status].filter((each) => each === 'healthy').length
  return {
    status: healthy === 2 ? 'healthy' : healthy === 1 ? 'partial' : 'unhealthy',
    gateway_base_url: url,
    outbound: { ...asked, version: instances[0]?.version ?? null },
    inbound,
    object: 'deployment_ping',
  }
}

/** What people are told of a deployment that does not answer is ours: never the words of the host. */
const ask = async (
  upstream: Pick<Upstream, 'send'>,
  url: string,
  hostOwner: string,
): Promise<Omit<Ping['outbound'], 'version'>> => {
  try {
    const answer = await upstream.send({
      method: 'GET',
      url: `${url.replace(/\/v1$/, '')}/v1/health`,
      headers: new HeaderList(),
      hostOwner,
      signal: AbortSignal.timeout(DEADLINE_MS),
      deadlines: DEADLINES,
    })
    await drain(answer.body)
    const isHealthy = answer.status >= 200 && answer.status < 300
    return {
      status: isHealthy ? 'healthy' : 'unhealthy',
      status_code: answer.status,
      error: isHealthy ? null : `it answered with the status ${answer.status}`,
    }
  } catch (thrown) {
    const error = thrown instanceof GatewayError ? thrown.message : 'the connection broke'
    return { status: 'unreachable', status_code: null, error }
  }
}

/** Reads an answer to its end, so that the connection can be used again; a long one is given up. */
const drain = async (body: Awaited<ReturnType<Upstream['send']>>['body']): Promise<void> => {
  let bytes = 0
  for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) {
    bytes += piece.length
    if (bytes > MAX_ANSWER_BYTES) return body.cancel()
  }
}
