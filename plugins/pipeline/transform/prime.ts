import type { ByteStream } from '#kit'

/**
 * Waits for the first piece of a stream before its headers go out, so that an error in the first event still gets a
 * proper HTTP status. A model that thinks for longer than `patienceMs` is not waited for: the stream begins, and the
 * door keeps the client awake.
 * @throws what the first read throws, within the patience.
 */
export const prime = async (stream: ByteStream, patienceMs: number): Promise<ByteStream> => {
  let first: Promise<Uint8Array | undefined> | undefined = stream.read()
  // The stream below awaits it; until then a late failure has no other handler.
  first.catch(() => undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  try {
    await Promise.race([first, patience])
  } finally {
    clearTimeout(timer)
  }
  return {
    read() {
      const pending = first ?? stream.read()
      first = undefined
      return pending
    },
    cancel: (reason) => stream.cancel(reason),
  }
}
