import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { promptSets } from '../../../test/property/prompt-files/arbitrary-set.ts'
import { placeIn } from '../../management/resolve-workspace.ts'
import { verifyAuditChain } from '../../store/objects/audit-log.ts'
import { collectionRows, defaultCollection } from '../../store/objects/collections.ts'
import { type PromptContent, promptRows } from '../../store/objects/prompts.ts'
import { describeOnBothStores, promptContent, rejection, SLOW_START_MS } from '../../store/testing.ts'
import type { PromptEntry, VersionEntry } from './entries.ts'
import { readStoredSet } from './pull.ts'
import { findBrokenPins, planPush } from './push.ts'
import { auditedActions, newWorkspace, openTerminal, push } from './test-support.ts'
import { toFiles } from './to-files.ts'

const ALL = { publish: true, prune: true }
const RUNS = 6

const version = (
  template: string,
  isPublished: boolean,
  labels: readonly string[] = [],
  changes: Partial<PromptContent> = {},
): VersionEntry<PromptContent> => ({ content: promptContent(template, changes), isPublished, labels })

const prompt = (newest: VersionEntry<PromptContent>, ...kept: VersionEntry<PromptContent>[]): PromptEntry => ({
  slug: 'pp-a',
  name: 'A',
  newest,
  kept,
})

