import type { StoredPrompt, StoredPrompts } from '../../src/core/ports.ts'

const SAMPLE: StoredPrompt = {
  id: '5b0f4d56-7d0e-4a63-9f0c-1f2f3a4b5c6d',
  slug: 'pp-sample-1a2b3c',
  name: 'sample',
  versionId: '0e7f1a52-3c1b-4f0a-8d2e-6a7b8c9d0e1f',
  version: 1,
  template: '[{"role":"user","content":"Hello {{name}}"}]',
  isRaw: false,
  parameters: {},
  model: 'mock',
  strict: false,
}

/** One prompt, in every workspace. */
export const SAMPLE_PROMPTS: StoredPrompts = {
  find: (_, reference) => (reference === SAMPLE.slug ? SAMPLE : undefined),
  partial: () => undefined,
}
