import { defineCheck, type PreparedCheck, t } from '#kit'
import { checkUrl, contextOf, HEADERS, readHeaders, withoutQuery } from '../shared/context.ts'
import { asError, GRACE_MS, inTime } from '../shared/in-time.ts'

/** In a guardrail that is not `async`, the call waits until the service has answered. */
export const log = defineCheck({
  id: 'default.log',
  summary: 'Sends the call to a service of yours. Always passes.',
  parameters: t.Object({
    logURL: t.String({ minLength: 1 }),
    headers: HEADERS,
    timeout: t.Integer({ minimum: 1, maximum: 50_000, default: 3_000, description: 'Milliseconds.' }),
  }),
  stages: ['input', 'output'],
  needs: ['fetch'],
  prepare({ logURL, headers, timeout }): PreparedCheck {
    checkUrl(logURL, 'logURL')
    const sent = { ...readHeaders(headers), 'content-type': 'application/json' }
    const url = withoutQuery(logURL)
    return {
      deadlineMs: timeout + GRACE_MS,
      async run(input, powers) {
        try {
          const { status } = await inTime(
            powers.fetch(logURL, { method: 'POST', headers: sent, body: contextOf(input) }),
            timeout,
          )
          if (status < 200 || status > 299) throw new Error(`the log answered ${status}`)
          return { verdict: true, data: { explanation: `Sent to ${url}.` } }
        } catch (thrown) {
          return { verdict: true, error: asError(thrown), data: { explanation: `Not sent to ${url}.` } }
        }
      },
    }
  },
})