describeOnBothStores('pushing prompts', (store) => {
  const terminal = () => openTerminal(store())

  test(
    'whatever the files say is in the workspace then, and is pulled to the byte',
    async () => {
      const own = await terminal()
      await fc.assert(
        fc.asyncProperty(promptSets, promptSets, async (first, second) => {
          const workspace = await newWorkspace(own)
          await push(own, workspace, first)
          expect(await readStoredSet(own.db, workspace)).toEqual(first)
          const entries = (await auditedActions(own, workspace)).length

          const again = await push(own, workspace, first)
          expect(again.filter(({ action, details }) => action !== 'unchanged' || details.length > 0)).toEqual([])
          expect((await auditedActions(own, workspace)).length).toBe(entries)

          await push(own, workspace, second, ALL)
          const pulled = await readStoredSet(own.db, workspace)
          expect(pulled).toEqual(second)
          expect([...toFiles(pulled)]).toEqual([...toFiles(second)])
        }),
        { numRuns: RUNS },
      )
      expect(await verifyAuditChain(own.db, own.organisationId)).toBeUndefined()
    },
    SLOW_START_MS,
  )

  test(
    'a change is a new version; only --publish publishes it, and labels move',
    async () => {
      const own = await terminal()
      const workspace = await newWorkspace(own)
      expect(await push(own, workspace, { prompts: [prompt(version('One', true, ['production', 'mine']))] })).toEqual([
        { action: 'created', kind: 'label', name: 'mine', details: [] },
        {
          action: 'created',
          kind: 'prompt',
          name: 'pp-a',
          version: 1,
          details: ['production: -> 1', 'mine: -> 1', 'published: 1'],
        },
      ])
      const changed = { prompts: [prompt(version('Two', true, ['production']))] }
      expect(await push(own, workspace, changed)).toEqual([
        {
          action: 'changed',
          kind: 'prompt',
          name: 'pp-a',
          version: 2,
          details: ['new: 2', 'production: 1 -> 2', 'mine stays on 1 (--prune)', 'published stays 1 (--publish)'],
        },
      ])
      expect(await readStoredSet(own.db, workspace)).toMatchObject({
        prompts: [prompt(version('Two', false, ['production']), version('One', true, ['mine']))],
      })
      expect(await push(own, workspace, changed)).toMatchObject([
        { action: 'unchanged', details: ['mine stays on 1 (--prune)', 'published stays 1 (--publish)'] },
      ])
      expect(await push(own, workspace, changed, ALL)).toMatchObject([
        { action: 'changed', version: 2, details: ['mine: 1 -> none', 'published: 1 -> 2'] },
      ])
      expect(await auditedActions(own, workspace)).toEqual([
        'prompts.publish',
        'prompts.update',
        'prompts.update',
        'prompts.update',
        'prompts.update',
        'prompts.update',
        'prompts.create',
        'labels.create',
      ])
    },
    SLOW_START_MS,
  )

  test(
    'names and collections change without a version, and what is archived comes back',
    async () => {
      const own = await terminal()
      const workspace = await newWorkspace(own)
      const first = { ...prompt(version('One', true)), collection: ['Team', 'Support'] }
      expect((await push(own, workspace, { prompts: [first] })).map(({ kind, name }) => [kind, name])).toEqual([
        ['collection', 'Team'],
        ['collection', 'Team / Support'],
        ['prompt', 'pp-a'],
      ])
      const stored = await promptRows.find(own.db, { workspaceId: workspace.id, reference: 'pp-a' })
      await promptRows.update(own.db, { id: stored?.id ?? '', updatedBy: 'test', status: 'archived' })
      expect((await readStoredSet(own.db, workspace)).prompts).toEqual([])
      const moved = { ...first, name: 'B', collection: ['Team'] }
      expect(await push(own, workspace, { prompts: [moved] })).toMatchObject([
        { action: 'changed', version: 1, details: ['active again', 'renamed', 'moved to Team'] },
      ])
      expect((await readStoredSet(own.db, workspace)).prompts).toEqual([moved])
      // A file that says nothing about it leaves it where it is.
      expect(await push(own, workspace, { prompts: [prompt(version('One', true))] })).toMatchObject([
        { action: 'changed', details: ['renamed'] },
      ])
      const { rows } = await collectionRows.list(own.db, { workspaceId: workspace.id }, { offset: 0, limit: 10 })
      expect(rows.map(({ name }) => name).toSorted()).toEqual(['Default', 'Support', 'Team'])
    },
    SLOW_START_MS,
  )

  test(
    'an unknown provider refuses all of it, unless no version is made',
    async () => {
      const own = await terminal()
      const workspace = await newWorkspace(own)
      const lost = prompt(version('One', true, [], { virtualKey: 'gone' }))
      const good = { ...prompt(version('One', true)), slug: 'pp-0' }
      const refused = await rejection(push(own, workspace, { prompts: [good, { ...lost, collection: ['New'] }] }))
      expect(refused.message).toBe("prompts/pp-a/prompt.json: `virtual_key` 'gone' is no provider of the workspace\n")
      expect(await readStoredSet(own.db, workspace)).toEqual({ prompts: [], partials: [] })
      expect(await auditedActions(own, workspace)).toEqual([])

      const { id: workspaceId, organisationId } = workspace
      const { id: collectionId } = await defaultCollection(own.db, placeIn(workspace))
      const row = { organisationId, workspaceId, collectionId, slug: 'pp-a', name: 'A', by: 'test' }
      await promptRows.create(own.db, { ...row, content: lost.newest.content })
      expect(await push(own, workspace, { prompts: [lost] })).toMatchObject([{ action: 'unchanged' }])
    },
    SLOW_START_MS,
  )

  test(
    'nothing is deleted but with --prune, and a folder that is not there says nothing',
    async () => {
      const own = await terminal()
      const workspace = await newWorkspace(own)
      const partial = {
        slug: 'pl-a',
        name: 'A',
        newest: { content: { template: 'x', description: null }, isPublished: true, labels: [] },
        kept: [],
      }
      const set = { prompts: [prompt(version('{{>pl-a}}', true))], partials: [partial] }
      await push(own, workspace, set)
      await push(own, workspace, { prompts: [], partials: [] })
      await push(own, workspace, {}, ALL)
      expect(await readStoredSet(own.db, workspace)).toMatchObject(set)
      expect(await push(own, workspace, { partials: [] }, ALL)).toEqual([
        { action: 'deleted', kind: 'partial', name: 'pl-a', details: [] },
      ])
      expect(await push(own, workspace, { prompts: [], partials: [] }, ALL)).toEqual([
        { action: 'deleted', kind: 'prompt', name: 'pp-a', details: [] },
      ])
      expect((await auditedActions(own, workspace)).slice(0, 2)).toEqual(['prompts.delete', 'prompt_partials.delete'])
    },
    SLOW_START_MS,
  )

  describe('partials that templates name', () => {
    test(
      'are missed when they will not be there',
      async () => {
        const own = await terminal()
        const workspace = await newWorkspace(own)
        const partial = (slug: string, template: string) => ({
          slug,
          name: slug,
          newest: { content: { template, description: null }, isPublished: true, labels: [] },
          kept: [],
        })
        await push(own, workspace, { partials: [partial('pl-old', 'x'), partial('pl-gone', 'x')] })
        const set = {
          prompts: [
            prompt(version('{{>pl-new}}{{>pl-new@1}}{{>pl-new@2}}{{>pl-old@1}}{{>pl-old@2}}{{>pl-none}}', true)),
          ],
          partials: [partial('pl-new', '{{>pl-gone@latest}}'), partial('pl-old', 'x')],
        }
        const plan = await planPush(own, workspace, set, ALL)
        const warnings = [
          "prompts/pp-a names the partial 'pl-new@2', which is not in the workspace",
          "prompts/pp-a names the partial 'pl-old@2', which is not in the workspace",
          "prompts/pp-a names the partial 'pl-none', which is not in the workspace",
          "partials/pl-new names the partial 'pl-gone@latest', which is not in the workspace",
        ]
        expect(await findBrokenPins(own.db, workspace, set, plan)).toEqual(warnings)
        await push(own, workspace, set, ALL)
        expect(await findBrokenPins(own.db, workspace, set, plan)).toEqual(warnings)
      },
      SLOW_START_MS,
    )
  })
})
