type Fields = Readonly<Record<string, unknown>>

/** What a word in the name of a tool counts, beside one in what is said of it. */
const NAME = 3
const TEXT = 1
/** What the beginning of a word counts, beside the whole. */
const PREFIX = 0.5

/** The words of a text: `getUser_name` has three. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const partOf = (words: ReadonlySet<string>, asked: string): number => {
  if (words.has(asked)) return 1
  for (const word of words) if (word.startsWith(asked)) return PREFIX
  return 0
}

/**
 * The tools that a query is about, the best first: each word of the query counts by how few tools have it, and more in the name
 * than in title and description. Those with none of the words are left out; without words, all are there in their own order.
 */
export const rankTools = (tools: readonly Fields[], query: string, limit: number): readonly Fields[] => {
  const asked = [...new Set(wordsOf(query))]
  if (asked.length === 0) return tools.slice(0, limit)
  const read = tools.map((tool) => {
    const name = new Set(wordsOf(textOf(tool.name)))
    const text = new Set(wordsOf(`${textOf(tool.title)} ${textOf(tool.description)}`))
    return { tool, parts: asked.map((word) => Math.max(NAME * partOf(name, word), TEXT * partOf(text, word))) }
  })
  const weights = asked.map((_, index) => {
    const having = read.filter(({ parts }) => (parts[index] ?? 0) > 0).length
    return Math.log(1 + tools.length / (1 + having))
  })
  return read
    .map(({ tool, parts }) => ({
      tool,
      score: parts.reduce((sum, part, index) => sum + part * (weights[index] ?? 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ tool }) => tool)
}
