/**
 * GitHub Models, with a token that may read models. Source: "REST API endpoints for models inference" of GitHub's documentation,
 * read 2026-11-22. The models are those of several makers behind one address, which knows the role `developer`; what of OpenAI's
 * parameters one of them does not have it refuses itself. Embeddings are asked as at the same address.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import { type ChatFields, OPENAI_CHAT_PARAMS, OPENAI_MESSAGE_FIELDS } from '#kit/provider'
import { modelsOf } from './models.ts'

const TAKES: ChatFields = { unknown: 'ignored', params: OPENAI_CHAT_PARAMS, messages: OPENAI_MESSAGE_FIELDS }

export default definePlugin({
  name: 'github',
  config: providerConfig('https://models.github.ai/inference'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'github',
      ...config,
      endpoints: ['chat', 'embeddings'],
      allowedTools: false,
      takes: TAKES,
      answers: { reasoning: 'reasoning', finishReasons: {} },
    })
    return {
      providers: [{ ...provider, endpoints: { ...provider.endpoints, models: modelsOf(config.baseURL) } }],
    }
  },
})
