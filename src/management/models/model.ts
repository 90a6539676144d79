import { Type as t } from '@sinclair/typebox'
import { Reference } from '../fields.ts'

export const ModelQuery = t.Object({ workspace_id: t.Optional(Reference) })

export const ModelAnswer = t.Object({
  id: t.String({ description: '`@<provider slug>/<model>`.' }),
  object: t.Literal('model'),
  created: t.Integer({ description: 'Seconds since 1970; 0 for a model that comes with its provider.' }),
  owned_by: t.String(),
})

export const ModelRemoval = t.Object({ id: t.String(), object: t.Literal('model'), deleted: t.Literal(true) })
