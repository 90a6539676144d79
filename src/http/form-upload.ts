import { concat } from '../core/bodies/answer.ts'
import type { FormBody } from '../core/bodies/body.ts'
import { free } from '../core/bodies/spent-pieces.ts'
import { type FormPart, FormReader } from '../core/forms/form-reader.ts'
import { readParametrised } from '../core/forms/parametrised.ts'
import { BodyTooLarge, InvalidRequest } from '../errors/gateway-error.ts'
import { Arrival, readBody, refuseCoded, tooLarge } from './read-body.ts'
import type { SpoolFile } from './spool.ts'
import type { RequestLimits } from './streamed-body.ts'

/** Bytes of all fields of a form together: they are held, whatever the size of its files. */
const MAX_FIELD_BYTES: number = 4 * 1024 * 1024

const NOTHING = new Uint8Array(0)

/**
 * A form, read to its end before the call goes on: its fields say where the call goes, and may stand behind its files. Up to
 * `maxBytes` it is held in memory; a larger one is kept in a file that nobody else can see.
 */
export class FormUpload implements FormBody {
  readonly kind = 'form'
  readonly #request: Request
  readonly #limits: RequestLimits
  #boundary = ''
  #reader: FormReader | undefined
  #bytes: Uint8Array | undefined
  #file: SpoolFile | undefined
  #length = 0
  #isClosed = false
  /** What is still being read. */
  #source: { cancel(): Promise<void> } | undefined

  constructor(request: Request, limits: RequestLimits) {
    this.#request = request
    this.#limits = limits
  }

  get boundary(): string {
    return this.#boundary
  }

  get parts(): readonly FormPart[] {
    if (this.#reader === undefined) throw new Error('the request body is read before it was loaded')
    return this.#reader.parts
  }

  get isRead(): boolean {
    return this.#source === undefined
  }

  get length(): number {
    return this.#length
  }

  get bytes(): Uint8Array | undefined {
    return this.#bytes
  }

  async load(): Promise<void> {
    const { headers } = this.#request
    refuseCoded(headers)
    const type = readParametrised(headers.get('content-type') ?? '')
    if (type?.value !== 'multipart/form-data') {
      throw new InvalidRequest('The request must be a form: `Content-Type: multipart/form-data`.', {
        param: 'content-type',
      })
    }
    this.#boundary = type.parameters.get('boundary') ?? ''
    this.#reader = new FormReader(this.#boundary, ({ isFile }) => !isFile, MAX_FIELD_BYTES + 1)
    const declared = headers.get('content-length')
    const isSmall = declared !== null && Number(declared) <= this.#limits.maxBytes
    if (isSmall || this.#request.body === null) await this.#readWhole()
    else await this.#readPieces(this.#request.body, declared === null ? undefined : Number(declared))
    this.#reader.end()
    checkFields(this.#reader.parts)
  }

  async read(at: number): Promise<Uint8Array> {
    if (this.#bytes !== undefined) return this.#bytes.subarray(at)
    return (await this.#file?.read(at)) ?? NOTHING
  }

  close(): void {
    this.#isClosed = true
    this.#bytes = NOTHING
    this.#forget()
    // Only now: the client would not hear why, as long as the answer is not out. It has failed already, or nobody wants to hear of it.
    this.#source?.cancel().catch(() => undefined)
  }

  async #readWhole(): Promise<void> {
    this.#bytes = await readBody(this.#request, this.#limits)
    this.#length = this.#bytes.length
    this.#reader?.push(this.#bytes)
  }

  async #readPieces(source: ReadableStream<Uint8Array>, declared: number | undefined): Promise<void> {
    const { maxUploadBytes, timeoutMs } = this.#limits
    if (declared !== undefined && declared > maxUploadBytes) throw tooLarge(maxUploadBytes)
    // One that is known to go into a file is not held before.
    if (declared !== undefined && declared > this.#limits.maxBytes) this.#file = await this.#limits.spool?.open()
    const reader = source.getReader()
    const held: Uint8Array[] = []
    this.#source = reader
    for (;;) {
      const { value } = await new Arrival(reader.read().catch(brokenOff), timeoutMs).whole
      if (value === undefined) break
      this.#length += value.length
      if (this.#length > maxUploadBytes) throw tooLarge(maxUploadBytes)
      this.#reader?.push(value)
      await this.#keep(value, held)
    }
    this.#source = undefined
    if (this.#file === undefined) this.#bytes = concat(held)
  }

  /** In memory as long as that may be, then all of it in a file. */
  async #keep(piece: Uint8Array, held: Uint8Array[]): Promise<void> {
    const { maxBytes, spool } = this.#limits
    held.push(piece)
    if (this.#file === undefined && this.#length <= maxBytes) return
    if (spool === undefined) {
      throw new BodyTooLarge(
        `${tooLarge(maxBytes).message} A larger form is kept in a file, which this gateway does not do (\`server.maxSpoolBytes\`).`,
      )
    }
    this.#file ??= await spool.open()
    const file = this.#isClosed ? undefined : this.#file
    for (const each of held.splice(0)) {
      if ((await file?.append(each)) !== true) {
        throw new BodyTooLarge('The form is larger than this gateway can keep (`server.maxSpoolBytes`).')
      }
      // The reader of the form has copied what it keeps.
      free(each)
    }
    if (this.#isClosed) this.#forget()
  }

  #forget(): void {
    void this.#file?.close()
    this.#file = undefined
  }
}

const brokenOff = (thrown: unknown): never => {
  throw new InvalidRequest('The request body could not be read to its end.', { cause: thrown })
}

/** @throws InvalidRequest when the fields are larger than what is kept of them */
const checkFields = (parts: readonly FormPart[]): void => {
  let bytes = 0
  for (const { name, content } of parts) {
    bytes += content?.length ?? 0
    if (bytes > MAX_FIELD_BYTES) {
      throw new InvalidRequest(
        `\`${name}\` is too large: the fields of a form may have ${MAX_FIELD_BYTES / 1024 / 1024} MB together.`,
        { param: name },
      )
    }
  }
}
