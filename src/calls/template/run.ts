import { BOUNDS } from './bounds.ts'
import { MissingPartials, MissingVariables, PartialRecursion, shown, TemplateTooLarge } from './errors.ts'
import type { Name, PartialNode, SectionNode, Template } from './nodes.ts'
import { isPartialReference } from './tags.ts'
import { type Context, lookUp } from './values.ts'

export interface RenderOptions {
  readonly variables: Readonly<Record<string, unknown>>
  /** The partial of a reference; undefined where there is none. The same object as long as the partial is the same. */
  partial(reference: string): Template | undefined
  /** Whether a value that is missing is refused, instead of writing nothing. Sections may ask for what is missing. */
  readonly strict?: boolean
  /** UTF-16 characters that may be written; 4 Mi unless given. */
  readonly maxCharacters?: number
}

interface OpenPartial {
  readonly reference: string
  readonly template: Template
}

/** One rendering: what it may still cost, and what it found missing. */
export class Run {
  readonly root: Context
  readonly #options: RenderOptions
  readonly #maxCharacters: number
  readonly #missingPartials = new Set<string>()
  readonly #unnamedPartials = new Set<string>()
  readonly #missingVariables = new Set<string>()
  readonly #found = new Map<string, Template | undefined>()
  readonly #open: OpenPartial[] = []
  #characters = 0
  #steps = 0
  #iterations = 0

  constructor(options: RenderOptions) {
    this.#options = options
    this.#maxCharacters = options.maxCharacters ?? BOUNDS.outputCharacters
    this.root = { value: options.variables, around: undefined, depth: 0 }
  }

  /** Also looks up all partials that these bring in, so that a missing one is found whatever the variables are. */
  require(references: readonly string[], depth = 1): void {
    for (const reference of references) this.#find(reference, depth)
  }

  /** @throws MissingPartials, MissingVariables */
  end(): void {
    if (this.#missingPartials.size + this.#unnamedPartials.size > 0) {
      throw new MissingPartials([...this.#missingPartials], [...this.#unnamedPartials])
    }
    if (this.#missingVariables.size > 0) throw new MissingVariables([...this.#missingVariables])
  }

  /** Accounts for text about to be written. */
  write(text: string): string {
    this.account(text.length)
    return text
  }

  /** Accounts for characters about to be written by other means. */
  account(characters: number): void {
    this.#characters += characters
    if (this.#characters > this.#maxCharacters) {
      throw new TemplateTooLarge(`more than ${this.#maxCharacters} characters come of it`)
    }
  }

  /** Accounts for nodes about to be looked at. */
  step(count: number): void {
    this.#steps += count
    if (this.#steps > BOUNDS.steps) throw new TemplateTooLarge('it repeats too much')
  }

  value(name: Name, context: Context): unknown {
    const value = lookUp(name.path, context)
    if (value === undefined && this.#options.strict === true) this.#missingVariables.add(name.text)
    return value
  }

  /** Shows what is inside a section, as often and in the contexts that its value says. */
  section<Node>(section: SectionNode<Node>, context: Context, show: (context: Context) => void): void {
    const value = lookUp(section.name.path, context)
    const isShown = Array.isArray(value) ? value.length > 0 : Boolean(value)
    if (section.isInverted) {
      if (!isShown) show(context)
      return
    }
    if (!isShown) return
    if (!Array.isArray(value)) {
      // A flag is only a condition: the item of the section around stays the one that `.` means.
      show(typeof value === 'boolean' ? context : within(context, value))
      return
    }
    for (const item of value) {
      this.#iterations += 1
      if (this.#iterations > BOUNDS.iterations) {
        throw new TemplateTooLarge(`its sections go through more than ${BOUNDS.iterations} items`)
      }
      show(within(context, item))
    }
  }

  /**
   * Shows a partial.
   * @throws PartialRecursion when it is open already; TemplateTooLarge when too many are
   */
  partial({ reference }: PartialNode, context: Context, show: (template: Template, reference: string) => void): void {
    const named = typeof reference === 'string' ? reference : lookUp(reference.path, context)
    if (typeof named !== 'string' || named === '') {
      if (typeof reference !== 'string') this.#unnamedPartials.add(reference.text)
      return
    }
    const template = this.#find(named, this.#open.length + 1)
    if (template === undefined) return
    const isOpen = this.#open.some((each) => each.reference === named || each.template === template)
    if (isOpen) throw new PartialRecursion([...this.#open.map((each) => each.reference), named])
    if (this.#open.length === BOUNDS.partialDepth) throw tooManyPartials(named)
    this.#open.push({ reference: named, template })
    show(template, named)
    this.#open.pop()
  }

  #find(reference: string, depth: number): Template | undefined {
    if (this.#found.has(reference)) return this.#found.get(reference)
    const template = isPartialReference(reference) ? this.#options.partial(reference) : undefined
    this.#found.set(reference, template)
    if (template === undefined) this.#missingPartials.add(reference)
    else if (depth > BOUNDS.partialDepth) throw tooManyPartials(reference)
    else this.require(template.partials, depth + 1)
    return template
  }
}

const tooManyPartials = (innermost: string): TemplateTooLarge =>
  new TemplateTooLarge(`more than ${BOUNDS.partialDepth} partials in one another, down to '${shown(innermost)}'`)

const within = (around: Context, value: unknown): Context => {
  if (around.depth === BOUNDS.depth) throw new TemplateTooLarge(`more than ${BOUNDS.depth} sections in one another`)
  return { value, around, depth: around.depth + 1 }
}
