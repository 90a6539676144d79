import { check } from '../../core/json/check.ts'
import { ManagementNotFound } from '../../errors/gateway-error.ts'
import {
  findAllowedWorkspaces,
  type SecretReference,
  secretReferenceRows,
} from '../../store/objects/secret-references.ts'
import type { Tags as StoredTags } from '../../store/schema/integrations.ts'
import { authorOf } from '../actor.ts'
import { Tags } from '../integrations/model.ts'
import { invalidField } from '../invalid-field.ts'
import { named, requireOrganisation } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { AnyRoute } from '../route.ts'
import {
  listedReference,
  NewSecretReference,
  referenceAnswer,
  SecretReferenceChange,
  SecretReferenceReceipt,
  SecretReferencesQuery,
  type ShownReference,
} from './model.ts'
import { createReference, removeReference, type SecretReferencesDeps, updateReference } from './service.ts'

const references = resource<ShownReference, { readonly organisationId: string }>({
  async place({ actor, body }) {
    requireOrganisation(actor, named('organisation_id', body))
    return { organisationId: actor.organisationId }
  },
  async one({ db, actor: { organisationId } }, reference, verb) {
    const wanted = { organisationId, reference }
    const found = await secretReferenceRows.find(db, wanted, verb === 'read' ? undefined : 'change')
    if (found === undefined) throw new ManagementNotFound(`There is no secret reference '${reference}'.`)
    return unlisted(found)
  },
  async complete(db, rows) {
    const allowed = await findAllowedWorkspaces(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ ...row, allowedWorkspaces: allowed.get(row.id) ?? [] }))
  },
  tag: 'Secret references',
  plane: 'organisation',
  path: '/secret-references/:secretReferenceId',
  scopes: scopesIn('secret_references'),
  entry: (verb, { id }) => entryOf('secret_references', 'secret_reference')(verb, { id, workspaceId: null }),
  answer: referenceAnswer,
})

/** The list of workspaces is read when the answer is made. */
const unlisted = (row: SecretReference): ShownReference => ({ ...row, allowedWorkspaces: [] })

/** Secrets that are kept in a manager of secrets, and not in Weir (interface contract, section 3.5). */
export const secretReferencesRoutes = (deps: SecretReferencesDeps): readonly AnyRoute[] => [
  references.list({
    summary: 'List the secret references of the organisation',
    query: SecretReferencesQuery,
    shown: listedReference,
    rows: ({ db, actor: { organisationId }, query: { tags, manager_type, search } }, page) =>
      secretReferenceRows.list(
        db,
        { organisationId, manager_type, search, tags: tags === undefined ? undefined : toTags(tags) },
        page,
      ),
  }),
  references.create({
    summary: 'Say where a secret is kept',
    body: NewSecretReference,
    response: SecretReferenceReceipt,
    run: async ({ db, actor, body }, { organisationId }) =>
      unlisted(await createReference(db, deps, { organisationId, createdBy: authorOf(actor) }, body)),
    receipt: ({ id, slug }) => ({ id, slug, object: 'secret-reference' }),
  }),
  references.read({ summary: 'Show a secret reference, the secrets of its login masked' }),
  references.update({
    summary: 'Change a secret reference; calls read the secret anew',
    body: SecretReferenceChange,
    run: async ({ db, body }, stored) => unlisted(await updateReference(db, deps, stored, body)),
  }),
  references.delete({
    summary: 'Delete a secret reference that nothing uses',
    run: ({ db }, reference) => removeReference(db, reference),
  }),
]

/** @throws ManagementInvalid for what are no tags */
const toTags = (text: string): StoredTags => {
  const checked = check(Tags, parsed(text))
  if (!checked.ok) throw invalidField('tags', 'must be JSON, an object of texts, numbers and booleans')
  return checked.value
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
