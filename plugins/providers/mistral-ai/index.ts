/**
 * Mistral AI. It refuses fields it does not know (422, `extra_forbidden`), so only what its reference lists is sent.
 * Source: mistralai 3.7.0 of PyPI, which is generated from its OpenAPI document (chatcompletionrequest.py,
 * assistantmessage.py and the other messages, embeddingrequest.py), read 2026-11-22. It completes texts on a path of its
 * own only (fill in the middle, `/fim/completions`).
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'
import type { ChatFields } from '#kit/provider'
import { ANSWERS } from './answers.ts'
import { audio } from './audio.ts'
import { batches } from './batches.ts'
import { files } from './files.ts'
import { fineTuning } from './fine-tuning.ts'
import { adaptMessages } from './messages.ts'
import { moderations } from './moderations.ts'
import { ocr } from './ocr.ts'
import { adaptTools } from './tools.ts'

const TAKES: ChatFields = {
  unknown: 'refused',
  params: [
    'frequency_penalty',
    'guardrails',
    'logprobs',
    'max_tokens',
    'metadata',
    'min_tokens',
    'n',
    'parallel_tool_calls',
    'prediction',
    'presence_penalty',
    'prompt_cache_key',
    'prompt_logprobs',
    'prompt_mode',
    'random_seed',
    'reasoning_effort',
    'repetition_penalty',
    'response_format',
    'safe_prompt',
    'service_tier',
    'stop',
    'stream',
    'temperature',
    'tool_choice',
    'tools',
    'top_k',
    'top_logprobs',
    'top_p',
    'top_prompt_logprobs',
  ],
  messages: {
    system: [],
    user: [],
    // The reasoning becomes a part of the content, or is left out: see messages.ts.
    assistant: ['prefix', 'reasoning_content', 'tool_calls'],
    tool: ['name', 'tool_call_id'],
  },
  // Its own answers, where a client brings them itself (contentchunk.py).
  answerParts: ['thinking', 'reference'],
}

/** 400, code 3280: "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9" (mistral-common 1.13.1, validator.py). */
const TOOL_IDS = { fits: /^[a-zA-Z0-9]{9}$/, prefix: '' }

export default definePlugin({
  name: 'mistral-ai',
  config: providerConfig('https://api.mistral.ai/v1'),
  setup: (config) => {
    const provider = openaiCompatible({
      id: 'mistral-ai',
      ...config,
      endpoints: ['chat', 'embeddings', 'models'],
      developerRole: false,
      allowedTools: false,
      maxCompletionTokens: false,
      takes: TAKES,
      reasoning: 'reasoning_content',
      adaptMessages,
      toolIds: TOOL_IDS,
      answers: ANSWERS,
      // Usage comes in the last chunk, asked for or not.
      streamUsage: false,
      assistantPrefix: true,
      params: {
        seed: 'random_seed',
        tool_choice: (choice) => ({ tool_choice: choice === 'required' ? 'any' : choice }),
        tools: adaptTools,
        stream_options: () => ({}),
      },
      embeddingsListed: true,
      embeddingsParams: {
        model: true,
        input: true,
        dimensions: 'output_dimension',
        encoding_format: true,
        metadata: true,
        output_dimension: true,
        output_dtype: true,
      },
    })
    return {
      providers: [
        {
          ...provider,
          endpoints: { ...provider.endpoints, moderations, ocr, ...audio, ...fineTuning, ...files, ...batches },
        },
      ],
    }
  },
})
