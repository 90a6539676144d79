import type { Enforcement, ResetSchedule } from '../../core/budgets.ts'

/** How much may be spent or used before calls are refused (contract 1.7). */
export interface UsageLimits {
  readonly type: 'cost' | 'tokens'
  /** In US dollars or in tokens, by `type`; so is `alertThreshold`. */
  readonly creditLimit: number
  readonly alertThreshold?: number
  readonly periodicReset?: 'monthly' | 'weekly'
  /** 1 to 365; not together with `periodicReset`. */
  readonly periodicResetDays?: number
  /** ISO 8601; a midnight of UTC, but in rows of earlier versions. */
  readonly nextUsageResetAt?: string
  /** Absent: `soft`. */
  readonly enforcement?: Enforcement
  /** The period that was running when the schedule was set. Absent in rows of earlier versions: since 1970. */
  readonly since?: ResetSchedule['since']
}

/** One rate limit of an integration, a provider or a workspace (contract 1.7). `value` 0 blocks every call. */
export interface RateLimit {
  readonly type: 'requests' | 'tokens'
  readonly unit: 'rpm' | 'rph' | 'rpd'
  readonly value: number
}

/** One rate limit of a key, which knows more units. */
export interface KeyRateLimit extends Omit<RateLimit, 'unit'> {
  readonly unit: RateLimit['unit'] | 'rps' | 'rpw'
}
