import type { Deprecation } from '#kit'

/**
 * OpenAI declared its assistants deprecated on 26 August 2025 and ended them on 26 August 2026 ("Assistants migration guide" and
 * "Deprecations" of developers.openai.com, read 2026-11-24); a run became a response. Other hosts still have them.
 */
export const RETIRED: Deprecation = { since: Date.UTC(2025, 7, 26) / 1000, successor: '/v1/responses' }
