/** What a template may cost. Each is far above what a prompt needs, and reached at once by one that is meant to do harm. */
export const BOUNDS = {
  /** UTF-16 characters of one saved template. */
  templateCharacters: 1024 * 1024,
  /** UTF-16 characters that one rendering writes, unless it is told otherwise. */
  outputCharacters: 4 * 1024 * 1024,
  /** Sections inside sections, also through partials; brackets inside brackets of messages. */
  depth: 32,
  /** Partials inside partials. */
  partialDepth: 16,
  /** Items that all sections of one rendering go through. */
  iterations: 10_000,
  /** Pieces of templates that one rendering looks at: bounds its time when it writes nothing. No template alone has as many. */
  steps: 2_000_000,
  /** Characters of a name inside a tag. */
  nameCharacters: 256,
} as const
