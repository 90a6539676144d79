import type { StoredPrompt, StoredPrompts } from '../../core/ports.ts'
import { PromptNotRendered, UnknownPrompt } from '../../errors/gateway-error.ts'
import type { RenderedPrompt } from '../../kit/slots.ts'
import { BOUNDS, MissingVariables, PromptError, renderMessages, renderTemplate } from '../template/index.ts'
import { compiledPartial, compiledPrompt } from './compiled.ts'
import type { PromptInput } from './input.ts'

export interface RenderPlace {
  readonly prompts: StoredPrompts
  /** Absent for a caller without one, who has no prompts. */
  readonly workspaceId: string | undefined
  /** `id`, slug, either with `@12`, `@latest` or `@label`. */
  readonly reference: string
}

/**
 * @throws UnknownPrompt; InvalidRequest for variables that do not fit the prompt's schema; PromptNotRendered for partials
 * that are not there, missing variables of a strict prompt, or a template that cannot be rendered with these
 */
export const renderPrompt = ({ prompts, workspaceId, reference }: RenderPlace, input: PromptInput): RenderedPrompt => {
  const prompt = workspaceId === undefined ? undefined : prompts.find(workspaceId, reference)
  if (workspaceId === undefined || prompt === undefined) {
    throw new UnknownPrompt(`Invalid prompt id: there is no prompt, version or label '${reference.slice(0, 200)}'.`, {
      param: 'prompt_id',
    })
  }
  const { variables } = input
  const options = {
    variables,
    strict: prompt.strict,
    maxCharacters: BOUNDS.outputCharacters + input.bodyBytes,
    partial: (name: string) => {
      const stored = prompts.partial(workspaceId, name)
      return stored === undefined ? undefined : compiledPartial(stored)
    },
  }
  try {
    const { parsed, checkVariables } = compiledPrompt(prompt)
    checkVariables?.(variables)
    return parsed.kind === 'chat'
      ? { prompt, endpoint: 'chat', params: paramsOf(prompt, input, { messages: renderMessages(parsed, options) }) }
      : {
          prompt,
          endpoint: 'completions',
          params: paramsOf(prompt, input, {
            prompt: renderTemplate(parsed.template, options),
          }),
        }
  } catch (thrown) {
    if (!(thrown instanceof PromptError)) throw thrown
    throw new PromptNotRendered(`The prompt '${prompt.slug}' cannot be rendered: ${thrown.message}`, {
      param: thrown instanceof MissingVariables ? `variables.${thrown.names[0]}` : 'prompt_id',
      cause: thrown,
    })
  }
}

/** What is null was left open by whoever saved it; providers do not take it for absent. */
const paramsOf = (
  { parameters, model, functions, tools, toolChoice }: StoredPrompt,
  { overrides, stream }: PromptInput,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const saved = { ...parameters, model: model ?? parameters.model, functions, tools, tool_choice: toolChoice }
  const params: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(saved)) {
    if (value !== null && value !== undefined && name !== 'stream') params[name] = value
  }
  return { ...params, ...overrides, ...(stream ? { stream } : {}), ...body }
}
