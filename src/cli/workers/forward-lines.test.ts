import { expect, test } from 'bun:test'
import { forwardLines } from './forward-lines.ts'

const forwarded = async (...pieces: readonly string[]): Promise<readonly string[]> => {
  const written: string[] = []
  const bytes = pieces.map((piece) => Buffer.from(piece, 'latin1'))
  const output = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of bytes) controller.enqueue(piece)
      controller.close()
    },
  })
  await forwardLines(output, async (text) => {
    written.push(text)
  })
  return written
}

test('lines come out whole, however they come in', async () => {
  expect(await forwarded('one\ntw', 'o', '\nthree\n')).toEqual(['one\n', 'two\nthree\n'])
})

test('a character that is cut in two comes out whole', async () => {
  const [left, right] = [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)]
  expect(await forwarded(left.toString('latin1'), right.toString('latin1'))).toEqual(['é\n'])
})

test('what a death cut off is a line of its own', async () => {
  expect(await forwarded('whole\ncut')).toEqual(['whole\n', 'cut\n'])
})

test('what cannot be written is left out, and the rest goes on', async () => {
  const written: string[] = []
  const output = new Response('a\n').body
  if (output === null) throw new Error('no body')
  await forwardLines(output, async (text) => {
    written.push(text)
    throw new Error('broken pipe')
  })
  expect(written).toEqual(['a\n'])
})
