import { definePlugin, t } from '#kit'
import { gibberishCheck } from './gibberish/check.ts'
import { languageCheck } from './language/check.ts'
import { piiCheck } from './pii/check.ts'
import { secretsCheck } from './secrets/check.ts'

/** The checks that think by themselves: personal data, secrets, language, gibberish. */
export default definePlugin({
  name: 'gateway-checks',
  config: t.Object({
    presidio: t.Optional(
      t.Object(
        {
          url: t.String({
            pattern: '^https?://[^?#\\s]+[^/?#\\s]$',
            description: 'Base URL, without a trailing slash: `http://presidio:3000`.',
          }),
          language: t.String({
            pattern: '^[a-z]{2}$',
            default: 'en',
            description: 'Language of the texts, in two letters.',
          }),
          scoreThreshold: t.Number({
            minimum: 0,
            maximum: 1,
            default: 0.5,
            description: 'From 0 to 1: what Presidio is less sure of does not count.',
          }),
        },
        {
          description:
            'A Presidio analyzer, which finds names and places for `gateway.pii`: `url`, perhaps `language` and `scoreThreshold`. A private host must stand in `egress.trustedHosts`.',
        },
      ),
    ),
  }),
  setup: ({ presidio }) => ({ checks: [piiCheck(presidio), secretsCheck, languageCheck, gibberishCheck] }),
})
