import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '../../secrets/secret-box.ts'

/** Links to files of exports: whoever has one may download the file until it expires. */
export interface ExportLinks {
  /** Query of the link: `expires` and `signature`. */
  sign(organisationId: string, exportId: string): Promise<string>
  isGood(organisationId: string, exportId: string, expires: number, signature: string): Promise<boolean>
}

/** Milliseconds that a link is good for. */
export const LINK_MS = 10 * 60 * 1000
const PURPOSE = 'links to log exports'

/** @param now milliseconds since 1970 */
export const createExportLinks = (secretBox: Pick<SecretBox, 'derive'>, now: () => number): ExportLinks => {
  const signatureOf = async (organisationId: string, exportId: string, expires: number): Promise<Buffer> => {
    const { bytes } = await secretBox.derive(organisationId, PURPOSE)
    return createHmac('sha256', bytes)
      .update(JSON.stringify([exportId, expires]))
      .digest()
  }
  return {
    async sign(organisationId, exportId) {
      const expires = Math.floor((now() + LINK_MS) / 1000)
      const signature = await signatureOf(organisationId, exportId, expires)
      return `expires=${expires}&signature=${signature.toString('base64url')}`
    },
    async isGood(organisationId, exportId, expires, signature) {
      if (expires * 1000 <= now()) return false
      const given = Buffer.from(signature, 'base64url')
      const expected = await signatureOf(organisationId, exportId, expires)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
