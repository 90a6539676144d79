import { useState } from 'react'

/** A search box for a list that is on the page, and what it holds. */
export const useSearchBox = (label: string) => {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const box = (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="min-h-9 w-full max-w-xs rounded-md border border-line bg-panel px-2.5 placeholder:text-soft"
    />
  )
  /** @param texts of one row */
  const fits = (...texts: readonly (string | null)[]): boolean =>
    wanted === '' || texts.some((each) => each?.toLowerCase().includes(wanted) === true)
  return { box, fits }
}

/** Said below a list that is longer than what was asked for. */
export const More = ({ shown, total }: { readonly shown: number; readonly total: number }) =>
  total > shown ? (
    <p className="text-soft">
      The first {shown} of {total}: the API has them all.
    </p>
  ) : null
