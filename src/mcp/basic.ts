/** Shows a client and its secret by HTTP Basic (RFC 6749, section 2.3.1). */
export const basicOf = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from([clientId, secret].map(encodeURIComponent).join(':')).toString('base64')}`
