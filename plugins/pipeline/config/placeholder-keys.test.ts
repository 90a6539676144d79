import { expect, test } from 'bun:test'
import { isPlaceholder, PLACEHOLDER_WORDS } from './placeholder-keys.ts'

test.each([
  ...PLACEHOLDER_WORDS,
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  '$OPENAI_API_KEY',
  '${OPENAI_API_KEY}',
  '<your-api-key>',
  'YOUR_API_KEY_HERE',
  'your openai key',
  'my-secret-token',
  'api-key',
  'apikey',
  'EMPTY',
  'None',
  'N/A',
  'sk-no-key-required',
  'no_key',
  'not needed',
  'sk-dummy',
  'sk-xxx',
  'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk-...',
  'XXXX',
  '***',
  'sk-0000000000',
  'sk-',
])('%s is what a client sends that has no key', (key) => {
  expect(isPlaceholder(key)).toBe(true)
})

test.each([
  'sk-proj-Ab3dEf6hIj9kLm2n',
  'sk-1234',
  'gsk_Ab3dEf6hIj9kLm2n',
  'AIzaSyA-Ab3dEf6hIj9kLm2n',
  'test',
  'team-a-key',
  'xai-Ab3d',
  'none-of-your-business',
  'x1',
  'dummy1',
  `${'a'.repeat(60)}_api_key`,
])('%s may be a key', (key) => {
  expect(isPlaceholder(key)).toBe(false)
})
