import type { auditLog } from './schema/audit-log.ts'

/** `previousHash` of the first row of an organisation. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64)

type Hashed = Omit<typeof auditLog.$inferSelect, 'sequence' | 'hash'>

/** SHA-256 over everything a row tells and the hash of the row before, hex. The version comes first. */
export const auditHash = (row: Hashed): string => {
  const parts = [
    1,
    row.previousHash,
    row.id,
    row.createdAt.toISOString(),
    row.organisationId,
    row.workspaceId,
    row.actorKind,
    row.actorId,
    row.actorName,
    row.action,
    row.objectKind,
    row.objectId,
    sorted(row.before),
    sorted(row.after),
    row.method,
    row.path,
    row.requestId,
    row.sourceAddress,
  ]
  return Bun.CryptoHasher.hash('sha256', JSON.stringify(parts), 'hex')
}

/** As the database will give it back: without what JSON cannot hold. */
export const toStoredJson = <Value extends object | null>(value: Value): Value => JSON.parse(JSON.stringify(value))

/** With the keys of every object in order: the database keeps them in one of its own. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
