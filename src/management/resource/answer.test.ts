import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { answerOf, columnsOf } from './answer.ts'

interface Row {
  readonly id: string
  readonly colorCode: string | null
  readonly isDefault: boolean
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

const row: Row = {
  id: 'one',
  colorCode: null,
  isDefault: true,
  createdAt: new Date('2026-01-02T03:04:05Z'),
  expiresAt: null,
}

test('fields are filled from the columns of their names, in the order of the schema', () => {
  const answer = answerOf<Row>()(
    {
      created_at: t.String(),
      color_code: t.Union([t.String(), t.Null()]),
      expires_at: t.Union([t.String(), t.Null()]),
      id: t.String(),
      is_default: t.Integer(),
      usage: t.Integer(),
      object: t.Literal('thing'),
    },
    { is_default: ({ isDefault }) => (isDefault ? 1 : 0), usage: () => 3 },
  )
  expect(JSON.stringify(answer.of(row))).toBe(
    '{"created_at":"2026-01-02T03:04:05.000Z","color_code":null,"expires_at":null,"id":"one","is_default":1,"usage":3,"object":"thing"}',
  )
  expect(Object.keys(answer.schema.properties)).toEqual(Object.keys(answer.of(row)))
})

test('a field that no column has the name of must be made', () => {
  const build = answerOf<Row>()
  // @ts-expect-error: `usage` is no column
  expect(build({ id: t.String(), usage: t.Integer() }).of(row).usage).toBeUndefined()
})

test('columns are taken by name from a body, null as it is, what is absent not at all', () => {
  const body: { color_code?: string | null; name?: string; workspace_id?: string } = {
    color_code: null,
    workspace_id: 'w',
  }
  expect(columnsOf(body, ['name', 'color_code'])).toStrictEqual({ colorCode: null })
})
