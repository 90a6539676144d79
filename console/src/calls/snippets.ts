/** How clients are told where the gateway is. */
export interface Snippet {
  readonly title: string
  readonly text: string
}

/** @param url of the gateway. @param key that is filled in, where there is one */
export const snippetsFor = (url: string, key = '$WEIR_API_KEY'): readonly Snippet[] => {
  const quoted = key.startsWith('$') ? undefined : `'${key}'`
  const inPython = quoted ?? 'os.environ["WEIR_API_KEY"]'
  const inNode = quoted ?? 'process.env.WEIR_API_KEY'
  return [
    {
      title: 'curl',
      text: `curl ${url}/v1/chat/completions \\
  -H "authorization: Bearer ${key}" -H "x-gateway-provider: mock" \\
  -H "content-type: application/json" \\
  -d '{"model":"mock","messages":[{"role":"user","content":"Hello"}]}'`,
    },
    {
      title: 'OpenAI, Python',
      text: `import os
from openai import OpenAI

client = OpenAI(
    base_url="${url}/v1",
    api_key=${inPython},
    default_headers={"x-gateway-provider": "mock"},
)
reply = client.chat.completions.create(model="mock", messages=[{"role": "user", "content": "Hello"}])
print(reply.choices[0].message.content)`,
    },
    {
      title: 'OpenAI, Node',
      text: `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${url}/v1',
  apiKey: ${inNode},
  defaultHeaders: { 'x-gateway-provider': 'mock' },
})
const reply = await client.chat.completions.create({
  model: 'mock',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.choices[0]?.message.content)`,
    },
    {
      title: 'Anthropic',
      text: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${url}',
  apiKey: ${inNode},
  defaultHeaders: { 'x-gateway-provider': 'mock' },
})
const reply = await client.messages.create({
  model: 'mock',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.content)`,
    },
    {
      title: 'AI SDK',
      text: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const weir = createOpenAICompatible({
  name: 'weir',
  baseURL: '${url}/v1',
  apiKey: ${inNode},
  headers: { 'x-gateway-provider': 'mock' },
})
const { text } = await generateText({ model: weir('mock'), prompt: 'Hello' })
console.log(text)`,
    },
  ]
}
