import { expect, test } from 'bun:test'
import { BODY_SIZES, type BodySize, chatBody } from './bodies.ts'

const SIZES = Object.keys(BODY_SIZES) as BodySize[]

test.each(SIZES)('a body of %s has exactly so many bytes and is a chat request', (size) => {
  for (const stream of [true, false]) {
    const body = chatBody({ wire: 'openai', size, stream })
    expect(Buffer.byteLength(body)).toBe(BODY_SIZES[size])
    expect(JSON.parse(body)).toMatchObject({ model: 'gpt-5-mini', messages: [{ role: 'user' }] })
    expect(JSON.parse(body).stream).toBe(stream ? true : undefined)
  }
})

test('the largest is a picture', () => {
  const { messages } = JSON.parse(chatBody({ wire: 'anthropic', size: '1 MB', stream: false }))
  expect(messages[0].content[1].image_url.url).toStartWith('data:image/png;base64,iVBOR')
})
