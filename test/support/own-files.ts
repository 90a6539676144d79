import { fromPieces, nextPiece } from '../../src/core/bodies/ready-stream.ts'
import { ownFileId } from '../../src/core/own-ids.ts'
import type { OwnFile, OwnFiles } from '../../src/kit/own-files.ts'

/** Files in memory, for gateways without a database. */
export const memoryFiles = (): OwnFiles => {
  const kept = new Map<string, { readonly file: OwnFile; readonly content: Uint8Array }>()
  const find = (workspaceId: string, id: string): OwnFile | undefined => {
    const file = kept.get(id)?.file
    return file?.workspaceId === workspaceId ? file : undefined
  }
  return {
    async create(file, stream) {
      const pieces: Uint8Array[] = []
      for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream))
        pieces.push(Uint8Array.from(piece))
      const content = Buffer.concat(pieces)
      const id = file.id ?? ownFileId(crypto.randomUUID())
      const sha256 = new Bun.CryptoHasher('sha256').update(content).digest('hex')
      const made: OwnFile = { ...file, id, bytes: content.length, sha256, keyVersion: 1, createdAtMs: Date.now() }
      kept.set(id, { file: made, content })
      return made
    },
    find: async (workspaceId, id) => find(workspaceId, id),
    async list(workspaceId, { limit }) {
      const files = [...kept.values()].flatMap(({ file }) => (file.workspaceId === workspaceId ? [file] : []))
      return { files: files.slice(0, limit), hasMore: files.length > limit }
    },
    delete: async (workspaceId, id) => find(workspaceId, id) !== undefined && kept.delete(id),
    open: ({ id }, range) =>
      fromPieces([kept.get(id)?.content.subarray(range?.start, range && range.end + 1) ?? new Uint8Array(0)]),
  }
}
