import { type Static, Type as t } from '@sinclair/typebox'
import { areTooLarge, redactionFault } from '../../calls/pattern/redaction.ts'
import { defined } from '../../core/defined.ts'
import { BODY_POLICIES, BODY_READERS, type KeyLogSettings, type LogSettings } from '../../core/log-settings.ts'
import { invalidField } from '../invalid-field.ts'

const MAX_DAYS = 3650
const days = (what: string) =>
  t.Optional(t.Integer({ minimum: 1, maximum: MAX_DAYS, description: `Days that ${what} are kept.` }))

const bodies = t.Optional(
  t.Union(
    BODY_POLICIES.map((policy) => t.Literal(policy)),
    {
      description:
        'Whether requests and answers are kept: of no call, of those that failed, or of all. `none` of operator, organisation, workspace or key is the last word.',
    },
  ),
)

/** What a key says of records of its calls. */
export const KeyLogs = t.Object(
  { bodies },
  { description: 'What is kept of calls; what is absent is as the workspace says.' },
)

/** What a workspace or an organisation says of records of its calls. */
export const Logs = t.Object(
  {
    bodies,
    retention_days: days('records'),
    body_retention_days: days('requests and answers'),
    redact: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 10,
        uniqueItems: true,
        description: 'Patterns of JavaScript: what fits one is taken out of requests and answers before they are kept.',
      }),
    ),
    metadata_keys: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 10,
        uniqueItems: true,
        description: 'Metadata keys that analytics are often asked by: their sums are kept ready.',
      }),
    ),
    body_readers: t.Optional(
      t.Union(
        BODY_READERS.map((readers) => t.Literal(readers)),
        {
          description:
            'Whom requests and answers are shown to: all of the workspace, or none but the key that made the call.',
        },
      ),
    ),
  },
  { description: 'What is kept of calls; what is absent is as it is said above: organisation, operator.' },
)

/** @throws ManagementInvalid for patterns that cannot be read, or are too large together */
export const toLogSettings = (logs: Static<typeof Logs>): LogSettings => {
  const { redact = [] } = logs
  for (const [index, pattern] of redact.entries()) {
    const fault = redactionFault(pattern)
    if (fault !== undefined) throw invalidField(`logs.redact[${index}]`, `cannot be used: ${fault}`)
  }
  if (areTooLarge(redact)) throw invalidField('logs.redact', 'is too large: its patterns take too many steps together')
  const { retention_days: retentionDays, body_retention_days: bodyRetentionDays } = logs
  if (retentionDays !== undefined && bodyRetentionDays !== undefined && bodyRetentionDays > retentionDays) {
    throw invalidField('logs.body_retention_days', 'must not be longer than `retention_days`')
  }
  return defined({
    bodies: logs.bodies,
    retentionDays,
    bodyRetentionDays,
    redact: logs.redact,
    metadataKeys: logs.metadata_keys,
    bodyReaders: logs.body_readers,
  })
}

export const fromLogSettings = (settings: LogSettings): Static<typeof Logs> =>
  defined({
    bodies: settings.bodies,
    retention_days: settings.retentionDays,
    body_retention_days: settings.bodyRetentionDays,
    redact: settings.redact && [...settings.redact],
    metadata_keys: settings.metadataKeys && [...settings.metadataKeys],
    body_readers: settings.bodyReaders,
  })

export const toKeyLogSettings = ({ bodies: policy }: Static<typeof KeyLogs>): KeyLogSettings =>
  defined({ bodies: policy })
