import type { GatewayHeaders } from '#kit/slots'

const OWN_PREFIX = 'x-gateway-'

/** Nothing is added to it: most calls have no header under an alias, and some none at all. */
const NONE: ReadonlyMap<string, string> = new Map()

/**
 * The gateway headers of one call: under our prefix, then under the operator's aliases in their order. All headers are gone
 * through once, as there are far more names to ask for than a call ever has.
 */
export class RequestGatewayHeaders implements GatewayHeaders {
  readonly #aliases: readonly string[]
  readonly #own: ReadonlyMap<string, string>
  /** By alias, in their order. */
  readonly #aliased: readonly ReadonlyMap<string, string>[]
  #met: string | undefined

  /** @param all headers of the call, by their names in lower case */
  constructor(all: Readonly<Record<string, string>>, aliases: readonly string[]) {
    this.#aliases = aliases
    this.#own = startingWith(OWN_PREFIX, all)
    this.#aliased = aliases.length === 0 ? [] : aliases.map((alias) => startingWith(alias, all))
  }

  get(name: string): string | undefined {
    const own = this.#own.get(name)
    if (own !== undefined) return own
    for (let index = 0; index < this.#aliased.length; index++) {
      const value = this.#aliased[index]?.get(name)
      if (value === undefined) continue
      this.#met ??= this.#aliases[index]
      return value
    }
    return undefined
  }

  aliasPrefix(): string | undefined {
    return this.#met
  }

  owns(name: string): boolean {
    return name.startsWith(OWN_PREFIX) || this.#aliases.some((alias) => name.startsWith(alias))
  }
}

const startingWith = (prefix: string, headers: Readonly<Record<string, string>>): ReadonlyMap<string, string> => {
  let found: Map<string, string> | undefined
  for (const name in headers) {
    if (!name.startsWith(prefix)) continue
    found ??= new Map()
    found.set(name.slice(prefix.length), headers[name] ?? '')
  }
  return found ?? NONE
}
