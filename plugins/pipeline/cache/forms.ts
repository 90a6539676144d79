import type { Endpoint } from '#kit'
import type { AnswerForm } from './answer-form.ts'
import { chatForm } from './chat-form.ts'
import { textForm } from './text-form.ts'

/** Undefined for an endpoint that does not stream. */
export const formOf = (endpoint: Endpoint): AnswerForm | undefined => FORMS[endpoint]

const FORMS: { readonly [Name in Endpoint]?: AnswerForm } = { chat: chatForm, completions: textForm }
