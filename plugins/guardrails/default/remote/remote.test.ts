import { describe, expect, test } from 'bun:test'
import type { CheckInput, CheckPowers, CheckRequest, CheckResponse } from '#kit'
import { faultsOf, prepare, run } from '../shared/test-support.ts'
import { inlineImageUrls } from './inline-image-urls.ts'
import { log } from './log.ts'
import { validUrls } from './valid-urls.ts'
import { webhook } from './webhook.ts'

const answer = (status: number, body: string | Uint8Array = '', type = 'application/json'): CheckResponse => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const text = () => new TextDecoder().decode(bytes)
  return { status, headers: new Headers({ 'content-type': type }), bytes, text, json: () => JSON.parse(text()) }
}

/** Notes what is asked. */
const server = (reply: (url: string) => CheckResponse | Promise<CheckResponse>) => {
  const asked: { readonly url: string; readonly request: CheckRequest }[] = []
  const fetch: CheckPowers['fetch'] = async (url, request = {}) => {
    asked.push({ url, request })
    return reply(url)
  }
  return { asked, fetch }
}

const never = () => new Promise<never>(() => {})

const CALL: Partial<CheckInput> = {
  texts: ['Say', 'Hi'],
  json: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say' }] },
  metadata: { _user: 'v' },
  headers: new Headers({ 'X-Session': 's1', authorization: 'Bearer secret' }),
}
const ANSWER: Partial<CheckInput> = {
  ...CALL,
  stage: 'output',
  texts: ['Hello'],
  json: { choices: [] },
  request: { texts: ['Say Hi'], json: { model: 'gpt-4o' } },
  status: 200,
}

describe('webhook', () => {
  const parameters = { webhookURL: 'https://hook.example/check?key=secret' }

  test('is told of a request in the form of the interface, with the headers that it asks for', async () => {
    const { asked, fetch } = server(() => answer(200, '{"verdict":true,"data":{"score":1}}'))
    const headers = '{"Authorization":"Bearer own"}'
    const verdict = await run(webhook, { ...parameters, headers, forwardHeaders: ['X-Session', 'x-none'] }, CALL, {
      fetch,
    })
    expect(asked).toEqual([
      {
        url: parameters.webhookURL,
        request: {
          method: 'POST',
          maxBytes: 16 * 1024 * 1024,
          headers: { 'x-session': 's1', Authorization: 'Bearer own', 'content-type': 'application/json' },
          body: {
            request: { json: { ...CALL.json }, text: 'Say\nHi', isStreamingRequest: false, isTransformed: false },
            response: { json: {}, text: '', statusCode: null, isTransformed: false },
            provider: 'openai',
            requestType: 'chatComplete',
            metadata: { _user: 'v' },
            eventType: 'beforeRequestHook',
          },
        },
      },
    ])
    expect(verdict).toMatchObject({ verdict: true, data: { responseData: { score: 1 } } })
    expect(JSON.stringify(verdict)).not.toContain('secret')
  })

  test('is told of an answer, and may change it', async () => {
    const { asked, fetch } = server(() =>
      answer(200, '{"verdict":false,"transformedData":{"request":{"json":{"no":1}},"response":{"json":{"yes":1}}}}'),
    )
    expect(await run(webhook, parameters, ANSWER, { fetch })).toMatchObject({ verdict: false, json: { yes: 1 } })
    expect(asked[0]?.request.body).toMatchObject({
      request: { json: { model: 'gpt-4o' }, text: 'Say Hi' },
      response: { json: { choices: [] }, text: 'Hello', statusCode: 200 },
      eventType: 'afterRequestHook',
    })
    const streamed = await run(webhook, parameters, { ...ANSWER, isStreamed: true }, { fetch })
    expect(streamed.json).toBeUndefined()
    expect((await run(webhook, parameters, CALL, { fetch })).json).toEqual({ no: 1 })
  })

  test.each<readonly [what: string, reply: () => CheckResponse | Promise<CheckResponse>, error: RegExp]>([
    ['another status', () => answer(500, '{"verdict":false}'), /answered 500/],
    ['no JSON', () => answer(200, 'yes'), /must answer with a JSON object/],
    ['no verdict', () => answer(200, '{"verdict":"yes"}'), /must answer with a JSON object/],
    ['a failure', () => Promise.reject(new Error('no route')), /no route/],
    ['nothing in time', never, /no answer within 20 ms/],
  ])('%s is an error, which passes unless errors shall fail', async (_, reply, error) => {
    for (const failOnError of [false, true]) {
      const verdict = await run(webhook, { ...parameters, timeout: 20, failOnError }, CALL, server(reply))
      expect(verdict.verdict).toBe(!failOnError)
      expect(verdict.error?.message).toMatch(error)
    }
  })

  test('is not asked about calls without texts, and about those to own paths only if it shall be', async () => {
    const { asked, fetch } = server(() => answer(200, '{"verdict":false}'))
    expect(await run(webhook, parameters, { ...CALL, requestType: 'uploadFile' }, { fetch })).toEqual({ verdict: true })
    expect(await run(webhook, parameters, { ...CALL, requestType: 'proxy' }, { fetch })).toEqual({ verdict: true })
    expect(asked).toEqual([])
    const onProxy = { ...parameters, executeOnProxy: true }
    expect((await run(webhook, onProxy, { ...CALL, requestType: 'proxy' }, { fetch })).verdict).toBe(false)
  })

  test('has more time than its own time-out, to say what that means', () => {
    expect(prepare(webhook, { ...parameters, timeout: 7_000 }).deadlineMs).toBe(8_000)
  })

  test.each([
    [{ webhookURL: 'hook.example' }, 'webhookURL must be an http or https URL'],
    [{ webhookURL: 'ftp://hook.example' }, 'webhookURL must be an http or https URL'],
    [{ webhookURL: 'https://me:secret@hook.example' }, 'webhookURL must be an http or https URL'],
    [{ ...parameters, headers: 'not JSON' }, 'headers must be a JSON object'],
    [{ ...parameters, headers: { 'a b': 'c' } }, 'headers.a b cannot be sent as a header'],
    [{ ...parameters, headers: { a: 'x\nb: c' } }, 'headers.a cannot be sent as a header'],
    [
      { ...parameters, forwardHeaders: ['x-a', 'Authorization'] },
      'forwardHeaders[1] names a header that may hold cred',
    ],
    [{ ...parameters, forwardHeaders: ['x-acme-api-key'] }, 'forwardHeaders[0] names a header'],
    [{ ...parameters, forwardHeaders: ['cookie'] }, 'forwardHeaders[0] names a header'],
    [{ ...parameters, forwardHeaders: ['x-gateway-config'] }, 'forwardHeaders[0] names a header'],
    [{ ...parameters, timeout: 0 }, 'timeout'],
  ])('wrong parameters: %j', (given, fault) => {
    expect(faultsOf(webhook, given).join('; ')).toStartWith(fault)
  })
})

