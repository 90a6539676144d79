import type { KeyDirectory } from '../kit/plugin.ts'
import type { Principal } from '../kit/slots.ts'
import type { ApiKeyRecord } from '../store/api-keys.ts'
import type { KeySnapshot } from '../store/key-snapshot.ts'

type Entry = NonNullable<ReturnType<KeyDirectory['find']>>

/** The stored keys as the chain sees them. What is made from a record is made once and lives as long as the record. */
export const createKeyDirectory = (snapshot: () => KeySnapshot | undefined): KeyDirectory => {
  const entries = new WeakMap<ApiKeyRecord, Entry>()
  return {
    find(key) {
      const record = snapshot()?.find(key)
      if (record === undefined || record.status === 'revoked') return undefined
      const known = entries.get(record)
      if (known !== undefined) return known
      const entry = toEntry(record)
      entries.set(record, entry)
      return entry
    },
  }
}

const toEntry = (record: ApiKeyRecord): Entry => {
  const principal: Principal = {
    keyId: record.id,
    keyName: record.name,
    kind: record.kind,
    organisationId: record.organisationId,
    scopes: new Set(record.scopes),
    ...(record.workspaceId === null ? {} : { workspaceId: record.workspaceId }),
    ...(record.userId === null ? {} : { userId: record.userId }),
  }
  if (record.status === 'expired') return { principal, expiresAtMs: 0 }
  return { principal, ...(record.expiresAt === null ? {} : { expiresAtMs: record.expiresAt.getTime() }) }
}
