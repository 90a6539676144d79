/** A block between fences of a Markdown text. */
export interface Fenced {
  /** The first word behind the fence, in lower case; may be empty. */
  readonly language: string
  readonly body: string
}

/** Fences begin and end here. */
const FENCE = '```'

/** Blocks of one text, at most. */
const MAX_BLOCKS = 1_000

/**
 * The fenced blocks of a text, in order. Also those that do not begin a line, as models write them. One that is not closed goes
 * to the end.
 */
export const fencesOf = (text: string): readonly Fenced[] => {
  const blocks: Fenced[] = []
  let at = text.indexOf(FENCE)
  while (at !== -1 && blocks.length < MAX_BLOCKS) {
    const from = afterTicks(text, at)
    const end = text.indexOf(FENCE, from)
    blocks.push(readBlock(text.slice(from, end === -1 ? text.length : end)))
    if (end === -1) break
    at = text.indexOf(FENCE, afterTicks(text, end))
  }
  return blocks
}

/** A fence may have more ticks than three. */
const afterTicks = (text: string, at: number): number => {
  let end = at
  while (text[end] === '`') end++
  return end
}

/** A word stands for the language only where the block goes on behind it on another line, or behind a blank. */
const readBlock = (block: string): Fenced => {
  const [word = ''] = /^[\w+#.-]*/.exec(block) ?? []
  const behind = block[word.length]
  const isWord = word !== '' && behind !== undefined && /\s/.test(behind)
  return { language: isWord ? word.toLowerCase() : '', body: isWord ? block.slice(word.length) : block }
}
