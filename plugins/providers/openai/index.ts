/**
 * OpenAI, whose wire format is the reference: requests, answers and streams pass as they are, but for fields of other
 * providers, which it answers with 400 ("Unknown parameter"). Those pass to any other server of this format.
 * Source: types and headers of openai-node 7.55.0 and 6.49.0, generated from the API reference, read 2026-11-21 and -22.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import {
  type ChatFields,
  OPENAI_CHAT_PARAMS,
  OPENAI_MESSAGE_FIELDS,
  OPENAI_STRICT,
  OPENAI_TOOL_IDS,
} from '#kit/provider'

const BASE_URL = 'https://api.openai.com/v1'

const TAKES: ChatFields = { unknown: 'ignored', params: OPENAI_CHAT_PARAMS, messages: OPENAI_MESSAGE_FIELDS }

const MEDIA = ['images', 'image-edits', 'image-variations', 'speech', 'transcriptions', 'translations'] as const

export default definePlugin({
  name: 'openai',
  config: providerConfig(BASE_URL),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'openai',
        keeps: ['files', 'batches'],
        ...config,
        endpoints: ['chat', 'completions', 'embeddings', 'models', 'moderations', ...MEDIA],
        headers: ['openai-organization', 'openai-project', 'openai-beta'],
        responses: {},
        fineTuning: {},
        realtime: true,
        // Other servers of this format that think: vLLM, LM Studio.
        answers: { reasoning: 'reasoning' },
        ...(isOpenAI(config.baseURL)
          ? { takes: TAKES, openElsewhere: true, strictSchemas: OPENAI_STRICT, toolIds: OPENAI_TOOL_IDS }
          : {}),
      }),
    ],
  }),
})

/** Its regional hosts too: `https://eu.api.openai.com/v1`. */
const isOpenAI = (baseURL: string): boolean => /^https:\/\/(?:[a-z0-9-]+\.)?api\.openai\.com(?:[:/]|$)/.test(baseURL)
