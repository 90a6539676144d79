/** The template language of prompts. */
export { BOUNDS } from './bounds.ts'
export { MissingPartials, MissingVariables, PromptError, TemplateError } from './errors.ts'
export { type ChatPrompt, renderMessages } from './messages.ts'
export type { Template } from './nodes.ts'
export { parseTemplate } from './parse.ts'
export { type ParsedPrompt, parsePrompt, type TextPrompt } from './prompt.ts'
export { renderTemplate } from './render.ts'
