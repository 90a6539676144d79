import { describe, expect, test } from 'bun:test'
import type { CheckDefinition } from '../../core/guardrails.ts'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import { hideHeaders, keepHeaders } from './secrets.ts'

const SECRET = 'Bearer sk-0123456789abcdef'
const MASK = 'Be*****ef'

const hook = (headers: unknown, webhookURL = 'https://a.example/hook', id = 'default.webhook'): CheckDefinition => ({
  id,
  parameters: { webhookURL, timeout: 5, ...(headers === undefined ? {} : { headers }) },
  is_enabled: true,
})

describe('headers of checks', () => {
  test('are shown masked, and all else as it is', () => {
    const other = { id: 'default.contains', parameters: { words: ['headers'] }, is_enabled: true }
    const text = JSON.stringify({ authorization: SECRET })
    expect(
      hideHeaders([hook({ authorization: SECRET, team: 'blue' }), hook(text), hook(''), hook(undefined), other]),
    ).toEqual([hook({ authorization: MASK, team: '*****' }), hook('*****'), hook(''), hook(undefined), other])
  })

  test('that come back masked stay what they are, in another place too', () => {
    const before = [hook({ authorization: SECRET, team: 'blue' })]
    expect(keepHeaders(hideHeaders(before), before)).toEqual(before)
    const added = [hook(undefined, 'https://b.example', 'default.log'), hook({ authorization: MASK, team: 'red' })]
    expect(keepHeaders(added, before)).toEqual([
      added[0] as CheckDefinition,
      hook({ authorization: SECRET, team: 'red' }),
    ])
    const text = [hook(JSON.stringify({ authorization: SECRET }))]
    expect(keepHeaders(hideHeaders(text), text)).toEqual(text)
    expect(keepHeaders(before, [])).toEqual(before)
  })

  test('are refused where it is not plain what a mask stands for, or where they would go elsewhere', () => {
    const before = [hook({ authorization: SECRET })]
    const refused = (checks: readonly CheckDefinition[], earlier = before): string => {
      try {
        keepHeaders(checks, earlier)
      } catch (thrown) {
        if (thrown instanceof ManagementInvalid) return thrown.message
      }
      return 'accepted'
    }
    const masked = hook({ authorization: MASK })
    const path = '`checks[0].parameters.headers.authorization`'
    expect(refused([masked], [])).toContain(`${path} is masked`)
    expect(refused([hook({ authorization: 'xx*****xx' })])).toContain(`${path} is masked`)
    expect(refused([hook({ other: MASK })])).toContain('`checks[0].parameters.headers.other` is masked')
    expect(refused([hook({ authorization: MASK }, 'https://b.example')])).toContain(`${path} must be given again`)
    expect(refused([hook({ authorization: MASK }, undefined, 'default.log')])).toContain(`${path} is masked`)
    expect(refused([hook('*****')])).toContain('`checks[0].parameters.headers` is masked')
    expect(refused([hook({ __proto__: null, constructor: MASK })])).toContain('is masked')
    const twice = [hook({ authorization: SECRET }), hook({ authorization: SECRET })]
    expect(refused([hook(undefined, undefined, 'default.log'), masked, masked], twice)).toContain('checks[2]')
  })
})
