/**
 * Nebius Token Factory, which serves open models with vLLM. Sources, read 2026-11-22: "Introduction" of its API reference
 * (address, answers); BerriAI/litellm 1.109.1, nebius/chat/transformation.py (`max_tokens` alone). A list of what its chat
 * refuses was not found in public documentation: what vLLM lists is taken for it.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, VLLM_FIELDS } from '#kit/provider'

const TAKES: ChatFields = {
  ...VLLM_FIELDS,
  params: VLLM_FIELDS.params.filter((name) => name !== 'max_completion_tokens'),
}

export default definePlugin({
  name: 'nebius',
  config: providerConfig('https://api.tokenfactory.nebius.com/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'nebius',
        ...config,
        developerRole: false,
        allowedTools: false,
        maxCompletionTokens: false,
        takes: TAKES,
        reasoning: 'reasoning_content',
        answers: { reasoning: 'reasoning', finishReasons: {} },
        // "An OpenAI-compatible API for inference and fine-tuning" ("Introduction", read 2026-11-24).
        fineTuning: {},
      }),
    ],
  }),
})
