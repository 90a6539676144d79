/** Written by `bun run console:types`. */
import type { KnownCheck } from './known-check.ts'

export const KNOWN_CHECKS: readonly KnownCheck[] = [
  {
    "id": "default.regexMatch",
    "summary": "Passes when a pattern matches in a text; with `not`, when it matches in none.",
    "fields": [
      {
        "name": "rule",
        "isRequired": true,
        "kind": "text",
        "description": "JavaScript's syntax, without look-around and references to groups."
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.regexReplace",
    "summary": "Writes a text in the place of each match of a pattern. Passes, unless matches shall fail.",
    "fields": [
      {
        "name": "rule",
        "isRequired": true,
        "kind": "text",
        "description": "A pattern, or `/pattern/flags`. Every match is replaced."
      },
      {
        "name": "redactText",
        "isRequired": false,
        "kind": "text"
      },
      {
        "name": "failOnDetection",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.contains",
    "summary": "Passes when any, all or none of some words stand in the texts.",
    "fields": [
      {
        "name": "words",
        "isRequired": true,
        "kind": "lines",
        "description": "Upper and lower case count."
      },
      {
        "name": "operator",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "any",
          "all",
          "none"
        ]
      }
    ]
  },
  {
    "id": "default.sentenceCount",
    "summary": "Passes when the texts together have as many sentences as they should.",
    "fields": [
      {
        "name": "minSentences",
        "isRequired": false,
        "kind": "number"
      },
      {
        "name": "maxSentences",
        "isRequired": false,
        "kind": "number"
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.wordCount",
    "summary": "Passes when the texts together have as many words as they should.",
    "fields": [
      {
        "name": "minWords",
        "isRequired": false,
        "kind": "number"
      },
      {
        "name": "maxWords",
        "isRequired": false,
        "kind": "number"
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.characterCount",
    "summary": "Passes when the texts together have as many characters as they should.",
    "fields": [
      {
        "name": "minCharacters",
        "isRequired": false,
        "kind": "number"
      },
      {
        "name": "maxCharacters",
        "isRequired": false,
        "kind": "number"
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.endsWith",
    "summary": "Passes when the texts end with a suffix, or with the suffix and a full stop.",
    "fields": [
      {
        "name": "suffix",
        "isRequired": true,
        "kind": "text"
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.alluppercase",
    "summary": "Passes when all letters of the texts are upper case.",
    "fields": [
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.isAllLowerCase",
    "summary": "Passes when all letters of the texts are lower case.",
    "fields": [
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.alllowercase",
    "summary": "Passes when all letters of the texts are lower case.",
    "fields": [
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.containsCode",
    "summary": "Passes when a code block of a format stands in a text; with `not`, when there is none.",
    "fields": [
      {
        "name": "format",
        "isRequired": true,
        "kind": "choice",
        "choices": [
          "SQL",
          "Python",
          "TypeScript",
          "JavaScript",
          "Java",
          "C#",
          "C++",
          "C",
          "Ruby",
          "PHP",
          "Swift",
          "Kotlin",
          "Go",
          "Rust",
          "Scala",
          "R",
          "Perl",
          "Shell",
          "HTML",
          "CSS",
          "XML",
          "JSON",
          "YAML",
          "Markdown",
          "Dockerfile"
        ],
        "description": "The language behind the fence of the block, under any of its usual names."
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.notNull",
    "summary": "Passes when there is any text besides blanks.",
    "fields": [
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.jsonSchema",
    "summary": "Passes when JSON in a text fits a schema; with `not`, when there is some and none of it fits.",
    "fields": [
      {
        "name": "schema",
        "isRequired": true,
        "kind": "json"
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.jsonKeys",
    "summary": "Passes when an object of JSON in a text has any, all or none of some keys.",
    "fields": [
      {
        "name": "keys",
        "isRequired": true,
        "kind": "lines"
      },
      {
        "name": "operator",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "any",
          "all",
          "none"
        ]
      }
    ]
  },
  {
    "id": "default.modelWhitelist",
    "summary": "Passes when the model is one of a list; with `not`, when it is none of them.",
    "fields": [
      {
        "name": "models",
        "isRequired": true,
        "kind": "lines"
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.modelwhitelist",
    "summary": "Passes when the model is one of a list; with `not`, when it is none of them.",
    "fields": [
      {
        "name": "models",
        "isRequired": true,
        "kind": "lines"
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.modelRules",
    "summary": "Passes when the model is one of those that the metadata of the call allow.",
    "fields": [
      {
        "name": "rules",
        "isRequired": true,
        "kind": "json"
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.allowedRequestTypes",
    "summary": "Passes when the kind of the call is allowed, and is not blocked.",
    "fields": [
      {
        "name": "allowedTypes",
        "isRequired": false,
        "kind": "json"
      },
      {
        "name": "blockedTypes",
        "isRequired": false,
        "kind": "json"
      }
    ]
  },
  {
    "id": "default.requiredMetadataKeys",
    "summary": "Passes when the metadata of the call have all, any or none of some keys.",
    "fields": [
      {
        "name": "metadataKeys",
        "isRequired": true,
        "kind": "lines"
      },
      {
        "name": "operator",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "any",
          "all",
          "none"
        ]
      }
    ]
  },
  {
    "id": "default.requiredMetadataKeyValuePairs",
    "summary": "Passes when the metadata of the call have all, any or none of some values.",
    "fields": [
      {
        "name": "metadataPairs",
        "isRequired": true,
        "kind": "json"
      },
      {
        "name": "operator",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "any",
          "all",
          "none"
        ]
      },
      {
        "name": "matchType",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "exact",
          "contains",
          "containsAll",
          "regex"
        ]
      }
    ]
  },
  {
    "id": "default.requiredMetadataKeyPairs",
    "summary": "Passes when the metadata of the call have all, any or none of some values.",
    "fields": [
      {
        "name": "metadataPairs",
        "isRequired": true,
        "kind": "json"
      },
      {
        "name": "operator",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "any",
          "all",
          "none"
        ]
      },
      {
        "name": "matchType",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "exact",
          "contains",
          "containsAll",
          "regex"
        ]
      }
    ]
  },
  {
    "id": "default.requestParametersCheck",
    "summary": "Passes when tools, parameters and their values are allowed, and none is blocked.",
    "fields": [
      {
        "name": "tools",
        "isRequired": false,
        "kind": "json"
      },
      {
        "name": "params",
        "isRequired": false,
        "kind": "json"
      }
    ]
  },
  {
    "id": "default.jwt",
    "summary": "Passes when the call brings a token that is signed by a known key, is still valid and says what it must.",
    "fields": [
      {
        "name": "jwksUri",
        "isRequired": false,
        "kind": "text",
        "description": "Where the public keys stand."
      },
      {
        "name": "jwks",
        "isRequired": false,
        "kind": "json"
      },
      {
        "name": "introspectEndpoint",
        "isRequired": false,
        "kind": "text",
        "description": "Asked about each token (RFC 7662)."
      },
      {
        "name": "introspectContentType",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "application/x-www-form-urlencoded",
          "application/json"
        ]
      },
      {
        "name": "introspectCacheMaxAge",
        "isRequired": false,
        "kind": "number",
        "description": "Seconds."
      },
      {
        "name": "headerKey",
        "isRequired": false,
        "kind": "text"
      },
      {
        "name": "cacheMaxAge",
        "isRequired": false,
        "kind": "number",
        "description": "Seconds."
      },
      {
        "name": "clockTolerance",
        "isRequired": false,
        "kind": "number",
        "description": "Seconds."
      },
      {
        "name": "maxTokenAge",
        "isRequired": false,
        "kind": "text",
        "description": "Such as 30m, 12h, 1d."
      },
      {
        "name": "algorithms",
        "isRequired": false,
        "kind": "lines"
      },
      {
        "name": "requiredClaims",
        "isRequired": false,
        "kind": "lines"
      },
      {
        "name": "claimValues",
        "isRequired": false,
        "kind": "json"
      },
      {
        "name": "headerPayloadMatch",
        "isRequired": false,
        "kind": "lines"
      },
      {
        "name": "extractClaims",
        "isRequired": false,
        "kind": "lines"
      },
      {
        "name": "claimPrefix",
        "isRequired": false,
        "kind": "text"
      }
    ]
  },
  {
    "id": "default.addPrefix",
    "summary": "Writes a text in front of the first message of a role. Always passes.",
    "fields": [
      {
        "name": "prefix",
        "isRequired": true,
        "kind": "text"
      },
      {
        "name": "applyToRole",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "user",
          "system",
          "assistant"
        ]
      },
      {
        "name": "addToExisting",
        "isRequired": false,
        "kind": "flag",
        "description": "False: as a message of its own, before the first one."
      },
      {
        "name": "onlyIfEmpty",
        "isRequired": false,
        "kind": "flag",
        "description": "Only where that message says nothing."
      }
    ]
  },
  {
    "id": "default.validUrls",
    "summary": "Passes when there are URLs in the texts, and all of them lead somewhere.",
    "fields": [
      {
        "name": "onlyDNS",
        "isRequired": false,
        "kind": "flag",
        "description": "Only names are looked up; nothing is asked of the servers."
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.webhook",
    "summary": "Passes when a service of yours says so. It may change what is asked or answered.",
    "fields": [
      {
        "name": "webhookURL",
        "isRequired": true,
        "kind": "text"
      },
      {
        "name": "headers",
        "isRequired": false,
        "kind": "json"
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds."
      },
      {
        "name": "failOnError",
        "isRequired": false,
        "kind": "flag"
      },
      {
        "name": "forwardHeaders",
        "isRequired": false,
        "kind": "lines"
      },
      {
        "name": "executeOnProxy",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "default.log",
    "summary": "Sends the call to a service of yours. Always passes.",
    "fields": [
      {
        "name": "logURL",
        "isRequired": true,
        "kind": "text"
      },
      {
        "name": "headers",
        "isRequired": false,
        "kind": "json"
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds."
      }
    ]
  },
  {
    "id": "default.inlineImageUrls",
    "summary": "Puts pictures in the place of their URLs, for providers that cannot reach them. Passes, unless errors shall fail.",
    "fields": [
      {
        "name": "providers",
        "isRequired": false,
        "kind": "lines",
        "description": "Ids of providers. Absent: all."
      },
      {
        "name": "maxSizeBytes",
        "isRequired": false,
        "kind": "number"
      },
      {
        "name": "timeoutMs",
        "isRequired": false,
        "kind": "number"
      },
      {
        "name": "failOnError",
        "isRequired": false,
        "kind": "flag"
      }
    ]
  },
  {
    "id": "gateway.pii",
    "summary": "Passes unless a text holds personal data; with `redact` it replaces them and passes.",
    "fields": [
      {
        "name": "categories",
        "isRequired": true,
        "kind": "lines",
        "description": "What is looked for."
      },
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Replace what is found, and pass."
      },
      {
        "name": "phoneRegions",
        "isRequired": false,
        "kind": "lines",
        "description": "Countries (ISO 3166) whose phone numbers are found as people write them at home, without `+` and country."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds the check may take. When they are over, the call goes on."
      }
    ]
  },
  {
    "id": "gateway.secrets",
    "summary": "Passes unless a text holds a key, a token or a password; with `redact` it replaces them and passes.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Replace what is found, and pass."
      },
      {
        "name": "ignore",
        "isRequired": false,
        "kind": "lines",
        "description": "Kinds that may pass."
      },
      {
        "name": "allowed",
        "isRequired": false,
        "kind": "lines",
        "description": "What holds one of these texts may pass: `sk_test_`, or a whole key."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds the check may take. When they are over, the call goes on."
      }
    ]
  },
  {
    "id": "gateway.language",
    "summary": "Passes when every text is in one of the languages, or is too short to tell; with `not`, when none is.",
    "fields": [
      {
        "name": "language",
        "isRequired": true,
        "kind": "json",
        "description": "Languages that are meant: one, or a list."
      },
      {
        "name": "not",
        "isRequired": false,
        "kind": "flag",
        "description": "The languages are those that may not be."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds the check may take. When they are over, the call goes on."
      }
    ]
  },
  {
    "id": "gateway.gibberish",
    "summary": "Passes unless a text is keys pressed at random. Code, numbers, short texts and other scripts pass.",
    "fields": [
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds the check may take. When they are over, the call goes on."
      }
    ]
  },
  {
    "id": "gateway.moderateContent",
    "summary": "Passes unless a moderation model flags one of the categories.",
    "fields": [
      {
        "name": "categories",
        "isRequired": true,
        "kind": "lines",
        "description": "What a text may not be."
      },
      {
        "name": "provider",
        "isRequired": false,
        "kind": "text",
        "description": "Who is asked: `@slug` of a stored provider of the workspace, or the id of a running one."
      },
      {
        "name": "model",
        "isRequired": false,
        "kind": "text",
        "description": "Model that is asked."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds the check may take."
      },
      {
        "name": "failOnError",
        "isRequired": false,
        "kind": "flag",
        "description": "A text that could not be judged counts as refused."
      }
    ]
  },
  {
    "id": "gateway.promptInjection",
    "summary": "Passes unless a text tries to turn the model against its instructions.",
    "fields": [
      {
        "name": "provider",
        "isRequired": false,
        "kind": "text",
        "description": "Who is asked: `@slug` of a stored provider of the workspace, or the id of a running one."
      },
      {
        "name": "model",
        "isRequired": false,
        "kind": "text",
        "description": "Model that is asked."
      },
      {
        "name": "instructions",
        "isRequired": false,
        "kind": "text",
        "description": "What else counts as an attack, in plain words."
      },
      {
        "name": "threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Refused is what the model gives this score, or a higher one."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds the check may take."
      },
      {
        "name": "failOnError",
        "isRequired": false,
        "kind": "flag",
        "description": "A text that could not be judged counts as refused."
      }
    ]
  },
  {
    "id": "gateway.judge",
    "summary": "Passes unless a model finds that a text is what the instructions describe.",
    "fields": [
      {
        "name": "instructions",
        "isRequired": true,
        "kind": "text",
        "description": "What a text must not be, in plain words: `it gives medical advice`."
      },
      {
        "name": "provider",
        "isRequired": true,
        "kind": "text",
        "description": "Who is asked: `@slug` of a stored provider of the workspace, or the id of a running one."
      },
      {
        "name": "model",
        "isRequired": true,
        "kind": "text",
        "description": "Model that is asked."
      },
      {
        "name": "threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Refused is what the model gives this score, or a higher one."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds the check may take."
      },
      {
        "name": "failOnError",
        "isRequired": false,
        "kind": "flag",
        "description": "A text that could not be judged counts as refused."
      }
    ]
  },
  {
    "id": "bedrock.guard",
    "summary": "Passes unless a guardrail of Amazon Bedrock intervenes.",
    "fields": [
      {
        "name": "guardrailId",
        "isRequired": true,
        "kind": "text",
        "description": "Id or ARN of the guardrail."
      },
      {
        "name": "guardrailVersion",
        "isRequired": true,
        "kind": "text",
        "description": "Its version, or DRAFT."
      },
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "What is found is masked, and the text passes."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "azure.contentSafety",
    "summary": "Passes when Azure finds no category as severe as the threshold, and nothing of the blocklists.",
    "fields": [
      {
        "name": "blocklistNames",
        "isRequired": false,
        "kind": "lines",
        "description": "Blocklists of the resource that may not match."
      },
      {
        "name": "apiVersion",
        "isRequired": false,
        "kind": "text",
        "description": "Version of the API."
      },
      {
        "name": "severity",
        "isRequired": false,
        "kind": "number",
        "description": "Lowest severity that is refused."
      },
      {
        "name": "categories",
        "isRequired": false,
        "kind": "lines",
        "description": "Categories that are looked for."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "azure.pii",
    "summary": "Passes when Azure finds no personal data.",
    "fields": [
      {
        "name": "domain",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "none",
          "phi"
        ],
        "description": "`phi`: only what is about health."
      },
      {
        "name": "apiVersion",
        "isRequired": false,
        "kind": "text",
        "description": "Version of the API."
      },
      {
        "name": "modelVersion",
        "isRequired": false,
        "kind": "text",
        "description": "Version of the model."
      },
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "What is found is masked, and the text passes."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "mistral.moderateContent",
    "summary": "Passes when the moderation of Mistral flags none of the categories.",
    "fields": [
      {
        "name": "categories",
        "isRequired": true,
        "kind": "lines",
        "description": "Categories of which none may be flagged."
      },
      {
        "name": "model",
        "isRequired": false,
        "kind": "text",
        "description": "Model that judges."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "openai.moderateContent",
    "summary": "Passes when the moderation of OpenAI flags none of the categories.",
    "fields": [
      {
        "name": "categories",
        "isRequired": false,
        "kind": "lines",
        "description": "Categories of which none may be flagged."
      },
      {
        "name": "model",
        "isRequired": false,
        "kind": "text",
        "description": "Model that judges."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "panw-prisma-airs.intercept",
    "summary": "Passes when a security profile of Prisma AIRS allows the text.",
    "fields": [
      {
        "name": "profile_name",
        "isRequired": true,
        "kind": "text",
        "description": "Name of the security profile."
      },
      {
        "name": "ai_model",
        "isRequired": false,
        "kind": "text",
        "description": "Model that is told. Default: that of the call."
      },
      {
        "name": "app_user",
        "isRequired": false,
        "kind": "text",
        "description": "User that is told. Default: `_user` of the metadata."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "lasso.classify",
    "summary": "Passes unless a deputy of Lasso wants the text blocked.",
    "fields": [
      {
        "name": "conversationId",
        "isRequired": false,
        "kind": "text",
        "description": "Conversation, in the console of Lasso."
      },
      {
        "name": "userId",
        "isRequired": false,
        "kind": "text",
        "description": "User, in the console of Lasso."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "pillar.scanPrompt",
    "summary": "Passes when no scanner of Pillar finds anything in the prompt.",
    "fields": [
      {
        "name": "scanners",
        "isRequired": true,
        "kind": "lines",
        "description": "Scanners of which none may find anything."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "pillar.scanResponse",
    "summary": "Passes when no scanner of Pillar finds anything in the answer.",
    "fields": [
      {
        "name": "scanners",
        "isRequired": true,
        "kind": "lines",
        "description": "Scanners of which none may find anything."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.phi",
    "summary": "Passes when Patronus finds nothing about the health of a person in the answer.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "What is found is masked, and the text passes."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.pii",
    "summary": "Passes when Patronus finds no personal data in the answer.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "What is found is masked, and the text passes."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.isConcise",
    "summary": "Passes when Patronus finds the answer concise.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.isHelpful",
    "summary": "Passes when Patronus finds the answer helpful.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.isPolite",
    "summary": "Passes when Patronus finds the answer polite.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.noApologies",
    "summary": "Passes when Patronus finds no apology in the answer.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.noGenderBias",
    "summary": "Passes when Patronus finds no gender bias in the answer.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.noRacialBias",
    "summary": "Passes when Patronus finds no racial bias in the answer.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.retrievalAnswerRelevance",
    "summary": "Passes when Patronus finds that the answer is about the question.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.toxicity",
    "summary": "Passes when Patronus finds nothing toxic in the answer.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "patronus.custom",
    "summary": "Passes when the answer meets criteria of your own at Patronus.",
    "fields": [
      {
        "name": "profile",
        "isRequired": true,
        "kind": "text",
        "description": "Name of the criteria: `patronus:is-concise`."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "aporia.validateProject",
    "summary": "Passes when the policies of a project of Aporia let the text through as it is.",
    "fields": [
      {
        "name": "projectID",
        "isRequired": true,
        "kind": "text",
        "description": "Id of the project."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "acuvity.scan",
    "summary": "Passes when no detector of Acuvity that is switched on finds anything.",
    "fields": [
      {
        "name": "prompt_injection",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether prompt injection is looked for."
      },
      {
        "name": "prompt_injection_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Score of prompt injection from which on it is refused."
      },
      {
        "name": "toxic",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether toxic language is looked for."
      },
      {
        "name": "toxic_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Score of toxic language from which on it is refused."
      },
      {
        "name": "jail_break",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether a jailbreak is looked for."
      },
      {
        "name": "jail_break_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Score of a jailbreak from which on it is refused."
      },
      {
        "name": "malicious_url",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether a malicious URL is looked for."
      },
      {
        "name": "malicious_url_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Score of a malicious URL from which on it is refused."
      },
      {
        "name": "biased",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether bias is looked for."
      },
      {
        "name": "biased_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Score of bias from which on it is refused."
      },
      {
        "name": "harmful",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether harmful content is looked for."
      },
      {
        "name": "harmful_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Score of harmful content from which on it is refused."
      },
      {
        "name": "language",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether another language is looked for."
      },
      {
        "name": "language_values",
        "isRequired": false,
        "kind": "choice",
        "choices": [
          "english",
          "chinese",
          "spanish",
          "french",
          "german",
          "japanese",
          "gibberish"
        ],
        "description": "Language that the texts must have."
      },
      {
        "name": "pii",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether personal data is looked for."
      },
      {
        "name": "pii_redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Personal data are masked, and the text passes."
      },
      {
        "name": "pii_categories",
        "isRequired": false,
        "kind": "lines",
        "description": "Kinds of personal data."
      },
      {
        "name": "secrets",
        "isRequired": false,
        "kind": "flag",
        "description": "Whether a secret is looked for."
      },
      {
        "name": "secrets_redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Secrets are masked, and the text passes."
      },
      {
        "name": "secrets_categories",
        "isRequired": false,
        "kind": "lines",
        "description": "Kinds of secrets."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "promptfoo.guard",
    "summary": "Passes when Promptfoo finds no prompt injection and no jailbreak.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "promptfoo.pii",
    "summary": "Passes when Promptfoo finds nothing that names or describes a person.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "What is found is masked, and the text passes."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "promptfoo.harm",
    "summary": "Passes when Promptfoo finds nothing harmful.",
    "fields": [
      {
        "name": "redact",
        "isRequired": false,
        "kind": "flag",
        "description": "Without effect: there is nothing to mask."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  },
  {
    "id": "sydelabs.sydeguard",
    "summary": "Passes when SydeGuard scores prompt injection, toxicity and evasion no higher than the thresholds.",
    "fields": [
      {
        "name": "prompt_injection_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Highest score of prompt injection that passes."
      },
      {
        "name": "toxicity_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Highest score of toxicity that passes."
      },
      {
        "name": "evasion_threshold",
        "isRequired": false,
        "kind": "number",
        "description": "Highest score of evasion that passes."
      },
      {
        "name": "credentials",
        "isRequired": false,
        "kind": "text",
        "description": "Slug of the stored provider that is the account. Needed where the workspace has several."
      },
      {
        "name": "timeout",
        "isRequired": false,
        "kind": "number",
        "description": "Milliseconds that the partner may take."
      }
    ]
  }
]
