export const KINDS = { limits: 'Rate limits', budgets: 'Budgets', guardrails: 'Guardrails' } as const

export type PolicyKind = keyof typeof KINDS

/** What somebody needs to see each. */
export const KIND_SCOPES: Readonly<Record<PolicyKind, string>> = {
  limits: 'policies.list',
  budgets: 'policies.list',
  guardrails: 'guardrails.list',
}

/** What the address bar says of the page. */
export interface PoliciesSearch {
  readonly kind?: PolicyKind
  /** One policy alone. */
  readonly id?: string
}

const isKind = (value: unknown): value is PolicyKind => typeof value === 'string' && Object.hasOwn(KINDS, value)

export const readPoliciesSearch = ({ kind, id }: Record<string, unknown>): PoliciesSearch => ({
  ...(isKind(kind) ? { kind } : {}),
  ...(typeof id === 'string' ? { id } : {}),
})
