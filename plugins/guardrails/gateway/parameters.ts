import { t } from '#kit'

/** Milliseconds that a check may take, as its guardrail says. */
export const timeout = t.Integer({
  default: 5000,
  minimum: 1,
  maximum: 60_000,
  description: 'Milliseconds the check may take. When they are over, the call goes on.',
})
