import { maybe, t, worded } from '#kit'
import { Count, Model } from '../fields.ts'

/**
 * What is checked of a body; all else passes to a provider that speaks this form itself, new words included. Source: "Create a
 * Message" and "Count Message tokens" as in the types of @anthropic-ai/sdk 1.12.0 (resources/messages), read 2026-11-22.
 */

const Block = t.Object({ type: t.String() })

const Content = worded(t.Union([t.String(), t.Array(Block)]), 'must be a string or an array of content blocks')

const Turn = t.Object({ role: t.String(), content: Content })

/** What a message and a count of its tokens have in common. */
export const asked = {
  model: Model,
  messages: worded(t.Array(Turn, { minItems: 1 }), 'must be an array with at least one message'),
  system: maybe(worded(t.Union([t.String(), t.Array(Block)]), 'must be a string or an array of text blocks')),
  tools: maybe(t.Array(t.Object({}))),
  tool_choice: maybe(t.Object({ type: t.String() })),
  thinking: maybe(t.Object({ type: t.String() })),
  output_config: maybe(t.Object({})),
}

export const MessagesBody = t.Object({
  ...asked,
  max_tokens: Count,
  stream: maybe(t.Boolean({ default: false })),
  stop_sequences: maybe(t.Array(t.String())),
  temperature: maybe(t.Number()),
  top_p: maybe(t.Number()),
  top_k: maybe(Count),
  metadata: maybe(t.Object({})),
  service_tier: maybe(t.String()),
})
