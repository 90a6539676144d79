import { join } from 'node:path'
import { type ConsoleBundle, type PackedFiles, toBundle } from './bundle.ts'
import { embedded } from './embedded.ts'

/** What builds the console: never a part of the executable. */
const BUILDER = join(import.meta.dir, '..', '..', 'console', 'bundle.ts')

/** Reads the console once somebody looks at it, so that a start waits for nothing. A failure is no answer for ever. */
export const createBundleOpener = (): (() => Promise<ConsoleBundle>) => {
  let opened: Promise<ConsoleBundle> | undefined
  return () => {
    opened ??= open(embedded).catch((thrown: unknown) => {
      opened = undefined
      throw thrown
    })
    return opened
  }
}

const open = async (packed: PackedFiles | undefined): Promise<ConsoleBundle> =>
  packed === undefined
    ? fromSource()
    : toBundle(Object.entries(packed).map(([name, text]) => [name, Uint8Array.fromBase64(text)]))

/** A checkout has nothing built. That takes a third of a second, most of it in threads of the bundler: calls go on meanwhile. */
const fromSource = async (): Promise<ConsoleBundle> => {
  const builder: { bundledFiles(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> } = await import(BUILDER)
  return toBundle(await builder.bundledFiles())
}