describe('log', () => {
  const parameters = { logURL: 'https://log.example/in', headers: { 'x-a': 'b' }, timeout: 20 }

  test('sends the call, and passes', async () => {
    const { asked, fetch } = server(() => answer(204))
    expect(await run(log, parameters, ANSWER, { fetch })).toMatchObject({ verdict: true })
    expect(asked[0]?.request).toMatchObject({
      method: 'POST',
      headers: { 'x-a': 'b', 'content-type': 'application/json' },
      body: { response: { text: 'Hello' } },
    })
  })

  test.each<() => CheckResponse | Promise<CheckResponse>>([
    () => answer(500),
    () => Promise.reject(new Error('away')),
    never,
  ])('passes with an error when it cannot', async (reply) => {
    const verdict = await run(log, parameters, CALL, server(reply))
    expect(verdict.verdict).toBe(true)
    expect(verdict.error).toBeInstanceOf(Error)
  })
})

describe('validUrls', () => {
  const fetch: CheckPowers['fetch'] = async (url) => {
    if (url.includes('away')) throw new Error('refused')
    return answer(url.includes('missing') ? 404 : url.includes('moved') ? 301 : url.includes('head') ? 405 : 200)
  }
  const resolves: CheckPowers['resolves'] = async (name) => name === 'known.example'

  test.each<readonly [text: string, parameters: Record<string, unknown>, verdict: boolean]>([
    ['see https://a.example/x?b=c#d, or (https://b.example/y).', {}, true],
    ['see https://a.example/missing', {}, false],
    ['see https://a.example and https://away.example', {}, false],
    ['see http://a.example/moved https://a.example/head', {}, true],
    ['see https://away.example', { not: true }, true],
    ['see https://a.example', { not: true }, false],
    ['no URL: example.com', {}, false],
    ['no URL', { not: true }, false],
    ['see https://known.example/missing', { onlyDNS: true }, true],
    ['see https://unknown.example', { onlyDNS: true }, false],
    ['see https://', {}, false],
  ])('%s %j', async (text, parameters, verdict) => {
    expect((await run(validUrls, parameters, [text], { fetch, resolves })).verdict).toBe(verdict)
  })

  test('asks each URL once, with HEAD, without what ends the sentence', async () => {
    const { asked, fetch } = server(() => answer(200))
    const text = 'https://a.example/b. (https://a.example/b), https://en.example/x_(y)!'
    await run(validUrls, {}, [text], { fetch })
    expect(asked).toEqual([
      { url: 'https://a.example/b', request: { method: 'HEAD' } },
      { url: 'https://en.example/x_(y)', request: { method: 'HEAD' } },
    ])
  })

  test('fails for more URLs than it asks, and asks none of them', async () => {
    const { asked, fetch } = server(() => answer(200))
    const text = Array.from({ length: 51 }, (_, index) => `https://a.example/${index}`).join(' ')
    expect(await run(validUrls, {}, [text], { fetch })).toMatchObject({ verdict: false })
    expect(asked).toEqual([])
  })
})

