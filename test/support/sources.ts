import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..', '..')

export interface Source {
  /** From the root of the repository. */
  readonly path: string
  /** Without comments; strings stay. */
  readonly code: string
  readonly text: string
}

/** Comments become spaces; what looks like one inside a string or template stays. Good enough for this code, and tested below. */
export const withoutComments = (text: string): string =>
  text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|(^|[\s;{}(),])\/\/[^\n]*/g,
    (_all, string: string | undefined, before: string | undefined) => string ?? before ?? '',
  )

/** Files of the repository that fit a pattern, in the order of their paths. */
export const sources = async (pattern: string): Promise<Source[]> => {
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })].toSorted()
  return Promise.all(
    paths.map(async (path) => {
      const text = await Bun.file(join(ROOT, path)).text()
      return { path, text, code: withoutComments(text) }
    }),
  )
}

export const isTest = ({ path }: Source): boolean =>
  path.startsWith('test/') ||
  /\.test\.ts$|\/test-support(?:\/|\.ts$)|^src\/kit\/testing|^src\/store\/testing\.ts$/.test(path)

/** Specifiers that a file imports, types included. */
export const importsOf = ({ code }: Source): string[] =>
  [...code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"$\s]+)\1/g)].map((match) => match[2] ?? '')
