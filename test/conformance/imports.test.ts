import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { imports } from '../../package.json'
import { tableUnder } from '../e2e/docs/pages.ts'
import { importsOf, isTest, type Source, sources } from '../support/sources.ts'

interface Row {
  /** A folder, a file, or all folders of a folder: `plugins/pipeline/*`. */
  readonly place: string
  /** `everything`, a folder of `src`, or in code style a package or an entry of `package.json`. */
  readonly may: readonly string[]
}

/** The table of docs/architecture.md. */
const rows: readonly Row[] = tableUnder('docs/architecture.md', 'Architecture').flatMap(([places = '', , may = '']) =>
  [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) => ({
    place,
    may: may
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  })),
)

const patternOf = (place: string): RegExp =>
  new RegExp(`^(${place.replaceAll('.', '\\.').replace('*', '[^/]+')})(?:\\.ts$|/|$)`)

/** The row that says most about a path, and the folder that it means by itself. */
const homeOf = (path: string): { readonly row: Row; readonly folder: string } | undefined =>
  rows
    .flatMap((row) => {
      const [, folder] = patternOf(row.place).exec(path) ?? []
      return folder === undefined ? [] : [{ row, folder }]
    })
    .toSorted((one, other) => other.row.place.length - one.row.place.length)[0]

/** Where a specifier leads inside the repository; undefined for a package. */
const targetOf = ({ path }: Source, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier))
  for (const [entry, file] of Object.entries(imports)) {
    const [before = '', after] = entry.split('*')
    if (after === undefined ? specifier === entry : specifier.startsWith(before)) {
      return normalize(file.replace('*', specifier.slice(before.length)))
    }
  }
  return undefined
}

/** Whether a word of the table stands for an import. */
const covers = (word: string, specifier: string, target: string | undefined): boolean => {
  const code = /^`(.+)`$/.exec(word)?.[1]
  if (word === 'everything') return true
  if (code === undefined)
    return target !== undefined && (target.startsWith(`src/${word}/`) || target.startsWith(`${word}/`))
  if (code.endsWith('*')) return specifier.startsWith(code.slice(0, -1))
  return specifier === code || (!code.startsWith('#') && specifier.startsWith(`${code}/`))
}

/** What runs, with the conformance kit, which is published. */
const product = (await sources('{src,plugins}/**/*.ts')).filter(
  (source) => /^src\/kit\/testing(?:\/|\.ts$)/.test(source.path) || !isTest(source),
)

describe('the table of docs/architecture.md', () => {
  test('has a row for every file', () => {
    expect(rows.length).toBeGreaterThan(20)
    const homeless = product.filter(({ path }) => homeOf(path) === undefined).map(({ path }) => path)
    expect(homeless).toEqual([])
  })

  test('allows every import, and nothing that nobody needs', () => {
    const refused: string[] = []
    const used = new Set<string>()
    for (const source of product) {
      const home = homeOf(source.path)
      for (const specifier of importsOf(source)) {
        const target = targetOf(source, specifier)
        if (target !== undefined && homeOf(target)?.folder === home?.folder) continue
        const word = home?.row.may.find((each) => covers(each, specifier, target))
        if (word === undefined) refused.push(`${source.path} -> ${target ?? specifier}`)
        else used.add(`${home?.row.place}: ${word}`)
      }
    }
    expect(refused).toEqual([])
    const needless = rows
      .filter(({ place }) => !place.includes('*'))
      .flatMap(({ place, may }) => may.map((word) => `${place}: ${word}`))
      .filter((each) => !used.has(each))
    expect(needless).toEqual([])
  })
})
