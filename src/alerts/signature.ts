/** Signatures of webhooks as Standard Webhooks has them (standardwebhooks.com, version 1): receivers have libraries for it. */

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A secret that nobody has: `whsec_` and base64. */
export const newWebhookSecret = (): string =>
  `${PREFIX}${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')}`

/** Whether a text can be a secret: 24 to 64 bytes in base64, behind its prefix. */
export const isWebhookSecret = (text: string): boolean => {
  const bytes = bytesOf(text)
  return text.startsWith(PREFIX) && bytes.length >= 24 && bytes.length <= 64 && secretOf(bytes) === text
}

const secretOf = (bytes: Buffer): string => `${PREFIX}${bytes.toString('base64')}`
const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

/**
 * Headers that prove where a message is from, and when it was sent.
 * @param id of the message: the same for each attempt
 */
export const signedHeaders = (secret: string, id: string, nowMs: number, body: string): Record<string, string> => {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = new Bun.CryptoHasher('sha256', bytesOf(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
