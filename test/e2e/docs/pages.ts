import { readdirSync, readFileSync } from 'node:fs'

/** Folder of the repository, with a slash at its end. */
export const ROOT = new URL('../../../', import.meta.url)

export interface Block {
  /** First word of the info string: `sh`, `ts`, `json`. */
  readonly kind: string
  /** The rest of the info string: `file=acme.ts`. */
  readonly note: string
  readonly text: string
  /** `docs/plugins.md:12`, where the fence opens. */
  readonly place: string
}

export interface Page {
  /** `README.md` or `docs/plugins.md`. */
  readonly name: string
  readonly text: string
  readonly blocks: readonly Block[]
}

const FENCE = '```'

/** The fenced blocks of a page. @throws Error for one that is never closed. */
export const blocksOf = (name: string, text: string): Block[] => {
  const blocks: Block[] = []
  let open: { info: string; line: number; lines: string[] } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const isFence = line.trimStart().startsWith(FENCE)
    if (!isFence) open?.lines.push(line)
    else if (open === undefined) open = { info: line.trim().slice(FENCE.length), line: index + 1, lines: [] }
    else {
      const [kind = '', ...note] = open.info.split(' ')
      blocks.push({ kind, note: note.join(' '), text: `${open.lines.join('\n')}\n`, place: `${name}:${open.line}` })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`${name}:${open.line}: the block is never closed`)
  return blocks
}

const readPage = (name: string): Page => {
  const text = readFileSync(new URL(name, ROOT), 'utf8')
  return { name, text, blocks: blocksOf(name, text) }
}

/** README.md and every page of docs. */
export const PAGES: readonly Page[] = [
  'README.md',
  ...readdirSync(new URL('docs/', ROOT))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
].map(readPage)

export const pageOf = (name: string): Page => {
  const page = PAGES.find((candidate) => candidate.name === name)
  if (page === undefined) throw new Error(`there is no page ${name}`)
  return page
}

/** Rows of the first table below a heading, without its head: each as its cells. @throws Error when there is none. */
export const tableUnder = (name: string, heading: string): string[][] => {
  const lines = pageOf(name).text.split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (start === -1) throw new Error(`${name} has no heading '${heading}'`)
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#+ /.test(line))
  const section = end === -1 ? rest : rest.slice(0, end)
  const first = section.findIndex((line) => line.startsWith('|'))
  if (first === -1) throw new Error(`${name} has no table under '${heading}'`)
  const after = section.slice(first).findIndex((line) => !line.startsWith('|'))
  const rows = section.slice(first, after === -1 ? undefined : first + after)
  return rows.slice(2).map(cellsOf)
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** First cells of a table, without back quotes. */
export const namesUnder = (name: string, heading: string): string[] =>
  tableUnder(name, heading).map(([cell = '']) => cell.replaceAll('`', ''))
