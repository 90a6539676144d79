/** About one connection, not about what goes over it (RFC 9110, section 7.6.1). Lower case. */
export const HOP_BY_HOP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** The header fields of one message. A native `Headers` is one too. */
export interface HeaderFields {
  get(name: string): string | null
  has(name: string): boolean
  set(name: string, value: string): void
  /** A second value goes behind the first, after a comma. */
  append(name: string, value: string): void
  delete(name: string): void
  forEach(visit: (value: string, name: string) => void): void
  [Symbol.iterator](): Iterator<[name: string, value: string]>
}

/**
 * Header fields in two short lists. A native `Headers` checks every name and value, sorts them and lives outside of the
 * heap: made three times a call, that was one of the dearest things in it. What goes on the wire is checked there.
 */
export class HeaderList implements HeaderFields {
  /** Lower case. */
  readonly #names: string[] = []
  readonly #values: string[] = []

  get(name: string): string | null {
    return this.#values[this.#names.indexOf(name.toLowerCase())] ?? null
  }

  has(name: string): boolean {
    return this.#names.includes(name.toLowerCase())
  }

  set(name: string, value: string): void {
    const lower = name.toLowerCase()
    const at = this.#names.indexOf(lower)
    if (at !== -1) this.#values[at] = value
    else {
      this.#names.push(lower)
      this.#values.push(value)
    }
  }

  append(name: string, value: string): void {
    const first = this.get(name)
    this.set(name, first === null ? value : `${first}, ${value}`)
  }

  delete(name: string): void {
    const at = this.#names.indexOf(name.toLowerCase())
    if (at === -1) return
    this.#names.splice(at, 1)
    this.#values.splice(at, 1)
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (let at = 0; at < this.#names.length; at++) visit(this.#values[at] ?? '', this.#names[at] ?? '')
  }

  *[Symbol.iterator](): Generator<[name: string, value: string]> {
    for (let at = 0; at < this.#names.length; at++) yield [this.#names[at] ?? '', this.#values[at] ?? '']
  }
}
