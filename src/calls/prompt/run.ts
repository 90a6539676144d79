import type { Call } from '../../core/call.ts'
import type { StoredPrompts } from '../../core/ports.ts'
import { InvalidRequest } from '../../errors/gateway-error.ts'
import { principal, type RenderedPrompt } from '../../kit/slots.ts'
import { promptCall } from '../slots.ts'
import type { PromptInput } from './input.ts'
import { renderPrompt } from './render.ts'

/**
 * The reference in a path such as `/v1/prompts/pp-greeting-1a2b3c@latest/completions`.
 * @throws InvalidRequest for one that cannot be decoded
 */
export const promptReference = ({ request: { path } }: Call): string => {
  const segment = path.split('/').at(-2) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new InvalidRequest('The prompt in the path cannot be read.', { param: 'prompt_id' })
  }
}

/** Renders a prompt for the caller. @throws as `renderPrompt` */
export const renderForCall = (
  call: Call,
  prompts: StoredPrompts,
  reference: string,
  input: PromptInput,
): RenderedPrompt => renderPrompt({ prompts, workspaceId: call.get(principal).workspaceId, reference }, input)

/** Makes the call that of the rendered prompt: what follows in the chain sees a request like any other. */
export const becomePrompt = (call: Call, prompts: StoredPrompts, input: PromptInput): void => {
  const rendered = renderForCall(call, prompts, promptReference(call), input)
  call.set(promptCall, { rendered, render: (reference) => renderForCall(call, prompts, reference, input) })
  call.become(rendered.endpoint)
  call.replaceParams({ ...rendered.params })
}
