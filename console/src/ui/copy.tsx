import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { count } from './format.ts'
import { Scroll } from './scroll.tsx'

const SAID_MS = 2_000

/** Puts a text on the clipboard, and says so. */
export const CopyButton = ({ text, what = 'Copy' }: { readonly text: string; readonly what?: string }) => {
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Not allowed here')
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{said ?? what}</span>
    </Button>
  )
}

/** More than anybody reads at once, and as much as a page shows without a pause. */
const MOST_SHOWN = 50_000

/** Text as it is, to read and to copy. Of a very long one its beginning, and all of it for whoever asks. */
export const Code = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > MOST_SHOWN
  return (
    <div className="grid gap-2">
      <Scroll label={label} className="max-h-96 overflow-auto rounded-md bg-raised p-3">
        <pre className="font-mono text-xs">{isCut ? text.slice(0, MOST_SHOWN) : text}</pre>
      </Scroll>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} />
        {isCut && <Button onClick={() => setWhole(true)}>All {count(text.length)} characters</Button>}
      </div>
    </div>
  )
}
