import { describe, expect, test } from 'bun:test'
import { acceptInvite } from '../people/invites.ts'
import { listAudit, verifyAuditChain } from '../store/objects/audit-log.ts'
import { findFirstOrganisation } from '../store/objects/tenancy.ts'
import { SLOW_START_MS } from '../store/testing.ts'
import { inviteCommand } from './invite.ts'
import { asksForFirstStart, PLACES, testPlace } from './terminal/test-support.ts'

const tokenOf = (link: string): string => new URL(link).searchParams.get('invite') ?? ''

describe.each(PLACES)('weir invite on %s', (kind) => {
  const { folder, open, run: runCommand, start } = testPlace(kind)
  const run = (...args: string[]) => runCommand((environment) => inviteCommand(environment, undefined, args))

  asksForFirstStart('invite', () => run('anna@example.com'), start)

  test(
    'prints a link that makes a user with what was promised, once, and writes it down',
    async () => {
      const made = await run('Anna@example.com', '--role', 'owner', '--json')
      expect(made).toMatchObject({ code: 0, error: '' })
      const { id, invite_link: link }: { id: string; invite_link: string } = JSON.parse(made.out)
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8787\/sign-in\?invite=[\w-]{43}$/)
      const member = await run('ben@example.com', '--workspace', 'ws-default:manager', '--url', 'https://llm.example/x')
      expect(member.out).toMatch(
        /^Send this link: .*\n\n {2}id {4}\S+\n {2}link {2}https:\/\/llm\.example\/x\/sign-in\?invite=/,
      )

      const store = await open()
      try {
        const accept = (token: string) =>
          store.db.transaction((transaction) => acceptInvite(transaction, { token, nowMs: Date.now() }))
        const { user } = await accept(tokenOf(link))
        expect(user).toMatchObject({ email: 'anna@example.com', role: 'owner' })
        await expect(accept(tokenOf(link))).rejects.toThrow('This link does not work')
        const { invite } = await accept(tokenOf(/https:\S+/.exec(member.out)?.[0] ?? ''))
        expect(invite.workspaces).toEqual([{ id: expect.any(String), role: 'manager' }])
        const organisationId = (await findFirstOrganisation(store.db))?.id ?? ''
        const { rows } = await listAudit(store.db, { organisationId, objectId: id }, { offset: 0, limit: 10 })
        expect(rows.map(({ action, actorKind, actorName }) => [action, actorKind, actorName])).toEqual([
          ['invites.create', 'cli', 'tester'],
        ])
        expect(JSON.stringify(rows)).not.toContain(tokenOf(link))
        expect(await verifyAuditChain(store.db, organisationId)).toBeUndefined()
      } finally {
        await store.close()
      }
    },
    SLOW_START_MS,
  )

  test(
    'leads to where the config says that browsers reach the gateway',
    async () => {
      const config = `${folder}/weir.config.yaml`
      await Bun.write(config, 'server: { basePath: /llm, publicUrl: "https://weir.example.com/llm" }\n')
      const { out } = await run('carl@example.com', '--json')
      await Bun.file(config).delete()
      expect(JSON.parse(out).invite_link).toStartWith('https://weir.example.com/llm/sign-in?invite=')
    },
    SLOW_START_MS,
  )

  const wrong: readonly (readonly [string, readonly string[], 1 | 2, string])[] = [
    ['nobody', [], 2, 'say whom to invite'],
    ['an argument too many', ['a@example.com', 'b@example.com'], 2, "unexpected argument 'b@example.com'"],
    ['an unknown flag', ['a@example.com', '--rol', 'owner'], 2, "Unknown option '--rol'"],
    ['an unknown role', ['a@example.com', '--role', 'king'], 2, '--role is wrong'],
    ['an unknown role in a workspace', ['a@example.com', '--workspace', 'ws-default:king'], 2, '--workspace is wrong'],
    ['a link to nowhere', ['a@example.com', '--url', 'llm.example'], 2, '--url must begin'],
    ['an address that is too short', ['a'], 2, 'the address is wrong'],
    ['what is no address', ['anna'], 1, 'email'],
    ['an unknown workspace', ['a@example.com', '--workspace', 'ws-nowhere'], 1, 'ws-nowhere'],
    ['somebody who waits in another invite', ['carl@example.com'], 1, 'invited already'],
    ['a user', ['anna@example.com'], 1, 'has this address already'],
  ]
  test.each(wrong)(
    'refuses %s',
    async (_, args, code, problem) => {
      const answer = await run(...args)
      expect(answer).toMatchObject({ code, out: '' })
      expect(answer.error).toContain(problem)
      expect(answer.error.includes('Usage:')).toBe(code === 2)
    },
    SLOW_START_MS,
  )
})
