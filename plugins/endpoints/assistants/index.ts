import type { Endpoint } from '#kit'
import { assistants } from './assistants.ts'
import { runs } from './runs.ts'
import { threads } from './threads.ts'

/** OpenAI's assistants, for hosts that still have them. */
export const assistantEndpoints: readonly Endpoint[] = [...assistants, ...threads, ...runs]
