import { Cancellation } from '../core/cancellation.ts'
import { McpUnreachable } from '../core/mcp/unreachable.ts'
import type { Upstream } from '../core/ports.ts'
import { GatewayError } from '../errors/gateway-error.ts'
import type { McpIntegration } from '../store/objects/mcp-integrations.ts'
import { within } from '../timing/within.ts'
import { connectMcp, type McpConnection } from './connection.ts'
import { lookAround } from './look.ts'
import type { McpProbe } from './probe.ts'
import { type CredentialSources, openCredentials } from './servers.ts'

export interface ProbeOptions extends CredentialSources {
  readonly upstream: Upstream
  readonly monotonicMs: () => number
  /** Of Weir. */
  readonly version: string
}

/** Milliseconds of a handshake, and of a look at all that is offered: somebody waits at a screen. */
const REACH_MS = 10_000
const LOOK_MS = 30_000

export const createMcpProbe = ({ upstream, monotonicMs, version, ...sources }: ProbeOptions): McpProbe => {
  const whileConnected = async <Result>(
    integration: McpIntegration,
    timeoutMs: number,
    work: (connection: McpConnection) => Promise<Result>,
  ): Promise<Result> => {
    const cancellation = new Cancellation()
    const run = async (): Promise<Result> => {
      const connection = await connectMcp(upstream, {
        url: integration.url,
        transport: integration.transport,
        headers: await openCredentials(integration, integration.workspaceId ?? undefined, sources),
        hostOwner: integration.workspaceId ?? integration.organisationId,
        timeoutMs,
        version,
        signal: cancellation,
      })
      try {
        return await work(connection)
      } finally {
        await connection.close()
      }
    }
    const late = new McpUnreachable(`The MCP server took longer than ${timeoutMs} ms.`)
    try {
      return await within(run(), timeoutMs, () => late)
    } catch (thrown) {
      throw asUnreachable(thrown)
    } finally {
      cancellation.abort(late)
    }
  }
  return {
    async reach(integration) {
      const startedMs = monotonicMs()
      try {
        await whileConnected(integration, REACH_MS, async () => undefined)
        return { success: true, statusCode: 200, responseTimeMs: tookSince(startedMs) }
      } catch (thrown) {
        if (!(thrown instanceof McpUnreachable)) throw thrown
        const { message: error, status } = thrown
        const responseTimeMs = tookSince(startedMs)
        return { success: false, responseTimeMs, error, ...(status === undefined ? {} : { statusCode: status }) }
      }
    },
    look: (integration) => whileConnected(integration, LOOK_MS, lookAround),
  }

  function tookSince(startedMs: number): number {
    return Math.round(monotonicMs() - startedMs)
  }
}

/** What went wrong on the way is told like what the server did wrong; what is our own fault is not. */
const asUnreachable = (thrown: unknown): unknown => {
  if (thrown instanceof McpUnreachable) return thrown
  if (thrown instanceof GatewayError && thrown.code !== 'internal_error') {
    return new McpUnreachable(thrown.message, { cause: thrown })
  }
  if (thrown instanceof SyntaxError || (thrown instanceof Error && thrown.name === 'NotMessages')) {
    return new McpUnreachable('The MCP server answered with what is no message.', { cause: thrown })
  }
  return thrown
}
