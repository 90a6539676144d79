/** A fault at a place of a text, before anyone has said which text that is; never leaves this folder. */
export class Fault extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/**
 * Why a template is not saved or not rendered. Messages are for whoever wrote the template or the call: they hold names, never
 * the value of a variable, but for a value that should name a partial.
 */
export abstract class PromptError extends Error {}

/** A template that cannot be saved, or cannot be used in the way it is. The message names the place. */
export class TemplateError extends PromptError {
  override readonly name: string = 'TemplateError'
  /** Counted from 1. */
  readonly line: number
  /** UTF-16 characters, counted from 1. */
  readonly column: number

  constructor(reason: string, { line, column }: Place, partial?: string) {
    const where = partial === undefined ? '' : ` of the partial '${shown(partial)}'`
    super(`${reason} (line ${line}, column ${column}${where})`)
    this.line = line
    this.column = column
  }
}

/** Partials that are not there, and variables that should say which partial to take and do not. */
export class MissingPartials extends PromptError {
  override readonly name = 'MissingPartials'
  /** References as written, or as the variable says. */
  readonly names: readonly string[]
  /** Variables of `{{>>variable}}` without a value that could be a reference. */
  readonly variables: readonly string[]

  constructor(names: readonly string[], variables: readonly string[]) {
    const sentences = [
      names.length === 0 ? [] : [`These partials do not exist or have no such version: ${listed(names)}.`],
      variables.length === 0 ? [] : [`These variables must name a partial: ${listed(variables)}.`],
    ]
    super(sentences.flat().join(' '))
    this.names = names
    this.variables = variables
  }
}

/** Variables whose value the template wants and that were not given; only of a strict rendering. */
export class MissingVariables extends PromptError {
  override readonly name = 'MissingVariables'
  readonly names: readonly string[]

  constructor(names: readonly string[]) {
    super(`These variables are missing: ${listed(names)}.`)
    this.names = names
  }
}

/** A partial that brings itself in again. */
export class PartialRecursion extends PromptError {
  override readonly name = 'PartialRecursion'
  /** From the outermost to the one that is there already. */
  readonly chain: readonly string[]

  constructor(chain: readonly string[]) {
    super(`A partial cannot contain itself: ${chain.map(shown).join(' > ')}.`)
    this.chain = chain
  }
}

/** A template, or what becomes of it with these variables, is over one of the bounds. */
export class TemplateTooLarge extends PromptError {
  override readonly name = 'TemplateTooLarge'

  constructor(what: string) {
    super(`The template is too large: ${what}.`)
  }
}

/** The sections and partials of a raw template make something that is not a list of messages. */
export class BrokenMessages extends TemplateError {
  override readonly name = 'BrokenMessages'
}

export interface Place {
  readonly line: number
  readonly column: number
}

/** Line and column, each from 1, of an offset. */
export const placeOf = (text: string, offset: number): Place => {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

const MAX_SHOWN = 100

/** A name inside a message, cut where it is long. */
export const shown = (name: string): string => (name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name)

/** No more than this many names are listed in a message. */
const MAX_LISTED = 20

const listed = (names: readonly string[]): string =>
  names.length > MAX_LISTED
    ? `${names.slice(0, MAX_LISTED).map(shown).join(', ')} and ${names.length - MAX_LISTED} more`
    : names.map(shown).join(', ')
