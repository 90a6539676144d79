import type { paths } from '../api/schema.d.ts'

export type ApiKey = paths['/v2/api-keys']['get']['responses'][200]['content']['application/json']['data'][number]

type Change = paths['/v2/api-keys/{id}']['put']['requestBody']['content']['application/json']

/** What the form holds: texts, as people type them. */
export interface KeyDraft {
  readonly name: string
  readonly description: string
  /** One in each line. */
  readonly scopes: string
  readonly requestsPerMinute: string
  readonly dollarsPerMonth: string
  /** As the browser's field has it: local, to the minute. */
  readonly expiresAt: string
}

/** What programs need that call models. */
export const CALLING_SCOPES = ['completions.write', 'prompts.render', 'guardrails.invoke', 'mcp.invoke', 'logs.write']

export const NEW_KEY: KeyDraft = {
  ...{ name: '', description: '', scopes: CALLING_SCOPES.join('\n') },
  ...{ requestsPerMinute: '', dollarsPerMonth: '', expiresAt: '' },
}

export const toDraft = (key: ApiKey): KeyDraft => ({
  name: key.name,
  description: key.description ?? '',
  scopes: key.scopes.join('\n'),
  requestsPerMinute: String(requestLimit(key.rate_limits)?.value ?? ''),
  dollarsPerMonth: key.usage_limits?.type === 'cost' ? String(key.usage_limits.credit_limit) : '',
  expiresAt: key.expires_at === null ? '' : toLocal(key.expires_at),
})

const requestLimit = (limits: ApiKey['rate_limits']) =>
  limits.find(({ type, unit }) => type === 'requests' && unit === 'rpm')

const toLocal = (iso: string): string => {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const scopesOf = ({ scopes }: KeyDraft): string[] => scopes.split(/[\s,]+/).filter((scope) => scope !== '')

const limitOf = (text: string) => ({ type: 'requests' as const, unit: 'rpm' as const, value: Number(text) })

const budgetOf = (text: string) => ({
  ...{ credit_limit: Number(text), type: 'cost' as const },
  periodic_reset: 'monthly' as const,
})

export const toCreation = (draft: KeyDraft) => ({
  name: draft.name.trim(),
  scopes: scopesOf(draft),
  ...(draft.description === '' ? {} : { description: draft.description }),
  ...(draft.requestsPerMinute === '' ? {} : { rate_limits: [limitOf(draft.requestsPerMinute)] }),
  ...(draft.dollarsPerMonth === '' ? {} : { usage_limits: budgetOf(draft.dollarsPerMonth) }),
  ...(draft.expiresAt === '' ? {} : { expires_at: new Date(draft.expiresAt).toISOString() }),
})

/** Only what was changed, so that what the form does not know of stays as it is. */
export const toChange = (key: ApiKey, draft: KeyDraft): Change => {
  const before = toDraft(key)
  const isNew = (name: keyof KeyDraft): boolean => before[name] !== draft[name]
  const others = key.rate_limits.filter((limit) => limit !== requestLimit(key.rate_limits))
  return {
    ...(isNew('name') ? { name: draft.name.trim() } : {}),
    ...(isNew('description') ? { description: draft.description === '' ? null : draft.description } : {}),
    ...(isNew('scopes') ? { scopes: scopesOf(draft) } : {}),
    ...(isNew('requestsPerMinute')
      ? { rate_limits: draft.requestsPerMinute === '' ? others : [...others, limitOf(draft.requestsPerMinute)] }
      : {}),
    ...(isNew('dollarsPerMonth')
      ? { usage_limits: draft.dollarsPerMonth === '' ? null : budgetOf(draft.dollarsPerMonth) }
      : {}),
    ...(isNew('expiresAt')
      ? { expires_at: draft.expiresAt === '' ? null : new Date(draft.expiresAt).toISOString() }
      : {}),
  }
}
