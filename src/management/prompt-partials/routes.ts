import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { findPromptsNaming, partialRows } from '../../store/objects/prompt-partials.ts'
import { entryOf } from '../resource/resource.ts'
import { versioned } from '../resource/versioned.ts'
import type { AnyRoute } from '../route.ts'
import { NewPartial, PartialChange, PartialQuery, PartialsQuery, Publication, VersionsQuery } from './model.ts'
import { changePartial, createPartial } from './service.ts'
import { ChangeReceipt, PartialReceipt, partialDetail, partialRow, versionRow } from './view.ts'

export interface PromptPartialsDeps {
  /** Version 4 UUID. */
  readonly randomId: () => string
}

export const partials = versioned({
  rows: partialRows,
  noun: 'partial',
  family: 'prompts',
  entry: entryOf('prompt_partials', 'prompt_partial'),
  tag: 'Prompt partials',
  path: '/prompts/partials/:partialId',
  answer: partialDetail,
  record: partialDetail.of,
})

/** Texts that the templates of a workspace share (interface contract, section 8). They have the scopes of prompts. */
export const promptPartialsRoutes = ({ randomId }: PromptPartialsDeps): readonly AnyRoute[] => [
  partials.list({ summary: 'List the prompt partials of a workspace', query: PartialsQuery, shown: partialRow }),
  partials.create({
    summary: 'Create a prompt partial; its first version is published',
    body: NewPartial,
    response: PartialReceipt,
    run: ({ db, actor, body }, place) => createPartial(db, actor, place, body, randomId),
    receipt: ({ object: { id, slug }, version }) => ({ id, slug, version_id: version.id }),
  }),
  partials.read({
    summary: 'Show a prompt partial',
    query: PartialQuery,
    // A change goes on from the newest version.
    views: () => [{ query: { version: 'latest' } }],
    async show({ db, query }, published) {
      if (query.version === undefined) return partialDetail.of(published)
      const { object } = published
      const number = query.version === 'latest' ? object.version : Number(query.version)
      const version = await partialRows.findVersion(db, object.id, number)
      if (version === undefined) throw new ManagementNotFound(`The partial '${object.slug}' has no version ${number}.`)
      return partialDetail.of({ object, version })
    },
  }),
  partials.update({
    summary: 'Change a prompt partial; a `string` becomes its new version, which is not published',
    body: PartialChange,
    response: ChangeReceipt,
    run: ({ db, actor, body }, partial) => changePartial(db, actor, partial, body),
    receipt: ({ object: { id, slug }, version }) => ({ id, slug, prompt_partial_version_id: version.id }),
  }),
  partials.delete({
    summary: 'Delete a prompt partial with its versions; calls of prompts that name it are refused from then on',
    async run({ db }, { object }, note) {
      note({ named_by: await findPromptsNaming(db, object) })
      await partialRows.remove(db, object.id)
    },
  }),
  partials.versions({
    summary: 'List the versions of a prompt partial, the newest first',
    query: VersionsQuery,
    shown: versionRow.schema,
    show: (_, found) => found.map(versionRow.of),
  }),
  partials.act({
    verb: 'publish',
    method: 'PUT',
    path: '/makeDefault',
    summary: 'Publish a version of a prompt partial: templates that name no version get it',
    body: Publication,
    run: ({ db, actor, body }, { object }) => partials.publish(db, actor, object, body.version),
  }),
]
