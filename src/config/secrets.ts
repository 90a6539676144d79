import { type Static, Type as t } from '@sinclair/typebox'

/** What secret references may read of the machine that Weir runs on. */
export const SecretsSettings = t.Object(
  {
    environment: t.Array(t.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*\\*?$' }), {
      default: [],
      description:
        "Variables that references of the manager `environment` may name: `OPENAI_KEY`, or `PROVIDER_*` for all that begin so. Weir's own are never given.",
    }),
    folders: t.Array(t.String({ minLength: 1 }), {
      default: [],
      description: 'Folders whose files references of the manager `file` may name, such as `/run/secrets`.',
    }),
    machineLogin: t.Boolean({
      default: true,
      description:
        'Whether references may log in at a manager with the identity of this machine: roles of AWS, managed identities of Azure, service accounts of Kubernetes.',
    }),
  },
  {
    default: {},
    additionalProperties: false,
    description: 'What secret references may use of this machine: see [secret-references.md](secret-references.md).',
  },
)

export type SecretsConfig = Readonly<Static<typeof SecretsSettings>>
