import { expect, test } from 'bun:test'
import { HeaderList } from '#core/header-fields'
import { InvalidHeader, InvalidRequest } from '#kit'
import { CONFORM_OUTGOING, conform, contextOf, setUp } from '#kit/testing'
import { unframed } from '../../../src/kit/testing/stream.ts'
import sagemaker from './index.ts'

/** A part with an event, and `ModelStreamError` ("ResponseStream", API reference of Amazon SageMaker Runtime, read 2026-11-22). */
const exceptionStream =
  'AAABGgAAAFmWmWq/CzpldmVudC10eXBlBwALUGF5bG9hZFBhcnQNOmNvbnRlbnQtdHlwZQcAGGFwcGxpY2F0aW9uL29jdGV0LXN0cmVhbQ06bWVzc2FnZS10eXBlBwAFZXZlbnRkYXRhOiB7ImlkIjoiY2hhdGNtcGwtMSIsIm9iamVjdCI6ImNoYXQuY29tcGxldGlvbi5jaHVuayIsImNyZWF0ZWQiOjEsIm1vZGVsIjoibGxhbWEiLCJjaG9pY2VzIjpbeyJpbmRleCI6MCwiZGVsdGEiOnsicm9sZSI6ImFzc2lzdGFudCIsImNvbnRlbnQiOiJIaSJ9LCJmaW5pc2hfcmVhc29uIjpudWxsfV19Cgr7tw6FAAAAugAAAF6zhrMvDzpleGNlcHRpb24tdHlwZQcAEE1vZGVsU3RyZWFtRXJyb3INOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcACWV4Y2VwdGlvbnsiTWVzc2FnZSI6ICJUaGUgbW9kZWwgZmFpbGVkLiIsICJFcnJvckNvZGUiOiAiTW9kZWxJbnZvY2F0aW9uVGltZUV4Y2VlZGVkIn1ybS2s'

conform(sagemaker, new URL('./fixtures/', import.meta.url), { config: { region: 'us-east-1' } })

const { providers } = await setUp(sagemaker, { region: 'us-east-1' })
const provider = providers[0]
if (provider?.endpoints.chat === undefined) throw new Error('no chat')
const { path } = provider.endpoints.chat

test.each(['', 'a/b', '..', 'my endpoint', '-x', 'a'.repeat(64)])('%j is no endpoint', (model) => {
  if (typeof path === 'string') throw new Error('a function')
  expect(() => path(contextOf(provider, { note: '', endpoint: 'chat', request: { model } }))).toThrow(InvalidRequest)
})

const KEYS = {
  aws_region: 'us-east-1',
  aws_access_key_id: 'AKIDEXAMPLE12345',
  aws_secret_access_key: 'secret',
}

test('settings become headers, which are signed', async () => {
  const headers = new HeaderList()
  const settings = { ...KEYS, amzn_sagemaker_target_variant: 'b', amzn_sagemaker_model_name: 'llama' }
  await provider.authorize(headers, { apiKey: '', settings }, CONFORM_OUTGOING)
  const { authorization, ...others } = Object.fromEntries(headers)
  expect(others).toMatchObject({ 'x-amzn-sagemaker-target-variant': 'b' })
  expect(Object.keys(others)).not.toContain('x-amzn-sagemaker-model-name')
  expect(authorization).toContain('/us-east-1/sagemaker/aws4_request')
  expect(authorization).toContain('x-amzn-sagemaker-target-variant')
})

test('a setting that no header can hold is refused', () => {
  const settings = { ...KEYS, amzn_sagemaker_session_id: 'a\r\nb' }
  expect(() => provider.authorize(new HeaderList(), { apiKey: '', settings }, CONFORM_OUTGOING)).toThrow(InvalidHeader)
})

test('a part of a call that passes through names its endpoint', () => {
  expect(provider.modelInPath?.('/endpoints/my-llama/invocations')).toBe('my-llama')
  expect(provider.modelInPath?.('/ping')).toBeUndefined()
})

test('an exception in the middle of a stream is the error of a container', async () => {
  const { framing } = provider.endpoints.chat ?? {}
  if (framing === undefined) throw new Error('no framing')
  const bytes = Buffer.from(exceptionStream, 'base64')
  const text = Buffer.from(unframed(framing.machine(), bytes, [40, 41])).toString()
  expect(text).toStartWith('data: {"id":"chatcmpl-1"')
  const [, error = ''] = text.trim().split('\n\n')
  expect(JSON.parse(error.slice('data: '.length))).toEqual({
    error: { type: 'ModelStreamError', message: 'The model failed.', status: 424 },
  })
})
