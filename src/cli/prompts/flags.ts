import { parseArgs } from 'node:util'
import { WrongUsage } from '../key-flags.ts'

/** The flags of `weir prompts`, as they were given. */
export type PromptFlags = ReturnType<typeof parsePromptFlags>['values']

/** @throws WrongUsage */
export const parsePromptFlags = (args: readonly string[]) => {
  const text = { type: 'string' } as const
  const many = { type: 'string', multiple: true } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        workspace: text,
        prune: flag,
        publish: flag,
        'dry-run': flag,
        json: flag,
        var: many,
        vars: text,
        param: many,
        strict: flag,
      },
    })
  } catch (thrown) {
    throw new WrongUsage(thrown instanceof Error ? (thrown.message.split('. ')[0] ?? '') : String(thrown))
  }
}

const FLAGS_OF = {
  pull: ['workspace', 'prune', 'json'],
  push: ['workspace', 'publish', 'dry-run', 'prune', 'json'],
  render: ['workspace', 'var', 'vars', 'param', 'strict'],
} as const

export type PromptAction = keyof typeof FLAGS_OF

export const isPromptAction = (name: string | undefined): name is PromptAction =>
  name !== undefined && Object.hasOwn(FLAGS_OF, name)

/** @throws WrongUsage for a flag that another action has */
export const expectFlagsOf = (action: PromptAction, flags: PromptFlags): void => {
  const known: readonly string[] = FLAGS_OF[action]
  const strange = Object.keys(flags).find((flag) => !known.includes(flag))
  if (strange !== undefined) throw new WrongUsage(`--${strange} does not belong to this action`)
}
