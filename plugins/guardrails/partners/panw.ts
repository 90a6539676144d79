import { defineCheck, defined, t } from '#kit'
import { askPartner, baseOf, joined, partnerParameters, pick, unreadable } from './partner.ts'

const PARTNER = 'Prisma AIRS'

/** Hosts by regions. Others are reached by `custom_host`. */
const HOSTS = {
  us: 'https://service.api.aisecurity.paloaltonetworks.com',
  de: 'https://service-de.api.aisecurity.paloaltonetworks.com',
} as const

const isRegion = (region: string): region is keyof typeof HOSTS => Object.hasOwn(HOSTS, region)

export const panwAccount = {
  id: 'panw-prisma-airs',
  settings: {
    panw_region: t.Union([t.Literal('us'), t.Literal('de')], { description: 'Region of the account. Default: us.' }),
  },
  hostSettings: ['panw_region'],
}

/**
 * Runtime security of Palo Alto Networks. Source: "Send a Synchronous Scan Request" of the API of Prisma AIRS
 * (pan.dev/prisma-airs/scan/api, openapi-specs/prisma-airs/scan/ScanService.yaml, read 2026-11-23).
 */
export const intercept = defineCheck({
  id: 'panw-prisma-airs.intercept',
  summary: 'Passes when a security profile of Prisma AIRS allows the text.',
  parameters: t.Object({
    profile_name: t.String({ minLength: 1, maxLength: 256, description: 'Name of the security profile.' }),
    ai_model: t.Optional(t.String({ maxLength: 256, description: 'Model that is told. Default: that of the call.' })),
    app_user: t.Optional(
      t.String({ maxLength: 256, description: 'User that is told. Default: `_user` of the metadata.' }),
    ),
    ...partnerParameters(),
  }),
  stages: ['input', 'output'],
  needs: ['fetch', 'credentials'],
  prepare: ({ profile_name, ai_model, app_user, credentials, timeout }) => ({
    deadlineMs: timeout,
    async run({ stage, texts, model, metadata, traceId }, powers) {
      const account = await powers.credentials(['panw-prisma-airs'], credentials)
      const { panw_region: region = 'us' } = account.settings
      if (!isRegion(region)) throw new Error(`'${region}' is no region of ${PARTNER}: set panw_region to us or de.`)
      const answer = await askPartner(powers, {
        partner: PARTNER,
        url: `${baseOf(account, HOSTS[region])}/v1/scan/sync/request`,
        headers: { ...account.headers, 'x-pan-token': account.apiKey },
        body: defined({
          tr_id: traceId,
          ai_profile: { profile_name },
          metadata: defined({ ai_model: ai_model ?? model, app_user: app_user ?? metadata._user }),
          contents: [{ [stage === 'input' ? 'prompt' : 'response']: joined(texts) }],
        }),
      })
      if (typeof answer.action !== 'string') throw unreadable(PARTNER, 'no action')
      return {
        verdict: answer.action === 'allow',
        data: pick(answer, ['action', 'category', 'scan_id', 'report_id', 'prompt_detected', 'response_detected']),
      }
    },
  }),
})
