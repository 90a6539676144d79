import { promptCall } from '#calls/slots'
import { type Call, InvalidConfig, UnsupportedConfig } from '#kit'
import type { Leaf } from '#kit/plan'
import type { RenderedPrompt } from '#kit/slots'

/**
 * The prompt that a target answers to: its own (`prompt_id`), else that of the call.
 * @throws UnsupportedConfig where the call is none to a prompt; InvalidConfig where the two are not of one kind
 */
export const promptOf = (call: Call, { promptId }: Leaf): RenderedPrompt | undefined => {
  const run = call.find(promptCall)
  if (promptId === undefined) return run?.rendered
  if (run === undefined) {
    throw new UnsupportedConfig('`prompt_id` works for calls to prompts only.', { param: 'prompt_id' })
  }
  const rendered = run.render(promptId)
  if (rendered.endpoint === run.rendered.endpoint) return rendered
  throw new InvalidConfig('A chat prompt and a text prompt cannot stand in for each other.', { param: 'prompt_id' })
}
