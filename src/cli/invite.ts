import { loadConfig } from '../config/load.ts'
import { publicBaseOf } from '../config/public-base.ts'
import { defined } from '../core/defined.ts'
import { check } from '../core/json/check.ts'
import { inviteAnswer, NewInvite, type NewInviteBody } from '../management/invites/model.ts'
import { inviteEntry } from '../management/invites/routes.ts'
import { invite } from '../management/invites/service.ts'
import { systemClock } from '../observe/clock.ts'
import { inviteLink } from '../people/invites.ts'
import { ownUrl } from './healthcheck.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { flag, many, parseFlags, text, WrongUsage } from './terminal/flags.ts'
import { runAction } from './terminal/run-action.ts'
import { table } from './terminal/table.ts'
import { withTerminalStore } from './terminal-store.ts'

const shown = inviteAnswer(systemClock.now)

/**
 * `weir invite`: invites somebody from a terminal, by the rules of the management interface and with the same audit log, and
 * prints the link. Works beside a running gateway, also on its embedded database.
 * @param args what stands behind `invite`
 * @throws ConfigError, StoreUnavailable
 */
export const inviteCommand = (
  environment: Environment,
  configFile: string | undefined,
  args: readonly string[],
): Promise<ExitCode> =>
  runAction(environment, 'invite', async () => {
    const { body, url, json } = parse(args)
    const base = url ?? (await configuredBase(environment, configFile))
    const { made, token } = await withTerminalStore(environment, ({ change, actor }) =>
      change(async (transaction) => {
        const { invite: made, token } = await invite(transaction, actor, body, systemClock.now())
        return [
          { made, token },
          { ...inviteEntry('create', { id: made.id, workspaceId: null }), after: shown.of(made) },
        ]
      }),
    )
    const link = inviteLink(base, token)
    await environment.out(
      json
        ? `${JSON.stringify({ id: made.id, invite_link: link })}\n`
        : `Send this link: it is shown this once, works once, and until ${made.expiresAt.toISOString()}.\n\n${table([
            ['  id', made.id],
            ['  link', link],
          ])}`,
    )
  })

interface Asked {
  readonly body: NewInviteBody
  readonly url: string | undefined
  readonly json: boolean
}

/** The arguments by the rules of a body of the management interface. @throws WrongUsage */
const parse = (args: readonly string[]): Asked => {
  const { values, positionals } = parseFlags(args, { role: text, workspace: many, url: text, json: flag })
  const [email, extra] = positionals
  if (email === undefined) throw new WrongUsage('say whom to invite, by their address')
  if (extra !== undefined) throw new WrongUsage(`unexpected argument '${extra}'`)
  if (values.url !== undefined && !/^https?:\/\/[^?#]+$/.test(values.url)) {
    throw new WrongUsage('--url must begin with https:// or http://, without parameters')
  }
  const workspaces = (values.workspace ?? []).map((each) => {
    const [id = '', role = 'member'] = each.split(':')
    return { id, role }
  })
  const checked = check(NewInvite, { email, role: values.role ?? 'member', workspaces })
  if (checked.ok) return { body: checked.value, url: values.url, json: values.json === true }
  const [first] = checked.violations
  const place = /^(email|role|workspaces)/.exec(first?.path ?? '')?.[1] ?? ''
  const named = { email: 'the address', role: '--role', workspaces: '--workspace' }[place] ?? 'an argument'
  throw new WrongUsage(`${named} is wrong: ${first?.message}`)
}

/** Where browsers reach the gateway, as far as its config tells. */
const configuredBase = async ({ folder, env }: Environment, file: string | undefined): Promise<string> => {
  const { server } = (await loadConfig(defined({ folder, env, file }))).config
  return publicBaseOf(server, ownUrl(server))
}
