const NEWLINE = 0x0a

/**
 * Passes on what a worker writes, in whole lines: two that write to one pipe by themselves would cut into each other's. Reads
 * no further while `write` waits. What cannot be written is left out, so that the worker is not held up.
 */
export const forwardLines = async (
  output: ReadableStream<Uint8Array>,
  write: (text: string) => Promise<void>,
): Promise<void> => {
  const decoder = new TextDecoder()
  const pass = (bytes: Uint8Array): Promise<void> => write(decoder.decode(bytes)).catch(() => undefined)
  let begun: Uint8Array[] = []
  for await (const bytes of output) {
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end === 0) {
      begun.push(bytes)
      continue
    }
    await pass(begun.length === 0 ? bytes.subarray(0, end) : Buffer.concat([...begun, bytes.subarray(0, end)]))
    begun = end === bytes.length ? [] : [bytes.subarray(end)]
  }
  // Cut off by its end.
  if (begun.length > 0) await pass(Buffer.concat([...begun, Uint8Array.of(NEWLINE)]))
}
