/** What a browser does with addresses and cookies, and no more. */
export interface Browser {
  /** One request, with the cookies of its host and port; those of the answer are kept. */
  send(url: string, init?: RequestInit): Promise<Response>
  /** Follows redirects as long as they do not lead to where `stop` says. @returns the last answer, and where it came from */
  go(url: string, stop?: (url: URL) => boolean): Promise<{ readonly url: URL; readonly response: Response | undefined }>
  /** Cookies of an origin, as they were set. */
  cookies(origin: string): ReadonlyMap<string, string>
}

const MAX_STEPS = 12

export const openBrowser = (address: string = crypto.randomUUID()): Browser => {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string): Map<string, string> => jars.getOrInsertComputed(origin, () => new Map())

  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(url)
    const jar = jarOf(origin)
    const headers = new Headers(init.headers)
    const pairs = [...jar].map(([name, value]) => `${name}=${value}`)
    if (pairs.length > 0) headers.set('cookie', pairs.join('; '))
    // Where the gateways of the tests take the address of a client from.
    headers.set('x-test-address', address)
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || /max-age=0/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  return {
    send,
    cookies: (origin) => jarOf(origin),
    async go(start, stop = () => false) {
      let url = new URL(start)
      for (let step = 0; step < MAX_STEPS; step++) {
        if (stop(url)) return { url, response: undefined }
        const response = await send(url.href, { headers: { accept: 'text/html,application/xhtml+xml' } })
        const location = response.headers.get('location')
        if (location === null) return { url, response }
        await response.body?.cancel()
        url = new URL(location, url)
      }
      throw new Error(`more than ${MAX_STEPS} redirects, the last to ${url}`)
    },
  }
}
