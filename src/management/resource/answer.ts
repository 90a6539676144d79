import { type Static, type TLiteral, type TObject, type TProperties, type TSchema, Type as t } from '@sinclair/typebox'

/** The name of a column for the name of a field: `color_code` is kept in `colorCode`. */
type Camel<Text> = Text extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail> & string>}` : Text

/** Fields that no column of the row has the name of. */
type Odd<Fields, Row> = {
  [Name in keyof Fields]: Fields[Name] extends TLiteral ? never : Camel<Name> extends keyof Row ? never : Name
}[keyof Fields]

/** How fields are made that are not just a column. */
type Made<Fields extends TProperties, Row> = {
  readonly [Name in Odd<Fields, Row>]: (row: Row) => Static<Fields[Name]>
} & { readonly [Name in keyof Fields]?: (row: Row) => Static<Fields[Name]> }

/** How a stored object is shown: its schema, and the function that fills it in. */
export interface Answer<Row, Shown = object, Schema extends TSchema = TSchema> {
  readonly schema: Schema
  of(row: Row): Shown
}

const toColumnName = (field: string): string => field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * An answer made from its schema: each field is the column of its name, a literal stands for itself, and times become text.
 * @param made the other fields, each by a function of the row
 */
export const answerOf =
  <Row extends object>() =>
  <Fields extends TProperties>(
    fields: Fields,
    ...[made]: Readonly<Record<never, never>> extends Made<Fields, Row>
      ? [made?: Made<Fields, Row>]
      : [made: Made<Fields, Row>]
  ): Answer<Row, Static<TObject<Fields>>, TObject<Fields>> => {
    const makers: Readonly<Record<string, ((row: Row) => unknown) | undefined>> = { ...made }
    const fill = Object.entries(fields).map(([name, field]): readonly [string, (row: Row) => unknown] => {
      const column = toColumnName(name)
      const fromColumn = (row: Row): unknown => toShown(Reflect.get(row, column))
      return [name, makers[name] ?? (field.const === undefined ? fromColumn : () => field.const)]
    })
    return {
      schema: t.Object(fields),
      of: (row) => Object.fromEntries(fill.map(([name, from]) => [name, from(row)])) as Static<TObject<Fields>>,
    }
  }

const toShown = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

type Columns<Body, Name extends keyof Body> = {
  [Field in Name as Camel<Field> & string]?: Exclude<Body[Field], undefined>
}

/** The named fields of a body as columns; those that are absent stay away. */
export const columnsOf = <Body extends object, Name extends keyof Body & string>(
  body: Body,
  names: readonly Name[],
): Columns<Body, Name> => {
  const given = names.filter((name) => body[name] !== undefined)
  return Object.fromEntries(given.map((name) => [toColumnName(name), body[name]])) as Columns<Body, Name>
}

/** Converts a field that is given; one that is absent stays so, and null clears. */
export const ifGiven = <Value, Result>(
  value: Value | null | undefined,
  convert: (value: Value) => Result,
): Result | null | undefined => {
  if (value === undefined || value === null) return value as null | undefined
  return convert(value)
}
