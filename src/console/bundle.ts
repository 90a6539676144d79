/** A file of the console as it goes out: compressed already. */
export interface ConsoleFile {
  readonly type: string
  readonly gzip: Uint8Array<ArrayBuffer>
}

/** The console, ready for browsers. */
export interface ConsoleBundle {
  /** Names of files that the page begins with. */
  readonly script: string
  readonly style: string
  readonly icon: string
  /** By name, in which the hash of the content stands: a name never means anything else. */
  readonly files: ReadonlyMap<string, ConsoleFile>
}

/** Files by name, each compressed and then in base64: how the executable carries them. */
export type PackedFiles = Readonly<Record<string, string>>

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** @throws Error when there is not one of each of the files that the page begins with, and for one of no known kind */
export const toBundle = (compressed: Iterable<readonly [string, Uint8Array<ArrayBuffer>]>): ConsoleBundle => {
  const files = new Map<string, ConsoleFile>()
  for (const [name, gzip] of compressed) {
    const type = TYPES[name.split('.').at(-1) ?? '']
    if (type === undefined) throw new Error(`'${name}' of the console is of no known kind`)
    files.set(name, { type, gzip })
  }
  const named = (pattern: RegExp): string => {
    const [found, ...others] = [...files.keys()].filter((name) => pattern.test(name))
    if (found === undefined || others.length > 0) throw new Error(`the console has not one file like ${pattern}`)
    return found
  }
  return { script: named(/^main-\w+\.js$/), style: named(/^main-\w+\.css$/), icon: named(/^icon-\w+\.svg$/), files }
}
