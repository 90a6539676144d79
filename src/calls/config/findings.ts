import { InvalidConfig, type Violation } from '../../errors/gateway-error.ts'

/** No more than this many violations are listed: the first ones say enough. */
const MAX_VIOLATIONS = 50

/** Paths have the form `targets[1].retry.attempts`; the root is the empty path. */
export const keyAt = (path: string, key: string): string => (path === '' ? key : key === '' ? path : `${path}.${key}`)

export const itemAt = (path: string, index: number): string => `${path}[${index}]`

/** What is wrong with a config, by paths that its author finds again. */
export class Findings {
  readonly #violations: Violation[] = []
  readonly #spellings = new Map<string, string>()

  /**
   * Notes that something is written in another place, or in another way, than it is read.
   * @param path by the names of the interface
   */
  spelt(path: string, written: string): void {
    if (path !== written) this.#spellings.set(path, written)
  }

  /** A path as the author wrote it: the longest part that has a spelling of its own is replaced by it. */
  written(path: string): string {
    for (let end = path.length; end > 0; end--) {
      const isWhole = end === path.length || path[end] === '.' || path[end] === '['
      const written = isWhole ? this.#spellings.get(path.slice(0, end)) : undefined
      if (written !== undefined) return `${written}${path.slice(end)}`
    }
    return path
  }

  /**
   * @param path by the names of the interface
   * @param message a function where it takes time to find the words: what is not listed needs none
   */
  add(path: string, message: string | (() => string)): void {
    if (this.#violations.length >= MAX_VIOLATIONS) return
    this.#violations.push({ path: this.written(path), message: typeof message === 'string' ? message : message() })
  }

  /** @throws InvalidConfig with all that was found, the first one in its message; never with a value of the config. */
  throwIfAny(): void {
    const [first] = this.#violations
    if (first === undefined) return
    throw new InvalidConfig(`The config is not valid: ${first.path === '' ? 'it' : first.path} ${first.message}.`, {
      violations: this.#violations,
      ...(first.path === '' ? {} : { param: first.path }),
    })
  }
}
