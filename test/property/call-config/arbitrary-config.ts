import fc from 'fast-check'
import { THEN } from '../../../src/calls/config/fields.ts'

type Fields = Record<string, unknown>

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

/** The fields that were given a value. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const word = fc.stringMatching(/^[a-z][a-zA-Z_]{0,5}$/)
/** Keys in both spellings: those inside parameters must stay as they are. */
const params = fc.dictionary(
  word,
  fc.oneof(fc.integer(), fc.string(), fc.dictionary(word, fc.boolean(), { maxKeys: 2 })),
  {
    maxKeys: 3,
  },
)
const codes = fc.array(fc.integer({ min: 100, max: 599 }), { maxLength: 3 })

const action = fc.record({ feedback: fc.record({ value: fc.integer({ min: -10, max: 10 }), metadata: fc.string() }) })

const hooks = fc.array(
  fc
    .record({
      id: fc.constant('h'),
      deny: some(fc.boolean()),
      stream_mode: some(fc.constantFrom('after', 'window', 'buffer')),
      soft_deny_200: some(fc.boolean()),
      on_fail: some(action),
      on_success: some(action),
      checks: fc.array(fc.record({ id: fc.constant('c'), is_enabled: fc.boolean(), parameters: params }), {
        minLength: 1,
        maxLength: 2,
      }),
    })
    .map(present),
  { maxLength: 2 },
)

/** All that a node may have besides its targets and their strategy. */
const ownFields: fc.Arbitrary<Fields> = fc
  .record({
    weight: some(fc.double({ min: 0.1, max: 10, noNaN: true })),
    provider: some(fc.constantFrom('openai', 'anthropic', '@team')),
    virtual_key: some(fc.constantFrom('team', 'other')),
    api_key: some(fc.constantFrom('sk-1', 'sk-2')),
    prompt_id: some(fc.constant('pp-1')),
    custom_host: some(fc.constant('https://host.example')),
    forward_headers: some(fc.constant(['x-a'])),
    request_timeout: some(fc.integer({ min: 1, max: 90_000_000 })),
    first_token_timeout: some(fc.integer({ min: 1, max: 1000 })),
    retry: some(
      fc
        .record({
          attempts: fc.integer({ min: 0, max: 9 }),
          on_status_codes: some(codes),
          use_retry_after_header: some(fc.boolean()),
        })
        .map(present),
    ),
    cache: some(
      fc.oneof(
        fc.constantFrom<unknown>('simple', 'semantic'),
        fc.record({ mode: fc.constantFrom('simple', 'semantic'), max_age: some(fc.integer()) }).map(present),
      ),
    ),
    override_params: some(params),
    default_params: some(params),
    drop_params: some(fc.constant(['a.b[*].cD'])),
    strict_open_ai_compliance: some(fc.boolean()),
    fetch_integrated_models: some(fc.boolean()),
    passthrough: some(fc.boolean()),
    input_guardrails: some(fc.constant(['g', { 'default.wordCount': { maxWords: 1 }, soft_deny_200: true }])),
    before_request_hooks: some(hooks),
    output_mutators: some(hooks),
    azure_resource_name: some(fc.constant('res')),
    aws_s3_bucket: some(fc.constant('b')),
  })
  .map(present)

const breaker = fc
  .record({
    failure_threshold: fc.integer({ min: 1, max: 9 }),
    minimum_requests: some(fc.integer({ min: 1, max: 9 })),
    cooldown_interval: some(fc.integer({ min: 30_000, max: 60_000 })),
    failure_status_codes: some(codes),
  })
  .map(present)

const strategy = (mode: string, targets: number): fc.Arbitrary<Fields> =>
  fc
    .record({
      mode: fc.constant(mode),
      on_status_codes: some(codes),
      cb_config: some(breaker),
      stream_recovery: some(fc.constantFrom('error', 'restart', 'continue')),
      on_content_refusal: some(fc.boolean()),
      sticky: some(fc.constant({ enabled: true, hash_fields: ['metadata.userId'], ttl: 60 })),
      ...(mode === 'conditional'
        ? {
            conditions: fc.array(
              fc.record({ query: fc.constant({ 'metadata.someKey': { $in: ['a'] } }), [THEN]: name(targets) }),
              { minLength: 1, maxLength: 3 },
            ),
            default: name(targets),
          }
        : {}),
    })
    .map(present)

const name = (targets: number): fc.Arbitrary<string> => fc.nat(targets - 1).map((index) => `t-${index}`)

const node = (depth: number): fc.Arbitrary<Fields> => {
  const leaf = ownFields
  if (depth === 0) return leaf
  const branch = fc
    .tuple(
      ownFields,
      fc.constantFrom('single', 'fallback', 'loadbalance', 'conditional'),
      fc.array(node(depth - 1), { minLength: 1, maxLength: 3 }),
    )
    .chain(([fields, mode, targets]) =>
      strategy(mode, targets.length).map((chosen) => ({
        ...fields,
        strategy: chosen,
        targets: targets.map((target, index) => ({ ...target, name: `t-${index}` })),
      })),
    )
  return fc.oneof(leaf, branch)
}

/** Valid configs of version 2.0, keys in snake_case. */
export const validConfig: fc.Arbitrary<Fields> = node(2).map((fields) => ({ request_timeout: 1, ...fields }))