describe('inlineImageUrls', () => {
  const png = new Uint8Array([137, 80, 78, 71])
  const data = 'iVBORw=='
  const pictures = () =>
    server((url) => {
      if (url.includes('page')) return answer(200, 'x', 'text/html')
      return url.includes('missing') ? answer(404) : answer(200, png, 'image/png; x=y')
    })

  test('puts pictures in the place of their URLs, in each form', async () => {
    const { asked, fetch } = pictures()
    const url = 'https://a.example/1.png'
    const json = {
      n: 1,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url, detail: 'low' } },
            { type: 'text', text: url },
          ],
        },
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url }, cache_control: { type: 'x' } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url } }] }],
        },
      ],
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
    }
    const verdict = await run(inlineImageUrls, {}, { json }, { fetch })
    const inline = `data:image/png;base64,${data}`
    const source = { type: 'base64', media_type: 'image/png', data }
    expect(verdict.json).toEqual({
      n: 1,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: inline, detail: 'low' } },
            { type: 'text', text: url },
          ],
        },
        { role: 'user', content: [{ type: 'image', source, cache_control: { type: 'x' } }] },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'image', source }] }] },
      ],
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: inline }] }],
    })
    expect(asked).toEqual([{ url, request: { maxBytes: 20_971_520, headers: { accept: 'image/*' } } }])
  })

  const chat = (...urls: readonly string[]) => ({
    json: { messages: [{ role: 'user', content: urls.map((url) => ({ type: 'image_url', image_url: { url } })) }] },
  })

  test('leaves alone what it cannot fetch, or fails where errors shall', async () => {
    const { fetch } = pictures()
    const input = chat('https://a.example/1.png', 'https://a.example/page', 'https://a.example/missing')
    const verdict = await run(inlineImageUrls, {}, input, { fetch })
    expect(verdict).toMatchObject({ verdict: true, data: { inlined: 1 } })
    expect((verdict.data as { failed: string[] }).failed.toSorted()).toEqual([
      'https://a.example/missing: its server answered 404',
      expect.stringContaining("https://a.example/page: is of the type 'text/html'"),
    ])
    expect(await run(inlineImageUrls, { failOnError: true }, input, { fetch })).toMatchObject({ verdict: false })
    expect(
      await run(inlineImageUrls, { failOnError: true, timeoutMs: 20 }, chat('https://a.example'), server(never)),
    ).toMatchObject({ verdict: false })
  })

  test('asks nothing for pictures that stand in the request, for none, and for other providers', async () => {
    const { asked, fetch } = pictures()
    expect(await run(inlineImageUrls, {}, chat('data:image/png;base64,AA=='), { fetch })).toEqual({ verdict: true })
    expect(await run(inlineImageUrls, {}, { json: {} }, { fetch })).toEqual({ verdict: true })
    const others = { providers: ['bedrock'] }
    expect(await run(inlineImageUrls, others, chat('https://a.example/1.png'), { fetch })).toEqual({ verdict: true })
    expect(asked).toEqual([])
    expect(
      (await run(inlineImageUrls, { providers: ['openai'] }, chat('https://a.example/1.png'), { fetch })).json,
    ).toBeDefined()
  })

  test('takes some pictures, and no more', async () => {
    const { asked, fetch } = pictures()
    const urls = Array.from({ length: 60 }, (_, index) => `https://a.example/${index}`)
    const verdict = await run(inlineImageUrls, {}, chat(...urls), { fetch })
    expect(asked.length).toBe(50)
    expect(verdict).toMatchObject({ data: { inlined: 50 } })
  })
})
