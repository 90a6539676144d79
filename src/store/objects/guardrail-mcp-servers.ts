import { and, asc, eq, notInArray, sql } from 'drizzle-orm'
import { guardrailMcpServers } from '../schema/guardrails.ts'
import type { Db } from '../types.ts'
import { newId, only } from './rows.ts'

export type GuardrailMapping = Readonly<typeof guardrailMcpServers.$inferSelect>

/** Which server, and what of it. */
export type NewMapping = Pick<GuardrailMapping, 'mcpServerId' | 'runOn' | 'capabilityIds'>

/** The MCP servers of a guardrail, the one that was added first comes first. */
export const listMappings = (db: Db, guardrailId: string): Promise<readonly GuardrailMapping[]> =>
  db
    .select()
    .from(guardrailMcpServers)
    .where(eq(guardrailMcpServers.guardrailId, guardrailId))
    .orderBy(asc(guardrailMcpServers.createdAt), asc(guardrailMcpServers.id))

/** Adds a server, or writes anew what of it is looked at. */
export const putMapping = async (
  transaction: Db,
  guardrailId: string,
  { mcpServerId, runOn, capabilityIds }: NewMapping,
): Promise<GuardrailMapping> =>
  only(
    await transaction
      .insert(guardrailMcpServers)
      .values({ id: newId(), guardrailId, mcpServerId, runOn, capabilityIds })
      .onConflictDoUpdate({
        target: [guardrailMcpServers.guardrailId, guardrailMcpServers.mcpServerId],
        set: { runOn, capabilityIds, lastUpdatedAt: sql`now()` },
      })
      .returning(),
  )

/** Takes all servers away but these. */
export const removeOtherMappings = async (
  transaction: Db,
  guardrailId: string,
  mcpServerIds: readonly string[],
): Promise<void> => {
  const { guardrailId: owner, mcpServerId } = guardrailMcpServers
  const isOther = mcpServerIds.length === 0 ? undefined : notInArray(mcpServerId, [...mcpServerIds])
  await transaction.delete(guardrailMcpServers).where(and(eq(owner, guardrailId), isOther))
}
