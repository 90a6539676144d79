import type { KeptResponse, KeptResponses, ResponseToKeep } from '../kit/kept-responses.ts'

/** Most responses that a process keeps for itself, and bytes of them. The oldest go first. */
const MAX_RESPONSES = 1_000
const MAX_BYTES = 64 * 1024 * 1024

/** Responses in the memory of this process, where there is no database. @param now milliseconds that never step back */
export const createLocalKeptResponses = (now: () => number): KeptResponses => {
  const kept = new Map<string, ResponseToKeep & { readonly untilMs: number }>()
  let bytes = 0

  const drop = (key: string): boolean => {
    bytes -= kept.get(key)?.bytes ?? 0
    return kept.delete(key)
  }
  const find = (workspaceId: string, id: string): KeptResponse | undefined => {
    const key = keyOf(workspaceId, id)
    const found = kept.get(key)
    if (found === undefined) return undefined
    if (found.untilMs > now()) return { id, previousId: found.previousId, ...found.read() }
    drop(key)
    return undefined
  }

  return {
    keep(response) {
      const key = keyOf(response.workspaceId, response.id)
      if (kept.has(key) || response.bytes > MAX_BYTES) return
      kept.set(key, { ...response, untilMs: now() + response.forMs })
      bytes += response.bytes
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_RESPONSES && bytes <= MAX_BYTES) break
        drop(oldest)
      }
    },
    find: async (workspaceId, id) => find(workspaceId, id),
    async conversation(workspaceId, id) {
      const turns: KeptResponse[] = []
      for (let at: string | undefined = id; at !== undefined; ) {
        const turn = find(workspaceId, at)
        if (turn === undefined) return []
        turns.unshift(turn)
        at = turn.previousId
      }
      return turns
    },
    delete: async (workspaceId, id) => drop(keyOf(workspaceId, id)),
  }
}

const keyOf = (workspaceId: string, id: string): string => `${workspaceId} ${id}`
