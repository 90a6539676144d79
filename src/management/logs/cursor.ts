import type { Cursor } from '../../records/store.ts'
import { invalidField } from '../invalid-field.ts'

/** The place of a list where its next page begins, as clients get it. What it says is ours to change. */
export const encodeCursor = ({ time, id }: Cursor): string => Buffer.from(`${time}.${id}`).toString('base64url')

/** @throws ManagementInvalid for a text that no list has given */
export const decodeCursor = (text: string, path: string): Cursor => {
  const [, time, id] = /^(\d{1,16})\.([0-9a-zA-Z_-]{1,64})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (time === undefined || id === undefined || !Number.isSafeInteger(Number(time))) {
    throw invalidField(path, 'is none that a list has given')
  }
  return { time: Number(time), id }
}
