/**
 * vLLM, on a machine of the operator's. Sources, read 2026-11-22: vllm-project/vllm, vllm/entrypoints/openai; a key is only
 * asked for where the server was started with one. Reasoning is `reasoning`, `reasoning_content` before. `null` where a field
 * should be absent broke its embeddings once (BerriAI/litellm, "vLLM Embeddings Broken by encoding_format").
 * Its `/v1/messages` speaks Anthropic's form as well.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { textRerank, VLLM_FIELDS } from '#kit/provider'

export default definePlugin({
  name: 'vllm',
  config: providerConfig('http://localhost:8000/v1'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'vllm',
      ...config,
      needsKey: false,
      // Chat templates know system, user, assistant and tool.
      developerRole: false,
      allowedTools: false,
      takes: VLLM_FIELDS,
      // It keeps them where the server was told to alone.
      responses: { keeps: false },
      reasoning: 'reasoning',
      answers: { reasoning: 'reasoning', finishReasons: {} },
      assistantPrefix: { request: { continue_final_message: true, add_generation_prompt: false } },
      embeddingsParams: { encoding_format: (format) => ({ encoding_format: format }) },
    })
    return { providers: [{ ...provider, endpoints: { ...provider.endpoints, rerank: textRerank } }] }
  },
})
