import type { Call } from '../../core/call.ts'
import type { StoredPrompts } from '../../core/ports.ts'
import { InvalidRequest } from '../../errors/gateway-error.ts'
import type { Host } from '../../kit/plugin.ts'
import { principal, type RenderedPrompt } from '../../kit/slots.ts'
import { promptCall } from '../slots.ts'
import type { PromptInput } from './input.ts'
import { renderPrompt } from './render.ts'

/**
 * Renders the prompt that the path of the call names, or another one, for its caller.
 * @throws as `renderPrompt`
 */
export const renderForCall = (
  call: Call,
  prompts: StoredPrompts,
  input: PromptInput,
  reference = promptReference(call),
): RenderedPrompt => renderPrompt({ prompts, workspaceId: call.get(principal).workspaceId, reference }, input)

/** @throws InvalidRequest for one that cannot be decoded */
const promptReference = ({ request: { params } }: Call): string => {
  if (params.promptId) return params.promptId
  throw new InvalidRequest('The prompt in the path cannot be read.', { param: 'prompt_id' })
}

/** Makes the call that of the rendered prompt: what follows in the chain sees a request like any other. */
export const becomePrompt = (
  call: Call,
  { prompts, endpoints }: Pick<Host, 'prompts' | 'endpoints'>,
  input: PromptInput,
): void => {
  const rendered = renderForCall(call, prompts, input)
  call.set(promptCall, { rendered, render: (reference) => renderForCall(call, prompts, input, reference) })
  call.become(endpoints.get(rendered.endpoint))
  call.replaceParams({ ...rendered.params })
}
