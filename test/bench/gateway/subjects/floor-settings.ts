const { UPSTREAM = '', PORT = '0' } = process.env

/** Where a floor listens, and the base URL it sends to. */
export const FLOOR = {
  port: Number(PORT),
  upstream: UPSTREAM,
  headers: { 'content-type': 'application/json', authorization: 'Bearer of-the-provider' },
}
