/** Clients in a process of their own: ask for so many streams, some at a time, and read them. Prints the bytes. */
const [url = '', key = '', count = '', atOnce = ''] = process.argv.slice(2)

let left = Number(count)
let bytes = 0

const ask = async (): Promise<void> => {
  while (left-- > 0) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gateway-api-key': key,
        'x-gateway-provider': 'anthropic',
        'x-api-key': 'provider-key',
      },
      body: JSON.stringify({
        model: 'claude',
        stream: true,
        max_tokens: 9,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    })
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
    for await (const piece of response.body ?? []) bytes += piece.length
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, ask))
console.log(bytes)

export {}
