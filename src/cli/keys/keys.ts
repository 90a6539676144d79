import type { Environment, ExitCode } from '../terminal/environment.ts'
import { flag, parseFlags, text, WrongUsage } from '../terminal/flags.ts'
import { runAction } from '../terminal/run-action.ts'
import { withTerminalStore } from '../terminal-store.ts'
import { createKeyFromTerminal, listKeysOnTerminal, revokeKeyFromTerminal } from './key-actions.ts'
import type { KeyFlags } from './key-flags.ts'

/**
 * `weir keys create|list|revoke`: API keys from a terminal, by the rules of the management interface and with the same
 * audit log. Works beside a running gateway, also on its embedded database.
 * @param args what stands behind `keys`
 * @throws StoreUnavailable
 */
export const keysCommand = (environment: Environment, args: readonly string[]): Promise<ExitCode> =>
  runAction(environment, 'keys', async () => {
    const { values, positionals } = parse(args)
    const [action, ...rest] = positionals
    switch (action) {
      case 'create':
        expectNone(rest)
        await withTerminalStore(environment, (terminal) => createKeyFromTerminal(terminal, environment, values))
        return
      case 'list':
        expectNone(rest)
        expectOnly(values, ['workspace', 'json'])
        await withTerminalStore(environment, (terminal) => listKeysOnTerminal(terminal, environment, values))
        return
      case 'revoke': {
        const [id, ...more] = rest
        if (id === undefined) throw new WrongUsage("'revoke' needs the id of a key")
        expectNone(more)
        expectOnly(values, ['json'])
        await withTerminalStore(environment, (terminal) => revokeKeyFromTerminal(terminal, environment, id, values))
        return
      }
      default:
        throw new WrongUsage(action === undefined ? 'say what to do with keys' : `unknown action '${action}'`)
    }
  })

const parse = (args: readonly string[]): { readonly values: KeyFlags; readonly positionals: readonly string[] } =>
  parseFlags(args, {
    name: text,
    kind: text,
    workspace: text,
    user: text,
    scopes: text,
    expires: text,
    json: flag,
  })

const expectNone = ([extra]: readonly string[]): void => {
  if (extra !== undefined) throw new WrongUsage(`unexpected argument '${extra}'`)
}

const expectOnly = (values: KeyFlags, allowed: readonly (keyof KeyFlags)[]): void => {
  const strange = Object.keys(values).find((flag) => !allowed.some((name) => name === flag))
  if (strange !== undefined) throw new WrongUsage(`--${strange} does not belong to this action`)
}
