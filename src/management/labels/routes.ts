import { ManagementForbidden } from '../../errors/gateway-error.ts'
import { LABEL_NAME_TAKEN, type Label, labelRows } from '../../store/objects/labels.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { WorkspaceQuery } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { inWorkspace } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import { refuseTaken } from '../resource/taken.ts'
import type { AnyRoute } from '../route.ts'
import { LabelChange, LabelReceipt, LabelsQuery, labelAnswer, NewLabel, type NewLabelBody } from './model.ts'

export const labelEntry = entryOf('labels', 'label')

const labels = resource({
  ...inWorkspace(labelRows, 'label'),
  tag: 'Labels',
  path: '/labels/:labelId',
  scopes: scopesIn('prompts'),
  entry: labelEntry,
  answer: labelAnswer,
  query: WorkspaceQuery,
})

/** Labels of a workspace, by which calls may name a version of a prompt (interface contract, section 8). */
export const labelsRoutes = (): readonly AnyRoute[] => [
  labels.list({ summary: 'List the labels of a workspace, those that every workspace has first', query: LabelsQuery }),
  labels.create({
    summary: 'Create a label',
    body: NewLabel,
    response: LabelReceipt,
    run: ({ db, body }, place) => createLabel(db, place, body),
    receipt: ({ id }) => ({ id }),
  }),
  labels.read({ summary: 'Show a label, by its id or name' }),
  labels.update({
    summary: 'Change a label; those that every workspace has keep their names',
    body: LabelChange,
    async run({ db, body }, label) {
      const { name = label.name } = body
      if (name !== label.name) {
        if (label.isUniversal) throw ofEveryWorkspace(label, 'renamed')
        checkName(name)
      }
      const fields = columnsOf(body, ['name', 'description', 'color_code'])
      return (await unlessTaken(name, () => labelRows.update(db, { id: label.id, ...fields }))) ?? label
    },
  }),
  labels.delete({
    summary: 'Delete a label: calls that name it are refused from then on',
    async run({ db }, label) {
      if (label.isUniversal) throw ofEveryWorkspace(label, 'deleted')
      await labelRows.remove(db, label.id)
    },
  }),
]

/** @throws ManagementInvalid for a name that a label cannot have; ManagementConflict */
export const createLabel = (
  db: Db,
  place: WorkspacePlace,
  { name, ...body }: Pick<NewLabelBody, 'name' | 'description' | 'color_code'>,
): Promise<Label> => {
  checkName(name)
  const fields = columnsOf(body, ['description', 'color_code'])
  return unlessTaken(name, () => labelRows.insert(db, { ...place, name, ...fields }))
}

/** References that mean something else already: `id@latest`, and the published version. */
const RESERVED: ReadonlySet<string> = new Set(['latest', 'default'])

const checkName = (name: string): void => {
  if (RESERVED.has(name.toLowerCase())) throw invalidField('name', 'is a word that calls use for something else')
  if (/^[0-9]+$/.test(name)) throw invalidField('name', 'must not be a number, as versions are named by theirs')
}

const ofEveryWorkspace = ({ name }: Label, what: 'renamed' | 'deleted'): ManagementForbidden =>
  new ManagementForbidden(`The label '${name}' is one that every workspace has: it cannot be ${what}.`)

const unlessTaken = <Stored>(name: string, store: () => Promise<Stored>): Promise<Stored> =>
  refuseTaken(LABEL_NAME_TAKEN, 'name', `There is a label '${name}' already.`, store)
