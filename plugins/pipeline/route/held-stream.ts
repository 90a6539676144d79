import { KEEP_ALIVE_COMMENT } from '#core/bodies/sse'
import { HeaderList } from '#core/header-fields'
import { type Answer, fromPieces, isReadyStream, Pipe } from '#kit'
import { within } from '#timing/within'

/**
 * A streamed answer, or its beginning: when it takes longer than the patience, the head and a comment go out, and the rest
 * follows when it comes. What fails after that is told by the stream.
 * @param onHeld runs before the head goes out without an answer
 * @throws what the answer fails with, within the patience
 */
export const beginInTime = async (answer: Promise<Answer>, patienceMs: number, onHeld: () => void): Promise<Answer> => {
  const begun = await within(answer, patienceMs)
  if (begun !== undefined) return begun
  onHeld()
  const headers = new HeaderList()
  headers.set('content-type', 'text/event-stream; charset=utf-8')
  headers.set('cache-control', 'no-cache')
  const body = new Pipe(answer.then(({ body: rest }) => (isReadyStream(rest) ? rest : fromPieces([rest]))))
  body.write(KEEP_ALIVE_COMMENT)
  return { status: 200, headers, body }
}
