import { expect, test } from 'bun:test'
import { type ApiKey, NEW_KEY, toChange, toCreation, toDraft } from './model.ts'

const KEY: ApiKey = {
  ...{ id: 'a', key: 'we***1', name: 'one', description: null, type: 'workspace-service', object: 'api-key' },
  ...{ organisation_id: 'o', workspace_id: 'w', user_id: null, status: 'active', creation_mode: 'api' },
  ...{ created_at: '2026-01-01T00:00:00Z', last_updated_at: '2026-01-01T00:00:00Z', last_reset_at: null },
  rate_limits: [
    { type: 'tokens', unit: 'rpd', value: 1000 },
    { type: 'requests', unit: 'rpm', value: 30 },
  ],
  usage_limits: { credit_limit: 5, type: 'cost', enforcement: 'reserve', periodic_reset: 'weekly' },
  ...{ next_usage_reset_at: null, logs: null, reset_usage: false, scopes: ['completions.write'], defaults: null },
  ...{ alert_emails: [], expires_at: '2026-12-01T10:30:00.000Z', rotation_policy: null },
  ...{ key_transition_expires_at: null, rotated_key_expires_at: null },
}

test('a change says what was changed and nothing else', () => {
  const draft = toDraft(KEY)
  expect(toChange(KEY, draft)).toEqual({})
  expect(toChange(KEY, { ...draft, name: 'two' })).toEqual({ name: 'two' })
  expect(toChange(KEY, { ...draft, dollarsPerMonth: '' })).toEqual({ usage_limits: null })
})

test('limits that the form does not show stay when another one is changed', () => {
  expect(toChange(KEY, { ...toDraft(KEY), requestsPerMinute: '60' })).toEqual({
    rate_limits: [
      { type: 'tokens', unit: 'rpd', value: 1000 },
      { type: 'requests', unit: 'rpm', value: 60 },
    ],
  })
})

test('an end is the same moment after it was shown and read', () => {
  const { expires_at: end } = toCreation({ ...NEW_KEY, name: 'x', expiresAt: toDraft(KEY).expiresAt })
  expect(end).toBe('2026-12-01T10:30:00.000Z')
})

test('a new key says only what was filled in', () => {
  expect(toCreation({ ...NEW_KEY, name: ' x ', scopes: 'a.b, c.d\n' })).toEqual({ name: 'x', scopes: ['a.b', 'c.d'] })
})
