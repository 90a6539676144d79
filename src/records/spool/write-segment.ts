import { closeSync, constants, linkSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FrameKind, frameBytes, HEADER_BYTES, sealFrame, toBytes } from './frame.ts'
import { segmentPath, writeAll } from './segment-files.ts'

const encoder = new TextEncoder()

/** Writes a segment that is complete at once: whole or not at all. @throws what the system says */
export const writeSegment = (folder: string, segment: number, kind: FrameKind, texts: readonly string[]): void => {
  const payloads = texts.map((text) => encoder.encode(text))
  const content = toBytes(new Uint8Array(payloads.reduce((sum, { length }) => sum + frameBytes(length), 0)))
  let offset = 0
  for (const payload of payloads) {
    content.bytes.set(payload, offset + HEADER_BYTES)
    offset = sealFrame(content, segment, offset, kind, payload.length)
  }
  const unfinished = join(folder, `${crypto.randomUUID()}.new`)
  try {
    const file = openSync(unfinished, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      writeAll(file, content.bytes)
    } finally {
      closeSync(file)
    }
    linkSync(unfinished, segmentPath(folder, segment))
  } finally {
    rmSync(unfinished, { force: true })
  }
}
