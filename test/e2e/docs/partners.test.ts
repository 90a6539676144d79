import { expect, test } from 'bun:test'
import { cases, checks, inputOf, parts, powersOf, prepare } from '../../../plugins/guardrails/partners/test-support.ts'
import { tableUnder } from './pages.ts'

const PAGE = 'docs/partners.md'
const code = (text: string): string => `\`${text}\``

/** Which account a check asks for. */
const accountOf = async (id: string): Promise<string> => {
  const known = cases.find(([, { check }]) => check === id)?.[1].parameters
  const powers = powersOf({}, () => ({ text: '{}' }))
  const parameters = known ?? (id.endsWith('.moderateContent') ? { categories: ['sexual'] } : {})
  const named = prepare(id, { ...parameters, credentials: 'ours' })
  await Promise.resolve(named.run(inputOf({ stage: 'output', texts: ['x'] }), powers)).catch(() => undefined)
  const [ids] = powers.accounts[0] ?? []
  return Array.isArray(ids) ? ids.join() : 'none'
}

test('the checks of partners are documented', async () => {
  const rows = await Promise.all(
    checks.map(async ({ id, stages, summary }) => [code(id), code(await accountOf(id)), stages.join(', '), summary]),
  )
  expect(tableUnder(PAGE, 'Checks')).toEqual(rows)
})

test('the accounts are documented, with their hosts and settings', async () => {
  const rows = tableUnder(PAGE, 'Accounts')
  const asked = await Promise.all(checks.map(({ id }) => accountOf(id)))
  expect(rows.map(([account]) => account)).toEqual([...new Set(asked)].map(code))
  for (const [account = '', host = '', settings = ''] of rows) {
    const declared = parts.accounts?.find(({ id }) => code(id) === account)
    if (declared !== undefined)
      expect(settings).toBe(
        Object.keys(declared.settings ?? {})
          .map(code)
          .join(', '),
      )
    else expect(settings).toStartWith('a provider of models')
    if (account === '`acuvity`' || host === '') continue
    const usual = cases.find(
      ([, { check, account: of = {} }]) => account.startsWith(`\`${check.split('.')[0]}`) && !of.customHost,
    )
    const origin = new URL(usual?.[1].exchanges[0]?.url ?? '').origin
    const values = Object.entries(usual?.[1].account?.settings ?? {})
    expect(host).toBe(code(values.reduce((text, [name, value]) => text.replace(value, `{${name}}`), origin)))
  }
})
