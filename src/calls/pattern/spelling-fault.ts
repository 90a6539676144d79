import { RE2JS, type RE2JSException, RE2JSSyntaxException } from 're2js'
import { faultPosition } from './translate.ts'

/**
 * What is wrong with the spelling of a pattern, and where. Not in all of the compiler's words: it quotes the translation, which
 * nobody has written.
 */
export const spellingFault = (pattern: string, thrown: RE2JSException): string => {
  const said = thrown instanceof RE2JSSyntaxException ? thrown.getDescription() : thrown.message
  return `${said} (at position ${faultPosition(pattern, compiles)})`
}

const compiles = (source: string): boolean => {
  try {
    RE2JS.compile(source)
    return true
  } catch {
    return false
  }
}
