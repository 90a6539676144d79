import { cleanBody } from '../../../calls/messages/clean-body.ts'
import { maskedHeaders, maskedUrl } from '../../../calls/messages/headers.ts'
import { HeaderList } from '../../../core/header-fields.ts'
import type { BodyRules } from '../../../core/log-settings.ts'
import type { RecordedMessage } from '../../../core/records.ts'
import type { NewLog } from './model.ts'

/** What is kept of the messages of a call that was made elsewhere: by the same rules as for our own. */
export const loggedMessages = (
  { request, response }: NewLog,
  { bodies, redaction }: BodyRules,
): readonly RecordedMessage[] | undefined => {
  const { status = 200 } = response
  if (bodies === 'none' || (bodies === 'failed' && status < 400)) return undefined
  const secrets = new Set<string>()
  const heads = [
    {
      side: 'request' as const,
      url: maskedUrl(request.url),
      method: request.method ?? 'POST',
      headers: headersOf(request.headers, secrets),
    },
    { side: 'answer' as const, status, headers: headersOf(response.headers, secrets) },
  ]
  return heads.map((head): RecordedMessage => {
    const isAnswer = head.side === 'answer'
    const said: unknown = isAnswer ? response.body : request.body
    if (said === null || said === undefined) return head
    const bytes = Buffer.from(typeof said === 'string' ? said : JSON.stringify(said))
    const { body, isTruncated } = cleanBody(bytes, { secrets: [...secrets], isAnswer, redaction })
    return isTruncated ? { ...head, body, truncated: true } : { ...head, body }
  })
}

const headersOf = (fields: NewLog['request']['headers'] = {}, secrets: Set<string>): Record<string, string> => {
  const list = new HeaderList()
  for (const [name, value] of Object.entries(fields)) list.set(name, String(value))
  return maskedHeaders(list, secrets)
}
