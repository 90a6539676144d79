import { expect, test } from 'bun:test'
import { responseTexts } from '../../../plugins/endpoints/texts/responses.ts'
import { piiCheck } from '../../../plugins/guardrails/gateway/pii/check.ts'
import { eventText } from '../../../src/core/bodies/sse.ts'
import type { StreamTexts } from '../../../src/core/guardrails.ts'
import { guard, guardrailOf } from './guarded.ts'
import { Source } from './streams.ts'

const CARD = '4111 1111 1111 1111'

/** A stream of a response that says a text in pieces, and then again. */
const response = (pieces: readonly string[], again: string): Uint8Array => {
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const event = (type: string, fields: object): string => eventText(JSON.stringify({ type, ...fields }), type)
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: again }] }
  return new TextEncoder().encode(
    [
      event('response.created', { response: { id: 'resp_1', output: [] } }),
      ...pieces.map((delta) => event('response.output_text.delta', { ...place, delta })),
      event('response.output_text.done', { ...place, text: again }),
      event('response.completed', { response: { id: 'resp_1', status: 'completed', output: [message] } }),
    ].join(''),
  )
}

const guardrail = guardrailOf(piiCheck(undefined), {
  categories: ['CREDIT_CARD'],
  redact: true,
  phoneRegions: [],
  timeout: 5_000,
})

const guarded = async (bytes: Uint8Array): Promise<string> => {
  const texts = responseTexts.stream?.({}) as StreamTexts
  return (await guard(new Source([bytes], () => false), [guardrail], 0, { texts })).bytes
}

test('what is said again is what went out', async () => {
  const said = `It is ${CARD}, and that is all.`
  const out = await guarded(response([said.slice(0, 11), said.slice(11)], said))
  expect(out).not.toContain('1111')
  expect(out.split('It is {{CREDIT_CARD_1}}, and that is all.')).toHaveLength(3)
})

test('another text of the same length is looked at', async () => {
  const again = `It is ${CARD}, and that is all.`
  const out = await guarded(response(['x'.repeat(again.length)], again))
  expect(out).toContain('xxx')
  expect(out).not.toContain('1111')
})
