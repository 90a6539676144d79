import { createBoundedMap } from '../core/bounded-map.ts'
import type { McpServers } from '../core/mcp/servers.ts'
import type { Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import { syncMcpCapabilities } from '../store/objects/mcp-capabilities.ts'
import type { Db } from '../store/types.ts'
import { hashOf } from './hash.ts'
import { offeredIn } from './look.ts'

/** Lists of servers that are remembered; one that is forgotten is written once more. */
const MAX_LISTS = 10_000

/**
 * Keeps what servers tell clients that they offer, so that it can be taken away, and what has changed can be seen. A list that is
 * the same as before costs a hash; writing happens beside the calls, one list at a time.
 */
export const createSeenKeeper = (
  db: Db,
  log: Logger,
): { readonly seen: McpServers['seen']; close(): Promise<void> } => {
  const known = createBoundedMap<string, string>(MAX_LISTS)
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false
  return {
    seen({ integrationId }, type, items) {
      const offered = offeredIn(type, items).map((one) => ({ ...one, hash: hashOf(one.definition) }))
      const key = `${integrationId} ${type}`
      const mark = hashOf({ all: offered.map(({ name, hash }) => `${name} ${hash}`) })
      if (isClosed || known.get(key) === mark) return
      known.set(key, mark)
      writing = writing
        .then(() => db.transaction((transaction) => syncMcpCapabilities(transaction, integrationId, [type], offered)))
        .catch((thrown: unknown) => {
          known.delete(key)
          log.warn('what an MCP server offers could not be kept', errorFields(thrown))
        })
    },
    async close() {
      isClosed = true
      await writing
    },
  }
}
