/** A file of a form, as adapters know it: what it is, not what is in it. */
export class FormFile {
  /** Name of the file as the client sent it, without any folders; empty when it has none. */
  readonly filename: string
  /** Content type of its part, in lower case and without parameters; empty when it has none. */
  readonly type: string
  /** Place of its content in the form, and that behind it. */
  readonly start: number
  readonly end: number

  constructor({ filename, type, start, end }: Pick<FormFile, 'filename' | 'type' | 'start' | 'end'>) {
    this.filename = filename
    this.type = type
    this.start = start
    this.end = end
  }

  /** Bytes of its content. */
  get size(): number {
    return this.end - this.start
  }
}

/**
 * A text with the content of a file in Base64, in the JSON that an adapter makes: the content is put there when the request is
 * sent, and never held as a whole where it need not be.
 */
export class FileText {
  readonly prefix: string
  readonly file: FormFile

  constructor(prefix: string, file: FormFile) {
    this.prefix = prefix
    this.file = file
  }
}

/** The content of a file in Base64. */
export const base64Of = (file: FormFile): FileText => new FileText('', file)

/**
 * A file as a `data:` URL.
 * @param type where the file has none, or nobody should believe it
 */
export const dataUrlOf = (file: FormFile, type: string = file.type || 'application/octet-stream'): FileText =>
  new FileText(`data:${type};base64,`, file)

/** The files of a parameter that may be one, a list of them, or absent. */
export const filesOf = (value: unknown): readonly FormFile[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is FormFile => each instanceof FormFile)
