import { type Alias, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { ConfigError } from './config-error.ts'

/** Where something stands in a file; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** What a config file holds, and where. */
export interface ConfigSource {
  /** The file, or what stands in for one. */
  readonly name: string
  readonly value: unknown
  /**
   * Where the key of a path such as `plugins[1].openai` stands, or the nearest one around it. Undefined where nobody knows, as
   * in a file that is code.
   */
  placeOf(path: string): Place | undefined
}

/** A value without a text behind it. */
export const plainSource = (name: string, value: unknown): ConfigSource => ({ name, value, placeOf: () => undefined })

/** `file:line:column`, as editors and terminals make links of it. */
export const withPlace = (name: string, place: Place | undefined): string =>
  place === undefined ? name : `${name}:${place.line}:${place.column}`

/**
 * Reads YAML 1.2 with merge keys (`<<`), or JSON. A key that is there twice is a fault.
 * @throws ConfigError with one line for each fault, naming its place
 */
export const parseSource = (name: string, text: string, format: 'yaml' | 'json'): ConfigSource => {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    merge: true,
    stringKeys: true,
    prettyErrors: false,
    lineCounter: lines,
    // Not 'silent': then a second document would be left out in silence too.
    logLevel: 'error',
  })
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const faults = document.errors.map(({ code, message, pos }) => ({ offset: pos[0], words: WORDS[code] ?? message }))
  visit(document, {
    Alias: (_key, alias) => {
      const target = alias.resolve(document)
      const offset = startOf(alias)
      if (target === undefined) faults.push({ offset, words: `no anchor '&${alias.source}' stands before this alias` })
      else if (holds(target, alias)) faults.push({ offset, words: 'this alias stands within its own anchor' })
    },
  })
  if (faults.length > 0) {
    throw new ConfigError(faults.map(({ offset, words }) => `${withPlace(name, placeAt(offset))}: ${words}`).join('\n'))
  }
  return {
    name,
    value: format === 'json' ? readJson(name, text) : readYaml(name, () => document.toJS()),
    placeOf(path) {
      const offset = locate(document.contents, path, (alias) => alias.resolve(document))
      return offset === undefined ? undefined : placeAt(offset)
    },
  }
}

/** The library's own words where they are for programmers. */
const WORDS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key is there already; keep one',
  MULTIPLE_DOCS: 'a second document begins here; keep one',
  NON_STRING_KEY: 'a key must be text',
}

const startOf = (node: Node | null | undefined): number => node?.range?.[0] ?? 0

const holds = (node: Node, alias: Alias): boolean => {
  let isFound = false
  visit(node, {
    Alias: (_key, inner) => {
      isFound ||= inner === alias
    },
  })
  return isFound
}

/** YAML takes all JSON and more, so its places are right; the words of the JSON parser repeat what stands in the file. */
const readJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError(
      `${name}: it is not JSON: texts and keys need double quotes; comments and commas before an end are not allowed`,
    )
  }
}

const readYaml = (name: string, read: () => unknown): unknown => {
  try {
    return read() ?? {}
  } catch (cause) {
    throw new ConfigError(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Offset of the key, or of the item of a list, that the path names, or of the last one on the way to it. */
const locate = (node: unknown, path: string, resolve: (alias: Alias) => Node | undefined): number | undefined => {
  if (isAlias(node)) return locate(resolve(node), path, resolve)
  if (isSeq(node)) {
    const [step = '', index] = /^\[([0-9]+)\]/.exec(path) ?? []
    const item = index === undefined ? undefined : node.items[Number(index)]
    if (item === undefined) return undefined
    return locate(item, path.slice(step.length), resolve) ?? startOf(item as Node)
  }
  if (!isMap(node)) return undefined
  const rest = path.replace(/^\./, '')
  for (const pair of node.items) {
    if (!isPair(pair) || !isScalar(pair.key)) continue
    const behind = afterKey(rest, String(pair.key.value))
    if (behind !== undefined) return locate(pair.value, behind, resolve) ?? startOf(pair.key)
  }
  for (const pair of node.items) {
    if (!isScalar(pair.key) || pair.key.value !== '<<') continue
    const merged = isSeq(pair.value) ? pair.value.items : [pair.value]
    for (const source of merged) {
      const found = locate(source, path, resolve)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** What stands behind a key in a path; undefined where the path begins with another key. */
const afterKey = (path: string, key: string): string | undefined => {
  const spelled = path.startsWith(key) ? key : `[${key}]`
  const behind = path.slice(spelled.length)
  return path.startsWith(spelled) && (behind === '' || /^[.[]/.test(behind)) ? behind : undefined
}
