/** What can be found by its form, the surest first: what overlaps counts as the first of its categories. */
export const FOUND_BY_FORM = ['CREDIT_CARD', 'IBAN', 'SSN', 'EMAIL_ADDRESS', 'IP_ADDRESS', 'PHONE_NUMBER'] as const

/** What only a model of language finds: a Presidio analyzer. */
export const FOUND_BY_MODEL = ['NAME', 'LOCATION_ADDRESS'] as const

export const CATEGORIES = [...FOUND_BY_FORM, ...FOUND_BY_MODEL] as const

export type FormCategory = (typeof FOUND_BY_FORM)[number]
export type ModelCategory = (typeof FOUND_BY_MODEL)[number]
export type Category = FormCategory | ModelCategory
