import type { Clock } from '../../core/ports.ts'
import type { LiveApiKey } from '../../store/memory/live-keys.ts'

/** A clock that moves when told. Starts at a whole second. */
export interface ManualClock extends Clock {
  advance(ms: number): void
}

export const manualClock = (startMs = Date.UTC(2030, 0, 1)): ManualClock => {
  let elapsedMs = 0
  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    advance: (ms) => {
      elapsedMs += ms
    },
  }
}

export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

export const ORGANISATION_ID = '0198c5d2-0000-7000-8000-00000000000a'
export const WORKSPACE_ID = '0198c5d2-0000-7000-8000-00000000000b'

/** A stored key; every field may be set. */
export const keyRecord = (changes: Partial<LiveApiKey> & Pick<LiveApiKey, 'id'>): LiveApiKey => {
  const plain: Partial<LiveApiKey> = {
    publicId: 'public',
    maskedKey: 'wei*****xyz',
    name: 'a key',
    description: null,
    kind: 'workspace-service',
    organisationId: ORGANISATION_ID,
    workspaceId: WORKSPACE_ID,
    userId: null,
    scopes: ['completions.write', 'logs.view'],
    defaults: null,
    rateLimits: null,
    usageLimits: null,
    status: 'active',
    preset: null,
    workspace: null,
    expiresAt: null,
    createdAt: new Date(0),
    lastUpdatedAt: new Date(0),
  }
  // Columns that no test of tokens reads are left out.
  return { ...plain, ...changes } as LiveApiKey
}
