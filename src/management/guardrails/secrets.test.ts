import { describe, expect, test } from 'bun:test'
import type { CheckDefinition } from '../../core/guardrails.ts'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import type { Db } from '../../store/types.ts'
import { hideHeaders, protectHeaders, revealHeaders } from './secrets.ts'

const SECRET = 'Bearer sk-0123456789abcdef'
const MASK = 'Be*****ef'

const hook = (headers: unknown, webhookURL = 'https://a.example/hook', id = 'default.webhook'): CheckDefinition => ({
  id,
  parameters: { webhookURL, timeout: 5, ...(headers === undefined ? {} : { headers }) },
  is_enabled: true,
})

const owner = { organisationId: 'organisation', guardrailId: 'guardrail' }
const db = {} as Db

/** Seals by naming what is sealed; opens only what it sealed for the same place. */
const secretBox = {
  seal: async (_db: Db, organisation: string, record: string, field: string, text: string) =>
    [organisation, record, field, btoa(text)].join('|'),
  open(organisation: string, record: string, field: string, sealed: string) {
    const start = [organisation, record, field, ''].join('|')
    if (!sealed.startsWith(start)) throw new Error('it was sealed for another place')
    return atob(sealed.slice(start.length))
  },
}
let ids = 0
const randomId = (): string => `id-${++ids}`

type Checks = readonly CheckDefinition[]
const protect = (checks: Checks, before: Checks = []): Promise<Checks> =>
  protectHeaders(db, { secretBox, randomId }, owner, checks, before)
const reveal = (checks: Checks): Promise<Checks> => revealHeaders(secretBox, owner, checks)

describe('headers of checks', () => {
  test('are shown masked, and all else as it is', async () => {
    const other = { id: 'default.contains', parameters: { words: ['headers'] }, is_enabled: true }
    const text = JSON.stringify({ authorization: SECRET })
    const checks = [hook({ authorization: SECRET, team: 'blue' }), hook(text), hook(''), hook(undefined), other]
    const masked = [hook({ authorization: MASK, team: '*****' }), hook('*****'), hook(''), hook(undefined), other]
    expect(hideHeaders(checks)).toEqual(masked)
    expect(hideHeaders(await protect(checks))).toEqual(masked)
  })

  test('are sealed where they are stored, for their own guardrail, and open as they were', async () => {
    const checks = [
      hook({ authorization: SECRET, empty: '' }),
      hook(JSON.stringify({ authorization: SECRET })),
      hook(''),
    ]
    const stored = await protect(checks)
    expect(JSON.stringify(stored)).not.toContain('sk-0123456789abcdef')
    expect(await reveal(stored)).toEqual(checks)
    expect(await reveal(checks)).toEqual(checks)
    await expect(revealHeaders(secretBox, { ...owner, guardrailId: 'another' }, stored)).rejects.toThrow(
      'another place',
    )
  })

  test.each([true, false])(
    'that come back masked stay what they are, in another place too (sealed: %p)',
    async (isSealed) => {
      const clear = [hook({ authorization: SECRET, team: 'blue' })]
      const before = isSealed ? await protect(clear) : clear
      expect(await reveal(await protect(hideHeaders(before), before))).toEqual(clear)
      const added = [hook(undefined, 'https://b.example', 'default.log'), hook({ authorization: MASK, team: 'red' })]
      expect(await reveal(await protect(added, before))).toEqual([
        added[0] as CheckDefinition,
        hook({ authorization: SECRET, team: 'red' }),
      ])
      const text = [hook(JSON.stringify({ authorization: SECRET }))]
      const stored = isSealed ? await protect(text) : text
      expect(await reveal(await protect(hideHeaders(stored), stored))).toEqual(text)
    },
  )

  test('are refused where it is not plain what a mask stands for, or where they would go elsewhere', async () => {
    const before = await protect([hook({ authorization: SECRET })])
    const refused = (checks: Checks, earlier = before): Promise<string> =>
      protect(checks, earlier).then(
        () => 'accepted',
        (thrown) => (thrown instanceof ManagementInvalid ? thrown.message : 'failed'),
      )
    const masked = hook({ authorization: MASK })
    const path = '`checks[0].parameters.headers.authorization`'
    expect(await refused([masked], [])).toContain(`${path} is masked`)
    expect(await refused([hook({ authorization: 'xx*****xx' })])).toContain(`${path} is masked`)
    expect(await refused([hook({ other: MASK })])).toContain('`checks[0].parameters.headers.other` is masked')
    expect(await refused([hook({ authorization: MASK }, 'https://b.example')])).toContain(`${path} must be given again`)
    expect(await refused([hook({ authorization: MASK }, undefined, 'default.log')])).toContain(`${path} is masked`)
    expect(await refused([hook('*****')])).toContain('`checks[0].parameters.headers` is masked')
    expect(await refused([hook({ __proto__: null, constructor: MASK })])).toContain('is masked')
    expect(await refused([hook({ authorization: { $sealed: 'x', field: 'y', mask: 'z' } })])).toContain(
      `${path} must be a text`,
    )
    const twice = await protect([hook({ authorization: SECRET }), hook({ authorization: SECRET })])
    expect(await refused([hook(undefined, undefined, 'default.log'), masked, masked], twice)).toContain('checks[2]')
  })
})
