import { findVersionLabels, listPrompts, promptRows } from '../../store/objects/prompts.ts'
import { WorkspaceQuery } from '../fields.ts'
import { placeOfCall } from '../resource/reach.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { LabelChange, NewPrompt, PromptChange, PromptsQuery, Publication, VersionsQuery } from './model.ts'
import { reachCollectionId, reachNamedLabel } from './references.ts'
import { changePrompt, createPrompt } from './service.ts'
import { labelsOf, labelVersion, prompts, relabel } from './versions.ts'
import { ChangeReceipt, PromptDetail, PromptReceipt, promptRow, toChangeReceipt, toPromptDetail } from './view.ts'

export interface PromptsDeps {
  /** Version 4 UUID. */
  readonly randomId: () => string
}

/** Prompt templates of a workspace (interface contract, section 8). */
export const promptsRoutes = ({ randomId }: PromptsDeps): readonly AnyRoute[] => [
  prompts.list({
    summary: 'List the prompts of a workspace, each with its published version in short',
    query: PromptsQuery,
    shown: promptRow,
    async rows(call, page) {
      const { db, query } = call
      const { collection_id: collection, search, label } = query
      const place = await placeOfCall(call)
      const collectionId = collection === undefined ? undefined : await reachCollectionId(db, place, collection)
      const labelled = label === undefined ? undefined : await reachNamedLabel(db, place.workspaceId, label, 'label')
      return listPrompts(db, { ...place, search, collectionId, labelId: labelled?.id }, page)
    },
  }),
  prompts.create({
    summary: 'Create a prompt; its first version is published',
    body: NewPrompt,
    response: PromptReceipt,
    run: ({ db, actor, body }, place) => createPrompt(db, actor, place, body, randomId),
    receipt: ({ object: { id, slug }, version }) => ({ id, slug, version_id: version.id, object: 'prompt' }),
  }),
  prompts.read({
    summary: 'Show a prompt in its published version, or in that of `id@12`, `id@latest` or `id@label`',
    // A change goes on from the newest version.
    views: ({ promptId }) => [{ params: { promptId: `${promptId}@latest` } }],
    show: async ({ db }, at) => toPromptDetail(at, await labelsOf(db, at)),
  }),
  prompts.update({
    summary: 'Change a prompt; fields of a version become a new one, which is not published',
    body: PromptChange,
    response: ChangeReceipt,
    run: ({ db, actor, body }, prompt) => changePrompt(db, actor, prompt, body),
    receipt: toChangeReceipt,
  }),
  prompts.delete({
    summary: 'Delete a prompt with its versions',
    run: ({ db }, { object }) => promptRows.remove(db, object.id),
  }),
  prompts.versions({
    summary: 'List the versions of a prompt, the newest first',
    query: VersionsQuery,
    shown: PromptDetail,
    async show({ db }, found) {
      const numbers = found.map(({ version }) => version.number)
      const labels = await findVersionLabels(db, found[0]?.object.id ?? '', numbers)
      return found.map((at) => toPromptDetail(at, labels.get(at.version.number) ?? []))
    },
  }),
  prompts.version({
    summary: 'Show a version of a prompt, by its id or number',
    path: '/:versionId',
    response: PromptDetail,
    show: async ({ db }, at) => toPromptDetail(at, await labelsOf(db, at)),
  }),
  defineRoute({
    tag: 'Prompts',
    plane: 'workspace',
    method: 'PUT',
    path: '/prompts/:promptId/versions/:versionId',
    summary: 'Move a label to a version of a prompt, or take its labels off',
    scopes: ['prompts.update'],
    changes: true,
    query: WorkspaceQuery,
    body: LabelChange,
    response: ChangeReceipt,
    async handle(call) {
      const { db, body, audit } = call
      const at = await prompts.calledVersion(call, 'versionId', 'change')
      audit(await relabel(db, at, () => labelVersion(db, at, body.label_id)))
      return toChangeReceipt(at)
    },
  }),
  prompts.act({
    verb: 'publish',
    method: 'PUT',
    path: '/makeDefault',
    summary: 'Publish a version of a prompt: calls that name none get it',
    body: Publication,
    response: ChangeReceipt,
    run: ({ db, actor, body }, { object }) => prompts.publish(db, actor, object, body.version),
    receipt: toChangeReceipt,
  }),
]
