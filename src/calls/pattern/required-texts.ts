/** Branches that are looked at, at most: beyond it, looking for each text takes longer than the search. */
const MAX_BRANCHES = 8

/** Characters that mean themselves, wherever they stand outside of classes. */
const PLAIN = /[\w \-@:/=,;<>"'%&!~#`\u00a0-\ud7ff\ue000-\uffff]/

/**
 * Texts of which one stands in whatever a pattern matches, case for case: a text without any of them needs no search. Undefined
 * where none could be told.
 * @param pattern one that compiles, without flags
 */
export const requiredTexts = (pattern: string): readonly string[] | undefined => {
  const branches = branchesOf(pattern)
  if (branches === undefined || branches.length > MAX_BRANCHES || branches.includes('')) return undefined
  return branches
}

/** The longest text that each way through the pattern must match; empty where it is none. */
const branchesOf = (pattern: string): readonly string[] | undefined => {
  const branches: string[] = []
  let longest = ''
  let run = ''
  const end = (): void => {
    if (run.length > longest.length) longest = run
    run = ''
  }
  let at = 0
  while (at < pattern.length) {
    const character = pattern[at] ?? ''
    if (character === '(') {
      // Flags of a group could change what letters mean.
      if (/^\(\?[a-z-]*[a-z]/.test(pattern.slice(at, at + 10))) return undefined
      end()
      at = afterGroup(pattern, at)
    } else if (character === '[') {
      end()
      at = afterClass(pattern, at)
    } else if (character === '|') {
      end()
      branches.push(longest)
      longest = ''
      at++
    } else if (character === '\\' && /[^\w\s]/.test(pattern[at + 1] ?? 'w')) {
      run += pattern[at + 1]
      at += 2
    } else if (character === '\\') {
      end()
      at = afterEscape(pattern, at)
    } else if (/[?*]/.test(character) || character === '{') {
      // What stands before it may be missing.
      run = run.slice(0, -1)
      end()
      at += BRACE.exec(pattern.slice(at, at + 30))?.[0].length ?? 1
    } else {
      if (PLAIN.test(character)) run += character
      else end()
      at++
    }
  }
  end()
  return [...branches, longest]
}

const afterEscape = (pattern: string, at: number): number => {
  const [whole = ''] =
    /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/su.exec(pattern.slice(at, at + 60)) ?? []
  return at + Math.max(whole.length, 2)
}

/** A brace that repeats. */
const BRACE = /^\{\d+(?:,\d*)?\}/

const afterClass = (pattern: string, at: number): number => {
  let end = at + 1
  while (end < pattern.length && pattern[end] !== ']') end += pattern[end] === '\\' ? 2 : 1
  return end + 1
}

const afterGroup = (pattern: string, at: number): number => {
  let depth = 0
  let end = at
  while (end < pattern.length) {
    const character = pattern[end]
    if (character === '[') {
      end = afterClass(pattern, end)
      continue
    }
    if (character === '(') depth++
    if (character === ')') depth--
    end += character === '\\' ? 2 : 1
    if (depth === 0) return end
  }
  return end
}
