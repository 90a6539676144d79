/**
 * OpenAI, whose wire format is the reference: requests, answers and streams pass as they are.
 * Source: types and headers of openai-node 7.55.0, which is generated from the API reference, read 2026-11-21.
 */
import { definePlugin, openaiCompatible, providerConfig } from '#kit'

export default definePlugin({
  name: 'openai',
  config: providerConfig('https://api.openai.com/v1'),
  setup: (config) => ({
    providers: [
      openaiCompatible({
        id: 'openai',
        ...config,
        headers: ['openai-organization', 'openai-project', 'openai-beta'],
      }),
    ],
  }),
})
