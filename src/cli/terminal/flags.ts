import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** A flag is missing or wrong; the message says which. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** Kinds of flags: with a text, with one as often as wished, and without. */
export const text = { type: 'string' } as const
export const many = { type: 'string', multiple: true } as const
export const flag = { type: 'boolean' } as const

/** @throws WrongUsage; the library's own words name the option at fault and never hold its value */
export const parseFlags = <Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) => {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (thrown) {
    throw new WrongUsage(thrown instanceof Error ? (thrown.message.split('. ')[0] ?? '') : String(thrown))
  }
}
