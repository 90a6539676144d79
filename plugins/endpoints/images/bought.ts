import { defined, type Usage } from '#kit'

type Fields = Readonly<Record<string, unknown>>

/** Images that were made, and of what kind: the answer says it better than the request, which may leave it to the model. */
export const imagesBought = (asked: Fields, answer: Fields | undefined): Pick<Usage, 'units' | 'picture'> => {
  const picture = defined({
    quality: textOf(answer?.quality) ?? textOf(asked.quality),
    size: textOf(answer?.size) ?? textOf(asked.size),
  })
  return defined({
    units: { image: Array.isArray(answer?.data) ? answer.data.length : numberAsked(asked.n) },
    picture: Object.keys(picture).length === 0 ? undefined : picture,
  })
}

const numberAsked = (count: unknown): number => (typeof count === 'number' && count > 1 ? Math.floor(count) : 1)

/** `auto` leaves it to the model. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value !== 'auto' ? value.slice(0, MAX_CHARACTERS) : undefined

const MAX_CHARACTERS = 64
