import { definePlugin, t } from '#kit'
import { jsonKeys } from './json/json-keys.ts'
import { jsonSchema } from './json/json-schema.ts'
import { jwt } from './jwt/check.ts'
import { inlineImageUrls } from './remote/inline-image-urls.ts'
import { log } from './remote/log.ts'
import { validUrls } from './remote/valid-urls.ts'
import { webhook } from './remote/webhook.ts'
import { addPrefix } from './request/add-prefix.ts'
import { allowedRequestTypes } from './request/allowed-request-types.ts'
import { requiredMetadataKeys } from './request/metadata-keys.ts'
import { requiredMetadataKeyPairs, requiredMetadataKeyValuePairs } from './request/metadata-pairs.ts'
import { modelRules } from './request/model-rules.ts'
import { modelWhitelist, modelwhitelist } from './request/model-whitelist.ts'
import { requestParametersCheck } from './request/request-parameters.ts'
import { contains } from './text/contains.ts'
import { containsCode } from './text/contains-code.ts'
import { characterCount, sentenceCount, wordCount } from './text/counts.ts'
import { endsWith } from './text/ends-with.ts'
import { allLowerCase, allUpperCase, isAllLowerCase } from './text/letter-case.ts'
import { notNull } from './text/not-null.ts'
import { regexMatch } from './text/regex-match.ts'
import { regexReplace } from './text/regex-replace.ts'

/** Checks that need no other service than the ones their parameters name. */
export default definePlugin({
  name: 'default-checks',
  config: t.Object({}),
  setup: () => ({
    checks: [
      regexMatch,
      regexReplace,
      contains,
      sentenceCount,
      wordCount,
      characterCount,
      endsWith,
      allUpperCase,
      isAllLowerCase,
      allLowerCase,
      containsCode,
      notNull,
      jsonSchema,
      jsonKeys,
      modelWhitelist,
      modelwhitelist,
      modelRules,
      allowedRequestTypes,
      requiredMetadataKeys,
      requiredMetadataKeyValuePairs,
      requiredMetadataKeyPairs,
      requestParametersCheck,
      jwt,
      addPrefix,
      validUrls,
      webhook,
      log,
      inlineImageUrls,
    ],
  }),
})
