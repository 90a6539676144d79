import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { FormBody } from '../bodies/body.ts'
import { isReadyStream, nextPiece } from '../bodies/ready-stream.ts'
import type { BodyStream } from '../ports.ts'
import { editedForm } from './edit-form.ts'
import { base64Of, dataUrlOf, type FormFile } from './form-file.ts'
import { formParams } from './form-params.ts'
import { FormReader } from './form-reader.ts'
import { assembled, lengthOf, type Segment } from './segments.ts'
import { formSegments, jsonSegments } from './write-body.ts'

const KNOWN = {
  schema: { properties: { include: { type: 'array', items: { type: 'string' } }, n: { type: 'number' } } },
  files: { file: {} },
}

/** A form that is in memory, or in a file that gives few bytes at once. */
const formOf = async (form: FormData, pieceBytes?: number): Promise<FormBody> => {
  const request = new Request('http://a/', { method: 'POST', body: form })
  const boundary = /boundary="?([^"]+)/.exec(request.headers.get('content-type') ?? '')?.[1] ?? ''
  return read(await request.bytes(), boundary, pieceBytes)
}

const read = (bytes: Uint8Array, boundary: string, pieceBytes?: number): FormBody => {
  const reader = new FormReader(boundary, ({ isFile }) => !isFile)
  reader.push(bytes)
  reader.end()
  return {
    kind: 'form',
    load: async () => undefined,
    isRead: true,
    boundary,
    parts: reader.parts,
    length: bytes.length,
    bytes: pieceBytes === undefined ? bytes : undefined,
    read: async (at) => bytes.subarray(at, at + (pieceBytes ?? bytes.length)),
    close: () => undefined,
  }
}

const collected = async (body: Uint8Array | BodyStream): Promise<Buffer> => {
  if (body instanceof Uint8Array) return Buffer.from(body)
  expect(isReadyStream(body.stream)).toBe(true)
  const pieces: Uint8Array[] = []
  for (let piece = await nextPiece(body.stream); piece !== undefined; piece = await nextPiece(body.stream))
    pieces.push(piece)
  const whole = Buffer.concat(pieces)
  expect(body.length).toBe(whole.length)
  return whole
}

const put = async (segments: readonly Segment[], form: FormBody): Promise<Buffer> => {
  const whole = await collected(assembled(segments, form))
  expect(lengthOf(segments)).toBe(whole.length)
  return whole
}

const bytesOf = fc.uint8Array({ maxLength: 300 })
const textOf = fc
  .string({ maxLength: 20, unit: 'binary' })
  .filter((text) => text.isWellFormed() && !/[\r\n]/.test(text))

const sample = (content: Uint8Array, prompt: string): FormData => {
  const form = new FormData()
  form.append('file', new File([Uint8Array.from(content)], 'a.wav', { type: 'audio/wav' }))
  form.append('model', '@openai/whisper-1')
  form.append('prompt', prompt)
  form.append('include[]', 'a')
  form.append('include[]', 'b')
  return form
}

describe('a form that goes on', () => {
  test('with another model is the same in all other parts, in memory and from a file', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytesOf,
        textOf,
        fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
        async (content, prompt, pieceBytes) => {
          const form = await formOf(sample(content, prompt), pieceBytes)
          const before = formParams(form.parts, KNOWN)
          const { include: _, ...kept } = before
          const bytes = await put(
            editedForm(form, before, { ...kept, model: 'whisper-1', n: 2, stop: ['x', 'y'] }),
            form,
          )
          const after = read(bytes, form.boundary)
          const params = formParams(after.parts, KNOWN)
          expect({ ...params, file: undefined }).toEqual({
            model: 'whisper-1',
            prompt,
            n: 2,
            stop: ['x', 'y'],
          } as never)
          const { start, end } = params.file as FormFile
          expect(bytes.subarray(start, end).equals(Buffer.from(content))).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('with nothing else to say is the same byte for byte', async () => {
    for (const pieceBytes of [undefined, 7]) {
      const form = await formOf(sample(new Uint8Array([0, 1, 2]), 'p'), pieceBytes)
      const params = formParams(form.parts, KNOWN)
      const bytes = await put(editedForm(form, params, params), form)
      expect(bytes.length).toBe(form.length)
      expect(await put([{ from: 0, to: form.length }], form)).toEqual(bytes)
    }
  })

  test('can lose its first and its last part', async () => {
    const form = await formOf(sample(new Uint8Array([1]), 'p'))
    const before = formParams(form.parts, KNOWN)
    const { file: _, include: __, ...left } = before
    const after = read(await put(editedForm(form, before, left), form), form.boundary)
    expect(formParams(after.parts, KNOWN)).toEqual(left)
  })

  test('never takes its own boundary for a value', async () => {
    const form = await formOf(sample(new Uint8Array([1]), 'p'))
    const before = formParams(form.parts, KNOWN)
    expect(() => editedForm(form, before, { ...before, prompt: `a\r\n--${form.boundary}--` })).toThrow('boundary')
  })
})

describe('a form for a provider that takes something else', () => {
  test('is JSON with its file in Base64', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytesOf,
        fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
        async (content, pieceBytes) => {
          const form = await formOf(sample(content, 'p'), pieceBytes)
          const file = formParams(form.parts, KNOWN).file as FormFile
          const json = await put(
            jsonSegments({ audio: base64Of(file), deep: [{ url: dataUrlOf(file) }], n: 1 }, 'token-1'),
            form,
          )
          const base64 = Buffer.from(content).toString('base64')
          expect(JSON.parse(json.toString())).toEqual({
            audio: base64,
            deep: [{ url: `data:audio/wav;base64,${base64}` }],
            n: 1,
          })
        },
      ),
      { numRuns: 100 },
    )
  })

  test('is another form, which every reader reads', async () => {
    const content = Buffer.from('\0RIFF\r\n--x')
    const form = await formOf(sample(content, 'p'), 5)
    const file = formParams(form.parts, KNOWN).file as FormFile
    const fields = { model_id: 'scribe', keyterms: ['a', 'b'], options: { a: 1 }, file, none: null, on: true }
    const bytes = await put(formSegments(fields, 'made'), form)
    const made = await new Response(bytes, {
      headers: { 'content-type': 'multipart/form-data; boundary=made' },
    }).formData()
    expect([
      made.get('model_id'),
      made.getAll('keyterms'),
      made.get('options'),
      made.get('on'),
      made.has('none'),
    ]).toEqual(['scribe', ['a', 'b'], '{"a":1}', 'true', false])
    const sent = made.get('file')
    if (!(sent instanceof File)) throw new Error('it is no file')
    expect([sent.name, Buffer.from(await sent.arrayBuffer())]).toEqual(['a.wav', content])
    expect(bytes.toString('latin1')).toContain('Content-Type: audio/wav')
  })

  test('a name that would end its header does not', async () => {
    const form = await formOf(sample(new Uint8Array([1]), 'p'))
    const bytes = await put(formSegments({ 'a"\r\nx: y': '1' }, 'made'), form)
    expect(bytes.toString()).toContain('name="a%22%0D%0Ax: y"')
  })
})
